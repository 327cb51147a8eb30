import { createDecipheriv, createHmac } from 'node:crypto'
import { ByteReader } from '../bytes/byte-reader.ts'
import { readCertificate } from '../x509/certificate.ts'
import { bounded, javaText } from './java-key-store.ts'
import type { KeyStoreWork } from './password-encryption.ts'
import { bmpPassword, PURPOSE, pkcs12Derive } from './pkcs12-derivation.ts'
import { keyStoreError, type LockedKey } from './private-key-entry.ts'

const MOST_ENTRIES = 10_000
const MOST_CHAIN = 100
const MAC = 20
/** First byte of a key that is private. */
const PRIVATE = 0

/**
 * Private keys of a BKS store, versions 1 and 2 (org.bouncycastle.jcajce.provider.keystore.bc.BcKeyStoreSpi). Throws FormatError of
 * format `keystore`: `store-password` where its HMAC does not fit.
 */
export function openBksKeyStore(bytes: Uint8Array, password: string, work: KeyStoreWork): LockedKey[] {
  const reader = new ByteReader(bytes, 'keystore', { littleEndian: false })
  const version = reader.u32()
  if (version !== 1 && version !== 2) throw reader.error('version', `version ${version}`)
  const salt = reader.slice(reader.u32())
  const iterations = work.take(reader.u32(), reader.position - 4)
  const begin = reader.position
  const keys: LockedKey[] = []
  const certificate = (): Uint8Array => {
    javaText(reader)
    return reader.slice(reader.u32())
  }
  let count = 0
  for (let kind = reader.u8(); kind !== 0; kind = reader.u8()) {
    if (++count > MOST_ENTRIES) throw reader.error('limit', `more than ${MOST_ENTRIES} entries`)
    const alias = javaText(reader)
    reader.skip(8) // date of creation
    const chain = Array.from({ length: bounded(reader, MOST_CHAIN, 'certificates of a chain') }, certificate)
    if (kind === 1) certificate()
    else if (kind === 2) {
      const key = readKey(reader)
      if (key)
        keys.push({ alias, open: () => ({ pkcs8: key, certificates: chain.map((der) => readCertificate(der)) }) })
    } else if (kind === 3 || kind === 4) {
      const sealed = reader.slice(reader.u32())
      // Without certificates it is a secret and no private key.
      if (kind === 4 && chain.length)
        keys.push({
          alias,
          open: (secret) => ({
            pkcs8: openSealed(sealed, secret, work),
            certificates: chain.map((der) => readCertificate(der)),
          }),
        })
    } else throw reader.error('tag', `entry of kind ${kind}`)
  }
  const body = bytes.subarray(begin, reader.position)
  if (!bksMac(version, body, salt, iterations, password).equals(reader.slice(MAC)))
    throw keyStoreError('store-password', 'the store password is wrong')
  return keys
}

/** HMAC over the entries. Version 1 derives a key of two bytes alone, which was a mistake of its makers (CVE-2018-5382). */
export function bksMac(
  version: number,
  body: Uint8Array,
  salt: Uint8Array,
  iterations: number,
  password: string,
): Buffer {
  const length = version === 1 ? 2 : MAC
  const key = pkcs12Derive('sha1', bmpPassword(password), salt, iterations, PURPOSE.mac, length)
  return createHmac('sha1', key).update(body).digest()
}

/** Key and initialisation vector of PBEWithSHAAnd3-KeyTripleDES-CBC. */
export function bksSealing(password: string, salt: Uint8Array, iterations: number): { key: Buffer; iv: Buffer } {
  const encoded = bmpPassword(password)
  return {
    key: pkcs12Derive('sha1', encoded, salt, iterations, PURPOSE.key, 24),
    iv: pkcs12Derive('sha1', encoded, salt, iterations, PURPOSE.iv, 8),
  }
}

function openSealed(sealed: Uint8Array, password: string, work: KeyStoreWork): Uint8Array {
  const reader = new ByteReader(sealed, 'keystore', { littleEndian: false })
  const salt = reader.slice(reader.u32())
  const iterations = work.take(reader.u32(), reader.position - 4)
  const { key, iv } = bksSealing(password, salt, iterations)
  let plain: Buffer
  try {
    const decipher = createDecipheriv('des-ede3-cbc', key, iv)
    plain = Buffer.concat([decipher.update(reader.slice(reader.left)), decipher.final()])
  } catch {
    throw keyStoreError('key-password', 'the key password is wrong')
  }
  const opened = readKey(new ByteReader(plain, 'keystore', { littleEndian: false }))
  if (!opened) throw keyStoreError('alias', 'the entry is no private key')
  return opened
}

function readKey(reader: ByteReader): Uint8Array | undefined {
  const kind = reader.u8()
  javaText(reader)
  javaText(reader)
  const key = reader.slice(reader.u32())
  return kind === PRIVATE ? key : undefined
}
