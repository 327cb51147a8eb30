import * as client from 'openid-client'
import { ProductError } from '#contracts/errors.ts'
import { OIDC_RETURN } from '#contracts/http/oidc.ts'
import { isEmailAddress } from '#domain/email-address.ts'
import { log } from '#runtime/log.ts'
import { roleOfGroups } from '../group-role.ts'
import { makeCheckedFetch } from '../outgoing/checked-fetch.ts'
import type { OpenOidcSettings } from './oidc-settings.ts'

/** The provider's clock may differ by so much. */
const TOLERANCE_SECONDS = 30
const ANSWER_SECONDS = 10
/** What a provider says about itself is read again after this time. */
const KNOWN_MS = 600_000

/** What a sign-in must be ended with. */
export type OidcAttempt = { state: string; nonce: string; verifier: string }
/** Whom the provider has signed in. */
export type OidcSignIn = {
  issuer: string
  subject: string
  username: string
  role: string
  /** The provider says that it asked for a second factor. */
  isStrong: boolean
  idToken: string
}

const known = new Map<string, { at: number; config: Promise<client.Configuration> }>()

/** The provider's own description (OpenID Connect Discovery 1.0), read once in ten minutes. Throws what the network or the check of it throws. */
export function discover(settings: OpenOidcSettings, now: number, isFresh = false): Promise<client.Configuration> {
  const { issuer, client_id, client_secret, ca } = settings
  const key = JSON.stringify([issuer, client_id, client_secret, ca])
  const found = known.get(key)
  if (found && !isFresh && Math.abs(now - found.at) < KNOWN_MS) return found.config
  const url = new URL(issuer)
  const config = client.discovery(
    url,
    client_id,
    { [client.clockTolerance]: TOLERANCE_SECONDS },
    client_secret === '' ? client.None() : client.ClientSecretBasic(client_secret),
    {
      [client.customFetch]: makeCheckedFetch(ca),
      timeout: ANSWER_SECONDS,
      // Signatures of tokens are checked although they come from the provider directly; http is for a provider on this machine.
      execute: [client.enableNonRepudiationChecks, ...(url.protocol === 'http:' ? [client.allowInsecureRequests] : [])],
    },
  )
  known.clear()
  known.set(key, { at: now, config })
  // The caller gets the error; the next one asks again.
  config.catch(() => known.delete(key))
  return config
}

/** Where the browser goes to sign in, and what the answer must fit. Throws login.oidc_away. */
export async function beginAttempt(settings: OpenOidcSettings, now: number): Promise<OidcAttempt & { url: string }> {
  const config = await withProvider(() => discover(settings, now))
  const attempt = {
    state: client.randomState(),
    nonce: client.randomNonce(),
    verifier: client.randomPKCECodeVerifier(),
  }
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: settings.console_url + OIDC_RETURN,
    scope: settings.scopes,
    state: attempt.state,
    nonce: attempt.nonce,
    code_challenge: await client.calculatePKCECodeChallenge(attempt.verifier),
    code_challenge_method: 'S256',
  })
  return { ...attempt, url: url.href }
}

/**
 * Whom the provider's answer signs in: the code is exchanged, the ID token checked (signature, issuer, audience, times, nonce), groups and
 * e-mail address read, from the user info endpoint where the token lacks them. Throws login.oidc_away, login.oidc_refused,
 * login.oidc_invalid, login.oidc_email, login.no_role.
 */
