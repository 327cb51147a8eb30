import { randomBytes } from 'node:crypto'
import type { RequestListener } from 'node:http'
import { fromBase64url } from '#engines/gm/bytes.ts'
import { gmNode } from '#engines/gm/gm-openssl.ts'
import { Sm2Point } from '#engines/gm/sm2-curve.ts'
import type { ServerKeyPair } from '#engines/session/handshake.ts'
import { type SecureRequest, type SecureResponse, SessionClient, type SessionClientOptions } from './client.ts'
import { fetchBy, type SecureInit, sendByFetch } from './fetch-port.ts'
import { protectListener, type SessionServerOptions } from './server.ts'
import { memoryStore, type SessionStore } from './session-store.ts'

/** The module for Node 20 and later: server and client. It imports the modules of Node alone. */

export { SecureError } from './client.ts'
export { sessionOf } from './server.ts'

const random = (length: number): Uint8Array => new Uint8Array(randomBytes(length))
const now = (): number => Date.now()

/** `http.createServer(protect(listener, { keyOf }))`. Without a store, sessions are kept in this process. */
export function protect(
  listener: RequestListener,
  options: Omit<SessionServerOptions, 'store'> & { store?: SessionStore },
): RequestListener {
  return protectListener(
    listener,
    { ...options, store: options.store ?? memoryStore({ now }) },
    { gm: gmNode, random, now },
  )
}

/** The pair of a private key (32 bytes as base64url without padding). Throws RangeError for another length or value. */
export function keyPairOf(privateKey: string): ServerKeyPair {
  const bytes = fromBase64url(privateKey)
  if (bytes?.length !== 32) throw new RangeError('session: private key')
  const scalar = Sm2Point.Fn.fromBytes(bytes)
  return { privateKey: bytes, publicKey: Sm2Point.BASE.multiply(scalar).toBytes(false) }
}

/** Throws RangeError for a malformed key or origin. */
export function createSecureClient(options: SessionClientOptions): {
  fetch(path: string, init?: SecureInit): Promise<Response>
  request(request: SecureRequest): Promise<SecureResponse>
  end(): void
} {
  const client = new SessionClient(options, { gm: gmNode, random, now, send: sendByFetch(() => fetch), name: 'node' })
  return { fetch: fetchBy(client), request: (request) => client.request(request), end: () => client.end() }
}
