import { createPrivateKey, type KeyObject, sign } from 'node:crypto'
import type { PrivateKeyEntry } from '../keystore/private-key-entry.ts'
import type { Certificate } from '../x509/certificate.ts'
import type { SignatureHash, SigningKey } from './signing-key.ts'

/** A key of a key store, ready to sign. */
export function openSigningKey({ pkcs8, certificates }: PrivateKeyEntry): SigningKey {
  return signingKey(createPrivateKey({ key: Buffer.from(pkcs8), format: 'der', type: 'pkcs8' }), certificates)
}

/** PKCS#1 v1.5 for RSA, DER for EC and DSA: what node:crypto does without being asked. */
export function signingKey(key: KeyObject, certificates: readonly Certificate[]): SigningKey {
  return { certificates, sign: (hash: SignatureHash, bytes: Uint8Array) => sign(hash, bytes, key) }
}
