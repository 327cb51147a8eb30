import { createCipheriv, createHash, createHmac, pbkdf2Sync } from 'node:crypto'
import type { Certificate } from '../x509/certificate.ts'
import { certificatePem } from '../x509/pem.ts'
import {
  derAlgorithm,
  derContext,
  derElement,
  derInteger,
  derOctets,
  derOid,
  derSequence,
  derSet,
} from '../x509/write-der.ts'
import { bksMac, bksSealing } from './bks-key-store.ts'
import { javaStoreDigest, SUN_PROTECTOR, sunCheck, sunProtect } from './java-key-store.ts'
import { bmpPassword, PURPOSE, pkcs12Derive } from './pkcs12-derivation.ts'
import type { KeyStorePasswords, PrivateKeyEntry } from './private-key-entry.ts'

export const KEY_STORE_FORMATS = ['pkcs12', 'jks', 'bks', 'pem'] as const
export type KeyStoreFormat = (typeof KEY_STORE_FORMATS)[number]

export interface NewKeyStore {
  readonly entry: PrivateKeyEntry
  readonly passwords: KeyStorePasswords
  /** So many random bytes: salts and initialisation vectors. */
  readonly random: (count: number) => Uint8Array
  /** Milliseconds since 1970, which JKS and BKS write beside the key. */
  readonly now: number
  /** Of each derivation; 10,000 where absent, 2,048 in BKS. */
  readonly iterations?: number
}

/** As Java 17 has it for PKCS#12; more for the key of BKS costs its readers on phones too much. */
const ITERATIONS = 10_000
const BKS_ITERATIONS = 2048

/** A key store with one private key and its certificates. */
export function writeKeyStore(format: KeyStoreFormat, store: NewKeyStore): Uint8Array {
  if (format === 'jks') return writeJks(store)
  if (format === 'bks') return writeBks(store)
  return format === 'pem' ? writePem(store) : writePkcs12(store)
}

/** PKCS#12 (RFC 7292) with PBES2, AES-256 and HMAC-SHA-256, as `keytool` of Java 17 and OpenSSL 3 write it. */
function writePkcs12(store: NewKeyStore): Uint8Array {
  const { entry, passwords, random, iterations = ITERATIONS } = store
  const [own, ...others] = entry.certificates
  const keyId = createHash('sha1')
    .update(own?.der ?? new Uint8Array())
    .digest()
  const named = attributes(entry.alias, keyId)
  const keyBag = bag('2', encryptPkcs8(entry.pkcs8, store), named)
  const certificateBags = [
    ...(own ? [bag('3', certificateBag(own), named)] : []),
    ...others.map((one) => bag('3', certificateBag(one))),
  ]
  const encrypted = encryptPbes2(derSequence(...certificateBags), passwords.store, store)
  const encryptedData = derSequence(
    derInteger(0),
    derSequence(derOid('1.2.840.113549.1.7.1'), encrypted.algorithm, derElement(0x80, encrypted.bytes)),
  )
  const authenticated = derSequence(
    contentInfo('1.2.840.113549.1.7.1', derOctets(derSequence(keyBag))),
    contentInfo('1.2.840.113549.1.7.6', encryptedData),
  )
  const salt = random(20)
  const key = pkcs12Derive('sha256', bmpPassword(passwords.store), salt, iterations, PURPOSE.mac, 32)
  const mac = createHmac('sha256', key).update(authenticated).digest()
  return derSequence(
    derInteger(3),
    contentInfo('1.2.840.113549.1.7.1', derOctets(authenticated)),
    derSequence(
      derSequence(derAlgorithm('2.16.840.1.101.3.4.2.1'), derOctets(mac)),
      derOctets(salt),
      derInteger(iterations),
    ),
  )
}

/** EncryptedPrivateKeyInfo (PKCS#8) with PBES2. */
function encryptPkcs8(pkcs8: Uint8Array, store: NewKeyStore): Uint8Array {
  const { algorithm, bytes } = encryptPbes2(pkcs8, store.passwords.key ?? store.passwords.store, store)
  return derSequence(algorithm, derOctets(bytes))
}

function encryptPbes2(plain: Uint8Array, password: string, { random, iterations = ITERATIONS }: NewKeyStore) {
  const salt = random(20)
  const iv = random(16)
  const cipher = createCipheriv('aes-256-cbc', pbkdf2Sync(password, salt, iterations, 32, 'sha256'), iv)
  const derivation = derSequence(
    derOid('1.2.840.113549.1.5.12'),
    derSequence(derOctets(salt), derInteger(iterations), derInteger(32), derAlgorithm('1.2.840.113549.2.9')),
  )
  const scheme = derSequence(derOid('2.16.840.1.101.3.4.1.42'), derOctets(iv))
  return {
    algorithm: derSequence(derOid('1.2.840.113549.1.5.13'), derSequence(derivation, scheme)),
    bytes: Buffer.concat([cipher.update(plain), cipher.final()]),
  }
}

