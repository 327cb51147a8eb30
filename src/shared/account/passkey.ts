import {
  browserSupportsWebAuthn,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser'
import { beginSigninPasskey, signinPasskey } from '#contracts/http/second-factor.ts'
import { exchange } from '../api/exchange.ts'
import { begun } from '../api/session.ts'

/** Why this page cannot use passkeys: opened under an IP address, or a browser or plain HTTP that has no credentials API. */
export function passkeyProblem(): 'host' | 'browser' | undefined {
  const { hostname } = location
  if (/^[\d.]+$/.test(hostname) || hostname.includes(':')) return 'host'
  return browserSupportsWebAuthn() ? undefined : 'browser'
}

/** Asks the browser for a new passkey; undefined where the user or the browser refused. */
export async function makePasskey(options: Record<string, unknown>): Promise<Record<string, unknown> | undefined> {
  const optionsJSON = options as unknown as PublicKeyCredentialCreationOptionsJSON
  const answer = await startRegistration({ optionsJSON }).catch(() => undefined)
  return answer && { ...answer }
}

/**
 * Ends a sign-in that was refused with login.second_factor by a passkey; undefined where the user or the browser refused. Throws ApiError
 * with what the form shows.
 */
export async function signInWithPasskey(step: string): Promise<{ mustChangePassword: boolean } | undefined> {
  const { data } = await exchange(beginSigninPasskey, { body: { step } })
  const optionsJSON = data as unknown as PublicKeyCredentialRequestOptionsJSON
  const answer = await startAuthentication({ optionsJSON }).catch(() => undefined)
  if (!answer) return undefined
  const signedIn = await exchange(signinPasskey, { body: { step, response: { ...answer } } })
  return begun(signedIn.must_change_password)
}
