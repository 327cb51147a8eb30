import { createDecipheriv, createHash, pbkdf2Sync, scryptSync } from 'node:crypto'
import { FormatError } from '../bytes/format-error.ts'
import { children, content, type DerNode, expectTag, isContext, readOid, TAG } from '../x509/der.ts'
import { bmpPassword, PURPOSE, pkcs12Derive } from './pkcs12-derivation.ts'
import { rc2CbcDecrypt } from './rc2.ts'
import { rc4 } from './rc4.ts'

/**
 * What may be computed for one key store: the sum of its iterations, which the file names. Real files have some 100,000 at most; each
 * costs about a microsecond.
 */
export class KeyStoreWork {
  private left: number

  constructor(most = 2_000_000) {
    this.left = most
  }

  /** Throws FormatError `limit` where the sum is passed. */
  take(count: number, offset: number): number {
    if (count < 1 || count > this.left)
      throw new FormatError('keystore', 'limit', offset, `${count} iterations are too many, or none`)
    this.left -= count
    return count
  }

  /** A count that the file names. */
  iterations(node: DerNode | undefined): number {
    const { value, offset } = integerOf(node)
    return this.take(value, offset)
  }
}

/** Of scrypt, in bytes. */
const MOST_SCRYPT_MEMORY = 256 * 2 ** 20

const PKCS12_PBE = '1.2.840.113549.1.12.1.'
const PBES2 = '1.2.840.113549.1.5.13'
const PBKDF2 = '1.2.840.113549.1.5.12'
const SCRYPT = '1.3.6.1.4.1.11591.4.11'
const PBE_MD5_DES = '1.2.840.113549.1.5.3'
const PBE_SHA1_DES = '1.2.840.113549.1.5.10'
/** Of Sun's JCEKS. */
const SUN_TRIPLE_DES = '1.3.6.1.4.1.42.2.19.1'

const HMACS: Readonly<Record<string, string>> = {
  '1.2.840.113549.2.7': 'sha1',
  '1.2.840.113549.2.8': 'sha224',
  '1.2.840.113549.2.9': 'sha256',
  '1.2.840.113549.2.10': 'sha384',
  '1.2.840.113549.2.11': 'sha512',
  '1.2.840.113549.2.12': 'sha512-224',
  '1.2.840.113549.2.13': 'sha512-256',
}

/** Ciphers of PBES2: name in OpenSSL and key length. */
const CIPHERS: Readonly<Record<string, readonly [name: string, key: number]>> = {
  '2.16.840.1.101.3.4.1.2': ['aes-128-cbc', 16],
  '2.16.840.1.101.3.4.1.22': ['aes-192-cbc', 24],
  '2.16.840.1.101.3.4.1.42': ['aes-256-cbc', 32],
  '1.2.840.113549.3.7': ['des-ede3-cbc', 24],
}

/** Schemes of RFC 7292, appendix C: what is done with how many bytes of key. */
const PKCS12_SCHEMES: Readonly<Record<string, readonly [cipher: 'rc4' | 'des3' | 'rc2', key: number]>> = {
  1: ['rc4', 16],
  2: ['rc4', 5],
  3: ['des3', 24],
  4: ['des3', 16],
  5: ['rc2', 16],
  6: ['rc2', 5],
}

/**
 * What was encrypted under a password. The algorithm is the AlgorithmIdentifier beside it: PBES2 (RFC 8018) with PBKDF2 or scrypt, the
 * schemes of PKCS#12, PBES1 with DES, Sun's own of JCEKS. Throws FormatError of format `keystore`: `password` where it does not open
 * the bytes, `algorithm`, `limit`; of format `der`.
 */
