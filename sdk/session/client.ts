import { fromBase64url, toBase64url } from '#engines/gm/bytes.ts'
import type { GmPrimitives } from '#engines/gm/primitives.ts'
import { finishHandshake, startHandshake } from '#engines/session/handshake.ts'
import { decodeResponseBody, encodeRequestBody, SESSION_HTTP } from '#engines/session/http-body.ts'
import { openResponse, sealRequest } from '#engines/session/message.ts'
import { SessionRefusal } from '#engines/session/refusal.ts'
import { MAX_SEQUENCE, type Session } from '#engines/session/session.ts'
import { SDK_VERSION } from '../web/version.ts'

/** The client of suite 3 (protocol.md) over any HTTP client: sessions are made, renewed and ended by themselves. */

/** A session is replaced so many seconds before it ends, so that a request on its way does not meet the end. */
const RENEW_BEFORE = 30

export type ServerKey = {
  keyId: number
  /** 65 bytes, uncompressed, as base64url without padding. */
  publicKey: string
}

export type HttpCall = {
  method: string
  url: string
  headers: Record<string, string>
  body?: Uint8Array
  signal?: AbortSignal
}
export type HttpReply = { status: number; header(name: string): string | null; body: Uint8Array }

export type SessionClientOptions = ServerKey & {
  /** Origin of the server, and a prefix if there is one. */
  origin: string
  /** Where the server no longer knows the key: the present one, from a place that the app trusts; undefined if there is no other. */
  reloadKey?(): Promise<ServerKey | undefined>
}
export type ClientPorts = {
  gm: GmPrimitives
  random(length: number): Uint8Array
  /** Unix milliseconds. */
  now(): number
  /** Rejects where no answer came. */
  send(call: HttpCall): Promise<HttpReply>
  /** Which SDK this is, for the server's statistics. */
  name: string
}

export type SecureRequest = {
  method?: string
  /** Path with query, relative to the origin. */
  path: string
  headers?: Record<string, string>
  contentType?: string
  body?: Uint8Array
  /** Whether executing it twice is harmless: it is then sent again by itself. By default GET and HEAD are. */
  repeatable?: boolean
  signal?: AbortSignal
}
export type SecureResponse = {
  status: number
  contentType: string
  body: Uint8Array
  header(name: string): string | null
}

/**
 * `refused`, `unknown_key`, `clock`: what the server said. `forged`: bytes that the owner of the server key did not make. `plain`: an answer
 * of something in front of the server, with its status. `unreachable`: no answer; the request may have been executed.
 */
export type SecureErrorCode = 'refused' | 'unknown_key' | 'clock' | 'forged' | 'plain' | 'unreachable'
export class SecureError extends Error {
  readonly code: SecureErrorCode
  readonly status: number
  constructor(code: SecureErrorCode, status = 0, cause?: unknown) {
    super(status ? `${code} (${status})` : code, { cause })
    this.name = 'SecureError'
    this.code = code
    this.status = status
  }
}

type Live = { session: Session; sequence: number }

export class SessionClient {
  readonly #options: SessionClientOptions
  readonly #ports: ClientPorts
  #key: ServerKey
  /** Server's clock minus ours, milliseconds. */
  #offset = 0
  #live: Live | undefined
  #starting: Promise<Live> | undefined

  /** Throws RangeError for a key or origin that is malformed. */
  constructor(options: SessionClientOptions, ports: ClientPorts) {
    publicKeyOf(options)
    new URL(options.origin)
    this.#options = options
    this.#ports = ports
    this.#key = { keyId: options.keyId, publicKey: options.publicKey }
  }

