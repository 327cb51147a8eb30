import { createCipheriv, createHash, createPrivateKey, randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { type MadeKey, makeKey } from '#tests/support/apk/made-key.ts'
import { mutate } from '#tests/support/zip-writer.ts'
import { FormatError } from '../bytes/format-error.ts'
import { keyStoreFormat, readKeyStore } from '../x509/key-store.ts'
import { derAlgorithm, derInteger, derOctets, derOid, derSequence } from '../x509/write-der.ts'
import { keyAliases, type OpenOptions, openKeyStore } from './open-key-store.ts'
import { KeyStoreWork } from './password-encryption.ts'
import { rc2CbcDecrypt } from './rc2.ts'
import { rc4 } from './rc4.ts'
import { KEY_STORE_FORMATS, type KeyStoreFormat, writeKeyStore } from './write-key-store.ts'

vi.setConfig({ testTimeout: 60_000 })

const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex')
const passwords = { store: 'store 密码', key: 'key-Passwort' }
let made: MadeKey
let stores: Record<KeyStoreFormat, Uint8Array>

const write = (format: KeyStoreFormat, { entry }: MadeKey, secrets: { store: string; key?: string } = passwords) =>
  writeKeyStore(format, { entry, passwords: secrets, random: (count) => randomBytes(count), now: 1_700_000_000_000 })

const keyOf = (bytes: Uint8Array, options: OpenOptions): string => {
  try {
    openKeyStore(bytes, options)
    return 'opened'
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
    return error.key
  }
}

beforeAll(() => {
  made = makeKey('release')
  // Not a Buffer, whose slices share its bytes.
  stores = Object.fromEntries(
    KEY_STORE_FORMATS.map((format) => [format, Uint8Array.from(write(format, made))]),
  ) as typeof stores
})

describe('key stores that were written', () => {
  test.each(KEY_STORE_FORMATS)('%s gives the key and its certificate back', (format) => {
    const { alias, pkcs8, certificates } = openKeyStore(stores[format], { passwords })
    expect(alias).toBe(format === 'pem' ? 'key' : 'release')
    expect(Buffer.compare(pkcs8, made.entry.pkcs8)).toBe(0)
    expect(certificates.map(({ fingerprints }) => fingerprints.sha256)).toEqual(
      made.entry.certificates.map(({ fingerprints }) => fingerprints.sha256),
    )
  })

  test.each(['rsa', 'p384', 'p521', 'dsa'] as const)('every format takes a key of %s', (kind) => {
    const other = makeKey('other', kind)
    for (const format of KEY_STORE_FORMATS) {
      const { pkcs8 } = openKeyStore(write(format, other), { passwords })
      const key = (der: Uint8Array) => createPrivateKey({ key: Buffer.from(der), format: 'der', type: 'pkcs8' })
      expect(key(pkcs8).equals(key(other.entry.pkcs8))).toBe(true)
    }
  })

  test('the public reader sees the same formats and certificates', () => {
    for (const format of ['jks', 'bks', 'pkcs12'] as const) {
      expect(keyStoreFormat(stores[format])).toBe(format)
      expect(readKeyStore(stores[format], format).privateKeys).toBe(format === 'bks' ? 0 : 1)
    }
  })

  test('one password serves for both where none is given for the key', () => {
    for (const format of KEY_STORE_FORMATS)
      expect(keyOf(write(format, made, { store: 'secret' }), { passwords: { store: 'secret' } })).toBe('opened')
  })
})

describe('what is wrong is named', () => {
  test.each(KEY_STORE_FORMATS)('%s: the store password, the key password, the alias', (format) => {
    const store = stores[format]
    // PEM has no password of the store.
    const wrongStore = keyOf(store, { passwords: { ...passwords, store: 'wrong' } })
    expect(wrongStore).toBe(format === 'pem' ? 'opened' : 'store-password')
    expect(keyOf(store, { passwords: { ...passwords, key: 'wrong' } })).toBe('key-password')
    expect(keyOf(store, { passwords: { store: passwords.store } })).toBe('key-password')
    expect(keyOf(store, { passwords, alias: 'other' })).toBe('alias')
    expect(keyOf(store, { passwords, alias: format === 'pem' ? 'KEY' : 'RELEASE' })).toBe('opened')
  })

  test('a key whose certificate is for another key, and bytes that are no key store', () => {
    const other = makeKey('other')
    const entry = { ...made.entry, certificates: other.entry.certificates }
    for (const format of KEY_STORE_FORMATS)
      expect(keyOf(write(format, { ...made, entry }), { passwords })).toBe('certificate')
    expect(keyOf(Buffer.from('nothing'), { passwords })).toBe('format')
    expect(keyOf(new Uint8Array(), { passwords })).toBe('format')
    expect(keyOf(new Uint8Array(9 * 2 ** 20), { passwords })).toBe('limit')
  })

  test('a key of PKCS#8 alone takes its certificate from another file', () => {
    const certificates = made.entry.certificates[0]!.der
    expect(keyOf(made.entry.pkcs8, { passwords, certificates })).toBe('opened')
    expect(keyOf(made.entry.pkcs8, { passwords })).toBe('certificate')
  })
})

describe('hostile key stores', () => {
  test.each(KEY_STORE_FORMATS)('%s: changed bytes give an entry or a FormatError', (format) => {
    const store = stores[format]
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(store.length - 1), fc.nat(255)), { maxLength: 4 }),
        fc.nat(store.length - 1),
        fc.boolean(),
        (changes, cut, cuts) => {
          const bytes = mutate(store, changes, cuts ? cut : 0)
          const options = { passwords, work: new KeyStoreWork(30_000) }
          expect(typeof keyOf(bytes, options)).toBe('string')
        },
      ),
      { numRuns: 120 },
    )
  })

  test.each(KEY_STORE_FORMATS)('%s: cut off at every byte', (format) => {
    const store = stores[format]
    const step = Math.max(1, Math.floor(store.length / 150))
    for (let length = 0; length < store.length; length += step)
      expect(
        keyOf(store.subarray(0, length), { passwords, work: new KeyStoreWork(30_000) }),
        `${length} bytes`,
      ).not.toBe('opened')
  })

  test('iterations that a file names are bounded over the whole file', () => {
    const slow = derSequence(
      derSequence(derOid('1.2.840.113549.1.12.1.3'), derSequence(derOctets(Buffer.alloc(8)), derInteger(0x7fffffff))),
      derOctets(Buffer.alloc(32)),
    )
    const started = performance.now()
    expect(keyOf(slow, { passwords })).toBe('limit')
    const scrypt = derSequence(
      derSequence(
        derOid('1.2.840.113549.1.5.13'),
        derSequence(
          derSequence(
            derOid('1.3.6.1.4.1.11591.4.11'),
            derSequence(derOctets(Buffer.alloc(8)), derInteger(0x40000000), derInteger(8), derInteger(1)),
          ),
          derSequence(derOid('2.16.840.1.101.3.4.1.42'), derOctets(Buffer.alloc(16))),
        ),
      ),
      derOctets(Buffer.alloc(32)),
    )
    expect(keyOf(scrypt, { passwords })).toBe('limit')
    expect(performance.now() - started).toBeLessThan(1000)
  })

  test('an algorithm that is not known is said to be that, and not a wrong password', () => {
    const odd = derSequence(
      derSequence(derOid('1.2.3.4'), derSequence(derOctets(Buffer.alloc(8)), derInteger(1))),
      derOctets(Buffer.alloc(32)),
    )
    expect(keyOf(odd, { passwords })).toBe('algorithm')
    expect(keyOf(derSequence(derAlgorithm('1.2.3.4'), derOctets(Buffer.alloc(32))), { passwords })).not.toBe('opened')
  })
})

