import { IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import { fromBase64url } from '#engines/gm/bytes.ts'
import type { GmPrimitives } from '#engines/gm/primitives.ts'
import { answerHandshake, HELLO_BYTES, type KeyLookup } from '#engines/session/handshake.ts'
import { decodeRequestBody, SESSION_HTTP } from '#engines/session/http-body.ts'
import { MESSAGE_OVERHEAD, openRequest, sessionIdOf } from '#engines/session/message.ts'
import { type RefusalReason, refusalAnswer, SessionRefusal } from '#engines/session/refusal.ts'
import { MAX_PLAINTEXT, type Session } from '#engines/session/session.ts'
import { sealedResponse } from './sealed-response.ts'
import type { SessionStore } from './session-store.ts'

export type SessionServerOptions = {
  /** The pair with that number, or why it is not available. */
  keyOf(keyId: number): KeyLookup | Promise<KeyLookup>
  store: SessionStore
  /** Requests that are not messages: refused, or handed on as they came, while old apps are in use. */
  plainRequests?: 'refuse' | 'allow'
  /** What a proxy in front removed from the paths, such as `/shop`. */
  removedPrefix?: string
  /** Bytes of a request or response body. */
  maxBody?: number
  /** Seconds, at most 1800. */
  lifetime?: number
  /** A failure of the store, of the key list or of the listener; the request got status 500. */
  onError?(error: unknown): void
  /** For the log and for statistics. */
  onRefusal?(refusal: { reason: RefusalReason; method: string; path: string; address: string }): void
}
export type ServerPorts = { gm: GmPrimitives; random(length: number): Uint8Array; now(): number }

/** The session that a request came in; undefined for a plain one. */
const SESSIONS = new WeakMap<IncomingMessage, Session>()
export function sessionOf(request: IncomingMessage): Session | undefined {
  return SESSIONS.get(request)
}

/**
 * Puts suite 3 in front of a request listener of node:http: an Express application is one, Fastify takes it as `serverFactory`, Koa gives one
 * with `callback()`. The listener gets plain requests and writes plain responses.
 */
export function protectListener(
  listener: RequestListener,
  options: SessionServerOptions,
  ports: ServerPorts,
): RequestListener {
  const { removedPrefix = '', maxBody = MAX_PLAINTEXT, plainRequests = 'refuse' } = options
  const seconds = () => Math.floor(ports.now() / 1000)

  async function handshake(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const hello = await bytesOf(request, HELLO_BYTES)
    const { answer, session } = await answerHandshake(ports.gm, hello, options.keyOf, {
      now: seconds(),
      random: ports.random,
      ...(options.lifetime !== undefined && { lifetime: options.lifetime }),
      claimHello: options.store.claimHello,
    })
    if (!(await options.store.put(session))) {
      response.writeHead(503, { 'retry-after': '60', 'content-length': '0' }).end()
      return
    }
    response.writeHead(200, {
      'content-type': SESSION_HTTP.mediaType,
      'content-length': String(answer.length),
      'cache-control': 'no-store',
    })
    response.end(answer)
  }

  async function message(request: IncomingMessage, response: ServerResponse, sealed: Uint8Array): Promise<void> {
    const { method = '', url = '' } = request
    if (!url.startsWith('/') || url.includes('?')) throw new SessionRefusal('malformed')
    const session = await options.store.get(sessionIdOf(sealed))
    if (!session) throw new SessionRefusal('session_unknown')
    // The sessions of a key that has expired go on to their own end, so that a rotation fails no request.
    const key = await options.keyOf(session.keyId)
    if (key === undefined || key === 'key_revoked') throw new SessionRefusal(key ?? 'key_unknown')
    const opened = openRequest(ports.gm, session, sealed, { method, path: removedPrefix + url, now: seconds() })
    const inner = decodeRequestBody(opened.plaintext)
    if (!(await options.store.claimSequence(session.id, opened.sequence))) throw new SessionRefusal('replayed')
    if (!inner) throw new SessionRefusal('body')
    const plain = plainRequest(request, inner)
    SESSIONS.set(plain, session)
    listener(plain, sealedResponse(response, { ...ports, session, sequence: opened.sequence, method, maxBody }))
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.url === SESSION_HTTP.handshakePath && request.method === 'POST') return handshake(request, response)
    const header = request.headers[SESSION_HTTP.messageHeader]
    const inBody = request.headers['content-type'] === SESSION_HTTP.mediaType
    if (header === undefined && !inBody) {
      const isPreflight = request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined
      if (plainRequests === 'refuse' && !isPreflight) throw new SessionRefusal('plain')
      listener(request, response as ServerResponse & { req: IncomingMessage })
      return
    }
    const sealed = inBody ? await bytesOf(request, maxBody + MESSAGE_OVERHEAD + 0x20010) : fromBase64url(String(header))
    if (!sealed || (inBody && header !== undefined)) throw new SessionRefusal('malformed')
    await message(request, response, sealed)
  }

  return (request, response) => {
    const address = request.socket.remoteAddress ?? ''
    handle(request, response).catch((error: unknown) => {
      if (!(error instanceof SessionRefusal)) {
        options.onError?.(error)
        end(response, 500, '')
        return
      }
      options.onRefusal?.({
        reason: error.reason,
        method: request.method ?? '',
        path: request.url ?? '',
        address,
      })
      const { status, body } = refusalAnswer(error.code, seconds())
      end(response, status, body)
    })
  }
}

