import { z } from 'zod'
import { endpoint } from './endpoint.ts'

/** Account and member management (USER-01 to USER-03): who may sign in, as what, until when, with how many applications. */

const id = z.int().positive()
const ids = z.array(id).min(1).max(200)

/** Customer types of an account; a trial account is one of them (USER-01). */
export const CUSTOMER_TYPES = {
  standard: { zh: '正式客户', en: 'Standard' },
  trial: { zh: '试用账号', en: 'Trial account' },
  internal: { zh: '内部人员', en: 'Internal' },
  partner: { zh: '合作伙伴', en: 'Partner' },
} as const
export type CustomerType = keyof typeof CUSTOMER_TYPES
const CustomerTypeSchema = z.enum(Object.keys(CUSTOMER_TYPES) as [CustomerType, ...CustomerType[]])

/** Where an account comes from, and who knows its password and role. */
export const ACCOUNT_ORIGINS = {
  local: { zh: '本地', en: 'Local' },
  ldap: { zh: 'LDAP 目录', en: 'LDAP' },
  oidc: { zh: '统一认证（OIDC）', en: 'OIDC' },
} as const
export type AccountOrigin = keyof typeof ACCOUNT_ORIGINS

/**
 * State of an account as lists show it: `invited` accounts have no password yet, `expired` ones sign in, but keep only what noEmpower opens
 * (decision 12).
 */
export const USER_STATES = ['active', 'invited', 'expired', 'disabled'] as const
export type UserState = (typeof USER_STATES)[number]

const remarks = z.string().trim().max(500)
/** Number of applications that the account may own; null: no limit. */
const applicationQuota = z.int().min(0).max(10_000).nullable()
/** Epoch milliseconds; null: never. */
const expiresAt = z.int().min(0).max(8_640_000_000_000_000).nullable()

export const UserSchema = z.object({
  id,
  username: z.string(),
  role: z.string(),
  role_name: z.object({ zh: z.string(), en: z.string() }),
  customer_type: CustomerTypeSchema,
  remarks: z.string(),
  application_quota: applicationQuota,
  applications: z.number(),
  creator: z.string().nullable(),
  created_at: z.number(),
  last_login_at: z.number().nullable(),
  expires_at: expiresAt,
  /** Whole days until expiry, 0 on the last day, negative afterwards; null: never expires. */
  days_left: z.number().nullable(),
  state: z.enum(USER_STATES),
  must_change_password: z.boolean(),
  origin: z.enum(Object.keys(ACCOUNT_ORIGINS) as [AccountOrigin, ...AccountOrigin[]]),
  /** Signs in with a one-time code besides the password. */
  second_factor: z.boolean(),
  /** Of an account without password: when its invitation link ends, which may be over. */
  invited_until: z.number().nullable(),
  super: z.boolean(),
  /** Whether the caller may change this account: its role grants nothing that the caller lacks. */
  manageable: z.boolean(),
})
export type User = z.infer<typeof UserSchema>

export const USER_SORTS = ['username', 'role', 'created_at', 'last_login_at', 'expires_at'] as const
const filters = {
  search: z.string().trim().max(100).default(''),
  role: z.string().max(64).default(''),
  customer_type: CustomerTypeSchema.or(z.literal('')).default(''),
  state: z.enum(USER_STATES).or(z.literal('')).default(''),
}

export const users = endpoint({
  method: 'GET',
  path: '/api/users/',
  summary: 'Accounts, filtered, sorted, with the total',
  access: ['user.manage'],
  query: z.object({
    ...filters,
    sort: z.enum(USER_SORTS).default('created_at'),
    descending: z.stringbool().default(true),
    offset: z.coerce.number().int().min(0).max(1_000_000).default(0),
    limit: z.coerce.number().int().min(1).max(200).default(20),
  }),
  response: z.object({
    data: z.array(UserSchema),
    total: z.number(),
    /** Roles that the caller may give: those that grant nothing that the caller lacks. */
    roles: z.array(z.object({ key: z.string(), zh: z.string(), en: z.string(), grantable: z.boolean() })),
  }),
})

export const exportUsers = endpoint({
  method: 'GET',
  path: '/api/users/export/',
  summary: 'The filtered accounts as CSV',
  access: ['user.manage'],
  navigation: true,
  bare: true,
  query: z.object(filters),
  response: z.unknown(),
})

const InvitationSchema = z.object({
  /** Goes into the address of the login page: `/login#invitation=<token>`. Answered once. */
  token: z.string(),
  /** Epoch milliseconds. */
  expires_at: z.number(),
})

const account = {
  role: z.string().min(1).max(64),
  customer_type: CustomerTypeSchema.default('standard'),
  remarks: remarks.default(''),
  application_quota: applicationQuota.default(null),
  expires_at: expiresAt.default(null),
}

export const createUser = endpoint({
  method: 'POST',
  path: '/api/users/create/',
  summary:
    'Create an account: with an invitation link, or with a password; without either a password is generated, answered once and valid for 24 hours',
  access: ['user.manage'],
  body: z.object({
    username: z.string().max(256),
    password: z.string().max(256).default(''),
    invite: z.boolean().default(false),
    ...account,
  }),
  response: z.object({
    data: UserSchema,
    /** The generated password; null where one was given or the account was invited. */
    password: z.string().nullable(),
    invitation: InvitationSchema.nullable(),
  }),
  errors: [
    'input.invalid',
    'user.information_missing',
    'user.name_exists',
    'login.email',
    'password.rule',
    'password.characters',
    'password.common',
    'user.role_not_grantable',
  ],
})

