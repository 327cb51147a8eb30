import { errorText } from '#contracts/errors.ts'
import type { Endpoint, ResponseOf } from '#contracts/http/endpoint.ts'
import { currentLanguage, translate } from '../i18n/texts.ts'
import { displayToken } from '../session/display-token.ts'
import { markSignedOut } from '../session/session-store.ts'
import { ApiError } from './api-error.ts'
import { apiTexts } from './api-texts.ts'
import { apiSink } from './configure.ts'
import { beginEnding, isEnding, setCredentials } from './credentials.ts'
import { type CallInput, exchange } from './exchange.ts'
import { refreshSession, signOut } from './session.ts'

export type CallOptions = {
  /** The caller shows the refusal in its place; no message appears. What ends the session still says so. */
  quiet?: boolean
}

const SHOWN_MS = 3000
const LEAVE_MS = 2000
const ILLEGAL_LEAVE_MS = 500
const UPDATE_PAGE = '/platform/systemupdate'

/** Calls an endpoint: signed, with time-out, put right once where clock or jwt are off. Throws ApiError; shows it unless quiet. */
export async function call<E extends Endpoint>(
  endpoint: E,
  input: CallInput<E> = {},
  options: CallOptions = {},
): Promise<ResponseOf<E>> {
  try {
    return await exchange(endpoint, input, refreshSession)
  } catch (error) {
    if (error instanceof ApiError) handle(error, options)
    throw error
  }
}

/**
 * A refusal that ends the session says so and signs out (LOGIN-06, LOGIN-07, REQ-03), once, whichever request met it. False: it is another
 * refusal.
 */
export function leaveOn(error: ApiError): boolean {
  const sink = apiSink()
  if (error.key === 'illegal') {
    if (!beginEnding()) return true
    sink.notify(error.message)
    setTimeout(() => void signOut(), ILLEGAL_LEAVE_MS)
  } else if (error.status === 403) {
    if (location.pathname === '/login' || !beginEnding()) return true
    sink.notify(errorText('session.replaced', currentLanguage()), { ms: SHOWN_MS })
    setTimeout(() => void signOut(), LEAVE_MS)
  } else if (error.status === 401) {
    if (!beginEnding()) return true
    sink.notify(error.key === 'session.address' ? error.message : errorText('session.signed_out', currentLanguage()))
    setCredentials(null)
    markSignedOut()
    sink.onSignedOut()
  } else return false
  return true
}

/** What the screen does with each kind of refusal (GUARD-08, REQ-01, REQ-03, REQ-04). */
function handle(error: ApiError, { quiet = false }: CallOptions): void {
  const sink = apiSink()
  if (isEnding()) return
  if (displayToken()) {
    if (error.status === 401) sink.onWallRevoked?.()
    else if (!quiet) sink.notify(error.message, { ms: SHOWN_MS })
    return
  }
  if (leaveOn(error)) return
  if (error.key === 'login.must_enrol') {
    // A setting that came after the sign-in: the login page sets the second factor up.
    void refreshSession().then(() => sink.navigate('/login'))
  } else if (error.status === 404) sink.navigate('/errorpage')
  else if (quiet) return
  else if (error.status === 200 && error.code !== 0) sink.notify(error.message)
  else if (error.key === 'timeout') sink.notify(error.message)
  else if (location.pathname !== UPDATE_PAGE)
    sink.notify(translate(apiTexts, 'connection', { status: error.status }), { ms: SHOWN_MS })
}