export function decryptWithPassword(
  algorithm: DerNode,
  encrypted: Uint8Array,
  password: string,
  work: KeyStoreWork,
): Uint8Array {
  const [oidNode, parameters] = children(expectTag(algorithm, TAG.sequence, 'algorithm of an encryption'))
  const oid = readOid(expectTag(oidNode, TAG.oid, 'algorithm of an encryption'))
  if (oid === PBES2) return decryptPbes2(parameters, encrypted, password, work)
  const [saltNode, iterationNode] = children(expectTag(parameters, TAG.sequence, 'parameters of an encryption'))
  const salt = content(expectTag(saltNode, TAG.octetString, 'salt'))
  const iterations = work.iterations(iterationNode)
  if (oid === SUN_TRIPLE_DES)
    return open('des-ede3-cbc', ...sunTripleDes(password, salt, iterations, algorithm), encrypted)
  if (oid === PBE_MD5_DES || oid === PBE_SHA1_DES) {
    const derived = pbkdf1(oid === PBE_MD5_DES ? 'md5' : 'sha1', password, salt, iterations)
    // DES with one key is triple DES with the same key three times.
    const key = derived.subarray(0, 8)
    return open('des-ede3-cbc', Buffer.concat([key, key, key]), derived.subarray(8, 16), encrypted)
  }
  const scheme = oid.startsWith(PKCS12_PBE) ? PKCS12_SCHEMES[oid.slice(PKCS12_PBE.length)] : undefined
  if (!scheme) throw unknownAlgorithm(algorithm, oid)
  return decryptPkcs12(scheme, salt, iterations, encrypted, password)
}

function integerOf(node: DerNode | undefined): { value: number; offset: number } {
  const integer = expectTag(node, TAG.integer, 'number')
  const bytes = content(integer)
  const value = bytes.length > 4 ? Number.POSITIVE_INFINITY : Buffer.from([0, ...bytes]).readUIntBE(0, bytes.length + 1)
  return { value, offset: integer.offset }
}

function decryptPkcs12(
  [cipher, length]: (typeof PKCS12_SCHEMES)[string],
  salt: Uint8Array,
  iterations: number,
  encrypted: Uint8Array,
  password: string,
): Uint8Array {
  const derive = (purpose: number, size: number, encoded: Uint8Array) =>
    pkcs12Derive('sha1', encoded, salt, iterations, purpose, size)
  const attempt = (encoded: Uint8Array) => {
    const key = derive(PURPOSE.key, length, encoded)
    if (cipher === 'rc4') return rc4(key, encrypted)
    const iv = derive(PURPOSE.iv, 8, encoded)
    if (cipher === 'des3')
      return open('des-ede3-cbc', length === 16 ? Buffer.concat([key, key.subarray(0, 8)]) : key, iv, encrypted)
    if (encrypted.length % 8) throw wrongPassword()
    return unpadded(rc2CbcDecrypt(key, length * 8, iv, encrypted))
  }
  if (password !== '') return attempt(bmpPassword(password))
  // An empty password is written with its zero bytes by some and as nothing by others.
  try {
    return attempt(bmpPassword(''))
  } catch {
    return attempt(new Uint8Array())
  }
}

function decryptPbes2(
  parameters: DerNode | undefined,
  encrypted: Uint8Array,
  password: string,
  work: KeyStoreWork,
): Uint8Array {
  const [derivation, scheme] = children(expectTag(parameters, TAG.sequence, 'parameters of PBES2'))
  const [cipherOid, ivNode] = children(expectTag(scheme, TAG.sequence, 'cipher'))
  const name = readOid(expectTag(cipherOid, TAG.oid, 'cipher'))
  const cipher = CIPHERS[name]
  if (!cipher) throw unknownAlgorithm(scheme!, name)
  const iv = content(expectTag(ivNode, TAG.octetString, 'initialisation vector'))
  const [derivationOid, values] = children(expectTag(derivation, TAG.sequence, 'key derivation'))
  const kind = readOid(expectTag(derivationOid, TAG.oid, 'key derivation'))
  const fields = children(expectTag(values, TAG.sequence, 'parameters of a key derivation'))
  const salt = content(expectTag(fields[0], TAG.octetString, 'salt'))
  if (kind === SCRYPT) return open(cipher[0], scryptKey(fields, salt, password, cipher[1], work), iv, encrypted)
  if (kind !== PBKDF2) throw unknownAlgorithm(derivation!, kind)
  const iterations = work.iterations(fields[1])
  const random = fields.slice(2).find((field) => field.tagClass === 0 && field.tag === TAG.sequence)
  const hmacOid = random ? readOid(expectTag(children(random)[0], TAG.oid, 'hash')) : '1.2.840.113549.2.7'
  const hash = HMACS[hmacOid]
  if (!hash) throw unknownAlgorithm(derivation!, hmacOid)
  return open(cipher[0], pbkdf2Sync(password, salt, iterations, cipher[1], hash), iv, encrypted)
}

