import { createDecipheriv, createHmac } from 'node:crypto'
import { inflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { apkBytes, element, type MadePackage } from '#tests/support/detect-package.ts'
import { readApk } from '../apk/read-apk.ts'
import type { AndroidPackage } from '../package/package.ts'
import { readPackage } from '../package/read-package.ts'
import { entryBytes } from '../zip/entry-bytes.ts'
import { readZip } from '../zip/read-zip.ts'
import { comparePackages } from './compare-packages.ts'
import { CodeSeal } from './dex-shell.ts'
import { type HardenRequest, hardenApk } from './harden-apk.ts'
import { hardenText } from './harden-texts.ts'
import { readKeepRules } from './keep-rules.ts'
import { SeededRandom } from './seeded-random.ts'

const CERTIFICATE = 'c0'.repeat(32)
const MAIN = { name: 'Lorg/maker/app/Main;', methods: [] }

async function harden(made: MadePackage, more: Partial<HardenRequest> = {}) {
  const input = apkBytes(made)
  const result = await hardenApk(input, 'made.apk', {
    ...{ keep: readKeepRules(''), seed: Buffer.alloc(32, 5), dexProtection: true, certificate: CERTIFICATE },
    ...more,
  })
  return {
    ...{ input, result, bytes: new Uint8Array(Buffer.concat(result.pieces)) },
    texts: result.lines.map(
      ({ outcome, file, text, detail, count }) => `${outcome} ${file}: ${hardenText({ text, detail }, 'en')} ${count}`,
    ),
  }
}

/** The dex files of a sealed entry, as the loader reads them; undefined where it refuses. */
function opened(sealed: Uint8Array, { salt, certificate }: { salt: string; certificate: string }) {
  const hmac = (key: Uint8Array, data: Uint8Array) => createHmac('sha256', key).update(data).digest()
  const secret = hmac(Buffer.from(salt, 'hex'), Buffer.from(certificate, 'hex'))
  if (!hmac(hmac(secret, Uint8Array.of(2)), sealed.subarray(32)).equals(sealed.subarray(0, 32))) return undefined
  const cipher = createDecipheriv('aes-256-ctr', hmac(secret, Uint8Array.of(1)), sealed.subarray(32, 48))
  const plain = inflateSync(Buffer.concat([cipher.update(sealed.subarray(48)), cipher.final()]))
  const files: Buffer[] = []
  for (let at = 4; files.length < plain.readUInt32BE(0); ) {
    const size = plain.readUInt32BE(at)
    files.push(plain.subarray(at + 4, at + 4 + size))
    at += 4 + size
  }
  return files
}

test('[HARD-02] sealed code opens with its certificate and salt alone, and not after a changed byte', () => {
  const files = [Buffer.from('dex\n035 first'), Buffer.alloc(100_000, 'second'), Buffer.alloc(0)]
  const seal = new CodeSeal(CERTIFICATE, new SeededRandom(Buffer.alloc(32, 1)))
  const sealed = seal.seal(files)
  expect(sealed.length).toBeLessThan(2000)
  expect(opened(sealed, { salt: seal.salt, certificate: CERTIFICATE })).toEqual(files)
  expect(opened(sealed, { salt: seal.salt, certificate: 'c1'.repeat(32) })).toBeUndefined()
  expect(opened(sealed, { salt: seal.shown, certificate: CERTIFICATE })).toBeUndefined()
  for (const at of [0, 31, 32, 47, 48, sealed.length - 1]) {
    const changed = Buffer.from(sealed)
    changed[at]! ^= 0x80
    expect(opened(changed, { salt: seal.salt, certificate: CERTIFICATE })).toBeUndefined()
  }
  const other = new CodeSeal(CERTIFICATE, new SeededRandom(Buffer.alloc(32, 2)))
  expect([other.salt, other.shown]).not.toContain(seal.salt)
  expect(other.shown).not.toBe(seal.shown)
})

test('[HARD-02] of a package the loader alone is readable; the open one has the code that was encrypted, and every class', async () => {
  const { input, bytes, result, texts } = await harden(
    { minSdk: 21, classes: [MAIN], files: { 'assets/more.dex': 'dex' } },
    { antiDecompile: true, manifest: true },
  )
  const own = texts.filter((text) => /encrypted|loader|loads itself/.test(text))
  expect(own).toEqual([
    expect.stringMatching(/^applied classes\.dex: classes encrypted [1-9]/),
    'skipped classes.dex: classes of the loader stay readable 4',
    'skipped assets/more.dex: a dex file that the app loads itself stays as it is 1',
  ])
  const { facts, zip } = readApk(bytes)
  expect(facts.dexEntries).toEqual(['classes.dex'])
  expect(facts.applicationClass?.value).toMatch(/^[a-z]{6}\.[a-z]{4}$/)
  expect(facts.permissions).toEqual([])
  const open = new Uint8Array(Buffer.concat(result.open!()))
  const [before, after, readable] = [input, bytes, open].map((one) => readPackage(one, 'a.apk') as AndroidPackage)
  const { checks, ...figures } = comparePackages(before!, after!, readable)
  expect(checks.filter(({ passed }) => !passed)).toEqual([])
  expect(figures.after.strings).toBe(0)
  expect(comparePackages(before!, after!).checks.find(({ check }) => check === 'dex')!.passed).toBe(false)
  expect(zip.byName.get('assets/more.dex')).toBeDefined()
  expect(entryBytes(readZip(open), readZip(open).byName.get('AndroidManifest.xml')!).length).toBeGreaterThan(0)
})

const isolated = element('service', { name: '.Sandbox', isolatedProcess: true })
test.each<[string, MadePackage, string, Partial<HardenRequest>?]>([
  ['no key', { classes: [MAIN] }, 'the certificate of the release is not known: no key', { certificate: '' }],
  ['Android 4', { minSdk: 19, classes: [MAIN] }, 'Android before 5.0 loads the first dex file alone'],
  [
    'splits',
    { classes: [MAIN], manifest: { isSplitRequired: true } },
    'the package needs splits, whose code would not find encrypted classes',
  ],
  [
    'a package of tests',
    { classes: [MAIN], others: [element('instrumentation', { name: '.Runner', targetPackage: 'a.b' })] },
    'the package tests another one: Android loads its code before any loader',
  ],
  [
    'a library for others',
    { classes: [MAIN], components: [element('static-library', { name: 'l', version: 1 })] },
    'other packages load its code (static-library)',
  ],
  [
    'libraries of the device',
    { classes: [MAIN], components: [element('uses-native-library', { name: 'libOpenCL.so' })] },
    'it asks for native libraries of the device, which only the loader of Android finds',
  ],
  [
    'an isolated service',
    { classes: [MAIN], components: [isolated] },
    'org.maker.app.Sandbox runs in an isolated process, where the certificate cannot be asked for',
  ],
  [
    'a backup agent',
    { minSdk: 24, classes: [MAIN], application: { backupAgent: '.Keeper' } },
    'its backup agent is made before any loader on Android before 10',
  ],
  [
    'an Application of another package',
    { classes: [MAIN], application: { name: 'com.other.App' }, incomplete: true },
    'its Application com.other.App is not in the package',
  ],
])('[HARD-02] code that no loader can start stays as it is, with the reason: %s', async (_, made, reason, more) => {
  const { bytes, result, texts } = await harden(made, more)
  expect(texts).toEqual([`skipped AndroidManifest.xml: ${reason} 1`])
  expect(result.open).toBeUndefined()
  expect([...readZip(bytes).byName.keys()].filter((name) => name.startsWith('assets/'))).toEqual([])
})