describe('ciphers that OpenSSL 3 has no more', () => {
  test('RC2 decrypts the vectors of RFC 2268, section 5', () => {
    const vectors = [
      ['00000000 00000000', 63, '00000000 00000000', 'ebb773f9 93278eff'],
      ['ffffffff ffffffff', 64, 'ffffffff ffffffff', '278b27e4 2e2f0d49'],
      ['30000000 00000000', 64, '10000000 00000001', '30649edf 9be7d2c2'],
      ['88', 64, '00000000 00000000', '61a8a244 adacccf0'],
      ['88bca90e 90875a', 64, '00000000 00000000', '6ccf4308 974c267f'],
      ['88bca90e 90875a7f 0f79c384 627bafb2', 64, '00000000 00000000', '1a807d27 2bbe5db1'],
      ['88bca90e 90875a7f 0f79c384 627bafb2', 128, '00000000 00000000', '2269552a b0f85ca6'],
    ] as const
    for (const [key, bits, plain, encrypted] of vectors)
      expect(Buffer.from(rc2CbcDecrypt(hex(key), bits, Buffer.alloc(8), hex(encrypted))).equals(hex(plain))).toBe(true)
  })

  test('RC4 gives the stream of RFC 6229', () => {
    const stream = rc4(hex('0102030405'), new Uint8Array(16))
    expect(Buffer.from(stream).equals(hex('b2396305 f03dc027 ccc3524a 0a1118a8'))).toBe(true)
  })

  test('PBES1 with DES opens a key of PKCS#8', () => {
    // Key and initialisation vector of PBKDF1 with SHA-1, one iteration.
    const password = 'secret'
    const salt = Buffer.from('12345678')
    const cipherFor = (derived: Buffer) => {
      const key = derived.subarray(0, 8)
      return createCipheriv('des-ede3-cbc', Buffer.concat([key, key, key]), derived.subarray(8, 16))
    }
    const derived = sha1(Buffer.concat([Buffer.from(password), salt]))
    const cipher = cipherFor(derived)
    const encrypted = Buffer.concat([cipher.update(made.entry.pkcs8), cipher.final()])
    const file = derSequence(
      derSequence(derOid('1.2.840.113549.1.5.10'), derSequence(derOctets(salt), derInteger(1))),
      derOctets(encrypted),
    )
    const certificates = made.entry.certificates[0]!.der
    expect(keyOf(file, { passwords: { store: password }, certificates })).toBe('opened')
    expect(keyOf(file, { passwords: { store: 'other' }, certificates })).toBe('key-password')
  })
})

test('the names of all keys are given once the store password is right', () => {
  expect(keyAliases(stores.jks, { passwords })).toEqual(['release'])
  expect(() => keyAliases(stores.jks, { passwords: { store: 'wrong' } })).toThrow('store password')
})

function sha1(bytes: Uint8Array): Buffer {
  return createHash('sha1').update(bytes).digest()
}
