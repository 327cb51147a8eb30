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

export const secondFactorState = endpoint({
  method: 'GET',
  path: '/api/accounts/second-factor/',
  summary: 'Whether the own account has a second factor, and whether its role requires one',
  access: 'session',
  tokens: { access: false },
  response: z.object({
    data: z.object({ enabled_at: z.number().nullable(), recovery_left: z.number(), required: z.boolean() }),
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

export const resetSecondFactor = endpoint({
  method: 'POST',
  path: '/api/users/second-factor/reset/',
  summary: 'Remove the second factor of an account whose owner lost it; its sessions and access tokens end',
  access: ['user.manage'],
  body: z.strictObject({ id: z.int() }),
  response: z.object({}),
  errors: ['data.missing', 'second_factor.none', 'user.super_protected', 'user.role_not_grantable'],
})
