import { createHash, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import { p256 } from '@noble/curves/nist.js'
import type { SigningKey } from '#engines/signing/signing-key.ts'
import { readCertificate } from '#engines/x509/certificate.ts'
import { writeCertificate } from '#engines/x509/write-certificate.ts'

/** Application id of the fictional bank. */
export const BANK_ID = 'cn.example.pocketbank'

/**
 * The key of the fictional bank, for the demo alone and no secret: everybody who reads this has it. It comes of a fixed text, so that fleet,
 * baseline, packages and signature file name the same signer in every installation, and no key lies in the repository.
 */
const SEED = 'AppWarden demo: Pocket Bank release key'
const scalar = createHash('sha256').update(SEED).digest()

/** ECDSA with the nonce of RFC 6979: the same bytes give the same signature. */
const sign: SigningKey['sign'] = (hash, bytes) =>
  p256.sign(createHash(hash).update(bytes).digest(), scalar, { prehash: false, format: 'der' })

function privateKey(): KeyObject {
  const point = Buffer.from(p256.getPublicKey(scalar, false))
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((half) => half.toString('base64url'))
  return createPrivateKey({
    key: { kty: 'EC', crv: 'P-256', d: scalar.toString('base64url'), x: x!, y: y! },
    format: 'jwk',
  })
}

const certificate = readCertificate(
  writeCertificate({
    spki: createPublicKey(privateKey()).export({ type: 'spki', format: 'der' }),
    keyKind: 'ec',
    subject: [
      ['CN', 'Pocket Bank release'],
      ['O', '掌上银行'],
      ['C', 'CN'],
    ],
    serial: Buffer.from('50427265', 'hex'),
    notBefore: Date.UTC(2024, 11, 2),
    notAfter: Date.UTC(2054, 11, 2),
    sign: (bytes) => sign('sha256', bytes),
  }),
)

/** Signs the bank's packages. */
export const bankKey: SigningKey = { certificates: [certificate], sign }
/** SHA-256 of the bank's certificate, lower-case hex, as phones report it. */
export const bankSigner: string = certificate.fingerprints.sha256
/** The bank's key as an entry of a key store. */
export const bankKeyEntry = () => ({
  alias: 'release',
  pkcs8: privateKey().export({ type: 'pkcs8', format: 'der' }),
  certificates: [certificate],
})
