import { isLogin, logout, pTags, signin, verifyImage } from '#contracts/http/accounts.ts'
import type { Endpoint } from '#contracts/http/endpoint.ts'
import { fromBase64url, fromHex, utf8 } from '#engines/gm/bytes.ts'
import { openResponse, sealRequest } from '#engines/gm/envelope.ts'
import { gmPortable } from '#engines/gm/gm-portable.ts'
import { signRequest } from '#engines/gm/signature.ts'
import { randomBytes, sm2EncryptBrowser } from '#src/shared/api/gm-browser.ts'

export type Reply = { status: number; body: Record<string, unknown>; headers: Headers; text: string }
/** What a test may bend about one request. */
export type Bend = {
  headers?: Record<string, string | undefined>
  /** Sends another body than was signed. */
  sentBody?: string
  sentTarget?: string
  sentMethod?: string
  nonce?: Uint8Array
  tstamp?: number
  key?: Uint8Array
}

/** What ConsoleClient.send takes. */
export type Sent = [method: string, target: string, body: string, headers: Record<string, string | undefined>]

/** A browser tab as the protocol sees it: cookies, keys of is_login, and the same primitives that the real one uses. */
export class ConsoleClient {
  cookies = new Map<string, string>()
  signatureKey: Uint8Array | undefined
  token = ''
  jwt = ''
  sid = ''
  /** Of p-tags, read with the first sealed call. */
  serverKey: { kid: number; public_key: string } | undefined
  readonly url: string
  readonly now: () => number
  constructor(url: string, now: () => number = Date.now) {
    this.url = url
    this.now = now
  }

  /** The headers of a signed request; public ones carry prefix 0. */
  signed(method: string, target: string, body: string, isPublic: boolean, bend: Bend = {}): Record<string, string> {
    const tstamp = String(bend.tstamp ?? Math.floor(this.now() / 1000))
    const key = isPublic ? undefined : (bend.key ?? this.signatureKey)
    const request = { method, target, tstamp, body: utf8(body) }
    return {
      tstamp,
      signature: signRequest(gmPortable, request, bend.nonce ?? randomBytes(16), key),
      ...(isPublic ? {} : { 'x-token': this.token, jwt_token: this.jwt }),
    }
  }

  async call(
    endpoint: Pick<Endpoint, 'method' | 'path' | 'access' | 'navigation'>,
    input: { query?: Record<string, unknown>; body?: unknown } = {},
    bend: Bend = {},
  ): Promise<Reply> {
    const fields = new URLSearchParams(input.query as Record<string, string>).toString()
    const search = fields && `?${fields}`
    const target = endpoint.path + search
    const body = endpoint.method === 'POST' ? JSON.stringify(input.body ?? {}) : ''
    const signed = endpoint.navigation
      ? {}
      : this.signed(endpoint.method, target, body, endpoint.access === 'public', bend)
    return this.send(bend.sentMethod ?? endpoint.method, bend.sentTarget ?? target, bend.sentBody ?? body, {
      ...signed,
      ...bend.headers,
    })
  }

