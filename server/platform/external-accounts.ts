import { ProductError } from '#contracts/errors.ts'
import type { AccountOrigin } from '#contracts/http/users.ts'
import type { MetaStore } from '#storage/postgres/database.ts'
import { CHANNELS } from '#storage/postgres/schema.ts'
import type { AuditEntry } from './audit/audit-trail.ts'
import { takeQuota } from './licence/licence-quota.ts'
import type { Licence } from './licence/open-licence.ts'

/** Whom an LDAP directory or an identity provider has signed in. */
export type ExternalIdentity = {
  origin: Exclude<AccountOrigin, 'local'>
  /** The provider's identifier; '' for LDAP. */
  issuer: string
  /** What the origin never uses again: the account belongs to it, whatever name it has. */
  subject: string
  /** E-mail address; the user name of a new account. */
  username: string
  /** What was typed. */
  loginName: string
  /** Of the first mapped group. */
  role: string
  address: string
}

type Deps = { meta: MetaStore; now(): number; audit(entry: AuditEntry): Promise<void> }

/**
 * The account of an identity: made at the first sign-in, without a password, and with the role of its groups each time. An account belongs to
 * origin, issuer and subject, never to a name alone. Throws login.name_taken where a new one would have the name of another account,
 * login.disabled, login.no_role where the role is gone, and licence.users where the licence allows no more accounts.
 */
export async function accountOfIdentity(
  deps: Deps & { licence: Licence },
  identity: ExternalIdentity,
): Promise<{ id: number; username: string }> {
  const { meta, now } = deps
  const { origin, issuer, subject, username, loginName, role } = identity
  const known = await meta.db.selectFrom('roles').select('key').where('key', '=', role).executeTakeFirst()
  if (!known) throw new ProductError('login.no_role')
  const find = () =>
    meta.db
      .selectFrom('external_identities')
      .innerJoin('users', 'users.id', 'external_identities.user_id')
      .select(['users.id', 'users.username', 'users.role', 'users.disabled'])
      .where('external_identities.origin', '=', origin)
      .where('external_identities.issuer', '=', issuer)
      .where('external_identities.subject', '=', subject)
      .executeTakeFirst()
  const account = (await find()) ?? ((await create()) ? undefined : await find())
  if (!account) {
    const made = await find()
    if (!made) throw new ProductError('login.name_taken', { username })
    await deps.audit({ ...entry(made.username), action: 'account.external', detail: `${origin} ${role}` })
    return made
  }
  if (account.disabled) throw new ProductError('login.disabled')
  await meta.db
    .updateTable('external_identities')
    .set({ login_name: loginName, checked_at: now() })
    .where('user_id', '=', account.id)
    .execute()
  await setExternalRole(deps, account, role, identity.address)
  return account

  /** False where the name, or in the same moment the identity, is taken. */
  function create(): Promise<boolean> {
    return meta.db.transaction().execute(async (tx) => {
      await takeQuota(tx, deps.licence, 'users', 1)
      const user = await tx
        .insertInto('users')
        .values({
          username,
          password_hash: '',
          password_history: [],
          role,
          super: false,
          must_change_password: false,
          disabled: false,
          created_at: now(),
          origin,
        })
        .onConflict((conflict) => conflict.doNothing())
        .returning('id')
        .executeTakeFirst()
      if (!user) return false
      await tx
        .insertInto('external_identities')
        .values({ user_id: user.id, origin, issuer, subject, login_name: loginName, checked_at: now() })
        .execute()
      return true
    })
  }
  function entry(target: string) {
    return { account: target, role, target, result: 'ok', address: identity.address }
  }
}

/** Gives an account the role of its groups; open sessions and sockets follow. */
export async function setExternalRole(
  { meta, audit }: Deps,
  account: { id: number; username: string; role: string },
  role: string,
  address: string,
): Promise<void> {
  if (account.role === role) return
  await meta.db.updateTable('users').set({ role }).where('id', '=', account.id).execute()
  await meta.notify(CHANNELS.changed, { what: 'roles' })
  await audit({
    account: account.username,
    role,
    action: 'account.role',
    target: account.username,
    result: 'ok',
    address,
    detail: `${account.role} > ${role}`,
  })
}
