import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { buildApk, type Files, withV1 } from '#tests/support/apk/signed-apk.ts'
import { alsoBy, JAR_FILES as files } from '#tests/support/apk/signed-jar.ts'
import { makeSigner, type TestSigner } from '#tests/support/apk/signer.ts'
import { entryBytes } from '../zip/entry-bytes.ts'
import { readZip } from '../zip/read-zip.ts'
import type { SignatureState } from './signing-facts.ts'
import { type JarVerification, verifyJar } from './verify-jar.ts'

vi.setConfig({ testTimeout: 120_000 })

let two: TestSigner
let rsa: TestSigner
let folder: string

beforeAll(() => {
  two = makeSigner('two')
  rsa = makeSigner('rsa', 'rsa')
  folder = mkdtempSync(join(tmpdir(), 'jar-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

const keysOf = ({ errors, warnings }: JarVerification) => [...errors, ...warnings].map(({ key }) => key)

const jarsigner = spawnSync('jarsigner', ['-help']).status === 0

describe.skipIf(!jarsigner)('held against jarsigner', () => {
  /** What Java says: verified, with unsigned entries, not, or unsigned. */
  function java(bytes: Uint8Array): SignatureState {
    const file = join(folder, 'one.jar')
    writeFileSync(file, bytes)
    const { stdout } = spawnSync('jarsigner', ['-J-Duser.language=en', '-verify', file], { encoding: 'utf8' })
    if (stdout.includes('jar verified')) return /unsigned entries/.test(stdout) ? 'partial' : 'verified'
    return stdout.includes('jar is unsigned') || stdout.includes('no manifest') ? 'unsigned' : 'broken'
  }

  test('says the same of packages that we sign and tamper with', () => {
    const signed = withV1(files, rsa)
    const cases: Record<string, Files> = {
      sound: signed,
      both: alsoBy(two, signed),
      service: { ...signed, 'META-INF/services/a.Service': Buffer.from('other') },
      more: { ...signed, 'a/More.class': Buffer.from('x') },
      unsigned: files,
      signature: { ...signed, 'META-INF/CERT.SF': Buffer.from('Signature-Version: 1.0\n\n') },
    }
    for (const [name, content] of Object.entries(cases)) {
      const bytes = buildApk(content)
      expect([name, verifyJar(readZip(bytes)).state]).toEqual([name, java(bytes)])
    }
  })

  test.skipIf(spawnSync('keytool', ['-help']).status !== 0)('a JAR file that jarsigner signed is verified', () => {
    const store = ['-storepass', 'password', '-keystore', join(folder, 'keys.p12')]
    const made = ['-genkeypair', '-alias', 'key', '-keyalg', 'EC', '-groupname', 'secp384r1', '-dname', 'CN=Key']
    expect(spawnSync('keytool', [...made, ...store]).status).toBe(0)
    const file = join(folder, 'signed.jar')
    writeFileSync(file, buildApk(files))
    expect(spawnSync('jarsigner', ['-digestalg', 'SHA3-256', ...store, file, 'key']).status).toBe(0)
    const result = verifyJar(readZip(readFileSync(file)))
    expect([result.state, keysOf(result)]).toEqual(['verified', []])
    expect(result.certificates[0]?.subject).toBe('CN=Key')
  })

  test.skipIf(spawnSync('keytool', ['-help']).status !== 0).each<[key: string[], sign: string[], named: string]>([
    [['RSA', '-keysize', '2048'], ['-sigalg', 'RSASSA-PSS'], 'RSA 2048'],
    [['RSASSA-PSS', '-keysize', '3072'], [], 'RSASSA-PSS 3072'],
    [['EdDSA', '-groupname', 'Ed25519'], [], 'Ed25519 255'],
    [['EdDSA', '-groupname', 'Ed448'], [], 'Ed448 448'],
    [['EC', '-groupname', 'secp256r1'], ['-sigalg', 'SHA3-256withECDSA'], 'EC 256'],
  ])('takes and refuses what jarsigner signs with %s %s', ([kind = '', ...size], sign, named) => {
    const keys = join(folder, `${named}${sign.length}.p12`)
    const store = ['-storepass', 'password', '-keystore', keys]
    const made = ['-genkeypair', '-alias', 'key', '-keyalg', kind, ...size, '-dname', 'CN=Key']
    expect(spawnSync('keytool', [...made, ...store]).status).toBe(0)
    const file = join(folder, 'signed.jar')
    writeFileSync(file, buildApk(files))
    expect(spawnSync('jarsigner', [...sign, ...store, file, 'key']).status).toBe(0)
    const zip = readZip(readFileSync(file))
    const result = verifyJar(zip)
    expect([result.state, keysOf(result)]).toEqual(['verified', []])
    const [key] = result.certificates.map(({ publicKey }) => publicKey)
    expect(`${key?.algorithm} ${key?.bits}`).toBe(named)
    const names = zip.entries.map(({ name }) => name)
    const content = Object.fromEntries(zip.entries.map((entry) => [entry.name, Buffer.from(entryBytes(zip, entry))]))
    const block = names.find((name) => /\.(RSA|EC)$/.test(name))!
    // The signature is at the end of its block.
    content[block]![content[block]!.length - 1]! ^= 1
    const bytes = buildApk(content)
    expect([verifyJar(readZip(bytes)).state, java(bytes)]).toEqual(['broken', 'broken'])
  })
})
