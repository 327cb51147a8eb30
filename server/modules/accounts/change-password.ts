import { ProductError } from '#contracts/errors.ts'
import type { MetaStore } from '#storage/postgres/database.ts'
import { beginAttempt } from './lock-out.ts'
import { checkPassword, hashPassword } from './password-hash.ts'
import { checkForm, isCommon, type PasswordChange } from './password-policy.ts'

const HISTORY = 5

type User = { id: number; password_hash: string; password_history: string[] }

/**
 * Changes the password of an account that knows its old one. A wrong old password counts like a failed sign-in from that address, before
 * it is verified. Of parallel changes with the same old password one succeeds; the others get password.old_wrong. Throws ProductError;
 * the caller ends sessions and access tokens.
 */
export async function changePassword(
  deps: { meta: MetaStore; now(): number },
  userId: number,
  address: string,
  form: PasswordChange,
): Promise<void> {
  const { meta } = deps
  checkForm(form)
  const user = await meta.db.selectFrom('users').selectAll().where('id', '=', userId).executeTakeFirstOrThrow()
  if (user.origin !== 'local') throw new ProductError('user.external')
  const attempt = await beginAttempt(meta, user.username.toLowerCase(), address, deps.now())
  if (!(await checkPassword(user.password_hash, form.old_password))) throw new ProductError('password.old_wrong')
  await attempt.succeeded()
  if (isCommon(form.new_password1, user.username)) throw new ProductError('password.common')
  for (const old of user.password_history)
    if (await checkPassword(old, form.new_password1)) throw new ProductError('password.reused')
  const changed = await storePassword(meta, user, form.new_password1, {
    must_change_password: false,
    first_password_until: null,
  })
  if (!changed) throw new ProductError('password.old_wrong')
}

/** Stores a password and keeps it among the last five; false where another request has changed it since `user` was read. */
export async function storePassword(
  meta: MetaStore,
  user: User,
  password: string,
  flags: { must_change_password: boolean; first_password_until: number | null },
): Promise<boolean> {
  const hash = await hashPassword(password)
  const password_history = [hash, ...user.password_history].slice(0, HISTORY)
  return replaceHash(meta, user, { password_hash: hash, password_history, ...flags })
}

/** Stores the hash of the same password in its normal form (see checkPassword); does nothing if the password was changed meanwhile. */
export async function rehash(meta: MetaStore, user: User, password: string): Promise<void> {
  const hash = await hashPassword(password)
  const password_history = user.password_history.map((old) => (old === user.password_hash ? hash : old))
  await replaceHash(meta, user, { password_hash: hash, password_history })
}

async function replaceHash(
  meta: MetaStore,
  user: User,
  set: {
    password_hash: string
    password_history: string[]
    must_change_password?: boolean
    first_password_until?: number | null
  },
): Promise<boolean> {
  const { numUpdatedRows } = await meta.db
    .updateTable('users')
    .set(set)
    .where('id', '=', user.id)
    .where('password_hash', '=', user.password_hash)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}
