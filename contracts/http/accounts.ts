import { z } from 'zod'
import { endpoint } from './endpoint.ts'

/** Sign-in, session, own account and invitation (LOGIN-01 to LOGIN-07, PASS-01, REQ-06; decisions 4 to 9). */

const ok = z.object({})

export const UserInfoSchema = z.object({
  username: z.string(),
  role: z.string(),
  auth_list: z.array(z.string()),
  is_encrypt: z.boolean(),
  /** Days until the account's authorisation ends; null: no end. */
  expire_day: z.number().nullable(),
  must_change_password: z.boolean(),
  /** The role requires a second factor and the account has none: nothing else opens before (contracts/http/second-factor.ts). */
  must_enrol: z.boolean(),
  /** Who knows its password and role: this installation, or where it comes from. */
  origin: z.enum(['local', 'ldap', 'oidc']),
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

/** Header of a sign-in with the solution of a proof of work (domain/proof-of-work.ts). */
export const PROOF_HEADER = 'x-proof-of-work'

export const signin = endpoint({
  method: 'POST',
  path: '/api/accounts/signin/',
  summary:
    'Sign in; success has no code, sets the session and jwt_token cookies. Refused with login.proof: the same again with the solved `challenge` in x-proof-of-work. Refused with login.second_factor: `step` goes on in signin/second-factor',
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
    'login.proof',
    'login.wrong',
    'login.locked',
    'login.first_expired',
    'login.second_factor',
    'login.address',
    'login.directory_away',
    'login.no_role',
    'login.name_taken',
    'login.disabled',
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
      /** Address of the own logo, or null. */
      logo: z.string().nullable(),
      /** The notice of the login page (domain/platform-text.ts), or null. */
      login_text: z.string().nullable(),
      /** zh where the variant fixes it. */
      forced_language: z.enum(['zh', 'en']).nullable(),
      zone: z.string(),
      version: z.string(),
      demo: z.boolean(),
      /** Shown on the login page of a demo bound to loopback alone. */
      demo_accounts: z.array(z.object({ username: z.string(), password: z.string(), role: z.string() })),
      /** Public key of the envelope: kid and uncompressed SM2 point, hex. */
      envelope_key: z.object({ kid: z.number(), public_key: z.string() }),
      /** Calls are sealed (isSealable), sign-in included. */
      is_encrypt: z.boolean(),
      /** Approval number of the map, null while none is set. */
      map_approval: z.string().nullable(),
      log_days: z.number(),
      /** Name of the provider's button; null where there is no provider. */
      oidc: z.object({ label: z.string() }).nullable(),
    }),
  }),
})

export const logout = endpoint({
  method: 'GET',
  path: '/api/accounts/logout/',
  summary: 'Sign out',
  access: 'session',
  changes: true,
  /** `redirect`: where the browser signs out of the provider that the account comes from. */
  response: z.object({ redirect: z.string().optional() }),
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
    'user.external',
  ],
})
