import type { z } from 'zod'
import { pTags } from '#contracts/http/accounts.ts'
import { type BodyInputOf, type Endpoint, isSealable, type ResponseOf } from '#contracts/http/endpoint.ts'
import { translate } from '../i18n/texts.ts'
import { displayToken } from '../session/display-token.ts'
import { ApiError, refusalOf } from './api-error.ts'
import { apiTexts } from './api-texts.ts'
import { credentials, isEnding, learnServerTime, renewJwt } from './credentials.ts'
import { learnServer, type SealedCall, sealCall, serverInfo } from './envelope.ts'
import { send, targetOf } from './request.ts'

export type QueryInputOf<E> = E extends Endpoint<infer Q, z.ZodType, z.ZodType> ? z.input<Q> : never
export type CallInput<E extends Endpoint> = {
  query?: QueryInputOf<E>
  body?: BodyInputOf<E>
  signal?: AbortSignal | undefined
  headers?: Record<string, string>
}
export type Answer = Record<string, unknown>
/** Calls is_login again; null when no user is signed in. */
export type Refresh = () => Promise<unknown>

/** Exempt from the check of the answer's username (REQ-03). */
const UNCHECKED = new Set(['signin', 'logout', 'is_login', 'user-group'].map((name) => `/api/accounts/${name}/`))
const PERMISSION_MISSING = 500018
/** One exchange with the server, put right once where our clock is off or the jwt has expired. Throws ApiError and shows nothing. */
export async function exchange<E extends Endpoint>(
  endpoint: E,
  input: CallInput<E> = {},
  refresh?: Refresh,
): Promise<ResponseOf<E>> {
  return (await attempt(endpoint, input as CallInput<Endpoint>, refresh, true)) as ResponseOf<E>
}

async function attempt(
  endpoint: Endpoint,
  input: CallInput<Endpoint>,
  refresh: Refresh | undefined,
  again: boolean,
): Promise<Answer> {
  const isPublic = endpoint.access === 'public'
  if (!isPublic && !displayToken() && !credentials() && !isEnding()) await refresh?.()
  const sealed = await seal(endpoint, input, isPublic)
  const isPost = endpoint.method === 'POST'
  const query = isPost || !sealed ? input.query : { encrypt_data: sealed.text }
  const response = await send({
    method: endpoint.method,
    target: targetOf(endpoint.path, query as Record<string, unknown> | undefined),
    body: isPost ? JSON.stringify(sealed ? { encrypt_data: sealed.text } : (input.body ?? {})) : undefined,
    isPublic,
    signal: input.signal,
    headers: input.headers,
    ...(sealed && { nonce: sealed.nonce, tstamp: sealed.tstamp }),
  })
  const received = await readJson(response)
  const jwt = response.headers.get('jwt_token')
  if (jwt) renewJwt(jwt)
  // What the protocol refuses travels plain; nothing else does, so a plain answer of status 200 is not ours.
  const body = sealed && response.ok ? sealed.open(received ?? {}, response.status) : received
  if (sealed && response.ok && !body) throw illegal()
  if (response.ok && body) {
    checkUsername(endpoint, body)
    if (typeof body['code'] === 'number' && body['code'] !== 0) throw refusalOf(body, response.status)
    return body
  }
  const refusal = body ? refusalOf(body, response.status) : undefined
  if (again && refusal?.key === 'request.time' && typeof body?.['server_time'] === 'number') {
    learnServerTime(body['server_time'])
    return attempt(endpoint, input, refresh, false)
  }
  if (again && (refusal?.key === 'envelope.key' || refusal?.key === 'request.plain')) {
    // The server's key was replaced, or encryption was switched on while this page was open.
    await askServer()
    if (!isPublic && refusal.key === 'request.plain') await refresh?.()
    return attempt(endpoint, input, refresh, false)
  }
  if (again && refusal?.key === 'session.jwt_expired' && (await refresh?.()))
    return attempt(endpoint, input, refresh, false)
  throw refusal?.code ? refusal : connectionError(response.status)
}

/** The sealed form of a call where encryption asks for one. */
async function seal(
  endpoint: Endpoint,
  { query, body }: CallInput<Endpoint>,
  isPublic: boolean,
): Promise<SealedCall | undefined> {
  if (!isSealable(endpoint) || displayToken()) return undefined
  const who = isPublic ? null : credentials()
  const server = serverInfo() ?? (endpoint.enveloped || who?.isEncrypt ? await askServer() : undefined)
  if (!server || !(endpoint.enveloped || (isPublic ? server.is_encrypt : who?.isEncrypt))) return undefined
  return sealCall(server.envelope_key, {
    method: endpoint.method,
    path: endpoint.path,
    sid: who?.sid ?? '',
    plain: JSON.stringify((endpoint.method === 'POST' ? body : query) ?? {}),
  })
}

/** p-tags again: the current key, and whether calls before sign-in are sealed. */
async function askServer() {
  const { data } = (await attempt(pTags, {}, undefined, false)) as ResponseOf<typeof pTags>
  learnServer(data)
  return data
}

async function readJson(response: Response): Promise<Answer | undefined> {
  try {
    const body: unknown = await response.json()
    return typeof body === 'object' && body !== null ? (body as Answer) : undefined
  } catch {
    return undefined
  }
}

/** With encryption on, an answer that names another user is not ours. */
function checkUsername(endpoint: Endpoint, body: Answer): void {
  const who = credentials()
  if (!who?.isEncrypt || UNCHECKED.has(endpoint.path) || body['code'] === PERMISSION_MISSING) return
  if (typeof body['username'] === 'string' && body['username'] !== who.username) throw illegal()
}

function illegal(): ApiError {
  return new ApiError('illegal', translate(apiTexts, 'illegal'), 200)
}

export function connectionError(status: number): ApiError {
  return new ApiError('connection', translate(apiTexts, 'connection', { status }), status)
}
