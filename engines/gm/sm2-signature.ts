import { concat, fromHex, utf8 } from './bytes.ts'
import type { GmPrimitives } from './primitives.ts'
import { Sm2Point } from './sm2-curve.ts'
import { sm2Identity } from './sm2-identity.ts'

/** SM2 signatures (GB/T 32918.2) with SM3, the default user id and DER, as Chinese products and OpenSSL (`distid`) exchange them. */

const USER_ID = utf8('1234567812345678')
const { Fn, BASE } = Sm2Point
const number = (bytes: Uint8Array): bigint => bytes.reduce((value, byte) => (value << 8n) | BigInt(byte), 0n)

/** A private key from 32 random or derived bytes: 1 to n - 2, so that its signature equation always has an inverse. */
export function sm2PrivateKey(seed: Uint8Array): bigint {
  return (number(seed) % (Fn.ORDER - 2n)) + 1n
}

/** The uncompressed public point, 65 bytes. */
export function publicKeyOf(privateKey: bigint): Uint8Array {
  return BASE.multiply(privateKey).toBytes(false)
}

/** GB/T 32918.2, 5.5 and 6.1: SM3 over the identity of the signer and the message. */
function digest(sm3: GmPrimitives['sm3'], publicKey: Uint8Array, message: Uint8Array): bigint {
  return number(sm3(concat(sm2Identity(sm3, USER_ID, publicKey), message)))
}

/** Signs a message; DER. `random` gives that many random bytes. */
export function sm2Sign(
  { sm3 }: Pick<GmPrimitives, 'sm3'>,
  privateKey: bigint,
  message: Uint8Array,
  random: (size: number) => Uint8Array,
): Uint8Array {
  const e = digest(sm3, publicKeyOf(privateKey), message)
  for (;;) {
    // 16 bytes more than the order has, so that no value of k is likelier than another.
    const k = (number(random(48)) % (Fn.ORDER - 1n)) + 1n
    const r = Fn.create(e + BASE.multiply(k).toAffine().x)
    if (r === 0n || r + k === Fn.ORDER) continue
    const s = Fn.mul(Fn.inv(Fn.create(1n + privateKey)), Fn.create(k - r * privateKey))
    if (s !== 0n) return derOf(r, s)
  }
}

/** Whether `signature` (DER) is one of the message by the holder of the public key (65 bytes). False for anything malformed. */
export function sm2Verify(
  { sm3 }: Pick<GmPrimitives, 'sm3'>,
  publicKey: Uint8Array,
  message: Uint8Array,
  signature: Uint8Array,
): boolean {
  const [r, s] = readDer(signature) ?? [0n, 0n]
  if (r < 1n || r >= Fn.ORDER || s < 1n || s >= Fn.ORDER) return false
  const t = Fn.create(r + s)
  if (t === 0n || publicKey.length !== 65) return false
  try {
    const point = BASE.mulAddUnsafe(s, Sm2Point.fromBytes(publicKey), t)
    return Fn.create(digest(sm3, publicKey, message) + point.toAffine().x) === r
  } catch {
    return false
  }
}

function derOf(r: bigint, s: bigint): Uint8Array {
  const body = concat(integer(r), integer(s))
  return concat(Uint8Array.of(0x30, body.length), body)
}
function integer(value: bigint): Uint8Array {
  const hex = value.toString(16)
  const bytes = fromHex(hex.length % 2 ? `0${hex}` : hex)
  const positive = (bytes[0] as number) >= 0x80 ? concat(Uint8Array.of(0), bytes) : bytes
  return concat(Uint8Array.of(2, positive.length), positive)
}
/** The two integers of a signature in DER and in its one canonical form. */
function readDer(bytes: Uint8Array): [bigint, bigint] | undefined {
  const size = bytes[3] ?? 0
  const [r, s] = [bytes.subarray(4, 4 + size), bytes.subarray(6 + size)].map(number) as [bigint, bigint]
  if (r === 0n || s === 0n) return undefined
  const canonical = derOf(r, s)
  return canonical.length === bytes.length && canonical.every((byte, at) => byte === bytes[at]) ? [r, s] : undefined
}
