import { z } from 'zod'
import { endpoint } from './endpoint.ts'

/** Sign-in with the accounts of an LDAP directory (RFC 4511), off by default. */

/** Where the name that was typed goes in the user filter; it is escaped (RFC 4515, 3). */
export const USERNAME_PLACEHOLDER = '{username}'
/** An attribute description (RFC 4512, 2.5); `member` may name a matching rule too, for groups in groups. */
const ATTRIBUTE = /^[A-Za-z][\w.-]*(?:;[\w-]+)*(?::[\d.]+:)?$/
const attribute = z.string().trim().max(100).regex(ATTRIBUTE)
const dn = z.string().trim().max(500).regex(/^$|=/)

/** Which role the members of a group get; the first entry that fits counts. Groups are names of LDAP entries, or values of a claim. */
export const GroupRoleSchema = z.strictObject({
  group: z.string().trim().min(1).max(500),
  role: z.string().min(1).max(64),
})
export type GroupRole = z.infer<typeof GroupRoleSchema>

const fields = {
  enabled: z.boolean(),
  /** ldaps://host[:port] or ldap://host[:port]. */
  url: z
    .string()
    .trim()
    .max(300)
    .regex(/^(ldaps?:\/\/[^\s/?#@]+)?\/?$/i),
  /** ldap:// is encrypted before anything is sent (RFC 4511, 4.14). */
  start_tls: z.boolean(),
  /** ldap:// without encryption to another machine. */
  allow_plain: z.boolean(),
  /** Certificates (PEM) that the directory's one must come from; empty: public authorities. */
  ca: z.string().trim().max(20_000),
  /** Reads the directory; empty: it may be read without an account. */
  bind_dn: dn,
  base_dn: dn,
  user_filter: z
    .string()
    .trim()
    .max(500)
    .refine((text) => text.startsWith('(') && text.split(USERNAME_PLACEHOLDER).length === 2),
  /** The e-mail address, which becomes the user name. */
  name_attribute: attribute,
  /** What never changes and is never used again. */
  id_attribute: attribute,
  /** Groups in the user's entry; empty: none. */
  group_attribute: attribute.or(z.literal('')),
  /** Where groups are searched by their members; empty: nowhere. */
  group_base_dn: dn,
  member_attribute: attribute,
  roles: z.array(GroupRoleSchema).max(200),
}

export const LdapSettingsSchema = z.object(fields).extend({ password_set: z.boolean() })
export type LdapSettings = z.infer<typeof LdapSettingsSchema>

const LdapChangeSchema = z.strictObject({
  ...fields,
  /** Of the bind DN; absent: stays as it is. It is never answered. */
  bind_password: z.string().max(256).optional(),
})
export type LdapChange = z.infer<typeof LdapChangeSchema>

export const ldapSettings = endpoint({
  method: 'GET',
  path: '/api/platform/ldap/',
  summary: 'Settings of the LDAP directory, without its password',
  access: ['platform.settings'],
  response: z.object({ data: LdapSettingsSchema }),
})

export const saveLdap = endpoint({
  method: 'POST',
  path: '/api/platform/ldap/save/',
  summary: 'Change the settings of the LDAP directory',
  access: ['platform.settings'],
  body: LdapChangeSchema,
  response: z.object({ data: LdapSettingsSchema }),
  errors: ['input.invalid', 'ldap.plain', 'source.secret_again', 'user.role_unknown', 'user.role_not_grantable'],
})

/** What a test tries, in this order. */
export const LDAP_STAGES = ['address', 'connect', 'encrypt', 'bind', 'search', 'groups', 'role', 'password'] as const
export type LdapStage = (typeof LDAP_STAGES)[number]
const StageSchema = z.object({
  stage: z.enum(LDAP_STAGES),
  state: z.enum(['ok', 'failed', 'skipped']),
  /** What was found, or what the directory answered; not translated. */
  detail: z.string(),
})
export type TestedStage = z.infer<typeof StageSchema>

export const testLdap = endpoint({
  method: 'POST',
  path: '/api/platform/ldap/test/',
  summary: 'Try settings of the LDAP directory, saved or not, with a user name, and its password if given',
  access: ['platform.settings'],
  body: z.strictObject({
    settings: LdapChangeSchema,
    username: z.string().trim().max(256).default(''),
    password: z.string().max(256).default(''),
  }),
  response: z.object({ data: z.array(StageSchema) }),
  errors: ['input.invalid', 'ldap.plain', 'source.secret_again'],
})
