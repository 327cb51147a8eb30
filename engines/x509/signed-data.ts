import { FormatError } from '../bytes/format-error.ts'
import { type Certificate, certificateAt } from './certificate.ts'
import { children, content, type DerNode, encoded, expectTag, isContext, readNode, readOid, TAG } from './der.ts'
import { readName } from './distinguished-name.ts'
import { type PssParameters, readPssParameters } from './pss-parameters.ts'

/** PKCS#7 SignedData as a JAR signature block holds it. */
export interface SignedData {
  readonly contentType: string
  /** What was signed, if the structure contains it; undefined for a detached signature. */
  readonly content?: Uint8Array
  readonly certificates: readonly Certificate[]
  readonly signers: readonly SignerInfo[]
}

export interface SignerInfo {
  /** By issuer and serial number, or by subject key identifier. */
  readonly issuer?: string
  readonly serial?: string
  readonly subjectKeyId?: Uint8Array
  readonly digestAlgorithm: string
  readonly signatureAlgorithm: string
  /** Of RSASSA-PSS. */
  readonly pss?: PssParameters
  readonly signature: Uint8Array
  readonly signedAttributes?: SignedAttributes
}

interface SignedAttributes {
  /** Bytes that were signed: as encoded, with the tag of a SET. */
  readonly signed: Uint8Array
  readonly contentType?: string
  readonly messageDigest?: Uint8Array
}

const SIGNED_DATA = '1.2.840.113549.1.7.2'
const CONTENT_TYPE = '1.2.840.113549.1.9.3'
const RSASSA_PSS = '1.2.840.113549.1.1.10'
const MESSAGE_DIGEST = '1.2.840.113549.1.9.4'

/** Throws FormatError of format `der`. */
export function readSignedData(bytes: Uint8Array): SignedData {
  const [type, wrapped] = children(expectTag(readNode(bytes), TAG.sequence, 'content info'))
  const oid = readOid(expectTag(type, TAG.oid, 'content type'))
  if (oid !== SIGNED_DATA || !isContext(wrapped, 0))
    throw new FormatError('der', 'unexpected', 0, `content type ${oid}, no signed data`)
  const fields = children(expectTag(children(wrapped)[0], TAG.sequence, 'signed data'))
  const info = expectTag(fields[2], TAG.sequence, 'content info of the signed data')
  const certificates = fields.slice(3).find((field) => isContext(field, 0))
  const [contentType, carried] = children(info)
  const signed = isContext(carried, 0) ? octets(children(carried)[0]) : undefined
  return {
    contentType: readOid(expectTag(contentType, TAG.oid, 'content type')),
    ...(signed && { content: signed }),
    certificates: certificates ? children(certificates).map((one) => certificateAt(one)) : [],
    signers: children(expectTag(fields[fields.length - 1], TAG.set, 'signers')).map(readSigner),
  }
}

/** An octet string; in BER it may come in pieces. */
function octets(node: DerNode | undefined): Uint8Array {
  const string = expectTag(node, TAG.octetString, 'signed content')
  if (!string.constructed) return content(string)
  return Buffer.concat(children(string).map((piece) => content(expectTag(piece, TAG.octetString, 'signed content'))))
}

/** The certificate that a signer points at. */
export function certificateOf(signer: SignerInfo, certificates: readonly Certificate[]): Certificate | undefined {
  const { issuer, serial, subjectKeyId } = signer
  if (subjectKeyId) return certificates.find((one) => one.subjectKeyId && equal(one.subjectKeyId, subjectKeyId))
  return certificates.find((one) => one.serial === serial && issuer !== undefined && sameName(one.issuer, issuer))
}

/** Names are equal whatever string type, case and spacing they are written in. */
function sameName(a: string, b: string): boolean {
  const plain = (name: string) => name.toLowerCase().replace(/\s+/g, ' ')
  return a === b || plain(a) === plain(b)
}

function readSigner(node: DerNode): SignerInfo {
  const fields = children(expectTag(node, TAG.sequence, 'signer'))
  const [, id, digest, ...rest] = fields
  const attributes = isContext(rest[0], 0) ? rest.shift() : undefined
  const [algorithm, signature] = rest
  const signatureAlgorithm = algorithmOf(algorithm)
  return {
    ...readSignerId(id),
    digestAlgorithm: algorithmOf(digest),
    signatureAlgorithm,
    ...(signatureAlgorithm === RSASSA_PSS && { pss: readPssParameters(children(algorithm!)[1]) }),
    signature: content(expectTag(signature, TAG.octetString, 'signature')),
    ...(attributes && { signedAttributes: readAttributes(attributes) }),
  }
}

function readSignerId(id: DerNode | undefined) {
  if (isContext(id, 0)) return { subjectKeyId: content(id) }
  const [issuer, serial] = children(expectTag(id, TAG.sequence, 'signer identifier'))
  const number = content(expectTag(serial, TAG.integer, 'serial number'))
  return {
    issuer: readName(expectTag(issuer, TAG.sequence, 'issuer'), []),
    serial: Buffer.from(number.buffer, number.byteOffset, number.length).toString('hex'),
  }
}

function algorithmOf(node: DerNode | undefined): string {
  return readOid(expectTag(children(expectTag(node, TAG.sequence, 'algorithm'))[0], TAG.oid, 'algorithm'))
}

function readAttributes(node: DerNode): SignedAttributes {
  const values = new Map<string, DerNode[]>()
  for (const attribute of children(node)) {
    const [type, set] = children(expectTag(attribute, TAG.sequence, 'attribute'))
    const oid = readOid(expectTag(type, TAG.oid, 'attribute type'))
    if (values.has(oid)) throw new FormatError('der', 'duplicate', attribute.offset, `attribute ${oid} twice`)
    values.set(oid, children(expectTag(set, TAG.set, 'attribute values')))
  }
  const single = (oid: string) => {
    const found = values.get(oid)
    if (found && found.length > 1) throw new FormatError('der', 'duplicate', node.offset, `several values of ${oid}`)
    return found?.[0]
  }
  const type = single(CONTENT_TYPE)
  const digest = single(MESSAGE_DIGEST)
  const signed = new Uint8Array(encoded(node))
  signed[0] = 0x31
  return {
    signed,
    ...(type && { contentType: readOid(type) }),
    ...(digest && { messageDigest: content(expectTag(digest, TAG.octetString, 'message digest')) }),
  }
}

function equal(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && Buffer.compare(a, b) === 0
}
