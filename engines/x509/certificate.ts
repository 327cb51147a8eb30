import { createHash } from 'node:crypto'
import { FormatError } from '../bytes/format-error.ts'
import {
  children,
  content,
  type DerNode,
  type DerNote,
  encoded,
  expectTag,
  isContext,
  readNode,
  readOid,
  TAG,
} from './der.ts'
import { readName } from './distinguished-name.ts'
import { type PublicKeyFacts, readPublicKey } from './public-key.ts'

/** Facts of an X.509 certificate; nothing is verified here. Times are milliseconds since 1970. */
export interface Certificate {
  readonly der: Uint8Array
  readonly version: number
  /** Hexadecimal, as encoded. */
  readonly serial: string
  readonly subject: string
  readonly issuer: string
  readonly notBefore: number
  readonly notAfter: number
  /** `SHA256withRSA` and the like, else the object identifier. */
  readonly signatureAlgorithm: string
  readonly publicKey: PublicKeyFacts
  readonly fingerprints: { readonly md5: string; readonly sha1: string; readonly sha256: string }
  /** First two bits of key usage (digitalSignature, nonRepudiation); undefined without that extension. */
  readonly signingUse?: boolean
  readonly subjectKeyId?: Uint8Array
  /** Critical extensions that Java's certificate reader does not know. */
  readonly unknownCritical: readonly string[]
  readonly notes: readonly DerNote[]
}

const SIGNATURE_ALGORITHMS: Readonly<Record<string, string>> = {
  '1.2.840.113549.1.1.2': 'MD2withRSA',
  '1.2.840.113549.1.1.4': 'MD5withRSA',
  '1.2.840.113549.1.1.5': 'SHA1withRSA',
  '1.2.840.113549.1.1.10': 'RSASSA-PSS',
  '1.2.840.113549.1.1.11': 'SHA256withRSA',
  '1.2.840.113549.1.1.12': 'SHA384withRSA',
  '1.2.840.113549.1.1.13': 'SHA512withRSA',
  '1.2.840.113549.1.1.14': 'SHA224withRSA',
  '1.2.840.10040.4.3': 'SHA1withDSA',
  '2.16.840.1.101.3.4.3.1': 'SHA224withDSA',
  '2.16.840.1.101.3.4.3.2': 'SHA256withDSA',
  '1.2.840.10045.4.1': 'SHA1withECDSA',
  '1.2.840.10045.4.3.1': 'SHA224withECDSA',
  '1.2.840.10045.4.3.2': 'SHA256withECDSA',
  '1.2.840.10045.4.3.3': 'SHA384withECDSA',
  '1.2.840.10045.4.3.4': 'SHA512withECDSA',
  '1.2.156.10197.1.501': 'SM3withSM2',
  '1.3.101.112': 'Ed25519',
  '1.3.101.113': 'Ed448',
}

/** Extensions of id-ce that Java understands. */
const KNOWN_EXTENSIONS = new Set([14, 15, 17, 18, 19, 20, 27, 28, 29, 30, 31, 32, 33, 35, 36, 37, 46, 54, 9, 16])

/**
 * The certificate in `bytes`, all of which count for its fingerprints as they do for Android; what follows it is noted.
 * Throws FormatError of format `der`.
 */
export function readCertificate(bytes: Uint8Array): Certificate {
  const node = readNode(bytes)
  const notes: DerNote[] = node.end < bytes.length ? [{ key: 'trailing-bytes', offset: node.end }] : []
  return certificateAt(node, bytes, notes)
}

