import { ProductError } from '#contracts/errors.ts'
import { type OidcChange, type OidcSettings, OidcSettingsSchema } from '#contracts/http/oidc.ts'
import { areCertificates, invalidSetting, type SealedSettingsDeps, sealedSettings } from '../sealed-settings.ts'

/** Settings with the client secret, for use inside the server. */
export type OpenOidcSettings = Omit<OidcSettings, 'secret_set'> & { client_secret: string }

const DEFAULTS: Omit<OidcSettings, 'secret_set'> = {
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
}

const stored = sealedSettings('oidc', 'oidc.client-secret', OidcSettingsSchema.omit({ secret_set: true }), DEFAULTS)

export async function readOidcSettings(deps: SealedSettingsDeps): Promise<OpenOidcSettings> {
  const { settings, text } = await stored.read(deps)
  return { ...settings, client_secret: text }
}

export function writeOidcSettings(deps: SealedSettingsDeps, settings: OpenOidcSettings): Promise<void> {
  const { client_secret, ...rest } = settings
  return stored.write(deps, rest, client_secret)
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
    if (!isSecure(settings[field]) || (settings.enabled && settings[field] === '')) throw invalidSetting(field)
  if (settings.enabled && settings.client_id === '') throw invalidSetting('client_id')
  if (!areCertificates(settings.ca)) throw invalidSetting('ca')
  return { ...settings, client_secret: client_secret ?? before.client_secret }
}

/** https, or http to this machine; nothing where it is empty. */
export function isSecure(url: string): boolean {
  return url === '' || /^https:/i.test(url) || /^http:\/\/(localhost|127(\.\d+){3}|\[::1\])(:\d+)?(\/|$)/i.test(url)
}
