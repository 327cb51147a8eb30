import { createHash, verify } from 'node:crypto'
import { keyObject } from './public-key.ts'
import { certificateOf, type SignedData } from './signed-data.ts'

const DIGESTS: Readonly<Record<string, string>> = {
  '1.3.14.3.2.26': 'sha1',
  '2.16.840.1.101.3.4.2.1': 'sha256',
  '2.16.840.1.101.3.4.2.2': 'sha384',
  '2.16.840.1.101.3.4.2.3': 'sha512',
}

/**
 * Whether every signer's signature over `content` holds with the certificate that accompanies it. Who issued that certificate, and
 * whether it was valid, is not judged.
 */
export function verifySignedData(data: SignedData, content: Uint8Array): boolean {
  return data.signers.length > 0 && data.signers.every((signer) => holds(signer, data, content))
}

/** Whether the algorithms of all signers are judged here: what is not known neither holds nor is it broken. */
export function algorithmsKnown({ signers }: SignedData): boolean {
  return signers.every(({ digestAlgorithm, pss }) => DIGESTS[digestAlgorithm] !== undefined && !pss)
}

function holds(signer: SignedData['signers'][number], data: SignedData, content: Uint8Array): boolean {
  const hash = DIGESTS[signer.digestAlgorithm]
  const certificate = certificateOf(signer, data.certificates)
  const key = certificate && keyObject(certificate.publicKey.spki)
  if (!hash || !key) return false
  const attributes = signer.signedAttributes
  if (attributes) {
    const digest = createHash(hash).update(content).digest()
    if (!attributes.messageDigest || Buffer.compare(digest, attributes.messageDigest) !== 0) return false
  }
  try {
    return verify(hash, attributes?.signed ?? content, { key, dsaEncoding: 'der' }, signer.signature)
  } catch {
    // A key that this runtime cannot use.
    return false
  }
}
