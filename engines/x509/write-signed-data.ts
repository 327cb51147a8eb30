import type { Certificate } from './certificate.ts'
import { children, encoded, expectTag, isContext, readNode, TAG } from './der.ts'
import { derAlgorithm, derContext, derInteger, derOctets, derOid, derSequence, derSet } from './write-der.ts'

interface DetachedSignature {
  /** The signer's own first. */
  readonly certificates: readonly Certificate[]
  readonly digestAlgorithm: string
  readonly signatureAlgorithm: string
  readonly signature: Uint8Array
}

/** PKCS#7 SignedData (RFC 2315) of one signer over content that is elsewhere, without signed attributes: a JAR signature block. */
export function writeSignedData(signed: DetachedSignature): Uint8Array {
  const { certificates, signature } = signed
  const digest = derAlgorithm(signed.digestAlgorithm)
  const signer = derSequence(
    derInteger(1),
    issuerAndSerial(certificates[0]!.der),
    digest,
    derAlgorithm(signed.signatureAlgorithm),
    derOctets(signature),
  )
  const data = derSequence(
    derInteger(1),
    derSet(digest),
    derSequence(derOid('1.2.840.113549.1.7.1')),
    derContext(0, ...certificates.map(({ der }) => der)),
    derSet(signer),
  )
  return derSequence(derOid('1.2.840.113549.1.7.2'), derContext(0, data))
}

/** As the certificate encodes them, byte for byte. */
function issuerAndSerial(certificate: Uint8Array): Uint8Array {
  const [fields] = children(expectTag(readNode(certificate), TAG.sequence, 'certificate'))
  const parts = children(expectTag(fields, TAG.sequence, 'certificate fields'))
  if (isContext(parts[0], 0)) parts.shift()
  const [serial, , issuer] = parts
  return derSequence(
    encoded(expectTag(issuer, TAG.sequence, 'issuer')),
    encoded(expectTag(serial, TAG.integer, 'serial number')),
  )
}
