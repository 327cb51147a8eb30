import { constants, createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { bits, der, integer, octets, oid, sequence, set } from './der-writer.ts'

/** A key with a certificate that it signed itself. */
export interface TestSigner {
  readonly privateKey: KeyObject
  readonly spki: Buffer
  readonly certificate: Buffer
  readonly issuer: Buffer
  readonly kind: Kind
}

/** `pss` is an RSA key that signs with RSASSA-PSS, SHA-256 and a salt of 32 bytes. */
type Kind = 'ec' | 'rsa' | 'pss' | 'ed25519' | 'ed448'

const ALGORITHM = {
  ec: { sha256: '1.2.840.10045.4.3.2', sha1: '1.2.840.10045.4.1' },
  rsa: { sha256: '1.2.840.113549.1.1.11', sha1: '1.2.840.113549.1.1.5', md5: '1.2.840.113549.1.1.4' },
} as const
const SHA256 = '2.16.840.1.101.3.4.2.1'
const PSS = sequence(
  oid('1.2.840.113549.1.1.10'),
  sequence(
    der(0xa0, sequence(oid(SHA256))),
    der(0xa1, sequence(oid('1.2.840.113549.1.1.8'), sequence(oid(SHA256)))),
    der(0xa2, integer(32)),
  ),
)
/** What a signature block says of digest and signature. */
const BLOCK: Readonly<Record<Kind, readonly [digest: string, hash: string, algorithm: Buffer]>> = {
  ec: [SHA256, 'sha256', sequence(oid('1.2.840.10045.2.1'))],
  rsa: [SHA256, 'sha256', sequence(oid('1.2.840.113549.1.1.1'))],
  pss: [SHA256, 'sha256', PSS],
  ed25519: ['2.16.840.1.101.3.4.2.3', 'sha512', sequence(oid('1.3.101.112'))],
  ed448: ['2.16.840.1.101.3.4.2.12', 'shake256', sequence(oid('1.3.101.113'))],
}

interface SignerOptions {
  readonly keyUsage?: number
  readonly bits?: number
  readonly curve?: string
  /** What the certificate is signed with. */
  readonly digest?: 'sha256' | 'sha1' | 'md5'
}

/** Valid from 2020 to 2050, serial number 7. */
export function makeSigner(name: string, kind: Kind = 'ec', options: SignerOptions = {}): TestSigner {
  const { keyUsage, bits: modulusLength = 2048, curve = 'P-256', digest = 'sha256' } = options
  const { privateKey, publicKey } = keyPair()
  const spki = publicKey.export({ type: 'spki', format: 'der' })
  const issuer = sequence(
    set(sequence(oid('2.5.4.6'), der(0x13, Buffer.from('CN')))),
    set(sequence(oid('2.5.4.3'), der(0x0c, Buffer.from(name)))),
  )
  const usual = kind === 'ec' ? ALGORITHM.ec : ALGORITHM.rsa
  const algorithm =
    kind === 'ed25519' || kind === 'ed448'
      ? BLOCK[kind][2]
      : sequence(oid(digest === 'md5' ? ALGORITHM.rsa.md5 : usual[digest]))
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
  const certificate = sequence(fields, algorithm, bits(sign(kind.startsWith('ed') ? null : digest, fields, privateKey)))
  return { privateKey, spki, certificate, issuer, kind }

  function keyPair() {
    if (kind === 'ec') return generateKeyPairSync('ec', { namedCurve: curve })
    if (kind === 'ed25519') return generateKeyPairSync('ed25519')
    if (kind === 'ed448') return generateKeyPairSync('ed448')
    return generateKeyPairSync('rsa', { modulusLength })
  }
}

/** A PKCS#7 signature block over a signature file, with signed attributes where wanted; `carried` puts the file into it. */
export function signatureBlock(
  signer: TestSigner,
  file: Uint8Array,
  signedAttributes = false,
  carried = false,
): Buffer {
  const data = '1.2.840.113549.1.7.1'
  const [digestOid, hash, algorithm] = BLOCK[signer.kind]
  const digest = createHash(hash, hash === 'shake256' ? { outputLength: 64 } : {})
    .update(file)
    .digest()
  const attributes = Buffer.concat([
    sequence(oid('1.2.840.113549.1.9.3'), set(oid(data))),
    sequence(oid('1.2.840.113549.1.9.4'), set(octets(digest))),
  ])
  const signed = signedAttributes ? set(attributes) : file
  const info = sequence(
    integer(1),
    sequence(signer.issuer, integer(7)),
    sequence(oid(digestOid)),
    ...(signedAttributes ? [der(0xa0, attributes)] : []),
    algorithm,
    octets(signatureOf(signer, hash, signed)),
  )
  const signedData = sequence(
    integer(1),
    set(sequence(oid(digestOid))),
    sequence(oid(data), ...(carried ? [der(0xa0, octets(file))] : [])),
    der(0xa0, signer.certificate),
    set(info),
  )
  return sequence(oid('1.2.840.113549.1.7.2'), der(0xa0, signedData))
}

function signatureOf({ kind, privateKey: key }: TestSigner, hash: string, data: Uint8Array): Buffer {
  if (kind === 'ed25519' || kind === 'ed448') return sign(null, data, key)
  return sign(hash, data, kind === 'pss' ? { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 } : key)
}

/** Signs with an algorithm of the signing block schemes. */
export function blockSign({ privateKey }: TestSigner, algorithm: number, data: Uint8Array): Buffer {
  const hash = algorithm === 0x0102 || algorithm === 0x0104 || algorithm === 0x0202 ? 'sha512' : 'sha256'
  const pss = algorithm === 0x0101 || algorithm === 0x0102
  const saltLength = hash === 'sha256' ? 32 : 64
  return sign(hash, data, pss ? { key: privateKey, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength } : privateKey)
}
