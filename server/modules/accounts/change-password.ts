import { ProductError } from '#contracts/errors.ts'
import type { MetaStore } from '#storage/postgres/database.ts'
import { hashPassword, verifyPassword } from './password-hash.ts'
import { checkForm, isCommon, type PasswordChange } from './password-policy.ts'

const HISTORY = 5

/** Changes the password of an account that knows its old one. Throws ProductError; the caller ends the sessions. */
export async function changePassword(deps: { meta: MetaStore }, userId: number, form: PasswordChange): Promise<void> {
  checkForm(form)
  const user = await deps.meta.db.selectFrom('users').selectAll().where('id', '=', userId).executeTakeFirstOrThrow()
  if (!(await verifyPassword(user.password_hash, form.old_password))) throw new ProductError('password.old_wrong')
  if (isCommon(form.new_password1, user.username)) throw new ProductError('password.common')
  for (const old of user.password_history)
    if (await verifyPassword(old, form.new_password1)) throw new ProductError('password.reused')
  await storePassword(deps.meta, user, form.new_password1, { must_change_password: false, first_password_until: null })
}

/** Writes a password and remembers it among the last five. */
export async function storePassword(
  meta: MetaStore,
  user: { id: number; password_history: string[] },
  password: string,
  flags: { must_change_password: boolean; first_password_until: number | null },
): Promise<void> {
  const hash = await hashPassword(password)
  const password_history = [hash, ...user.password_history].slice(0, HISTORY)
  await meta.db
    .updateTable('users')
    .set({ password_hash: hash, password_history, ...flags })
    .where('id', '=', user.id)
    .execute()
}
