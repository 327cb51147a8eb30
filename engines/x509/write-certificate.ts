import { createHash } from 'node:crypto'
import { FormatError } from '../bytes/format-error.ts'
import { children, content, expectTag, readNode, TAG } from './der.ts'
import {
  derAlgorithm,
  derBits,
  derContext,
  derElement,
  derInteger,
  derOctets,
  derOid,
  derSequence,
  derSet,
} from './write-der.ts'

export interface NewCertificate {
  /** SubjectPublicKeyInfo as DER. */
  readonly spki: Uint8Array
  readonly keyKind: 'rsa' | 'ec' | 'dsa'
  /** Attributes in the order of the name as people write it: CN first. */
  readonly subject: readonly (readonly [attribute: string, value: string])[]
  /** Positive; of random bytes. */
  readonly serial: Uint8Array
  /** Milliseconds since 1970. */
  readonly notBefore: number
  readonly notAfter: number
  /** Signs with SHA-256 (RSASSA-PKCS1-v1_5, or DER of EC and DSA). */
  readonly sign: (bytes: Uint8Array) => Uint8Array
}

const ATTRIBUTES: Readonly<Record<string, string>> = {
  CN: '2.5.4.3',
  C: '2.5.4.6',
  L: '2.5.4.7',
  ST: '2.5.4.8',
  O: '2.5.4.10',
  OU: '2.5.4.11',
  EMAILADDRESS: '1.2.840.113549.1.9.1',
}
const SHA256_WITH: Readonly<Record<NewCertificate['keyKind'], Uint8Array>> = {
  rsa: derAlgorithm('1.2.840.113549.1.1.11'),
  ec: derAlgorithm('1.2.840.10045.4.3.2', new Uint8Array()),
  dsa: derAlgorithm('2.16.840.1.101.3.4.3.2', new Uint8Array()),
}

/** The parts of `CN=Name, O=Company`. Quotes and escapes are not understood. Throws FormatError `name` of format `certificate`. */
export function parseSubject(text: string): [string, string][] {
  const parts = text.split(',').map((part): [string, string] => {
    const [attribute = '', ...value] = part.split('=')
    return [attribute.trim().toUpperCase(), value.join('=').trim()]
  })
  const wrong = parts.find(([attribute, value]) => !ATTRIBUTES[attribute] || !value || value.length > 256)
  if (wrong) throw new FormatError('certificate', 'name', -1, `no part of a name: ${wrong.join('=')}`)
  return parts
}

/** A certificate (X.509 version 3, RFC 5280) that its own key signs, as application signers have it. */
export function writeCertificate(certificate: NewCertificate): Uint8Array {
  const { spki, keyKind, subject, serial, notBefore, notAfter, sign } = certificate
  const algorithm = SHA256_WITH[keyKind]
  const name = derSequence(
    ...[...subject].reverse().map(([attribute, value]) => {
      const string = attribute === 'C' ? 0x13 : attribute === 'EMAILADDRESS' ? 0x16 : 0x0c
      return derSet(derSequence(derOid(ATTRIBUTES[attribute]!), derElement(string, Buffer.from(value))))
    }),
  )
  const keyId = derSequence(derOid('2.5.29.14'), derOctets(derOctets(keyIdentifier(spki))))
  const fields = derSequence(
    derContext(0, derInteger(2)),
    derInteger(serial),
    algorithm,
    name,
    derSequence(derTime(notBefore), derTime(notAfter)),
    name,
    spki,
    derContext(3, derSequence(keyId)),
  )
  return derSequence(fields, algorithm, derBits(sign(fields)))
}

/** SHA-1 of the bits of the key (RFC 5280, 4.2.1.2). */
function keyIdentifier(spki: Uint8Array): Uint8Array {
  const [, bits] = children(expectTag(readNode(spki), TAG.sequence, 'public key'))
  return createHash('sha1')
    .update(content(expectTag(bits, TAG.bitString, 'public key')).subarray(1))
    .digest()
}

/** UTCTime up to 2049, GeneralizedTime from then on. */
function derTime(time: number): Uint8Array {
  const digits = new Date(time)
    .toISOString()
    .replace(/\.\d+Z$/, 'Z')
    .replace(/[-:T]/g, '')
  const long = Number(digits.slice(0, 4)) >= 2050
  return derElement(long ? 0x18 : 0x17, Buffer.from(long ? digits : digits.slice(2)))
}
