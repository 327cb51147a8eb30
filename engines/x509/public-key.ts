import { createPublicKey, type KeyObject } from 'node:crypto'
import { FormatError } from '../bytes/format-error.ts'
import { children, content, type DerNode, type DerNote, expectTag, readNode, readOid, TAG } from './der.ts'
import { derBits, derElement, derInteger, derSequence } from './write-der.ts'

export interface PublicKeyFacts {
  /** `RSA`, `RSASSA-PSS`, `DSA`, `EC`, `Ed25519`, `Ed448`, else the object identifier. */
  readonly algorithm: string
  /** Size in bits of modulus or field, 0 where unknown. */
  readonly bits: number
  readonly curve?: string
  /**
   * SubjectPublicKeyInfo as DER, which is how signing blocks write it, even where the certificate has redundant lengths or an RSA
   * modulus without the zero byte before its sign bit.
   */
  readonly spki: Uint8Array
}

const ALGORITHMS: Readonly<Record<string, string>> = {
  '1.2.840.113549.1.1.1': 'RSA',
  '2.5.8.1.1': 'RSA',
  '1.2.840.113549.1.1.10': 'RSASSA-PSS',
  '1.2.840.10040.4.1': 'DSA',
  '1.2.840.10045.2.1': 'EC',
  '1.3.101.112': 'Ed25519',
  '1.3.101.113': 'Ed448',
}

const CURVES: Readonly<Record<string, readonly [name: string, bits: number]>> = {
  '1.2.840.10045.3.1.1': ['P-192', 192],
  '1.3.132.0.33': ['P-224', 224],
  '1.2.840.10045.3.1.7': ['P-256', 256],
  '1.3.132.0.34': ['P-384', 384],
  '1.3.132.0.35': ['P-521', 521],
  '1.3.132.0.10': ['secp256k1', 256],
  '1.2.156.10197.1.301': ['SM2', 256],
}

/** What a SubjectPublicKeyInfo says. Throws FormatError of format `der`. */
export function readPublicKey(node: DerNode, notes: DerNote[]): PublicKeyFacts {
  const own: DerNote[] = []
  readNode(node.bytes, node.offset, node.end, own)
  const facts = keyFacts(node, own)
  notes.push(...own)
  const rewritten = own.length ? keyObject(facts.spki)?.export({ type: 'spki', format: 'der' }) : undefined
  return rewritten ? { ...facts, spki: rewritten } : facts
}

function keyFacts(node: DerNode, notes: DerNote[]): PublicKeyFacts {
  const [identifier, key] = children(expectTag(node, TAG.sequence, 'public key'), notes)
  const [oidNode, parameters] = children(expectTag(identifier, TAG.sequence, 'key algorithm'), notes)
  const oid = readOid(expectTag(oidNode, TAG.oid, 'key algorithm'))
  const bits = expectTag(key, TAG.bitString, 'public key')
  const algorithm = ALGORITHMS[oid] ?? oid
  const spki = node.bytes.subarray(node.offset, node.end)
  if (algorithm === 'RSA' || algorithm === 'RSASSA-PSS')
    return { algorithm, ...rsaKey(bits, identifier as DerNode, spki, notes) }
  if (algorithm === 'DSA') {
    const prime = parameters?.constructed ? children(parameters)[0] : undefined
    return { algorithm, bits: prime ? bitLength(content(prime)) : 0, spki }
  }
  if (algorithm === 'EC') {
    const curveOid = parameters?.tag === TAG.oid ? readOid(parameters) : ''
    const [curve, size] = CURVES[curveOid] ?? [curveOid, 0]
    return { algorithm, bits: size, ...(curve && { curve }), spki }
  }
  // Of the field, as for a named curve.
  return { algorithm, bits: algorithm === 'Ed25519' ? 255 : algorithm === 'Ed448' ? 448 : 0, spki }
}

/** For checking signatures with; undefined where the bytes hold no key that can be used. */
export function keyObject(spki: Uint8Array): KeyObject | undefined {
  try {
    return createPublicKey({ key: Buffer.from(spki), format: 'der', type: 'spki' })
  } catch {
    return undefined
  }
}

function rsaKey(bitString: DerNode, identifier: DerNode, spki: Uint8Array, notes: DerNote[]) {
  const key = readNode(bitString.bytes, bitString.contentOffset + 1, bitString.contentEnd, notes)
  const [modulus, exponent] = children(expectTag(key, TAG.sequence, 'RSA key'), notes)
  const bytes = content(expectTag(modulus, TAG.integer, 'modulus'))
  if (bytes.length > 4096) throw new FormatError('der', 'limit', key.offset, 'modulus too large')
  if (!(bytes[0]! & 0x80)) return { bits: bitLength(bytes), spki }
  notes.push({ key: 'negative-modulus', offset: (modulus as DerNode).offset })
  const rewritten = derSequence(
    identifier.bytes.subarray(identifier.offset, identifier.end),
    derBits(derSequence(derInteger(bytes), derElement(0x02, content(expectTag(exponent, TAG.integer, 'exponent'))))),
  )
  return { bits: bitLength(bytes), spki: new Uint8Array(rewritten) }
}

function bitLength(integer: Uint8Array): number {
  let at = 0
  while (at < integer.length && integer[at] === 0) at++
  return at === integer.length ? 0 : (integer.length - at) * 8 - Math.clz32(integer[at]!) + 24
}
