import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import type { PrivateKeyEntry } from '#engines/keystore/private-key-entry.ts'
import type { SigningKey } from '#engines/signing/signing-key.ts'
import { readCertificate } from '#engines/x509/certificate.ts'
import { writeCertificate } from '#engines/x509/write-certificate.ts'

/** What signers of packages have. DSA is small, since larger parameters take seconds to find. */
export type MadeKeyKind = 'rsa' | 'rsa-4096' | 'p256' | 'p384' | 'p521' | 'dsa'

export interface MadeKey {
  readonly key: SigningKey
  readonly entry: PrivateKeyEntry
}

/** A new key with a certificate of its own, valid from 2020 to 2060. */
export function makeKey(name: string, kind: MadeKeyKind = 'p256'): MadeKey {
  const { privateKey, publicKey } = pairOf(kind)
  const keyKind = kind.startsWith('rsa') ? 'rsa' : kind === 'dsa' ? 'dsa' : 'ec'
  const certificate = readCertificate(
    writeCertificate({
      spki: publicKey.export({ type: 'spki', format: 'der' }),
      keyKind,
      subject: [
        ['CN', name],
        ['O', '示例银行'],
        ['C', 'CN'],
      ],
      serial: Buffer.from([7]),
      notBefore: Date.UTC(2020, 0),
      notAfter: Date.UTC(2060, 0),
      sign: (bytes) => sign('sha256', bytes, privateKey),
    }),
  )
  return {
    key: { certificates: [certificate], sign: (hash, bytes) => sign(hash, bytes, privateKey) },
    entry: {
      alias: name,
      pkcs8: privateKey.export({ type: 'pkcs8', format: 'der' }),
      certificates: [certificate],
    },
  }
}

const CURVES = { p256: 'P-256', p384: 'P-384', p521: 'P-521' } as const

function pairOf(kind: MadeKeyKind): { privateKey: KeyObject; publicKey: KeyObject } {
  if (kind === 'dsa') return generateKeyPairSync('dsa', { modulusLength: 1024, divisorLength: 160 })
  if (kind === 'rsa' || kind === 'rsa-4096')
    return generateKeyPairSync('rsa', { modulusLength: kind === 'rsa' ? 2048 : 4096 })
  return generateKeyPairSync('ec', { namedCurve: CURVES[kind] })
}
