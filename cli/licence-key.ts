import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { toHex } from '#engines/gm/bytes.ts'
import { publicKeyOf, sm2PrivateKey } from '#engines/gm/sm2-signature.ts'
import { readWhole } from './open-file.ts'
import { UsageError } from './usage-error.ts'

/** A vendor's private key as a file: SM2, encrypted with AES-256-GCM under scrypt of a password. */
type KeyFile = { format: typeof FORMAT; public_key: string; salt: string; iv: string; sealed: string; tag: string }

const FORMAT = 'appwarden-licence-key-1'
const SCRYPT = { N: 2 ** 16, r: 8, p: 1, maxmem: 2 ** 27 }
const LEAST_PASSWORD = 12

/** Makes a key pair, writes the private half (0600, never over another file) and answers the public one in hex. */
export function writeKeyFile(path: string, password: string): string {
  if (password.length < LEAST_PASSWORD) throw new UsageError(`The password needs at least ${LEAST_PASSWORD} characters`)
  const privateKey = sm2PrivateKey(randomBytes(48))
  const [salt, iv] = [randomBytes(16), randomBytes(12)]
  const cipher = createCipheriv('aes-256-gcm', scryptSync(password, salt, 32, SCRYPT), iv)
  const bytes = Buffer.from(privateKey.toString(16).padStart(64, '0'), 'hex')
  const sealed = Buffer.concat([cipher.update(bytes), cipher.final()])
  const public_key = toHex(publicKeyOf(privateKey))
  const file: KeyFile = {
    format: FORMAT,
    public_key,
    salt: salt.toString('base64'),
    iv: iv.toString('base64'),
    sealed: sealed.toString('base64'),
    tag: cipher.getAuthTag().toString('base64'),
  }
  writeFileSync(path, `${JSON.stringify(file, null, 2)}\n`, { mode: 0o600, flag: 'wx' })
  return public_key
}

/** The private key of a file that writeKeyFile made. Throws UsageError for another file or password. */
export function readKeyFile(path: string, password: string): bigint {
  const text = readWhole(path).toString('utf8')
  try {
    const file = JSON.parse(text) as KeyFile
    if (file.format !== FORMAT) throw new Error('format')
    const [salt, iv, sealed, tag] = [file.salt, file.iv, file.sealed, file.tag].map((one) =>
      Buffer.from(one, 'base64'),
    ) as [Buffer, Buffer, Buffer, Buffer]
    const decipher = createDecipheriv('aes-256-gcm', scryptSync(password, salt, 32, SCRYPT), iv, { authTagLength: 16 })
    decipher.setAuthTag(tag)
    return BigInt(`0x${Buffer.concat([decipher.update(sealed), decipher.final()]).toString('hex')}`)
  } catch {
    throw new UsageError(`${path} is no licence key, or the password is wrong`)
  }
}
