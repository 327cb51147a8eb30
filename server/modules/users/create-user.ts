import type { Transaction } from 'kysely'
import { ProductError } from '#contracts/errors.ts'
import type { CustomerType } from '#contracts/http/users.ts'
import { isEmailAddress } from '#domain/email-address.ts'
import { followsRule } from '#domain/password-rule.ts'
import type { Database } from '#storage/postgres/schema.ts'
import { takeQuota } from '../../platform/licence/licence-quota.ts'
import type { Licence } from '../../platform/licence/open-licence.ts'
import { generatePassword } from '../accounts/first-administrator.ts'
import { hashPassword } from '../accounts/password-hash.ts'
import { isCommon } from '../accounts/password-policy.ts'

const GENERATED_PASSWORD_MS = 24 * 3_600_000

export type NewUser = {
  username: string
  /** Empty: one is generated, which stops working after 24 hours (decision 8). */
  password: string
  /** No password: the owner chooses one with an invitation link (invitations.ts). */
  invite?: boolean
  role: string
  customer_type: CustomerType
  remarks: string
  application_quota: number | null
  expires_at: number | null
  /** users.id of who creates it; null: the command line. */
  created_by: number | null
}

/** What a form of a new account must hold. Throws ProductError in the required words (USER-02). */
export function checkNewUser({ username, password }: Pick<NewUser, 'username' | 'password'>): void {
  if (username.trim() === '') throw new ProductError('user.information_missing')
  if (!isEmailAddress(username.trim())) throw new ProductError('login.email')
  if (password === '') return
  if (/[%*]/.test(password)) throw new ProductError('password.characters')
  if (!followsRule(password)) throw new ProductError('password.rule')
  if (isCommon(password, username)) throw new ProductError('password.common')
}

/**
 * Creates an account whose owner must change the password at first sign-in, or has none before an invitation is accepted. Answers the password where one was generated. Throws
 * user.name_exists for a name that is taken, whatever its case; names are unique by an index, so two calls at once make one account. Throws licence.users where the licence
 * allows no more.
 */
export async function createUser(
  { db, licence }: { db: Transaction<Database>; licence: Licence },
  user: NewUser,
  now: number,
): Promise<{ id: number; password: string | null }> {
  checkNewUser(user)
  const invite = user.invite ?? false
  if (invite && user.password) throw new ProductError('input.invalid', { detail: 'password' })
  const password = user.password || generatePassword()
  const hash = invite ? '' : await hashPassword(password)
  await takeQuota(db, licence, 'users', 1)
  const made = await db
    .insertInto('users')
    .values({
      username: user.username.trim(),
      password_hash: hash,
      password_history: invite ? [] : [hash],
      role: user.role,
      super: false,
      must_change_password: !invite,
      first_password_until: user.password || invite ? null : now + GENERATED_PASSWORD_MS,
      expires_at: user.expires_at,
      disabled: false,
      active_session: null,
      created_at: now,
      last_login_at: null,
      customer_type: user.customer_type,
      remarks: user.remarks,
      application_quota: user.application_quota,
      created_by: user.created_by,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!made) throw new ProductError('user.name_exists')
  return { id: made.id, password: user.password || invite ? null : password }
}
