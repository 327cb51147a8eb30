// Detached SM2 signatures (GB/T 32918.2 with SM3 and the default user id 1234567812345678), DER in hexadecimal.
import { sm2 } from 'sm-crypto'

/** @param {Buffer} bytes @param {string} privateKey 64 hexadecimal digits */
export function signManifest(bytes, privateKey) {
  if (!/^[\da-f]{64}$/i.test(privateKey)) throw new Error('The signing key must be 64 hexadecimal digits')
  return sm2.doSignature([...bytes], privateKey, { hash: true, der: true })
}

/** @param {string} publicKey uncompressed point, 130 hexadecimal digits beginning with 04 */
export function verifyManifest(bytes, signature, publicKey) {
  return sm2.doVerifySignature([...bytes], signature.trim(), publicKey, { hash: true, der: true })
}
