import { z } from 'zod'
import { endpoint } from './endpoint.ts'

/** Accounts, sessions, tokens (specification, sections 4, 5, 7, 8; decisions 4 to 9). */

const ok = z.object({})

export const UserInfoSchema = z.object({
  username: z.string(),
  role: z.string(),
  auth_list: z.array(z.string()),
  is_encrypt: z.boolean(),
  /** Days until the account's authorisation ends; null: no end. */
  expire_day: z.number().nullable(),
  must_change_password: z.boolean(),
})
export type UserInfo = z.infer<typeof UserInfoSchema>

export const verifyImage = endpoint({
  method: 'GET',
  path: '/api/accounts/verify-image/',
  summary: 'Verification image (PNG, single use, 2 min); sets the pre-session cookie aw_pre',
  access: 'public',
  navigation: true,
  bare: true,
  query: z.object({ t: z.string().max(32).optional() }),
  response: z.unknown(),
})

export const signin = endpoint({
  method: 'POST',
  path: '/api/accounts/signin/',
  summary: 'Sign in; success carries no code, sets the session and jwt_token cookies',
  access: 'public',
  bare: true,
  body: z.object({
    // What is missing is empty, and what is too long is wrong: both have messages of their own.
    username: z.string().default(''),
    password: z.string().default(''),
    verify_code: z.string().default(''),
  }),
  response: z.object({ username: z.string(), must_change_password: z.boolean() }),
  errors: [
    'login.username_empty',
    'login.email',
    'login.password_empty',
    'login.code_empty',
    'login.code_wrong',
    'login.wrong',
    'login.locked',
    'login.first_expired',
  ],
})

export const isLogin = endpoint({
  method: 'GET',
  path: '/api/accounts/is_login/',
  summary:
    'Who is signed in in this browser, with the key that signs its requests; `?encrypt_data=` seals {} and the answer comes sealed',
  access: 'public',
  enveloped: true,
  bare: true,
  query: z.object({ encrypt_data: z.string().max(4096) }),
  response: UserInfoSchema.extend({
    is_login: z.literal(true),
    /** Base64url, 32 bytes: key of the `signature` header. */
    sig_key: z.string(),
    /** X-Token header. */
    token: z.string(),
    jwt_token: z.string(),
    /** Public label of the session: the `sid` that envelopes are bound to. */
    sid: z.string(),
    server_time: z.number(),
    idle_seconds: z.number(),
  }),
  errors: ['login.not_logged_in'],
})

export const userGroup = endpoint({
  method: 'GET',
  path: '/api/accounts/user-group/',
  summary: 'User info and auth_list; the same again under `data`, as this product answers one thing',
  access: 'session',
  response: UserInfoSchema.extend({ data: UserInfoSchema.extend({ code: z.literal(0) }) }),
})

export const pTags = endpoint({
  method: 'GET',
  path: '/api/accounts/p-tags',
  summary: 'System info: page title, product variant, languages, zone, server keys',
  access: 'public',
  response: z.object({
    tags: z.array(z.object({ p_tag: z.string() })),
    data: z.object({
      product: z.string(),
      logo: z.string().nullable(),
      /** zh where the variant fixes it. */
      forced_language: z.enum(['zh', 'en']).nullable(),
      zone: z.string(),
      version: z.string(),
      demo: z.boolean(),
      /** Shown on the login page of a demo bound to loopback alone. */
      demo_accounts: z.array(z.object({ username: z.string(), password: z.string(), role: z.string() })),
      /** Public key of the envelope: kid and uncompressed SM2 point, hex. */
      envelope_key: z.object({ kid: z.number(), public_key: z.string() }),
      /** Approval number of the map, null while none is set. */
      map_approval: z.string().nullable(),
      log_days: z.number(),
    }),
  }),
})

export const logout = endpoint({
  method: 'GET',
  path: '/api/accounts/logout/',
  summary: 'Sign out',
  access: 'session',
  changes: true,
  response: ok,
})

export const changePass = endpoint({
  method: 'POST',
  path: '/api/accounts/change-pass/',
  summary: 'Change the own password',
  access: 'session',
  body: z.object({
    old_password: z.string().default(''),
    new_password1: z.string().default(''),
    new_password2: z.string().default(''),
  }),
  response: ok,
  errors: [
    'password.old_empty',
    'password.new_empty',
    'password.confirm_empty',
    'password.characters',
    'password.rule',
    'password.same',
    'password.confirm',
    'password.old_wrong',
    'password.common',
    'password.reused',
  ],
})

