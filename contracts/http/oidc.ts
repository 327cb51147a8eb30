import { z } from 'zod'
import { isUrl } from '#domain/url-check.ts'
import { signin } from './accounts.ts'
import { endpoint } from './endpoint.ts'
import { GroupRoleSchema } from './ldap.ts'

/** Sign-in with an OpenID Connect provider (authorization code with PKCE), off by default. */

/** Where the provider sends the browser back to, below the console's address. */
export const OIDC_RETURN = '/auth-redirect'

const fields = {
  enabled: z.boolean(),
  /** On the button of the login page. */
  label: z.string().trim().max(40),
  /** https://…, exactly as the provider names itself; http only on this machine. */
  issuer: z
    .string()
    .trim()
    .max(300)
    .regex(/^(https?:\/\/[^\s?#]+)?$/i)
    .refine((address) => address === '' || isUrl(address)),
  client_id: z.string().trim().max(300),
  /** Address of this console as browsers see it, without path. */
  console_url: z
    .string()
    .trim()
    .max(300)
    .regex(/^(https?:\/\/[^\s/?#]+)?$/i)
    .refine((address) => address === '' || isUrl(address)),
  scopes: z
    .string()
    .trim()
    .max(300)
    .regex(/^openid( [\x21\x23-\x5b\x5d-\x7e]+)*$/),
  /** Claim that lists the groups; dots go into an object. */
  groups_claim: z.string().trim().min(1).max(200),
  /** Values of `acr` or `amr` (RFC 8176) with which the provider says that it asked for a second factor. */
  strong_values: z.array(z.string().trim().min(1).max(100)).max(20),
  /** Certificates (PEM) that the provider's one must come from; empty: public authorities. */
  ca: z.string().trim().max(20_000),
  roles: z.array(GroupRoleSchema).max(200),
}

export const OidcSettingsSchema = z.object(fields).extend({ secret_set: z.boolean() })
export type OidcSettings = z.infer<typeof OidcSettingsSchema>

const OidcChangeSchema = z.strictObject({
  ...fields,
  /** Absent: stays as it is. It is never answered. */
  client_secret: z.string().max(1000).optional(),
})
export type OidcChange = z.infer<typeof OidcChangeSchema>

export const oidcSettings = endpoint({
  method: 'GET',
  path: '/api/platform/oidc/',
  summary: 'Settings of the OpenID Connect provider, without the client secret',
  access: ['platform.settings'],
  response: z.object({ data: OidcSettingsSchema }),
})

export const saveOidc = endpoint({
  method: 'POST',
  path: '/api/platform/oidc/save/',
  summary: 'Change the settings of the OpenID Connect provider',
  access: ['platform.settings'],
  body: OidcChangeSchema,
  response: z.object({ data: OidcSettingsSchema }),
  errors: ['input.invalid', 'source.secret_again', 'user.role_unknown', 'user.role_not_grantable'],
})

export const testOidc = endpoint({
  method: 'POST',
  path: '/api/platform/oidc/test/',
  summary: 'Read what the provider says about itself (discovery) and its keys, with settings that are saved or not',
  access: ['platform.settings'],
  body: OidcChangeSchema,
  response: z.object({
    data: z.object({
      ok: z.boolean(),
      /** What went wrong, or the addresses that the provider names; not translated. */
      lines: z.array(z.string()),
    }),
  }),
  errors: ['input.invalid', 'source.secret_again'],
})

export const beginOidc = endpoint({
  method: 'POST',
  path: '/api/accounts/signin/oidc/begin/',
  summary:
    'Begin a sign-in with the provider: the address to send the browser to; binds it to this browser for ten minutes',
  access: 'public',
  audit: false,
  body: z.strictObject({}),
  response: z.object({ url: z.string() }),
  errors: ['login.oidc_off', 'login.oidc_away', 'login.address'],
})

export const finishOidc = endpoint({
  method: 'POST',
  path: '/api/accounts/signin/oidc/',
  summary: 'End a sign-in with the parameters that the provider sent the browser back with; answers like signin',
  access: 'public',
  bare: true,
  body: z.strictObject({
    /** The query of the address, without question mark. */
    answer: z.string().max(8000),
  }),
  response: signin.response,
  errors: [
    'login.oidc_off',
    'login.oidc_away',
    'login.oidc_state',
    'login.oidc_refused',
    'login.oidc_invalid',
    'login.oidc_email',
    'login.no_role',
    'login.name_taken',
    'login.disabled',
    'login.second_factor',
    'login.address',
  ],
})