export async function finishAttempt(
  settings: OpenOidcSettings,
  attempt: OidcAttempt,
  answer: URLSearchParams,
  now: number,
): Promise<OidcSignIn> {
  const refusal = answer.get('error')
  if (refusal !== null)
    throw new ProductError('login.oidc_refused', { detail: refusal.replace(/[^\w.-]/g, '').slice(0, 80) })
  return withProvider(async () => {
    const config = await discover(settings, now)
    const returned = new URL(`${settings.console_url}${OIDC_RETURN}?${answer}`)
    const tokens = await client.authorizationCodeGrant(config, returned, {
      expectedState: attempt.state,
      expectedNonce: attempt.nonce,
      pkceCodeVerifier: attempt.verifier,
      idTokenExpected: true,
    })
    const claims = tokens.claims()
    if (!claims || !tokens.id_token) throw new ProductError('login.oidc_invalid')
    let all: Record<string, unknown> = claims
    if (
      config.serverMetadata().userinfo_endpoint &&
      (!all['email'] || claimOf(all, settings.groups_claim) === undefined)
    )
      all = { ...(await client.fetchUserInfo(config, tokens.access_token, claims.sub)), ...claims }
    const { email, email_verified } = all
    if (typeof email !== 'string' || !isEmailAddress(email) || email_verified === false)
      throw new ProductError('login.oidc_email')
    const role = roleOfGroups(listOf(claimOf(all, settings.groups_claim)), settings.roles)
    if (role === undefined) throw new ProductError('login.no_role')
    const strength = [...listOf(claims['acr']), ...listOf(claims['amr'])]
    return {
      issuer: claims.iss,
      subject: claims.sub,
      username: email,
      role,
      isStrong: strength.some((one) => settings.strong_values.includes(one)),
      idToken: tokens.id_token,
    }
  })
}

/** Where the browser signs out of the provider too (RP-Initiated Logout 1.0); undefined where the provider has no such address or is away. */
export async function endSessionUrl(
  settings: OpenOidcSettings,
  idToken: string,
  now: number,
): Promise<string | undefined> {
  try {
    const config = await discover(settings, now)
    if (!config.serverMetadata().end_session_endpoint) return undefined
    const post_logout_redirect_uri = `${settings.console_url}/login`
    const hint: Record<string, string> = idToken === '' ? {} : { id_token_hint: idToken }
    return client.buildEndSessionUrl(config, { post_logout_redirect_uri, ...hint }).href
  } catch (error) {
    log.warn(`signing out of the OpenID Connect provider: ${problemText(error)}`)
    return undefined
  }
}

/** What went wrong with a provider, in one line for the log and the test of settings. */
export function problemText(error: unknown): string {
  const parts: string[] = []
  for (let one = error; one instanceof Error && parts.length < 4; one = one.cause) parts.push(one.message)
  return parts.filter(Boolean).join(': ').slice(0, 400)
}

async function withProvider<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ProductError) throw error
    log.error(`the OpenID Connect provider: ${problemText(error)}`)
    throw new ProductError(isAway(error) ? 'login.oidc_away' : 'login.oidc_invalid')
  }
}

/** No whole answer, or one that says that the provider itself has a problem; everything else is an answer that does not fit. */
function isAway(error: unknown): boolean {
  // The last cause may be the provider's answer itself.
  for (let one = error; typeof one === 'object' && one !== null; one = (one as { cause?: unknown }).cause) {
    const { code, status, message } = one as { code?: unknown; status?: unknown; message?: unknown }
    if (code === 'OAUTH_TIMEOUT' || (typeof status === 'number' && status >= 500)) return true
    if (typeof code === 'string' && /^E[A-Z]+$|CERT|TLS|SSL|SELF_SIGNED/.test(code)) return true
    if (typeof message === 'string' && message.startsWith('address refused')) return true
  }
  return false
}

/** A claim by its name, or by the way to it through objects (`realm_access.roles`). */
function claimOf(claims: Record<string, unknown>, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name]
  let value: unknown = claims
  for (const part of name.split('.'))
    value =
      typeof value === 'object' && value !== null && Object.hasOwn(value, part)
        ? (value as Record<string, unknown>)[part]
        : undefined
  return value
}

function listOf(value: unknown): string[] {
  return (Array.isArray(value) ? value : [value]).filter((one): one is string => typeof one === 'string' && one !== '')
}