export const licenseRemind = endpoint({
  method: 'GET',
  path: '/license-remind',
  summary: 'Licence reminder; status "none" until licences are built',
  access: 'public',
  response: z.object({ status: z.string(), message: z.string() }),
})

const TokenSchema = z.object({
  id: z.string(),
  name: z.string(),
  /** First characters, to tell tokens apart. */
  hint: z.string(),
  scopes: z.array(z.string()),
  created_at: z.number(),
  expires_at: z.number(),
  last_used_at: z.number().nullable(),
  revoked_at: z.number().nullable(),
})

export const accessTokens = endpoint({
  method: 'GET',
  path: '/api/accounts/access-tokens/',
  summary: 'Own access tokens',
  access: ['token.create'],
  response: z.object({ data: z.array(TokenSchema) }),
})
export const createAccessToken = endpoint({
  method: 'POST',
  path: '/api/accounts/access-tokens/create/',
  summary: 'Make an access token; its text is told once',
  access: ['token.create'],
  body: z.object({
    name: z.string().trim().min(1).max(64),
    scopes: z.array(z.string().max(64)).min(1).max(60),
    days: z.int().min(1).max(365),
  }),
  response: z.object({ data: TokenSchema, token: z.string() }),
  tokens: { access: false },
})
export const revokeAccessToken = endpoint({
  method: 'POST',
  path: '/api/accounts/access-tokens/revoke/',
  summary: 'Revoke an own access token',
  access: ['token.create'],
  body: z.object({ id: z.string() }),
  response: ok,
  errors: ['data.missing'],
})

const DisplayTokenSchema = z.object({
  id: z.string(),
  name: z.string(),
  hint: z.string(),
  /** Saved views that this wall rotates through, with seconds each; empty: the default view. */
  views: z.array(z.object({ view: z.string(), seconds: z.number() })),
  created_at: z.number(),
  last_used_at: z.number().nullable(),
  revoked_at: z.number().nullable(),
})
export const displayTokens = endpoint({
  method: 'GET',
  path: '/api/walls/display-tokens/',
  summary: 'Display tokens',
  access: ['wall.manage'],
  response: z.object({ data: z.array(DisplayTokenSchema) }),
})
export const createDisplayToken = endpoint({
  method: 'POST',
  path: '/api/walls/display-tokens/create/',
  summary:
    'Make a display token for one wall: read-only, revocable, with the scope of its maker; its text is told once',
  access: ['wall.manage'],
  body: z.object({
    name: z.string().trim().min(1).max(64),
    views: z
      .array(z.object({ view: z.string(), seconds: z.int().min(5).max(3600) }))
      .max(20)
      .default([]),
  }),
  response: z.object({ data: DisplayTokenSchema, token: z.string() }),
})
export const revokeDisplayToken = endpoint({
  method: 'POST',
  path: '/api/walls/display-tokens/revoke/',
  summary: 'Revoke a display token; its walls drop at once',
  access: ['wall.manage'],
  body: z.object({ id: z.string() }),
  response: ok,
  errors: ['data.missing'],
})
export const wallSelf = endpoint({
  method: 'GET',
  path: '/api/walls/self/',
  summary: 'The wall that this display token opens: name, saved views to rotate through',
  access: 'session',
  tokens: { access: false, display: true },
  response: z.object({
    data: z.object({
      name: z.string(),
      views: z.array(z.object({ id: z.string(), name: z.string(), search: z.string(), seconds: z.number() })),
    }),
  }),
})

export const auditLog = endpoint({
  method: 'GET',
  path: '/api/logs/audit/',
  summary: 'Audit trail, newest first',
  access: ['log.view'],
  query: z.object({
    cursor: z.coerce.number().int().optional(),
    limit: z.coerce.number().int().min(1).max(200).default(50),
    search: z.string().max(100).optional(),
  }),
  response: z.object({
    data: z.array(
      z.object({
        id: z.number(),
        at: z.number(),
        account: z.string(),
        role: z.string(),
        action: z.string(),
        target: z.string(),
        result: z.string(),
        address: z.string(),
        detail: z.string(),
      }),
    ),
    next_cursor: z.number().nullable(),
    total: z.number(),
  }),
})
export const auditVerify = endpoint({
  method: 'POST',
  path: '/api/logs/audit/verify/',
  summary: 'Recompute the hash chain; names the first entry that does not fit',
  access: ['audit.verify'],
  body: z.object({}),
  response: z.object({ data: z.object({ entries: z.number(), broken_at: z.number().nullable() }) }),
})
