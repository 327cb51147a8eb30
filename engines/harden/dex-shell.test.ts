import { expect, test } from 'vitest'
import { apkBytes, element, type MadePackage } from '#tests/support/detect-package.ts'
import { writeDex } from '#tests/support/dex-writer.ts'
import { readApk } from '../apk/read-apk.ts'
import { descriptorOf } from '../detect/evidence/locations.ts'
import { readProgram } from '../dex/read-program.ts'
import type { AndroidPackage } from '../package/package.ts'
import { readPackage } from '../package/read-package.ts'
import { entryBytes } from '../zip/entry-bytes.ts'
import { readZip } from '../zip/read-zip.ts'
import { comparePackages } from './compare-packages.ts'
import { CodeSeal, checkSealed, openSealed } from './dex-shell.ts'
import { hardenApk } from './harden-apk.ts'
import type { HardenRequest } from './harden-request.ts'
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

test('[HARD-02] sealed code opens with its certificate and salt alone, and not after a changed byte', () => {
  const files = [Buffer.from('dex\n035 first'), Buffer.alloc(100_000, 'second'), Buffer.alloc(0)]
  const seal = new CodeSeal(CERTIFICATE, new SeededRandom(Buffer.alloc(32, 1)))
  const sealed = seal.seal(files)
  expect(sealed.length).toBeLessThan(2000)
  expect(openSealed(sealed, { salt: seal.salt, certificate: CERTIFICATE })).toEqual(files)
  expect(openSealed(sealed, { salt: seal.salt, certificate: 'c1'.repeat(32) })).toBeUndefined()
  expect(openSealed(sealed, { salt: seal.shown, certificate: CERTIFICATE })).toBeUndefined()
  for (const at of [0, 31, 32, 47, 48, sealed.length - 1]) {
    const changed = Buffer.from(sealed)
    changed[at]! ^= 0x80
    expect(openSealed(changed, { salt: seal.salt, certificate: CERTIFICATE })).toBeUndefined()
  }
  const key = { salt: seal.salt, certificate: CERTIFICATE }
  checkSealed(sealed, key, files)
  const [first, second, third] = files as [Buffer, Buffer, Buffer]
  const flipped = Buffer.from(second)
  flipped[99_999]! ^= 1
  for (const wrong of [
    [first, flipped, third],
    [first, second],
    [...files, third],
    [second, first, third],
  ])
    expect(() => checkSealed(sealed, key, wrong)).toThrow('the encrypted code does not open as it was')
  expect(() => checkSealed(sealed, { ...key, salt: seal.shown }, files)).toThrow('does not open')
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

test('[HARD-02] the open package starts with the checks at run time and has their code, and no encrypted entry', async () => {
  const { bytes, result } = await harden(
    { minSdk: 21, classes: [MAIN], application: { name: '.App' } },
    { checks: { anti_debugging: 'exit', integrity_check: 'report' } },
  )
  const open = readPackage(new Uint8Array(Buffer.concat(result.open!())), 'a.apk') as AndroidPackage
  expect(open.facts.dexEntries).toEqual(['classes.dex', 'classes2.dex'])
  const shown = readApk(bytes).facts.applicationClass!.value
  const started = open.facts.applicationClass!.value
  expect([started === 'org.maker.app.App', started === shown]).toEqual([false, false])
  const program = readProgram(open.code)
  expect(program.classOf(descriptorOf(started))).toMatchObject({
    superclass: 'Lorg/maker/app/App;',
    entry: 'classes2.dex',
  })
  expect([...open.archives[0]!.zip.byName.keys()].filter((name) => name.startsWith('assets/'))).toEqual([])
})

/** A dex file of more than 64 MiB, most of it a gap at its end; noise, since no package that unpacks to a hundred times its size is read. */
const padded = Buffer.concat([
  writeDex([MAIN]),
  new SeededRandom(Buffer.alloc(32)).bytes(2 ** 20),
  Buffer.alloc(63 * 2 ** 20),
])
padded.writeUInt32LE(padded.length, 0x20)

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
    'the package has an instrumentation: Android loads its code before any loader',
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
    'a factory that Android 9 would not ask',
    {
      minSdk: 28,
      classes: [MAIN, { name: 'Lorg/maker/app/Parts;', methods: [] }],
      application: { appComponentFactory: '.Parts' },
    },
    'Android 9 would make its Application without its own factory org.maker.app.Parts',
  ],
  [
    'more code than fits into memory',
    { files: { 'classes.dex': padded } },
    'the code is too large for the memory of a process that starts (65 MiB)',
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
  expect(hardenText(result.lines[0]!, 'zh')).not.toBe(hardenText(result.lines[0]!, 'en'))
  expect([...readZip(bytes).byName.keys()].filter((name) => name.startsWith('assets/'))).toEqual([])
})

test.each([
  ['androidx.core.app.CoreComponentFactory', 21],
  ['android.support.v4.app.CoreComponentFactory', 21],
  ['.Parts', 29],
  // Android makes its usual factory where the named one is missing.
  ['.Missing', 21],
])('[HARD-02] with the factory %s and minSdkVersion %d code is encrypted', async (appComponentFactory, minSdk) => {
  const named = [
    'androidx/core/app/CoreComponentFactory',
    'android/support/v4/app/CoreComponentFactory',
    'org/maker/app/Parts',
  ]
  const classes = [MAIN, ...named.map((name) => ({ name: `L${name};`, methods: [] }))]
  const { result } = await harden({ minSdk, classes, application: { appComponentFactory } })
  expect(result.open).toBeDefined()
})

test('[HARD-02] what stays readable of a package that is not encrypted is not listed as such', async () => {
  const { texts } = await harden({ minSdk: 19, classes: [MAIN], files: { 'assets/more.dex': 'dex' } })
  expect(texts).toEqual(['skipped AndroidManifest.xml: Android before 5.0 loads the first dex file alone 1'])
})
