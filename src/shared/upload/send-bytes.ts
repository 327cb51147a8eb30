import type { Endpoint } from '#contracts/http/endpoint.ts'
import { gmPortable } from '#engines/gm/gm-portable.ts'
import { signRequest } from '#engines/gm/signature.ts'
import { ApiError, refusalOf } from '../api/api-error.ts'
import { apiTexts } from '../api/api-texts.ts'
import { leaveOn } from '../api/call.ts'
import { credentials, learnServerTime, renewJwt, serverSeconds } from '../api/credentials.ts'
import { connectionError } from '../api/exchange.ts'
import { randomBytes } from '../api/gm-browser.ts'
import { idleSeconds } from '../api/last-input.ts'
import { refreshSession } from '../api/session.ts'
import { currentLanguage, translate } from '../i18n/texts.ts'
import { sm3Of } from './sm3-of.ts'

const TIMEOUT_MS = 15_000

export type BytesOut = {
  method: Endpoint['method']
  target: string
  headers?: Readonly<Record<string, string>>
  body?: Uint8Array
  /** Bytes that went out so far. */
  onSent?: (bytes: number) => void
  signal?: AbortSignal | undefined
}
export type BytesIn = { status: number; header: (name: string) => string | null; body: Record<string, unknown> }

/**
 * Sends bytes as a signed call of this session and reports progress, which `fetch` cannot. Put right once where our clock is off
 * or the jwt has expired. Throws ApiError for every refusal and for time-out and connection; the abort of the caller passes through.
 */
export async function sendBytes(out: BytesOut, again = true): Promise<BytesIn> {
  if (!credentials()) await refreshSession()
  const answer = await exchange(out, await signed(out))
  const jwt = answer.header('jwt_token')
  if (jwt) renewJwt(jwt)
  const { code } = answer.body
  if (answer.status < 300 && (code === undefined || code === 0)) return answer
  const refusal = typeof code === 'number' && code !== 0 ? refusalOf(answer.body, answer.status) : undefined
  if (again && refusal?.key === 'request.time' && typeof answer.body['server_time'] === 'number') {
    learnServerTime(answer.body['server_time'])
    return sendBytes(out, false)
  }
  if (again && refusal?.key === 'session.jwt_expired' && (await refreshSession())) return sendBytes(out, false)
  const error = refusal ?? connectionError(answer.status)
  // A session that ended elsewhere ends here too; every other refusal is shown beside the file.
  leaveOn(error)
  throw error
}

async function signed({ method, target, body }: BytesOut): Promise<Record<string, string>> {
  const who = credentials()
  const tstamp = String(serverSeconds())
  const bytes = body ?? new Uint8Array(0)
  const digest = await sm3Of(bytes)
  // The body's hash comes from the worker; the few bytes around it are hashed here.
  const gm = { ...gmPortable, sm3: (data: Uint8Array) => (data === bytes ? digest : gmPortable.sm3(data)) }
  return {
    tstamp,
    signature: signRequest(gm, { method, target, tstamp, body: bytes }, randomBytes(16), who?.signatureKey),
    'x-idle': String(idleSeconds()),
    'accept-language': currentLanguage(),
    ...(who ? { 'x-token': who.token, jwt_token: who.jwt } : {}),
  }
}

function exchange(out: BytesOut, headers: Record<string, string>): Promise<BytesIn> {
  return new Promise((answered, failed) => {
    const request = new XMLHttpRequest()
    request.open(out.method, out.target)
    request.timeout = TIMEOUT_MS
    for (const [name, value] of Object.entries({ ...headers, ...out.headers })) request.setRequestHeader(name, value)
    const stop = () => request.abort()
    out.signal?.addEventListener('abort', stop)
    request.upload.onprogress = ({ loaded }) => out.onSent?.(loaded)
    request.onabort = () => failed(out.signal?.reason ?? new DOMException('aborted', 'AbortError'))
    request.ontimeout = () => failed(new ApiError('timeout', translate(apiTexts, 'timeout'), 0))
    request.onerror = () => failed(connectionError(0))
    request.onloadend = () => out.signal?.removeEventListener('abort', stop)
    request.onload = () =>
      answered({ status: request.status, header: (name) => request.getResponseHeader(name), body: parsed(request) })
    if (out.signal?.aborted) return failed(out.signal.reason)
    request.send(out.body ? (out.body as Uint8Array<ArrayBuffer>) : null)
  })
}

function parsed({ responseText }: XMLHttpRequest): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(responseText)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}