function end(response: ServerResponse, status: number, body: string): void {
  if (response.headersSent) {
    response.destroy()
    return
  }
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': String(body.length),
    'cache-control': 'no-store',
  })
  response.end(body)
}

/** Reads a body that is too long on to its end, so that the answer arrives, and ends the connection where it is absurdly long. */
function bytesOf(request: IncomingMessage, limit: number): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = []
    let size = 0
    request.on('data', (part: Buffer) => {
      size += part.length
      if (size <= limit) parts.push(part)
      if (size > 2 * limit + 1_000_000) request.destroy()
    })
    request.on('end', () => {
      if (size > limit) reject(new SessionRefusal('malformed'))
      else resolve(Buffer.concat(parts))
    })
    request.on('close', () => reject(new SessionRefusal('malformed')))
  })
}

/** Headers that say something about the bytes of the message, not of the body in it. */
const OF_THE_MESSAGE = [
  SESSION_HTTP.messageHeader,
  'content-type',
  'content-length',
  'content-encoding',
  'transfer-encoding',
  // A compressed response would be sealed, and its content-encoding undone by the client's HTTP library before it is opened.
  'accept-encoding',
  // Parts of a sealed response mean nothing.
  'range',
]

function plainRequest(
  request: IncomingMessage,
  inner: { contentType: string; query: string; body: Uint8Array },
): IncomingMessage {
  const plain = new IncomingMessage(request.socket)
  plain.httpVersion = request.httpVersion
  plain.httpVersionMajor = request.httpVersionMajor
  plain.httpVersionMinor = request.httpVersionMinor
  plain.method = request.method
  plain.url = inner.query ? `${request.url}?${inner.query}` : (request.url ?? '/')
  plain.rawHeaders = []
  for (let at = 0; at + 1 < request.rawHeaders.length; at += 2) {
    const name = request.rawHeaders[at] as string
    if (!OF_THE_MESSAGE.includes(name.toLowerCase())) plain.rawHeaders.push(name, request.rawHeaders[at + 1] as string)
  }
  plain.headers = { ...request.headers }
  for (const name of OF_THE_MESSAGE) delete plain.headers[name]
  const own: Record<string, string> = {}
  if (inner.contentType) own['content-type'] = inner.contentType
  if (inner.body.length > 0 || inner.contentType) own['content-length'] = String(inner.body.length)
  for (const [name, value] of Object.entries(own)) {
    plain.headers[name] = value
    plain.rawHeaders.push(name, value)
  }
  plain.push(inner.body.length ? Buffer.from(inner.body) : null)
  if (inner.body.length) plain.push(null)
  plain.complete = true
  request.once('close', () => plain.emit('close'))
  return plain
}
