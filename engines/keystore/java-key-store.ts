import { createHash } from 'node:crypto'
import { ByteReader } from '../bytes/byte-reader.ts'
import { type Certificate, readCertificate } from '../x509/certificate.ts'
import { children, content, expectTag, readNode, readOid, TAG } from '../x509/der.ts'
import { decryptWithPassword, type KeyStoreWork } from './password-encryption.ts'
import { asPasswordError, keyStoreError, type LockedKey } from './private-key-entry.ts'

const MOST_ENTRIES = 10_000
const MOST_CHAIN = 100
const DIGEST = 20
/** Of Sun's own protection of keys in JKS. */
export const SUN_PROTECTOR = '1.3.6.1.4.1.42.2.17.1.1'
/** What Sun mixes into the digest of a store. */
const WHITENER = 'Mighty Aphrodite'

/**
 * Private keys of a JKS or JCEKS store (sun.security.provider.JavaKeyStore, com.sun.crypto.provider.JceKeyStore). Throws FormatError of
 * format `keystore`: `store-password` where the digest of the store does not fit, `algorithm` for secret keys of JCEKS.
 */
export function openJavaKeyStore(bytes: Uint8Array, password: string, work: KeyStoreWork): LockedKey[] {
  const reader = new ByteReader(bytes, 'keystore', { littleEndian: false })
  const jceks = reader.u32() === 0xcececece
  const version = reader.u32()
  if (version !== 1 && version !== 2) throw reader.error('version', `version ${version}`)
  const keys: LockedKey[] = []
  const certificate = (): Uint8Array => {
    if (version === 2) javaText(reader)
    return reader.slice(reader.u32())
  }
  for (let left = bounded(reader, MOST_ENTRIES, 'entries'); left > 0; left--) {
    const tag = reader.u32()
    const alias = javaText(reader)
    reader.skip(8) // date of creation
    if (tag === 1) {
      const encrypted = reader.slice(reader.u32())
      const chain = Array.from({ length: bounded(reader, MOST_CHAIN, 'certificates of a chain') }, certificate)
      keys.push({
        alias,
        open: (secret) => ({ pkcs8: openKey(encrypted, secret, work), certificates: chain.map(read) }),
      })
    } else if (tag === 2) certificate()
    else if (tag === 3 && jceks) throw keyStoreError('algorithm', 'a JCEKS store with secret keys is not read')
    else throw reader.error('tag', `entry of kind ${tag}`)
  }
  const digest = createHash('sha1').update(utf16(password)).update(WHITENER).update(bytes.subarray(0, reader.position))
  if (!digest.digest().equals(reader.slice(DIGEST)))
    throw keyStoreError('store-password', 'the store password is wrong')
  return keys
}

/** The digest at the end of a store. */
export function javaStoreDigest(bytes: Uint8Array, password: string): Uint8Array {
  return createHash('sha1').update(utf16(password)).update(WHITENER).update(bytes).digest()
}

function openKey(encrypted: Uint8Array, password: string, work: KeyStoreWork): Uint8Array {
  const [algorithm, data] = children(expectTag(readNode(encrypted), TAG.sequence, 'encrypted key'))
  const oid = readOid(expectTag(children(expectTag(algorithm, TAG.sequence, 'algorithm'))[0], TAG.oid, 'algorithm'))
  const secret = content(expectTag(data, TAG.octetString, 'encrypted key'))
  if (oid !== SUN_PROTECTOR)
    return asPasswordError('key-password', () => decryptWithPassword(algorithm!, secret, password, work))
  if (secret.length < 2 * DIGEST) throw keyStoreError('key-password', 'the encrypted key is cut off')
  const end = secret.length - DIGEST
  const plain = sunProtect(secret.subarray(DIGEST, end), secret.subarray(0, DIGEST), password)
  if (!sunCheck(plain, password).equals(secret.subarray(end)))
    throw keyStoreError('key-password', 'the key password is wrong')
  return plain
}

/** Sun's protection of a key: a stream of SHA-1 digests that begins with the salt; the same opens it. */
export function sunProtect(bytes: Uint8Array, salt: Uint8Array, password: string): Uint8Array {
  const secret = utf16(password)
  let stream: Uint8Array = salt
  const out = new Uint8Array(bytes.length)
  for (let at = 0; at < bytes.length; at++) {
    if (at % DIGEST === 0) stream = createHash('sha1').update(secret).update(stream).digest()
    out[at] = bytes[at]! ^ stream[at % DIGEST]!
  }
  return out
}

/** What follows a key so that a wrong password is seen. */
export function sunCheck(plain: Uint8Array, password: string): Buffer {
  return createHash('sha1').update(utf16(password)).update(plain).digest()
}

function utf16(text: string): Buffer {
  return Buffer.from(text, 'utf16le').swap16()
}

function read(der: Uint8Array): Certificate {
  return readCertificate(der)
}

/** Text as Java's DataOutput writes it: length in 16 bits, then modified UTF-8. */
export function javaText(reader: ByteReader): string {
  return Buffer.from(reader.slice(reader.u16())).toString('utf8')
}

export function bounded(reader: ByteReader, most: number, what: string): number {
  const count = reader.u32()
  if (count > most) throw reader.error('limit', `${count} ${what}`)
  return count
}
