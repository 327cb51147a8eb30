import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type MadeKeyKind, makeKey } from '#tests/support/apk/made-key.ts'
import { FormatError } from '../bytes/format-error.ts'
import { openKeyStore } from './open-key-store.ts'
import { writeKeyStore } from './write-key-store.ts'

vi.setConfig({ testTimeout: 300_000 })

const BOUNCY_CASTLE = '/usr/share/java/bcprov.jar'
const passwords = { store: 'store-secret' }
let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'keys-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

function run(program: string, ...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${stdout}${stderr}`)
  return stdout + stderr
}
const has = (program: string, ...args: string[]) => spawnSync(program, args).status === 0
const bouncyCastle = ['-providerpath', BOUNCY_CASTLE, '-provider', 'org.bouncycastle.jce.provider.BouncyCastleProvider']
const opened = (file: string, secrets: { store: string; key?: string } = passwords, alias?: string) =>
  openKeyStore(readFileSync(file), { passwords: secrets, ...(alias !== undefined && { alias }) })
const wrong = (file: string, secrets: { store: string; key?: string }) => {
  try {
    opened(file, secrets)
    return 'opened'
  } catch (error) {
    return error instanceof FormatError ? error.key : String(error)
  }
}

describe.skipIf(!has('keytool', '-help'))('held against keytool', () => {
  const types = [
    ['PKCS12', []],
    ['JKS', []],
    ['JCEKS', []],
    ['PKCS12-old', ['-J-Dkeystore.pkcs12.legacy']],
    ...(existsSync(BOUNCY_CASTLE) ? [['BKS', bouncyCastle] as const, ['BKS-V1', bouncyCastle] as const] : []),
  ] as const

  test.each(types)('%s that it makes is opened, each password and the alias apart', (name, options) => {
    const file = join(folder, `${name}.keys`)
    const type = name.replace('-old', '')
    const separate = name.startsWith('J')
    const store = ['-keystore', file, '-storetype', type, '-storepass', passwords.store, ...options]
    // BKS-V1 is written only where that is allowed.
    if (name === 'BKS-V1') store.push('-J-Dorg.bouncycastle.bks.enable_v1=true')
    const key = separate ? ['-keypass', 'key-secret'] : []
    for (const [alias, algorithm] of [
      ['first', ['-keyalg', 'RSA', '-keysize', '2048']],
      ['second', ['-keyalg', 'EC', '-groupname', 'secp256r1']],
    ] as const)
      run('keytool', '-genkeypair', '-alias', alias, ...algorithm, '-dname', `CN=${alias}, O=银行`, ...store, ...key)
    const secrets = { ...passwords, ...(separate && { key: 'key-secret' }) }
    const printed = run('keytool', '-list', '-v', ...store)
    const listed = [...printed.matchAll(/SHA256: ([0-9A-F:]+)/g)].map(([, sha256]) =>
      sha256!.replaceAll(':', '').toLowerCase(),
    )
    const read = ['first', 'SECOND'].map((alias) => opened(file, secrets, alias).certificates[0]!.fingerprints.sha256)
    expect(read.sort()).toEqual(listed.sort())
    expect(wrong(file, secrets)).toBe('alias')
    expect(wrong(file, { ...secrets, store: 'other' })).toBe('store-password')
    expect(() => opened(file, { ...secrets, key: 'other' }, 'first')).toThrow('key password')
  })

  test.each(['rsa', 'p256', 'dsa'] as const)('what we write with a key of %s is opened by it', (kind: MadeKeyKind) => {
    const { entry } = makeKey('release', kind)
    for (const format of ['pkcs12', 'jks', ...(existsSync(BOUNCY_CASTLE) ? ['bks' as const] : [])] as const) {
      const file = join(folder, `${kind}.${format}`)
      writeFileSync(file, writeKeyStore(format, { entry, passwords, random: (count) => randomBytes(count), now: 1e12 }))
      const store = ['-keystore', file, '-storepass', passwords.store, '-storetype', format.toUpperCase()]
      const options = format === 'bks' ? bouncyCastle : []
      // A certificate request needs the private key.
      expect(run('keytool', '-certreq', '-alias', 'release', ...store, ...options)).toContain(
        'BEGIN NEW CERTIFICATE REQUEST',
      )
    }
  })
})

describe.skipIf(!has('openssl', 'version'))('held against OpenSSL', () => {
  test('PKCS#12 with every scheme that it writes, old ones too, and without a MAC', () => {
    const pem = join(folder, 'one.pem')
    const { entry } = makeKey('release', 'rsa')
    writeFileSync(pem, writeKeyStore('pem', { entry, passwords, random: (count) => randomBytes(count), now: 0 }))
    const from = ['-in', pem, '-passin', `pass:${passwords.store}`, '-passout', `pass:${passwords.store}`]
    const schemes = [
      ['-legacy'],
      ...[
        'PBE-SHA1-RC2-40',
        'PBE-SHA1-RC2-128',
        'PBE-SHA1-RC4-128',
        'PBE-SHA1-RC4-40',
        'PBE-SHA1-2DES',
        'PBE-SHA1-3DES',
      ].map((name) => ['-legacy', '-keypbe', name, '-certpbe', name]),
      ['-keypbe', 'aes-128-cbc', '-certpbe', 'aes-192-cbc', '-macalg', 'sha512'],
      ['-keypbe', 'NONE', '-certpbe', 'NONE'],
      ['-nomac'],
    ]
    // An OpenSSL without its old ciphers writes the others.
    const legacy = spawnSync('openssl', ['list', '-providers', '-provider', 'legacy']).status === 0
    for (const scheme of schemes) {
      if (scheme[0] === '-legacy' && !legacy) continue
      const file = join(folder, 'one.p12')
      run('openssl', 'pkcs12', '-export', ...from, '-out', file, '-name', 'mine', ...scheme)
      expect([scheme, opened(file, passwords, 'mine').alias]).toEqual([scheme, 'mine'])
      // Without a MAC nothing but the key is closed by the password.
      const named = scheme[0] === '-nomac' ? 'key-password' : 'store-password'
      if (scheme[1] !== 'NONE') expect([scheme, wrong(file, { store: 'other' })]).toEqual([scheme, named])
    }
  })

  test.each([
    ['PKCS#8, plain', ['pkcs8', '-topk8', '-nocrypt']],
    ['PBES2 with AES', ['pkcs8', '-topk8', '-v2', 'aes-256-cbc', '-v2prf', 'hmacWithSHA512']],
    ['PBES2 with triple DES', ['pkcs8', '-topk8', '-v2', 'des3']],
    ['scrypt', ['pkcs8', '-topk8', '-scrypt']],
    ['PKCS#12 scheme', ['pkcs8', '-topk8', '-v1', 'PBE-SHA1-3DES']],
    ['older form, encrypted', ['rsa', '-aes128', '-traditional']],
    ['older form, plain', ['rsa', '-traditional']],
  ])('a key in PEM is opened: %s', (_name, command) => {
    const { entry } = makeKey('release', 'rsa')
    const plain = join(folder, 'plain.der')
    const file = join(folder, 'key.pem')
    writeFileSync(plain, entry.pkcs8)
    const secret =
      command.includes('-nocrypt') || (command.at(-1) === '-traditional' && command.length === 2)
        ? []
        : ['-passout', `pass:${passwords.store}`]
    run('openssl', ...command, '-inform', 'DER', '-in', plain, '-out', file, ...secret)
    const certificates = entry.certificates[0]!.der
    const open = (store: string) => openKeyStore(readFileSync(file), { passwords: { store }, certificates })
    expect(open(passwords.store).certificates[0]!.subject).toContain('CN=release')
    if (secret.length) expect(() => open('other')).toThrow('key password')
  })
})