function scryptKey(
  fields: readonly DerNode[],
  salt: Uint8Array,
  password: string,
  length: number,
  work: KeyStoreWork,
): Buffer {
  const [cost, blockSize, parallel] = [integerOf(fields[1]), integerOf(fields[2]), integerOf(fields[3])].map(
    ({ value }) => value,
  ) as [number, number, number]
  const { offset } = fields[1]!
  if (128 * blockSize * (cost + parallel) > MOST_SCRYPT_MEMORY)
    throw new FormatError('keystore', 'limit', offset, 'scrypt parameters are too large')
  work.take(cost * blockSize * parallel, offset)
  try {
    return scryptSync(password, salt, length, { N: cost, r: blockSize, p: parallel, maxmem: 2 * MOST_SCRYPT_MEMORY })
  } catch {
    throw new FormatError('keystore', 'algorithm', offset, 'scrypt parameters that do not fit')
  }
}

/** Key and initialisation vector of PBEWithMD5AndTripleDES (com.sun.crypto.provider.PBES1Core). */
function sunTripleDes(password: string, salt: Uint8Array, iterations: number, node: DerNode): [Buffer, Buffer] {
  if (salt.length !== 8) throw new FormatError('keystore', 'algorithm', node.offset, 'a salt that is not 8 bytes long')
  const halves = [Buffer.from(salt.subarray(0, 4)), Buffer.from(salt.subarray(4))] as const
  if (halves[0].equals(halves[1])) halves[0].set([salt[3]!, salt[0]!, salt[1]!, salt[3]!])
  const secret = Buffer.from(Array.from(password, (char) => char.charCodeAt(0) & 0x7f))
  const derived = Buffer.concat(
    halves.map((half) => {
      let bytes: Buffer = half
      for (let i = 0; i < iterations; i++) bytes = createHash('md5').update(bytes).update(secret).digest()
      return bytes
    }),
  )
  return [derived.subarray(0, 24), derived.subarray(24, 32)]
}

function pbkdf1(hash: 'md5' | 'sha1', password: string, salt: Uint8Array, iterations: number): Buffer {
  let bytes = createHash(hash).update(password).update(salt).digest()
  for (let i = 1; i < iterations; i++) bytes = createHash(hash).update(bytes).digest()
  return bytes
}

function open(cipher: string, key: Uint8Array, iv: Uint8Array, encrypted: Uint8Array): Uint8Array {
  try {
    const decipher = createDecipheriv(cipher, key, iv)
    return Buffer.concat([decipher.update(encrypted), decipher.final()])
  } catch {
    throw wrongPassword()
  }
}

/** Without the padding of PKCS#7. */
function unpadded(bytes: Uint8Array): Uint8Array {
  const count = bytes[bytes.length - 1] ?? 0
  if (count < 1 || count > 8 || count > bytes.length) throw wrongPassword()
  for (let i = 1; i <= count; i++) if (bytes[bytes.length - i] !== count) throw wrongPassword()
  return bytes.subarray(0, bytes.length - count)
}

function wrongPassword(): FormatError {
  return new FormatError('keystore', 'password', -1, 'the password does not open it')
}

function unknownAlgorithm(node: DerNode, oid: string): FormatError {
  return new FormatError('keystore', 'algorithm', node.offset, `encrypted with ${oid}, which is not known here`)
}

/** The content of an octet string; in BER it may come in pieces, also under an implicit tag. */
export function octetsOf(node: DerNode | undefined, what: string, depth = 0): Uint8Array {
  const string = isContext(node, 0) ? node : expectTag(node, TAG.octetString, what)
  if (!string.constructed) return content(string)
  if (depth > 8) throw new FormatError('der', 'depth', string.offset, 'nested too deeply')
  const pieces = children(string).map((piece) => octetsOf(expectTag(piece, TAG.octetString, what), what, depth + 1))
  return Buffer.concat(pieces)
}
