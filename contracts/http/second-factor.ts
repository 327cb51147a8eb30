import { z } from 'zod'
import { signin } from './accounts.ts'
import { endpoint } from './endpoint.ts'

/** One-time codes of an authenticator app (RFC 6238: SHA-1, 6 digits, 30 s) and recovery codes. */

/** A time step of the codes, in seconds. */
export const CODE_SECONDS = 30
export const RECOVERY_CODES = 10

/** What a sign-in that needs the second step adds to its refusal login.second_factor. */
export const SecondStepSchema = z.object({
  /** Names this sign-in; valid for five minutes. */
  step: z.string(),
  recovery_left: z.number(),
  /** Which factors the account has. */
  one_time: z.boolean(),
  passkeys: z.boolean(),
})
export type SecondStep = z.infer<typeof SecondStepSchema>

export const signinSecondFactor = endpoint({
  method: 'POST',
  path: '/api/accounts/signin/second-factor/',
  summary:
    'End a sign-in that was refused with login.second_factor: its `step` and a one-time or recovery code; answers like signin',
  access: 'public',
  bare: true,
  body: z.object({ step: z.string().max(64), code: z.string().max(64) }),
  response: signin.response,
  errors: ['login.second_wrong', 'login.second_expired', 'login.locked', 'login.address'],
})

const PasskeySchema = z.object({
  id: z.string(),
  name: z.string(),
  /** Host name of the console that it belongs to. */
  host: z.string(),
  created_at: z.number(),
  last_used_at: z.number().nullable(),
})

export const secondFactorState = endpoint({
  method: 'GET',
  path: '/api/accounts/second-factor/',
  summary: 'Whether the own account has a second factor, and whether its role requires one',
  access: 'session',
  tokens: { access: false },
  response: z.object({
    data: z.object({
      /** Epoch milliseconds: the first of its factors. */
      enabled_at: z.number().nullable(),
      one_time: z.boolean(),
      recovery_left: z.number(),
      required: z.boolean(),
      passkeys: z.array(PasskeySchema),
    }),
  }),
})

const password = z.string().max(256)

export const beginSecondFactor = endpoint({
  method: 'POST',
  path: '/api/accounts/second-factor/begin/',
  summary: 'A new secret for the authenticator app; it is in use once a code of it was confirmed',
  access: 'session',
  tokens: { access: false },
  body: z.strictObject({ password }),
  response: z.object({
    /** Base32, for typing; and the same in the address that a QR code holds. */
    data: z.object({ secret: z.string(), uri: z.string() }),
  }),
  errors: ['password.old_wrong', 'login.locked', 'login.again', 'login.directory_away', 'login.no_role'],
})

const RecoveryAnswer = z.object({
  /** Shown once: only their hashes are stored. */
  recovery_codes: z.array(z.string()),
})

export const confirmSecondFactor = endpoint({
  method: 'POST',
  path: '/api/accounts/second-factor/confirm/',
  summary:
    'Put the new secret to use with a first code; answers recovery codes, once. Access tokens of the account end',
  access: 'session',
  tokens: { access: false },
  body: z.strictObject({ code: z.string().max(64) }),
  response: RecoveryAnswer,
  errors: ['login.second_wrong', 'second_factor.none', 'login.locked'],
})

export const renewRecoveryCodes = endpoint({
  method: 'POST',
  path: '/api/accounts/second-factor/recovery-codes/',
  summary: 'New recovery codes; the earlier ones are void',
  access: 'session',
  tokens: { access: false },
  body: z.strictObject({ password }),
  response: RecoveryAnswer,
  errors: [
    'password.old_wrong',
    'second_factor.none',
    'login.locked',
    'login.again',
    'login.directory_away',
    'login.no_role',
  ],
})

export const removeSecondFactor = endpoint({
  method: 'POST',
  path: '/api/accounts/second-factor/remove/',
  summary: 'Sign in with the password alone again; refused where the role requires a second factor',
  access: 'session',
  tokens: { access: false },
  body: z.strictObject({ password }),
  response: z.object({}),
  errors: [
    'password.old_wrong',
    'second_factor.none',
    'login.must_enrol',
    'login.locked',
    'login.again',
    'login.directory_away',
    'login.no_role',
  ],
})

/** Options and answers of a browser's credentials API as JSON (W3C Web Authentication Level 3, 5.1.8 to 5.1.10). */
const WebAuthnSchema = z.record(z.string().max(64), z.unknown())

export const beginPasskey = endpoint({
  method: 'POST',
  path: '/api/accounts/second-factor/passkeys/begin/',
  summary: 'What the browser needs to make a passkey for the own account; refused under an IP address',
  access: 'session',
  tokens: { access: false },
  body: z.strictObject({ password }),
  response: z.object({ data: WebAuthnSchema }),
  errors: ['password.old_wrong', 'passkey.host', 'quota.reached', 'login.locked'],
})

export const confirmPasskey = endpoint({
  method: 'POST',
  path: '/api/accounts/second-factor/passkeys/confirm/',
  summary:
    'Keep the passkey that the browser made; answers recovery codes where the account had no second factor. Access tokens of the account end',
  access: 'session',
  tokens: { access: false },
  body: z.strictObject({ name: z.string().trim().min(1).max(64), response: WebAuthnSchema }),
  response: RecoveryAnswer,
  errors: ['passkey.host', 'passkey.wrong', 'data.conflict'],
})

export const removePasskey = endpoint({
  method: 'POST',
  path: '/api/accounts/second-factor/passkeys/remove/',
  summary: 'Remove an own passkey; refused for the last factor where the role requires one',
  access: 'session',
  tokens: { access: false },
  body: z.strictObject({ password, id: z.string().max(1400) }),
  response: z.object({}),
  errors: ['password.old_wrong', 'data.missing', 'login.must_enrol', 'login.locked'],
})

export const beginSigninPasskey = endpoint({
  method: 'POST',
  path: '/api/accounts/signin/passkey/begin/',
  summary: 'What the browser needs to end a sign-in with a passkey: the `step` of login.second_factor',
  access: 'public',
  audit: false,
  body: z.object({ step: z.string().max(64) }),
  response: z.object({ data: WebAuthnSchema }),
  errors: ['login.second_expired', 'passkey.host', 'passkey.none', 'login.address'],
})

export const signinPasskey = endpoint({
  method: 'POST',
  path: '/api/accounts/signin/passkey/',
  summary: 'End a sign-in that was refused with login.second_factor by a passkey; answers like signin',
  access: 'public',
  bare: true,
  body: z.object({ step: z.string().max(64), response: WebAuthnSchema }),
  response: signin.response,
  errors: ['passkey.wrong', 'passkey.host', 'login.second_expired', 'login.locked', 'login.address'],
})

export const resetSecondFactor = endpoint({
  method: 'POST',
  path: '/api/users/second-factor/reset/',
  summary: 'Remove the second factor of an account whose owner lost it; its sessions and access tokens end',
  access: ['user.manage'],
  body: z.strictObject({ id: z.int() }),
  response: z.object({}),
  errors: ['data.missing', 'second_factor.none', 'user.super_protected', 'user.role_not_grantable'],
})
