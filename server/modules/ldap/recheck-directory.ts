import type { Settings } from '#contracts/http/settings.ts'
import type { MetaStore } from '#storage/postgres/database.ts'
import { CHANNELS } from '#storage/postgres/schema.ts'
import { makeSessions } from '../../http/sessions.ts'
import type { AuditEntry } from '../../platform/audit/audit-trail.ts'
import { setExternalRole } from '../../platform/external-accounts.ts'
import { readLdapSettings } from '../../platform/ldap/ldap-settings.ts'
import { currentLdapRole } from '../../platform/ldap/ldap-sign-in.ts'
import { revokeAccessTokens } from '../tokens/access-tokens.ts'

/** People of one connection to the directory. */
const AT_ONCE = 50

type Deps = {
  meta: MetaStore
  settings(): Settings
  secret(name: string): Buffer
  audit(entry: AuditEntry): Promise<void>
  now(): number
}

/**
 * Asks the directory again for every account of it that has a session or a token: whose entry or groups are gone loses them, whose groups changed
 * gets the other role. Throws where the directory is away: sessions then go on until their own limits end them.
 */
export async function recheckDirectory(deps: Deps): Promise<void> {
  const { meta, now } = deps
  const sessions = makeSessions(deps)
  const open = await meta.db
    .selectFrom('external_identities')
    .innerJoin('users', 'users.id', 'external_identities.user_id')
    .select(['users.id', 'users.username', 'users.role', 'external_identities.subject'])
    .select('external_identities.login_name as loginName')
    .where('external_identities.origin', '=', 'ldap')
    .where(({ or, exists, selectFrom }) =>
      or([
        exists(selectFrom('sessions').select('id').whereRef('user_id', '=', 'users.id').where('ended_at', 'is', null)),
        ...(['access_tokens', 'display_tokens'] as const).map((table) =>
          exists(
            selectFrom(table)
              .select('id')
              .whereRef('user_id', '=', 'users.id')
              .where('revoked_at', 'is', null)
              .where('expires_at', '>', now()),
          ),
        ),
      ]),
    )
    .orderBy('users.id')
    .execute()
  if (open.length === 0) return
  const settings = await readLdapSettings(deps)
  for (let at = 0; at < open.length; at += AT_ONCE) {
    const part = open.slice(at, at + AT_ONCE)
    const roles = settings.enabled ? await currentLdapRole(settings, part) : part.map(() => undefined)
    for (const [n, account] of part.entries()) {
      const role = roles[n]
      if (role === undefined) await end(account)
      else await setExternalRole(deps, account, role, '')
    }
    await meta.db
      .updateTable('external_identities')
      .set({ checked_at: now() })
      .where(
        'user_id',
        'in',
        part.map(({ id }) => id),
      )
      .execute()
  }

  async function end({ id, username, role }: (typeof open)[number]): Promise<void> {
    await sessions.endOf(id, 'directory')
    await revokeAccessTokens(deps, id)
    const walls = await meta.db
      .updateTable('display_tokens')
      .set({ revoked_at: now() })
      .where('user_id', '=', id)
      .where('revoked_at', 'is', null)
      .returning('id')
      .execute()
    for (const wall of walls) await meta.notify(CHANNELS.revoked, { kind: 'display', id: wall.id, reason: 'revoked' })
    const entry = { account: username, role, action: 'account.ended', target: username, result: 'ok', address: '' }
    await deps.audit({ ...entry, detail: 'ldap' })
  }
}
