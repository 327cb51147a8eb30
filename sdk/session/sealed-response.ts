import type { IncomingMessage, OutgoingHttpHeader, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { toBase64url } from '#engines/gm/bytes.ts'
import type { GmPrimitives } from '#engines/gm/primitives.ts'
import { encodeResponseBody, SESSION_HTTP } from '#engines/session/http-body.ts'
import { sealResponse } from '#engines/session/message.ts'
import type { Session } from '#engines/session/session.ts'

type Sealing = {
  gm: GmPrimitives
  random(length: number): Uint8Array
  now(): number
  session: Session
  sequence: number
  method: string
  maxBody: number
}
type Response = ServerResponse & { req: IncomingMessage }

/**
 * The same response, whose writes are kept until its end and then sent as one message. Events of a stream cannot be sealed so: the listener has to
 * end its response. More than `maxBody` bytes, or a body with a content-encoding, becomes a sealed 500.
 */
export function sealedResponse(response: ServerResponse, sealing: Sealing): Response {
  const plain = {
    end: response.end.bind(response),
    removeHeader: response.removeHeader.bind(response),
    setHeader: response.setHeader.bind(response),
  }
  const parts: Buffer[] = []
  let size = 0
  let begun = false
  let ended = false

  function keep(part: unknown, encoding: unknown): void {
    begun = true
    if (part === undefined || part === null || typeof part === 'function') return
    const bytes =
      typeof part === 'string'
        ? Buffer.from(part, typeof encoding === 'string' ? (encoding as BufferEncoding) : 'utf8')
        : Buffer.from(part as Uint8Array)
    size += bytes.length
    if (size <= sealing.maxBody) parts.push(bytes)
  }
  function writeHead(
    status: number,
    reason?: string | OutgoingHttpHeaders | OutgoingHttpHeader[],
    headers?: OutgoingHttpHeaders | OutgoingHttpHeader[],
  ): Response {
    begun = true
    response.statusCode = status
    const given = typeof reason === 'object' ? reason : headers
    if (Array.isArray(given))
      for (let at = 0; at + 1 < given.length; at += 2) plain.setHeader(String(given[at]), given[at + 1] as string)
    else for (const [name, value] of Object.entries(given ?? {})) if (value !== undefined) plain.setHeader(name, value)
    return response as Response
  }
  function finish(): void {
    const { session, sequence, gm, random, now } = sealing
    const isTooMuch = size > sealing.maxBody || response.hasHeader('content-encoding')
    if (isTooMuch) response.statusCode = 500
    const status = response.statusCode
    const contentType = isTooMuch ? '' : String(response.getHeader('content-type') ?? '')
    const hasNoBody = sealing.method === 'HEAD' || status === 204 || status === 304
    const body = isTooMuch || hasNoBody ? new Uint8Array() : Buffer.concat(parts)
    const message = sealResponse(gm, session, encodeResponseBody({ contentType, body }), {
      status,
      sequence,
      time: Math.floor(now() / 1000),
      iv: random(16),
    })
    for (const name of ['content-encoding', 'transfer-encoding', 'etag', 'accept-ranges']) plain.removeHeader(name)
    plain.setHeader('cache-control', 'no-store')
    if (hasNoBody) {
      plain.removeHeader('content-type')
      plain.removeHeader('content-length')
      plain.setHeader(SESSION_HTTP.messageHeader, toBase64url(message))
      plain.end()
      return
    }
    plain.setHeader('content-type', SESSION_HTTP.mediaType)
    plain.setHeader('content-length', message.length)
    plain.end(message)
  }

  Object.defineProperty(response, 'headersSent', { configurable: true, get: () => begun })
  return Object.assign(response as Response, {
    writeHead,
    flushHeaders: () => {
      begun = true
    },
    write(part: unknown, encoding?: unknown, done?: unknown): boolean {
      keep(part, encoding)
      const called = typeof encoding === 'function' ? encoding : done
      if (typeof called === 'function') queueMicrotask(() => called())
      return true
    },
    end(part?: unknown, encoding?: unknown, done?: unknown): Response {
      if (ended) return response as Response
      ended = true
      keep(part, encoding)
      const called = [part, encoding, done].find((one) => typeof one === 'function') as (() => void) | undefined
      if (called) response.once('finish', called)
      // From here on node:http writes: its own end calls writeHead of the prototype through this object.
      for (const name of ['writeHead', 'flushHeaders', 'write', 'end', 'headersSent'])
        Reflect.deleteProperty(response, name)
      finish()
      return response as Response
    },
  })
}