export const changeUser = endpoint({
  method: 'POST',
  path: '/api/users/change/',
  summary: 'Change role, customer type, remarks, quota and expiry of an account',
  access: ['user.manage'],
  body: z.object({
    id,
    role: account.role.optional(),
    customer_type: CustomerTypeSchema.optional(),
    remarks: remarks.optional(),
    application_quota: applicationQuota.optional(),
    expires_at: expiresAt.optional(),
  }),
  response: z.object({ data: UserSchema }),
  errors: ['data.missing', 'user.external', 'user.super_protected', 'user.own_account', 'user.role_not_grantable'],
})

export const disableUsers = endpoint({
  method: 'POST',
  path: '/api/users/disable/',
  summary: 'Disable accounts, which ends their sessions, or enable them again',
  access: ['user.manage'],
  body: z.object({ ids, disabled: z.boolean() }),
  response: z.object({ changed: z.number() }),
  errors: ['data.missing', 'user.super_protected', 'user.own_account', 'user.role_not_grantable'],
})

export const resetUser = endpoint({
  method: 'POST',
  path: '/api/users/reset/',
  summary: 'Give an account a generated password that must be changed; its sessions and access tokens end',
  access: ['user.manage'],
  body: z.object({ id }),
  response: z.object({ password: z.string() }),
  errors: ['data.missing', 'user.external', 'user.super_protected', 'user.own_account', 'user.role_not_grantable'],
})

export const inviteUser = endpoint({
  method: 'POST',
  path: '/api/users/invite/',
  summary: 'A new invitation link for an account without password; the earlier link ends',
  access: ['user.manage'],
  body: z.object({ id }),
  response: z.object({ data: InvitationSchema }),
  errors: [
    'data.missing',
    'user.has_password',
    'user.external',
    'user.super_protected',
    'user.own_account',
    'user.role_not_grantable',
  ],
})

const token = z.string().max(100)

export const invitation = endpoint({
  method: 'POST',
  path: '/api/users/invitation/',
  summary: 'Which account an invitation link is for; the link stays usable',
  access: 'public',
  audit: false,
  body: z.object({ token }),
  response: z.object({
    data: z.object({
      username: z.string(),
      role_name: z.object({ zh: z.string(), en: z.string() }),
      expires_at: z.number(),
    }),
  }),
  errors: ['user.invitation_invalid'],
})

export const acceptInvitation = endpoint({
  method: 'POST',
  path: '/api/users/accept-invitation/',
  summary: 'Choose the first password with an invitation link, which is used up',
  access: 'public',
  body: z.object({ token, new_password1: z.string().default(''), new_password2: z.string().default('') }),
  response: z.object({ username: z.string() }),
  errors: [
    'user.invitation_invalid',
    'password.new_empty',
    'password.confirm_empty',
    'password.characters',
    'password.rule',
    'password.confirm',
    'password.common',
  ],
})

export const deleteUsers = endpoint({
  method: 'POST',
  path: '/api/users/delete/',
  summary: 'Delete accounts; applications and cases that they own pass to the caller',
  access: ['user.manage'],
  body: z.object({ ids }),
  response: z.object({ deleted: z.number(), applications: z.number(), cases: z.number() }),
  errors: ['data.missing', 'user.super_protected', 'user.own_account', 'user.role_not_grantable'],
})

/** Columns of an import file, in any order; username and role are required. */
export const IMPORT_COLUMNS = ['username', 'role', 'customer_type', 'application_quota', 'expires', 'remarks'] as const
export const IMPORT_LIMITS = { lines: 500, characters: 200_000 }
const ImportErrorSchema = z.object({
  /** Line of the file, the header being 1. */
  line: z.number(),
  column: z.string(),
  /** In the language of the request. */
  text: z.string(),
})
export type ImportError = z.infer<typeof ImportErrorSchema>

export const importUsers = endpoint({
  method: 'POST',
  path: '/api/users/import/',
  summary: 'Create accounts from CSV, all or none; with `check` nothing is created',
  access: ['user.manage'],
  body: z.object({ csv: z.string().max(IMPORT_LIMITS.characters), check: z.boolean() }),
  response: z.object({
    /** Accounts that the file holds. */
    count: z.number(),
    errors: z.array(ImportErrorSchema),
    /** Of the accounts that were created, with passwords that are shown once. */
    created: z.array(z.object({ username: z.string(), password: z.string() })),
  }),
})

/** Why a session is over; `ended`: by an administrator; `directory`: the directory no longer lets the account in. */
export const SESSION_ENDS = [
  'replaced',
  'logout',
  'idle',
  'absolute',
  'password',
  'disabled',
  'ended',
  'directory',
] as const

export const userSessions = endpoint({
  method: 'GET',
  path: '/api/users/sessions/',
  summary: 'Living sessions and the last ended ones of an account',
  access: ['user.manage'],
  query: z.object({ id: z.coerce.number().int().positive() }),
  response: z.object({
    data: z.array(
      z.object({
        label: z.string(),
        created_at: z.number(),
        last_input_at: z.number(),
        address: z.string(),
        agent: z.string(),
        ended_at: z.number().nullable(),
        end_reason: z.enum(SESSION_ENDS).nullable(),
      }),
    ),
  }),
  errors: ['data.missing'],
})

export const endUserSession = endpoint({
  method: 'POST',
  path: '/api/users/end-session/',
  summary: 'End the session of an account',
  access: ['user.manage'],
  body: z.object({ id }),
  response: z.object({}),
  errors: ['data.missing', 'user.super_protected', 'user.role_not_grantable'],
})
