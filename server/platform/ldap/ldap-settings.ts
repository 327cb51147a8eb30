import { ProductError } from '#contracts/errors.ts'
import { type LdapChange, type LdapSettings, LdapSettingsSchema } from '#contracts/http/ldap.ts'
import { areCertificates, invalidSetting, type SealedSettingsDeps, sealedSettings } from '../sealed-settings.ts'

/** Settings with the password of the bind DN, for use inside the server. */
export type OpenLdapSettings = Omit<LdapSettings, 'password_set'> & { bind_password: string }

const DEFAULTS: Omit<LdapSettings, 'password_set'> = {
  enabled: false,
  url: '',
  start_tls: true,
  allow_plain: false,
  ca: '',
  bind_dn: '',
  base_dn: '',
  user_filter: '(mail={username})',
  name_attribute: 'mail',
  id_attribute: 'entryUUID',
  group_attribute: 'memberOf',
  group_base_dn: '',
  member_attribute: 'member',
  roles: [],
}

const stored = sealedSettings('ldap', 'ldap.bind-password', LdapSettingsSchema.omit({ password_set: true }), DEFAULTS)

export async function readLdapSettings(deps: SealedSettingsDeps): Promise<OpenLdapSettings> {
  const { settings, text } = await stored.read(deps)
  return { ...settings, bind_password: text }
}

export function writeLdapSettings(deps: SealedSettingsDeps, settings: OpenLdapSettings): Promise<void> {
  const { bind_password, ...rest } = settings
  return stored.write(deps, rest, bind_password)
}

export function withoutPassword({ bind_password, ...settings }: OpenLdapSettings): LdapSettings {
  return { ...settings, password_set: bind_password !== '' }
}

/**
 * The settings that a change leads to. A stored password is not sent anywhere else than it was entered for: where address or encryption
 * change it must be entered again. Throws source.secret_again, ldap.plain, input.invalid.
 */
export function changedLdapSettings(before: OpenLdapSettings, change: LdapChange): OpenLdapSettings {
  const { bind_password, ...settings } = change
  const moved = (['url', 'start_tls', 'allow_plain', 'ca', 'bind_dn'] as const).some(
    (name) => before[name] !== settings[name],
  )
  if (bind_password === undefined && before.bind_password !== '' && moved && settings.bind_dn !== '')
    throw new ProductError('source.secret_again', {}, { field: 'bind_password' })
  if (settings.url === '' ? settings.enabled : !isEncryptedOrLocal(settings))
    throw settings.url === '' ? invalidSetting('url') : new ProductError('ldap.plain', {}, { field: 'url' })
  if (settings.enabled && settings.base_dn === '') throw invalidSetting('base_dn')
  if (!areCertificates(settings.ca)) throw invalidSetting('ca')
  return { ...settings, bind_password: settings.bind_dn === '' ? '' : (bind_password ?? before.bind_password) }
}

function isEncryptedOrLocal({ url, start_tls, allow_plain }: Pick<LdapSettings, 'url' | 'start_tls' | 'allow_plain'>) {
  if (start_tls || allow_plain || /^ldaps:/i.test(url)) return true
  return /^ldap:\/\/(localhost|127(\.\d+){3}|\[::1\])(:\d+)?\/?$/i.test(url)
}
