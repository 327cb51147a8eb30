import {
  Agent,
  request as httpRequest,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type ServerResponse,
} from 'node:http'
import { connect } from 'node:net'
import type { Duplex } from 'node:stream'
import { pipeline } from 'node:stream'
import { log } from '#runtime/log.ts'
import { findSocket } from '#storage/local-socket/socket-path.ts'

/** Connections to a back process that wait for the next request. */
const IDLE_CONNECTIONS = 32

/** Headers that describe one connection (RFC 9110, 7.6.1). */
const HOP_BY_HOP = [
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]
const NOT_ANSWERED = new Set(HOP_BY_HOP)
/** `expect` was answered by the owner of the port; the others are what a client could forge about itself. */
const NOT_FORWARDED = new Set([
  ...HOP_BY_HOP,
  'expect',
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
  'x-request-id',
])

/** What the owner of the port says about a request. */
export type Origin = {
  /** The client's address after trusted proxies. */
  address: string
  requestId: string
}

export type Forwarder = {
  /** Streams the request to the back process and its answer to the client; `unavailable` answers where the process is away. */
  request(request: IncomingMessage, response: ServerResponse, origin: Origin): void
  /** Joins the upgraded connection with one to the back process. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, origin: Origin): void
  /** Whether the back process takes connections. */
  isUp(): Promise<boolean>
  /** Ends upgraded connections too. */
  close(): void
}

export type ForwardOptions = {
  /** Unix socket of the back process (see prepareSocket). */
  path: string
  unavailable(request: IncomingMessage, response: ServerResponse, cause: Error): void
}

/** Hands requests of the public port to another process of this machine, byte for byte but for the headers of the connection. */
export function createForwarder({ path, unavailable }: ForwardOptions): Forwarder {
  const agent = new Agent({ keepAlive: true, maxFreeSockets: IDLE_CONNECTIONS })
  const upgraded = new Set<Duplex>()

  function send(request: IncomingMessage, response: ServerResponse, origin: Origin, fresh: boolean): void {
    const upstream = httpRequest({
      socketPath: findSocket(path),
      agent: fresh ? false : agent,
      method: request.method ?? 'GET',
      path: request.url ?? '/',
      headers: forwardedHeaders(request, origin) as unknown as OutgoingHttpHeaders,
    })
    const onClose = () => {
      request.unpipe(upstream)
      // The client is gone: the back process learns it from the end of its connection.
      if (!response.writableFinished) upstream.destroy()
      else if (!request.complete) request.resume()
    }
    response.on('close', onClose)
    upstream.on('response', (answer) => {
      const headers = endToEnd(answer.rawHeaders, NOT_ANSWERED)
      // It will not read the rest of the body: neither do we.
      if (!request.complete && answer.headers.connection === 'close') headers.push('connection', 'close')
      response.writeHead(answer.statusCode ?? 502, answer.statusMessage ?? '', headers)
      pipeline(answer, response, (error) => {
        request.unpipe(upstream)
        if (!request.complete) request.resume()
        if (error && !response.destroyed) response.destroy()
      })
    })
    upstream.on('error', (error: NodeJS.ErrnoException) => {
      request.unpipe(upstream)
      if (response.headersSent || response.destroyed) return
      response.off('close', onClose)
      // An idle connection may end at the very moment it is used again; without a body the request can be sent once more.
      const stale = upstream.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE')
      if (stale && isBodiless(request)) return send(request, response, origin, true)
      if (!request.complete) response.setHeader('connection', 'close')
      unavailable(request, response, error)
    })
    request.pipe(upstream)
  }

  return {
    request: (request, response, origin) => send(request, response, origin, false),
    upgrade(request, socket, head, origin) {
      const back = connect(findSocket(path))
      let joined = false
      const end = () => {
        upgraded.delete(socket)
        socket.destroy()
        back.destroy()
      }
      upgraded.add(socket)
      socket.on('error', end).on('close', end)
      back.on('error', (err) => {
        if (joined) return end()
        log.info({ err, request: origin.requestId }, 'no live connection: the relay process is away')
        socket.end(
          'HTTP/1.1 503 Service Unavailable\r\nretry-after: 1\r\ncontent-length: 0\r\nconnection: close\r\n\r\n',
        )
      })
      back.on('close', () => joined && end())
      back.on('connect', () => {
        joined = true
        const headers = forwardedHeaders(request, origin)
        headers.push('connection', 'Upgrade', 'upgrade', request.headers.upgrade ?? 'websocket')
        const lines = Array.from(
          { length: headers.length / 2 },
          (_, n) => `${headers[2 * n]}: ${headers[2 * n + 1]}\r\n`,
        )
        back.write(`${request.method} ${request.url} HTTP/1.1\r\n${lines.join('')}\r\n`, 'latin1')
        if (head.length > 0) back.write(head)
        socket.pipe(back)
        back.pipe(socket)
      })
    },
    isUp: () =>
      new Promise((resolve) => {
        const probe = connect(findSocket(path))
        probe.once('connect', () => {
          probe.destroy()
          resolve(true)
        })
        probe.once('error', () => resolve(false))
      }),
    close() {
      agent.destroy()
      for (const socket of upgraded) socket.destroy()
    },
  }
}

function isBodiless(request: IncomingMessage): boolean {
  return (request.method === 'GET' || request.method === 'HEAD') && request.complete && request.readableLength === 0
}

/** Names and values in turn: as the client sent them, duplicates included, and who the client is. */
function forwardedHeaders(request: IncomingMessage, origin: Origin): string[] {
  const headers = endToEnd(request.rawHeaders, NOT_FORWARDED)
  // Node frames the body again; without a length it does so only for this header.
  if (request.headers['transfer-encoding'] !== undefined) headers.push('transfer-encoding', 'chunked')
  headers.push('x-forwarded-for', origin.address, 'x-request-id', origin.requestId)
  return headers
}

/** Without the dropped headers and those that the `Connection` header names. */
function endToEnd(raw: readonly string[], dropped: ReadonlySet<string>): string[] {
  let named: Set<string> | undefined
  for (let n = 0; n < raw.length; n += 2)
    if ((raw[n] as string).toLowerCase() === 'connection')
      for (const one of (raw[n + 1] as string).split(',')) {
        named ??= new Set()
        named.add(one.trim().toLowerCase())
      }
  const kept: string[] = []
  for (let n = 0; n < raw.length; n += 2) {
    const name = (raw[n] as string).toLowerCase()
    if (!dropped.has(name) && !named?.has(name)) kept.push(raw[n] as string, raw[n + 1] as string)
  }
  return kept
}
