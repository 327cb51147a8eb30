import { createPrivateKey, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { type KeyStoreFormat, writeKeyStore } from '#engines/keystore/write-key-store.ts'
import { type Certificate, readCertificate } from '#engines/x509/certificate.ts'
import { parseSubject, writeCertificate } from '#engines/x509/write-certificate.ts'

export const STORE_PASSWORD = 'store secret'
const DAY = 86_400_000

/** A key store with one new EC key, and its certificate. */
export function madeKeyStore(
  format: KeyStoreFormat,
  { alias, now, days = 9000, keyPassword }: { alias: string; now: number; days?: number; keyPassword?: string },
): { bytes: Buffer; certificate: Certificate } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    privateKeyEncoding: { type: 'pkcs8', format: 'der' },
    publicKeyEncoding: { type: 'spki', format: 'der' },
  })
  const signer = createPrivateKey({ key: privateKey, type: 'pkcs8', format: 'der' })
  const certificate = readCertificate(
    writeCertificate({
      spki: publicKey,
      keyKind: 'ec',
      subject: parseSubject('CN=Release, O=Example'),
      serial: Buffer.concat([Buffer.from([1]), randomBytes(15)]),
      notBefore: now,
      notAfter: now + days * DAY,
      sign: (bytes) => sign('sha256', bytes, signer),
    }),
  )
  const bytes = writeKeyStore(format, {
    entry: { alias, pkcs8: privateKey, certificates: [certificate] },
    passwords: { store: STORE_PASSWORD, ...(keyPassword !== undefined && { key: keyPassword }) },
    random: (count) => randomBytes(count),
    now,
  })
  return { bytes: Buffer.from(bytes), certificate }
}
