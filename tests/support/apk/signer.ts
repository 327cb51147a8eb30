import { constants, createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { bits, der, integer, octets, oid, sequence, set } from './der-writer.ts'

/** A key with a certificate that it signed itself. */
export interface TestSigner {
  readonly privateKey: KeyObject
  readonly spki: Buffer
  readonly certificate: Buffer
  readonly issuer: Buffer
  readonly kind: 'ec' | 'rsa'
}

const ALGORITHM = {
  ec: { sha256: '1.2.840.10045.4.3.2', sha1: '1.2.840.10045.4.1' },
  rsa: { sha256: '1.2.840.113549.1.1.11', sha1: '1.2.840.113549.1.1.5', md5: '1.2.840.113549.1.1.4' },
} as const
const KEY = { ec: '1.2.840.10045.2.1', rsa: '1.2.840.113549.1.1.1' }
const SHA256 = '2.16.840.1.101.3.4.2.1'

interface SignerOptions {
  readonly keyUsage?: number
  readonly bits?: number
  readonly curve?: string
  /** What the certificate is signed with. */
  readonly digest?: 'sha256' | 'sha1' | 'md5'
}

/** Valid from 2020 to 2050, serial number 7. */
export function makeSigner(name: string, kind: 'ec' | 'rsa' = 'ec', options: SignerOptions = {}): TestSigner {
  const { keyUsage, bits: modulusLength = 2048, curve = 'P-256', digest = 'sha256' } = options
  const { privateKey, publicKey } =
    kind === 'ec' ? generateKeyPairSync('ec', { namedCurve: curve }) : generateKeyPairSync('rsa', { modulusLength })
  const spki = publicKey.export({ type: 'spki', format: 'der' })
  const issuer = sequence(
    set(sequence(oid('2.5.4.6'), der(0x13, Buffer.from('CN')))),
    set(sequence(oid('2.5.4.3'), der(0x0c, Buffer.from(name)))),
  )
  const algorithm = sequence(oid(digest === 'md5' ? ALGORITHM.rsa.md5 : ALGORITHM[kind][digest]))
  const extensions =
    keyUsage === undefined
      ? []
      : [
          der(
            0xa3,
            sequence(
              sequence(oid('2.5.29.15'), der(0x01, Buffer.from([0xff])), octets(der(0x03, Buffer.from([0, keyUsage])))),
            ),
          ),
        ]
  const fields = sequence(
    der(0xa0, integer(2)),
    integer(7),
    algorithm,
    issuer,
    sequence(der(0x17, Buffer.from('200101000000Z')), der(0x18, Buffer.from('20500101000000Z'))),
    issuer,
    spki,
    ...extensions,
  )
  const certificate = sequence(fields, algorithm, bits(sign(digest, fields, privateKey)))
  return { privateKey, spki, certificate, issuer, kind }
}

/** A PKCS#7 signature block over a signature file, with signed attributes where wanted. */
export function signatureBlock(signer: TestSigner, file: Uint8Array, signedAttributes = false): Buffer {
  const data = '1.2.840.113549.1.7.1'
  const attributes = Buffer.concat([
    sequence(oid('1.2.840.113549.1.9.3'), set(oid(data))),
    sequence(oid('1.2.840.113549.1.9.4'), set(octets(createHash('sha256').update(file).digest()))),
  ])
  const signed = signedAttributes ? set(attributes) : file
  const info = sequence(
    integer(1),
    sequence(signer.issuer, integer(7)),
    sequence(oid(SHA256)),
    ...(signedAttributes ? [der(0xa0, attributes)] : []),
    sequence(oid(KEY[signer.kind])),
    octets(sign('sha256', signed, signer.privateKey)),
  )
  const signedData = sequence(
    integer(1),
    set(sequence(oid(SHA256))),
    sequence(oid(data)),
    der(0xa0, signer.certificate),
    set(info),
  )
  return sequence(oid('1.2.840.113549.1.7.2'), der(0xa0, signedData))
}

/** Signs with an algorithm of the signing block schemes. */
export function blockSign({ privateKey }: TestSigner, algorithm: number, data: Uint8Array): Buffer {
  const hash = algorithm === 0x0102 || algorithm === 0x0104 || algorithm === 0x0202 ? 'sha512' : 'sha256'
  const pss = algorithm === 0x0101 || algorithm === 0x0102
  const saltLength = hash === 'sha256' ? 32 : 64
  return sign(hash, data, pss ? { key: privateKey, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength } : privateKey)
}
