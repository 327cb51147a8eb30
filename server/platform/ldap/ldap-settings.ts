import { X509Certificate } from 'node:crypto'
import { ProductError } from '#contracts/errors.ts'
import { type LdapChange, type LdapSettings, LdapSettingsSchema } from '#contracts/http/ldap.ts'
import type { MetaStore } from '#storage/postgres/database.ts'
import { openText, sealText } from '../secrets.ts'

/** Row of the settings table, and name of the key that seals the password in it. */
const KEY = 'ldap'
const SEAL = 'ldap.bind-password'

/** Settings with the password of the bind DN, for use inside the server. */
export type OpenLdapSettings = Omit<LdapSettings, 'password_set'> & { bind_password: string }

const DEFAULTS: LdapSettings = {
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
  password_set: false,
}

type Keys = { meta: MetaStore; secret(name: string): Buffer }

/** As stored; settings that a later version no longer takes are those of a new installation, which is off. */
export async function readLdapSettings({ meta, secret }: Keys): Promise<OpenLdapSettings> {
  const row = await meta.db.selectFrom('settings').select('value').where('key', '=', KEY).executeTakeFirst()
  const { sealed, ...stored } = (row?.value ?? {}) as Record<string, unknown>
  const bind_password = typeof sealed === 'string' && sealed !== '' ? openText(secret(SEAL), sealed) : ''
  const parsed = LdapSettingsSchema.safeParse({ ...DEFAULTS, ...stored })
  const { password_set: _, ...settings } = parsed.success ? parsed.data : DEFAULTS
  return { ...settings, bind_password }
}

export async function writeLdapSettings({ meta, secret }: Keys, settings: OpenLdapSettings): Promise<void> {
  const { bind_password, ...rest } = settings
  const sealed = bind_password === '' ? '' : sealText(secret(SEAL), bind_password)
  const value = JSON.stringify({ ...rest, sealed })
  await meta.db
    .insertInto('settings')
    .values({ key: KEY, value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
    .execute()
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
    throw settings.url === '' ? invalid('url') : new ProductError('ldap.plain', {}, { field: 'url' })
  if (settings.enabled && settings.base_dn === '') throw invalid('base_dn')
  if (!areCertificates(settings.ca)) throw invalid('ca')
  return { ...settings, bind_password: settings.bind_dn === '' ? '' : (bind_password ?? before.bind_password) }
}

function isEncryptedOrLocal({ url, start_tls, allow_plain }: Pick<LdapSettings, 'url' | 'start_tls' | 'allow_plain'>) {
  if (start_tls || allow_plain || /^ldaps:/i.test(url)) return true
  return /^ldap:\/\/(localhost|127(\.\d+){3}|\[::1\])(:\d+)?\/?$/i.test(url)
}

/** PEM certificates that can be read, or nothing. */
export function areCertificates(pem: string): boolean {
  if (pem === '') return true
  const found = pem.match(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g)
  try {
    return found?.every((one) => new X509Certificate(one)) ?? false
  } catch {
    // What cannot be read is refused with the name of the field.
    return false
  }
}

function invalid(field: string): ProductError {
  return new ProductError('input.invalid', { detail: field }, { field })
}