  /** Rejects with SecureError, and with RangeError for a request that cannot be sealed. */
  async request(request: SecureRequest): Promise<SecureResponse> {
    const { method = 'GET', repeatable = method === 'GET' || method === 'HEAD' } = request
    for (let attempt = 0; ; attempt++) {
      const live = await this.#session()
      try {
        return await this.#exchange(live, { ...request, method })
      } catch (error) {
        if (!(error instanceof SecureError) || error.code === 'plain' || error.code === 'unreachable') throw error
        // Whatever the server has against this session, the next one begins without it.
        if (this.#live === live) this.#live = undefined
        if (attempt > 0 || !repeatable || error.code === 'forged') throw error
      }
    }
  }

  /** Ends the session; the next request makes a new one. */
  end(): void {
    this.#live = undefined
  }

  async #exchange(live: Live, request: SecureRequest & { method: string }): Promise<SecureResponse> {
    const { gm, random } = this.#ports
    const { method, contentType = '', body = new Uint8Array(), signal } = request
    const url = this.#url(request.path)
    const plaintext = encodeRequestBody({ contentType, query: url.search.slice(1), body })
    const sequence = live.sequence++
    const context = { sequence, time: this.#seconds(), iv: random(16), method, path: url.pathname }
    const message = sealRequest(gm, live.session, plaintext, context)
    const headers: Record<string, string> = { ...request.headers }
    const inHeader = method === 'GET' || method === 'HEAD'
    if (inHeader && body.length > 0) throw new RangeError('session: a body with GET or HEAD')
    if (inHeader) headers[SESSION_HTTP.messageHeader] = toBase64url(message)
    else headers['content-type'] = SESSION_HTTP.mediaType
    const reply = await this.#send({
      method,
      url: url.origin + url.pathname,
      headers,
      ...(inHeader ? {} : { body: message }),
      ...(signal && { signal }),
    })
    const sealed = messageOf(reply)
    if (!sealed) throw refusalOf(reply)
    try {
      const opened = openResponse(gm, live.session, sealed, { status: reply.status, sequence })
      const inner = decodeResponseBody(opened.plaintext)
      if (!inner) throw new SessionRefusal('body')
      return { status: reply.status, ...inner, header: (name) => reply.header(name) }
    } catch (error) {
      throw new SecureError('forged', reply.status, error)
    }
  }

  async #session(): Promise<Live> {
    const live = this.#live
    if (live && live.sequence <= MAX_SEQUENCE && this.#seconds() < live.session.expires - RENEW_BEFORE) return live
    this.#starting ??= this.#start().finally(() => {
      this.#starting = undefined
    })
    return this.#starting
  }

  /** A handshake; with another key or a corrected clock once more, where the server asks for it. */
  async #start(): Promise<Live> {
    let reloaded = false
    let corrected = false
    for (;;) {
      try {
        const session = await this.#handshake()
        this.#live = { session, sequence: 1 }
        return this.#live
      } catch (error) {
        if (!(error instanceof SecureError)) throw error
        if (error.code === 'clock' && !corrected) {
          corrected = true
          continue
        }
        if (error.code !== 'unknown_key' || reloaded) throw error
        const key = await this.#options.reloadKey?.()
        if (!key) throw error
        publicKeyOf(key)
        this.#key = { keyId: key.keyId, publicKey: key.publicKey }
        reloaded = true
      }
    }
  }

  async #handshake(): Promise<Session> {
    const { gm, random, now, name } = this.#ports
    const { hello, pending } = startHandshake({
      keyId: this.#key.keyId,
      publicKey: publicKeyOf(this.#key),
      now: this.#seconds(),
      random,
    })
    const url = this.#url(SESSION_HTTP.handshakePath)
    const headers = { 'content-type': SESSION_HTTP.mediaType, [SESSION_HTTP.sdkHeader]: `${name}/${SDK_VERSION}` }
    const reply = await this.#send({ method: 'POST', url: url.href, headers, body: hello })
    const serverTime = clockOf(reply)
    if (serverTime !== undefined) this.#offset = serverTime * 1000 - now()
    if (reply.status !== 200) throw refusalOf(reply)
    try {
      const session = finishHandshake(gm, pending, reply.body)
      this.#offset = session.created * 1000 - now()
      return session
    } catch (error) {
      throw new SecureError('forged', reply.status, error)
    }
  }

  async #send(call: HttpCall): Promise<HttpReply> {
    try {
      return await this.#ports.send(call)
    } catch (error) {
      throw new SecureError('unreachable', 0, error)
    }
  }

  /** Of the server's clock. */
  #seconds(): number {
    return Math.floor((this.#ports.now() + this.#offset) / 1000)
  }

  /** As it will be in the request line: URL has encoded what has to be. */
  #url(path: string): URL {
    return new URL(this.#options.origin.replace(/\/+$/, '') + (path.startsWith('/') ? path : `/${path}`))
  }
}

function publicKeyOf({ publicKey, keyId }: ServerKey): Uint8Array {
  const bytes = fromBase64url(publicKey)
  if (bytes?.length !== 65 || !Number.isInteger(keyId)) throw new RangeError('session: key id or public key')
  return bytes
}

function messageOf(reply: HttpReply): Uint8Array | undefined {
  const text = reply.header(SESSION_HTTP.messageHeader)
  if (text !== null) return fromBase64url(text)
  return reply.header('content-type') === SESSION_HTTP.mediaType ? reply.body : undefined
}

/** The server's time of a refusal for the clock. */
function clockOf({ status, body }: HttpReply): number | undefined {
  if (status !== 400) return undefined
  const { error, server_time: time } = wordsOf(body)
  return error === 'clock' && typeof time === 'number' && Number.isFinite(time) ? time : undefined
}

function refusalOf({ status, body }: HttpReply): SecureError {
  const { error } = wordsOf(body)
  if (status === 400 && (error === 'refused' || error === 'clock')) return new SecureError(error, status)
  if (status === 409 && error === 'unknown_key') return new SecureError(error, status)
  return new SecureError('plain', status)
}

function wordsOf(body: Uint8Array): { error?: unknown; server_time?: unknown } {
  if (body.length > 200) return {}
  try {
    return Object(JSON.parse(new TextDecoder().decode(body)))
  } catch {
    return {} // an answer of something else
  }
}
