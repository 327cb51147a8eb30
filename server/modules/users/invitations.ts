import type { Kysely } from 'kysely'
import { ProductError } from '#contracts/errors.ts'
import type { MetaStore } from '#storage/postgres/database.ts'
import type { Database } from '#storage/postgres/schema.ts'
import { hashOf, newSecretText } from '../../http/session-keys.ts'
import { hashPassword } from '../accounts/password-hash.ts'
import { checkForm, isCommon } from '../accounts/password-policy.ts'

/** Three days: long enough for a weekend. */
const INVITATION_MS = 72 * 3_600_000

/** A new link for an account without password; an earlier one ends. The token is answered here alone: the store holds its hash. */
export async function makeInvitation(
  { db }: { db: Kysely<Database> },
  userId: number,
  now: number,
): Promise<{ token: string; expires_at: number }> {
  const token = newSecretText()
  const values = { hash: hashOf(token), created_at: now, expires_at: now + INVITATION_MS }
  await db
    .insertInto('invitations')
    .values({ user_id: userId, ...values })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(values))
    .execute()
  return { token, expires_at: values.expires_at }
}

/** The account of a link that can still be used. Throws user.invitation_invalid, in the same words whatever the reason. */
export async function findInvitation({ db }: Pick<MetaStore, 'db'>, token: string, now: number) {
  const row = await db
    .selectFrom('invitations')
    .innerJoin('users', 'users.id', 'invitations.user_id')
    .innerJoin('roles', 'roles.key', 'users.role')
    .select(['users.id', 'users.username', 'roles.zh', 'roles.en', 'invitations.expires_at'])
    .where('invitations.hash', '=', hashOf(token))
    .where('invitations.expires_at', '>', now)
    .where('users.disabled', '=', false)
    .where('users.password_hash', '=', '')
    .executeTakeFirst()
  if (!row) throw new ProductError('user.invitation_invalid')
  return row
}

/** Stores the first password and uses the link up. Of parallel calls with one link a single one succeeds. Throws ProductError. */
export async function acceptInvitation(
  meta: Pick<MetaStore, 'db'>,
  given: { token: string; new_password1: string; new_password2: string },
  now: number,
): Promise<void> {
  const { id, username } = await findInvitation(meta, given.token, now)
  const { token, ...form } = given
  checkForm(form)
  if (isCommon(form.new_password1, username)) throw new ProductError('password.common')
  const hash = await hashPassword(form.new_password1)
  await meta.db.transaction().execute(async (tx) => {
    const used = await tx
      .deleteFrom('invitations')
      .where('hash', '=', hashOf(token))
      .where('expires_at', '>', now)
      .returning('user_id')
      .executeTakeFirst()
    const changed = await tx
      .updateTable('users')
      .set({ password_hash: hash, password_history: [hash], must_change_password: false, first_password_until: null })
      .where('id', '=', used?.user_id ?? 0)
      .where('id', '=', id)
      .where('password_hash', '=', '')
      .where('disabled', '=', false)
      .executeTakeFirst()
    if (changed.numUpdatedRows !== 1n) throw new ProductError('user.invitation_invalid')
  })
}
