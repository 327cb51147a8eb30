import { createHash, createPrivateKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { z } from 'zod'
import type { SigningKey } from '#engines/signing/signing-key.ts'
import { readCertificate } from '#engines/x509/certificate.ts'
import { writeCertificate } from '#engines/x509/write-certificate.ts'
import { bankKey } from '../demo/bank/bank-signer.ts'

/** Earlier versions kept a key of the owner too. */
const StoredSchema = z.object({ pirate: z.strictObject({ key: z.base64(), certificate: z.base64() }) })
type Stored = z.infer<typeof StoredSchema>

/** Who signs the packages of the demo: the owner of the application, and someone who copies it. */
export type DemoSigners = Readonly<Record<'owner' | 'pirate', SigningKey>>

/** The bank's key, and that of who copies it: one that an earlier start made, else a new one, kept in this file (0600), so that a copy stays the same copy over restarts. */
export function demoSigners(file: string): DemoSigners {
  return { owner: bankKey, pirate: signingKey((read(file) ?? make(file)).pirate) }
}

/** SHA-256 of the certificate of a signer, lower-case hex, as phones report it. */
export const certificateHash = ({ certificates }: SigningKey): string => certificates[0]!.fingerprints.sha256

function read(file: string): Stored | undefined {
  try {
    return StoredSchema.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    return undefined
  }
}

function make(file: string): Stored {
  const stored = { pirate: newSigner('gx mirror') }
  writeFileSync(`${file}.new`, JSON.stringify(stored), { mode: 0o600 })
  renameSync(`${file}.new`, file)
  return stored
}

function newSigner(name: string): Stored['pirate'] {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const spki = publicKey.export({ type: 'spki', format: 'der' })
  const certificate = writeCertificate({
    spki,
    keyKind: 'ec',
    subject: [['CN', name]],
    serial: createHash('sha256').update(spki).digest().subarray(0, 8).fill(1, 0, 1),
    notBefore: Date.UTC(2020, 0),
    notAfter: Date.UTC(2060, 0),
    sign: (bytes) => sign('sha256', bytes, privateKey),
  })
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64'),
    certificate: Buffer.from(certificate).toString('base64'),
  }
}

function signingKey({ key, certificate }: Stored['pirate']): SigningKey {
  const privateKey: KeyObject = createPrivateKey({ key: Buffer.from(key, 'base64'), format: 'der', type: 'pkcs8' })
  return {
    certificates: [readCertificate(Buffer.from(certificate, 'base64'))],
    sign: (hash, bytes) => sign(hash, bytes, privateKey),
  }
}
