import { isLogin, logout, PROOF_HEADER, pTags, signin } from '#contracts/http/accounts.ts'
import type { ResponseOf } from '#contracts/http/endpoint.ts'
import type { Challenge } from '#domain/proof-of-work.ts'
import { translate } from '../i18n/texts.ts'
import { displayToken } from '../session/display-token.ts'
import { usePlatform } from '../session/platform-store.ts'
import { markSignedIn, markSignedOut, useSession } from '../session/session-store.ts'
import { ApiError } from './api-error.ts'
import { apiTexts } from './api-texts.ts'
import { apiSink } from './configure.ts'
import { beginEnding, learnServerTime, setCredentials } from './credentials.ts'
import { learnServer, serverInfo } from './envelope.ts'
import { exchange } from './exchange.ts'
import { signatureKeyOf } from './request.ts'
import { solveProof } from './solve-proof.ts'

type SystemInfo = ResponseOf<typeof pTags>
type SignedIn = ResponseOf<typeof isLogin>

const SHOWN_MS = 3000

let systemInfo: Promise<SystemInfo> | undefined

/** System info, put into the platform store; read again, for instance after settings were changed. */
export function loadPlatform(): Promise<SystemInfo> {
  systemInfo = exchange(pTags).then(
    (info) => {
      const { data, tags } = info
      learnServer(data)
      usePlatform.setState({
        product: data.product,
        logo: data.logo,
        loginText: data.login_text,
        tag: tags[0]?.p_tag ?? data.product,
        zone: data.zone,
        version: data.version,
        demo: data.demo,
        demoAccounts: data.demo_accounts,
        forcedLanguage: data.forced_language,
        mapApproval: data.map_approval,
        logDays: data.log_days,
        oidc: data.oidc,
      })
      return info
    },
    (error: unknown) => {
      systemInfo = undefined
      throw error
    },
  )
  return systemInfo
}

/** As loadPlatform, but what this page already knows is good enough. */
function knownPlatform(): Promise<SystemInfo> {
  return systemInfo ?? loadPlatform()
}

/**
 * Asks who is signed in in this browser and keeps what signs this page's calls. Null: signed out (the login flag and the appid cookie are
 * cleared). A wall's tab has its token and asks nothing. Throws ApiError where the server cannot be asked.
 */
export async function bootSession(): Promise<SignedIn | null> {
  if (displayToken()) {
    await knownPlatform()
    return null
  }
  const answer = await askWhoIsSignedIn()
  if (!answer) {
    setCredentials(null)
    markSignedOut()
    return null
  }
  setCredentials({
    signatureKey: signatureKeyOf(answer.sig_key),
    token: answer.token,
    jwt: answer.jwt_token,
    sid: answer.sid,
    username: answer.username,
    isEncrypt: answer.is_encrypt,
  })
  learnServerTime(answer.server_time)
  markSignedIn(answer.sid, answer.idle_seconds)
  const { username, role, auth_list, is_encrypt, expire_day, must_change_password, must_enrol, origin } = answer
  useSession.setState({
    user: { username, role, auth_list, is_encrypt, expire_day, must_change_password, must_enrol, origin },
  })
  return answer
}

let refreshing: Promise<SignedIn | null> | undefined
/** bootSession for calls that find their jwt expired: one at a time, however many ask. */
export function refreshSession(): Promise<SignedIn | null> {
  refreshing ??= bootSession().finally(() => {
    refreshing = undefined
  })
  return refreshing
}

/** Throws ApiError with what the form shows. Solves a proof of work that the server asks for and sends the form again. */
export async function signIn(form: {
  username: string
  password: string
  verify_code: string
}): Promise<{ mustChangePassword: boolean }> {
  const answer = await exchange(signin, { body: form }).catch(async (error: unknown) => {
    if (!(error instanceof ApiError) || error.key !== 'login.proof') throw error
    const proof = await solveProof(error.fields['challenge'] as Challenge).catch(() => {
      throw error
    })
    return exchange(signin, { body: form, headers: { [PROOF_HEADER]: proof } })
  })
  return begun(answer.must_change_password)
}

/** Loads the session that a sign-in has begun. Throws ApiError. */
export async function begun(mustChangePassword: boolean): Promise<{ mustChangePassword: boolean }> {
  if (!(await bootSession())) throw new ApiError('illegal', translate(apiTexts, 'illegal'), 200)
  return { mustChangePassword }
}

/**
 * Ends the session here and on the server, then leaves: the page is reloaded, or the provider that the account comes from is signed out of
 * first. A session that is already over is no error.
 */
export async function signOut(): Promise<void> {
  beginEnding()
  const answer = await exchange(logout, {}, refreshSession).catch(() => undefined)
  setCredentials(null)
  markSignedOut()
  if (answer?.redirect) location.assign(answer.redirect)
  else apiSink().onSignedOut()
}

/** Any answer with a code means: not signed in (LOGIN-03). */
async function askWhoIsSignedIn(): Promise<SignedIn | null> {
  if (!serverInfo()) await knownPlatform()
  try {
    return await exchange(isLogin)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (error.status === 200 && error.code !== 0) return null
    // A session that another sign-in ended: a page that is loaded now says so, and the login page follows. Its cookies are gone.
    if (error.key !== 'session.replaced') throw error
    if (location.pathname !== '/login') apiSink().notify(error.message, { ms: SHOWN_MS })
    return null
  }
}
