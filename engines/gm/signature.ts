import { fromBase64url, sameBytes, toBase64url, utf8 } from './bytes.ts'
import type { GmPrimitives } from './primitives.ts'

/**
 * The `signature` header: `<prefix>.<nonce>.<mac>`, both base64url. Prefix `1` is HMAC-SM3 under the session's key; prefix `0`, before
 * a key is known, is plain SM3 and proves nothing against an attacker. No canonical form: the exact bytes that travel are signed.
 */
export type SignedRequest = {
  method: string
  /** As sent: path with query. */
  target: string
  /** The `tstamp` header: Unix seconds. */
  tstamp: string
  /** As sent; empty for GET. */
  body: Uint8Array
}

const NONCE_BYTES = 16

/** The header's value. `key` undefined makes prefix 0. */
export function signRequest(
  gm: GmPrimitives,
  request: SignedRequest,
  nonce: Uint8Array,
  key: Uint8Array | undefined,
): string {
  const text = toBase64url(nonce)
  return `${key ? 1 : 0}.${text}.${toBase64url(digest(gm, request, text, key))}`
}

export type ParsedSignature = { prefix: '0' | '1'; nonce: string; mac: Uint8Array }

/** Undefined where the header has another form. */
export function parseSignature(header: string): ParsedSignature | undefined {
  const [, prefix, nonce, mac] = /^([01])\.([\w-]{22})\.([\w-]{43})$/.exec(header) ?? []
  if (!prefix || !nonce || !mac) return undefined
  const bytes = fromBase64url(mac)
  if (!bytes || fromBase64url(nonce)?.length !== NONCE_BYTES) return undefined
  return { prefix: prefix as '0' | '1', nonce, mac: bytes }
}

/** Whether the parsed header belongs to this request under this key (undefined: prefix 0). */
export function verifySignature(
  gm: GmPrimitives,
  parsed: ParsedSignature,
  request: SignedRequest,
  key: Uint8Array | undefined,
): boolean {
  return (
    (parsed.prefix === '1') === (key !== undefined) && sameBytes(parsed.mac, digest(gm, request, parsed.nonce, key))
  )
}

function digest(gm: GmPrimitives, request: SignedRequest, nonce: string, key: Uint8Array | undefined): Uint8Array {
  const { method, target, tstamp, body } = request
  const text = utf8(`AW1\n${method}\n${target}\n${tstamp}\n${nonce}\n${toBase64url(gm.sm3(body))}`)
  return key ? gm.hmacSm3(key, text) : gm.sm3(text)
}
