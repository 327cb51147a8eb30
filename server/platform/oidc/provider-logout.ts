import type { MetaStore } from '#storage/postgres/database.ts'
import { openText } from '../secrets.ts'
import { endSessionUrl } from './oidc-provider.ts'
import { readOidcSettings } from './oidc-settings.ts'

/** Name of the key that seals the ID token of a session. */
export const ID_TOKEN_SEAL = 'oidc.id-token'

/** Where a browser that signs out of this session goes on to sign out of the provider; undefined for sessions of another origin. */
export async function providerLogout(
  deps: { meta: MetaStore; secret(name: string): Buffer; now(): number },
  session: string,
): Promise<string | undefined> {
  const row = await deps.meta.db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select(['users.origin', 'sessions.id_token'])
    .where('sessions.id', '=', session)
    .executeTakeFirst()
  if (row?.origin !== 'oidc') return undefined
  const settings = await readOidcSettings(deps)
  if (!settings.enabled) return undefined
  const idToken = row.id_token === '' ? '' : openText(deps.secret(ID_TOKEN_SEAL), row.id_token)
  return endSessionUrl(settings, idToken, deps.now())
}