function contentInfo(type: string, content: Uint8Array): Uint8Array {
  return derSequence(derOid(type), derContext(0, content))
}

function bag(kind: string, value: Uint8Array, attributeSet?: Uint8Array): Uint8Array {
  const parts = [derOid(`1.2.840.113549.1.12.10.1.${kind}`), derContext(0, value)]
  return derSequence(...parts, ...(attributeSet ? [attributeSet] : []))
}

function certificateBag({ der }: Certificate): Uint8Array {
  return derSequence(derOid('1.2.840.113549.1.9.22.1'), derContext(0, derOctets(der)))
}

function attributes(alias: string, keyId: Uint8Array): Uint8Array {
  const name = derElement(0x1e, Buffer.from(alias, 'utf16le').swap16())
  return derSet(
    derSequence(derOid('1.2.840.113549.1.9.20'), derSet(name)),
    derSequence(derOid('1.2.840.113549.1.9.21'), derSet(derOctets(keyId))),
  )
}

/** JKS version 2 (sun.security.provider.JavaKeyStore). Its protection is weak by today's measure; old tools read nothing else. */
function writeJks({ entry, passwords, random, now }: NewKeyStore): Uint8Array {
  const { store, key = store } = passwords
  const salt = random(20)
  const secret = Buffer.concat([salt, sunProtect(entry.pkcs8, salt, key), sunCheck(entry.pkcs8, key)])
  const encrypted = derSequence(derAlgorithm(SUN_PROTECTOR), derOctets(secret))
  const body = Buffer.concat([
    u32(0xfeedfeed),
    u32(2),
    u32(1),
    u32(1),
    // Java looks for aliases in lower case.
    javaText(entry.alias.toLowerCase()),
    u64(now),
    prefixed(encrypted),
    certificateList(entry.certificates),
  ])
  return Buffer.concat([body, javaStoreDigest(body, store)])
}

/** BKS version 2 (org.bouncycastle.jcajce.provider.keystore.bc.BcKeyStoreSpi) with a sealed key. */
function writeBks({ entry, passwords, random, now, iterations = BKS_ITERATIONS }: NewKeyStore): Uint8Array {
  const { store, key = store } = passwords
  const keySalt = random(20)
  const { key: secret, iv } = bksSealing(key, keySalt, iterations)
  const cipher = createCipheriv('des-ede3-cbc', secret, iv)
  const algorithm = javaAlgorithm(entry)
  const plain = Buffer.concat([Buffer.alloc(1), javaText('PKCS#8'), javaText(algorithm), prefixed(entry.pkcs8)])
  const sealed = Buffer.concat([prefixed(keySalt), u32(iterations), cipher.update(plain), cipher.final()])
  const body = Buffer.concat([
    Buffer.from([4]),
    javaText(entry.alias),
    u64(now),
    certificateList(entry.certificates),
    prefixed(sealed),
    Buffer.alloc(1),
  ])
  const salt = random(20)
  return Buffer.concat([u32(2), prefixed(salt), u32(iterations), body, bksMac(2, body, salt, iterations, store)])
}

function javaAlgorithm({ certificates }: PrivateKeyEntry): string {
  return certificates[0]?.publicKey.algorithm ?? 'RSA'
}

/** Encrypted PKCS#8 (RFC 7468) and the certificates behind it. */
function writePem(store: NewKeyStore): Uint8Array {
  const key = Buffer.from(encryptPkcs8(store.entry.pkcs8, store)).toString('base64')
  const label = 'ENCRYPTED PRIVATE KEY'
  const text = `-----BEGIN ${label}-----\n${key.match(/.{1,64}/g)!.join('\n')}\n-----END ${label}-----\n`
  return Buffer.from(text + store.entry.certificates.map(({ der }) => certificatePem(der)).join(''))
}

function certificateList(certificates: readonly Certificate[]): Buffer {
  return Buffer.concat([
    u32(certificates.length),
    ...certificates.flatMap(({ der }) => [javaText('X.509'), prefixed(der)]),
  ])
}

/** Text as Java's DataOutput writes it; characters above U+FFFF and NUL, which it writes in its own way, are not expected. */
function javaText(text: string): Buffer {
  const bytes = Buffer.from(text)
  const length = Buffer.alloc(2)
  length.writeUInt16BE(bytes.length)
  return Buffer.concat([length, bytes])
}

function prefixed(bytes: Uint8Array): Buffer {
  return Buffer.concat([u32(bytes.length), bytes])
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

function u64(value: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigInt64BE(BigInt(value))
  return bytes
}
