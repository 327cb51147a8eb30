import type { ServerDeps } from '../../http/module.ts'
import { readLdapSettings } from '../../platform/ldap/ldap-settings.ts'
import { readOidcSettings } from '../../platform/oidc/oidc-settings.ts'
import { openTarget } from '../alerts/channel-target.ts'
import { openOutputTarget } from '../audit-log/log-output.ts'

/** Variables whose values are no secret. */
export const PLAIN_VARIABLES = ['PORT', 'HOST', 'NODE_ENV', 'TZ', 'LANG', 'APPWARDEN_ROLES', 'APPWARDEN_DEMO'] as const
/** Variables that the product reads (server/config.ts, docs/operations). */
const OURS =
  /^(PORT|HOST|NODE_ENV|TZ|LANG|DATABASE_URL|ADB_SERVER_SOCKET|APPWARDEN_[A-Z0-9_]+|CLICKHOUSE_URL|REDIS_URL|S3_URL)$/
const SECRET_NAME = /PASS|SECRET|TOKEN|KEY|KEK|CREDENTIAL|AUTH|URL|CAPTCHA/i
const MOST_NAMES = 20_000

/** Environment variables that concern the product: values only of those that hold no secret. */
export function readVariables(env: NodeJS.ProcessEnv): { name: string; value: string }[] {
  return Object.keys(env)
    .filter((name) => OURS.test(name))
    .sort()
    .map((name) => ({
      name,
      value: (PLAIN_VARIABLES as readonly string[]).includes(name) ? (env[name] ?? '') : 'set',
    }))
}

/**
 * Values that must be in no text which leaves the installation: of the environment, of settings and targets that are stored encrypted, and
 * the names of accounts.
 */
export async function knownSecrets(
  deps: Pick<ServerDeps, 'meta' | 'secret' | 'config'>,
  env: NodeJS.ProcessEnv,
): Promise<string[]> {
  const { db } = deps.meta
  const variables = Object.entries(env).flatMap(([name, value]) => (value && SECRET_NAME.test(name) ? [value] : []))
  const [channels, outputs, users, oidc, ldap] = await Promise.all([
    db.selectFrom('alert_channels').select('target').execute(),
    db.selectFrom('log_outputs').select(['target']).execute(),
    db.selectFrom('users').select('username').limit(MOST_NAMES).execute(),
    readOidcSettings(deps),
    readLdapSettings(deps),
  ])
  const targets = outputs.map((row) => openOutputTarget(deps.secret, row as Parameters<typeof openOutputTarget>[1]))
  return [
    ...variables,
    ...channels.map((row) => openTarget(deps.secret, row)),
    ...targets.map((one) => ('url' in one ? one.url : one.host)),
    ...users.map(({ username }) => username),
    oidc.client_secret,
    ldap.bind_password,
  ]
}