  async send(
    method: string,
    target: string,
    body: string,
    headers: Record<string, string | undefined>,
  ): Promise<Reply> {
    const sent = new Headers()
    if (this.cookies.size) sent.set('cookie', [...this.cookies].map((pair) => pair.join('=')).join('; '))
    if (body) sent.set('content-type', 'application/json')
    for (const [name, value] of Object.entries(headers)) {
      if (value === undefined) sent.delete(name)
      else sent.set(name, value)
    }
    const answer = await fetch(this.url + target, {
      method,
      headers: sent,
      redirect: 'manual',
      ...(body ? { body } : {}),
    })
    for (const line of answer.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line) as unknown as [string, string, string]
      if (value && !/max-age=0|expires=Thu, 01 Jan 1970/i.test(line)) this.cookies.set(name, value)
      else this.cookies.delete(name)
    }
    const jwt = answer.headers.get('jwt_token')
    if (jwt) this.jwt = jwt
    const text = await answer.text()
    let parsed: Record<string, unknown> = {}
    try {
      parsed = JSON.parse(text)
    } catch {
      // an image or a page
    }
    return { status: answer.status, body: parsed, headers: answer.headers, text }
  }

  /**
   * A call as `encrypt_data`, and its answer opened. `change` bends the sealed text; `sid`, `path`, `kid`, `envelopeTime` are what it is sealed
   * for; `rid` is its own nonce instead of the signature's. The sent request is in `sent`, to be sent again.
   */
  async sealed(
    endpoint: Pick<Endpoint, 'method' | 'path' | 'access'>,
    input: { query?: Record<string, unknown>; body?: unknown } = {},
    bend: Bend & {
      change?: (text: string) => string
      path?: string
      method?: string
      sid?: string
      kid?: number
      envelopeTime?: number
      rid?: Uint8Array
      plain?: string
      /** More fields beside encrypt_data. */
      beside?: Record<string, unknown>
    } = {},
  ): Promise<Reply & { sent: Sent; wire: string }> {
    this.serverKey ??= await this.readServerKey()
    const isPublic = endpoint.access === 'public'
    const nonce = bend.nonce ?? randomBytes(16)
    const tstamp = bend.tstamp ?? Math.floor(this.now() / 1000)
    const { text, channel } = sealRequest(gmPortable, {
      context: {
        method: bend.method ?? endpoint.method,
        path: bend.path ?? endpoint.path,
        sid: bend.sid ?? (isPublic ? '' : this.sid),
      },
      server: { kid: bend.kid ?? this.serverKey.kid, publicKey: fromHex(this.serverKey.public_key) },
      tstamp: bend.envelopeTime ?? tstamp,
      rid: bend.rid ?? nonce,
      random: randomBytes,
      sm2Encrypt: sm2EncryptBrowser,
      plain: utf8(bend.plain ?? JSON.stringify((endpoint.method === 'POST' ? input.body : input.query) ?? {})),
    })
    const fields = { encrypt_data: bend.change ? bend.change(text) : text, ...bend.beside }
    const isPost = endpoint.method === 'POST'
    const target = isPost ? endpoint.path : `${endpoint.path}?${new URLSearchParams(fields as Record<string, string>)}`
    const body = isPost ? JSON.stringify(fields) : ''
    const headers = {
      ...this.signed(endpoint.method, target, body, isPublic, { ...bend, nonce, tstamp }),
      ...bend.headers,
    }
    const sent: Sent = [endpoint.method, bend.sentTarget ?? target, bend.sentBody ?? body, headers]
    const reply = await this.send(...sent)
    const wire = reply.text
    if (typeof reply.body['encrypt_data'] !== 'string') return { ...reply, sent, wire }
    const { plain } = openResponse(gmPortable, channel, reply.body['encrypt_data'], reply.status)
    return { ...reply, sent, wire, body: JSON.parse(new TextDecoder().decode(plain)) }
  }

  async readServerKey(): Promise<{ kid: number; public_key: string }> {
    const { data } = (await this.call(pTags)).body as { data: { envelope_key: { kid: number; public_key: string } } }
    return data.envelope_key
  }

  /** is_login, sealed and opened. */
  async whoAmI(bend: Parameters<ConsoleClient['sealed']>[2] = {}): Promise<Reply> {
    this.serverKey = await this.readServerKey()
    return this.sealed(isLogin, {}, bend)
  }

  async signIn(username: string, password: string, code: string): Promise<Reply> {
    await this.call(verifyImage)
    const reply = await this.call(signin, { body: { username, password, verify_code: code } })
    if (reply.body['code'] === undefined) await this.boot()
    return reply
  }

  async boot(bend: Bend = {}): Promise<Reply> {
    const who = await this.whoAmI(bend)
    const { sig_key, token, jwt_token, sid } = who.body as Record<string, string>
    if (sig_key) this.signatureKey = fromBase64url(sig_key)
    this.token = token ?? ''
    this.jwt = jwt_token ?? ''
    this.sid = sid ?? ''
    return who
  }

  signOut(): Promise<Reply> {
    return this.call(logout)
  }
}
