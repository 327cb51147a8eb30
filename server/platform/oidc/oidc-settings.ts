import { ProductError } from '#contracts/errors.ts'
import { type OidcChange, type OidcSettings, OidcSettingsSchema } from '#contracts/http/oidc.ts'
import type { MetaStore } from '#storage/postgres/database.ts'
import { areCertificates } from '../ldap/ldap-settings.ts'
import { openText, sealText } from '../secrets.ts'

/** Row of the settings table, and name of the key that seals the client secret in it. */
const KEY = 'oidc'
const SEAL = 'oidc.client-secret'

/** Settings with the client secret, for use inside the server. */
export type OpenOidcSettings = Omit<OidcSettings, 'secret_set'> & { client_secret: string }

const DEFAULTS: OidcSettings = {
  enabled: false,
  label: '',
  issuer: '',
  client_id: '',
  console_url: '',
  scopes: 'openid email profile',
  groups_claim: 'groups',
  strong_values: ['mfa'],
  ca: '',
  roles: [],
  secret_set: false,
}

type Keys = { meta: MetaStore; secret(name: string): Buffer }

/** As stored; settings that a later version no longer takes are those of a new installation, which is off. */
export async function readOidcSettings({ meta, secret }: Keys): Promise<OpenOidcSettings> {
  const row = await meta.db.selectFrom('settings').select('value').where('key', '=', KEY).executeTakeFirst()
  const { sealed, ...stored } = (row?.value ?? {}) as Record<string, unknown>
  const client_secret = typeof sealed === 'string' && sealed !== '' ? openText(secret(SEAL), sealed) : ''
  const parsed = OidcSettingsSchema.safeParse({ ...DEFAULTS, ...stored })
  const { secret_set: _, ...settings } = parsed.success ? parsed.data : DEFAULTS
  return { ...settings, client_secret }
}

export async function writeOidcSettings({ meta, secret }: Keys, settings: OpenOidcSettings): Promise<void> {
  const { client_secret, ...rest } = settings
  const sealed = client_secret === '' ? '' : sealText(secret(SEAL), client_secret)
  const value = JSON.stringify({ ...rest, sealed })
  await meta.db
    .insertInto('settings')
    .values({ key: KEY, value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
    .execute()
}

export function withoutSecret({ client_secret, ...settings }: OpenOidcSettings): OidcSettings {
  return { ...settings, secret_set: client_secret !== '' }
}

/**
 * The settings that a change leads to. A stored secret goes to the provider that it was entered for and no other. Throws source.secret_again,
 * input.invalid.
 */
export function changedOidcSettings(before: OpenOidcSettings, change: OidcChange): OpenOidcSettings {
  const { client_secret, ...settings } = change
  const moved =
    before.issuer !== settings.issuer || before.client_id !== settings.client_id || before.ca !== settings.ca
  if (client_secret === undefined && before.client_secret !== '' && moved)
    throw new ProductError('source.secret_again', {}, { field: 'client_secret' })
  for (const field of ['issuer', 'console_url'] as const)
    if (!isSecure(settings[field]) || (settings.enabled && settings[field] === '')) throw invalid(field)
  if (settings.enabled && settings.client_id === '') throw invalid('client_id')
  if (!areCertificates(settings.ca)) throw invalid('ca')
  return { ...settings, client_secret: client_secret ?? before.client_secret }
}

/** https, or http to this machine; nothing where it is empty. */
export function isSecure(url: string): boolean {
  return url === '' || /^https:/i.test(url) || /^http:\/\/(localhost|127(\.\d+){3}|\[::1\])(:\d+)?(\/|$)/i.test(url)
}

function invalid(field: string): ProductError {
  return new ProductError('input.invalid', { detail: field }, { field })
}