/** The certificate of an element that lies in other bytes. */
export function certificateAt(node: DerNode, der: Uint8Array = encoded(node), notes: DerNote[] = []): Certificate {
  readNode(node.bytes, node.offset, node.end, notes)
  const [toBeSigned, algorithm, signature] = children(expectTag(node, TAG.sequence, 'certificate'), notes)
  expectTag(signature, TAG.bitString, 'signature of the certificate')
  const fields = children(expectTag(toBeSigned, TAG.sequence, 'certificate fields'), notes)
  const version = isContext(fields[0], 0) ? versionOf(fields.shift() as DerNode) : 1
  const [serial, , issuer, validity, subject, key] = fields
  const [notBefore, notAfter] = children(expectTag(validity, TAG.sequence, 'validity'), notes)
  const hash = (name: string) => createHash(name).update(der).digest('hex')
  const oid = readOid(expectTag(children(expectTag(algorithm, TAG.sequence, 'algorithm'))[0], TAG.oid, 'algorithm'))
  return {
    der,
    version,
    serial: hex(content(expectTag(serial, TAG.integer, 'serial number'))),
    subject: readName(expectTag(subject, TAG.sequence, 'subject'), notes),
    issuer: readName(expectTag(issuer, TAG.sequence, 'issuer'), notes),
    notBefore: readTime(notBefore),
    notAfter: readTime(notAfter),
    signatureAlgorithm: SIGNATURE_ALGORITHMS[oid] ?? oid,
    publicKey: readPublicKey(expectTag(key, TAG.sequence, 'public key'), notes),
    fingerprints: { md5: hash('md5'), sha1: hash('sha1'), sha256: hash('sha256') },
    ...readExtensions(fields.find((field) => isContext(field, 3))),
    notes,
  }
}

function versionOf(node: DerNode): number {
  const value = content(expectTag(children(node)[0], TAG.integer, 'version'))
  return (value[value.length - 1] ?? 0) + 1
}

function readExtensions(node: DerNode | undefined) {
  const unknownCritical: string[] = []
  let signingUse: boolean | undefined
  let subjectKeyId: Uint8Array | undefined
  const list = node ? children(expectTag(children(node)[0], TAG.sequence, 'extensions')) : []
  for (const extension of list) {
    const parts = children(expectTag(extension, TAG.sequence, 'extension'))
    const oid = readOid(expectTag(parts[0], TAG.oid, 'extension'))
    const critical = parts[1]?.tag === TAG.boolean && content(parts[1])[0] !== 0
    const value = expectTag(parts[parts.length - 1], TAG.octetString, 'value of an extension')
    if (oid === '2.5.29.15') {
      const bits = content(readNode(value.bytes, value.contentOffset, value.contentEnd))
      signingUse = ((bits[1] ?? 0) & 0xc0) !== 0
    } else if (oid === '2.5.29.14') {
      subjectKeyId = content(readNode(value.bytes, value.contentOffset, value.contentEnd))
    }
    if (critical && !(oid.startsWith('2.5.29.') && KNOWN_EXTENSIONS.has(Number(oid.slice(7)))))
      unknownCritical.push(oid)
  }
  return {
    unknownCritical,
    ...(signingUse !== undefined && { signingUse }),
    ...(subjectKeyId && { subjectKeyId }),
  }
}

/** UTCTime or GeneralizedTime in UTC; a zone offset is honoured. */
function readTime(node: DerNode | undefined): number {
  const long = node?.tag === TAG.generalizedTime
  const time = expectTag(node, long ? TAG.generalizedTime : TAG.utcTime, 'time')
  const written = Buffer.from(content(time)).toString('latin1')
  const match = /^(\d{2}|\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)?(?:[.,]\d+)?(Z|[+-]\d{4})?$/.exec(written)
  if (!match || match[1]!.length !== (long ? 4 : 2)) throw new FormatError('der', 'time', time.offset, 'no time')
  const [, year, month, day, hour, minute, second, zone] = match
  const full = long ? Number(year) : Number(year) + (Number(year) < 50 ? 2000 : 1900)
  const shift =
    zone && zone !== 'Z' ? Number(`${zone[0]}1`) * (Number(zone.slice(1, 3)) * 60 + Number(zone.slice(3))) : 0
  const utc = new Date(0).setUTCFullYear(full, Number(month) - 1, Number(day))
  return utc + ((Number(hour) * 60 + Number(minute) - shift) * 60 + Number(second ?? 0)) * 1000
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex')
}
