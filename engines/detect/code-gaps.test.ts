import { randomBytes } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { method } from '#tests/support/code-body.ts'
import { apkBytes, element, type MadePackage } from '#tests/support/detect-package.ts'
import { type WrittenDexClass, writeDex } from '#tests/support/dex-writer.ts'
import { writeAxml } from '#tests/support/resource-writer.ts'
import { writeZip } from '#tests/support/zip-writer.ts'
import { readPackage } from '../package/read-package.ts'
import { entryBytes } from '../zip/entry-bytes.ts'
import { SCAN_CHOICES } from './input/scan-choices.ts'
import { scan } from './scan.ts'

const scanOf = (made: MadePackage) =>
  scan(readPackage(apkBytes(made), 'made.apk'), { ...SCAN_CHOICES, kinds: ['static'] })
const outcome = (made: MadePackage, id: string) => scanOf(made).items.find((one) => one.id === id)!
const notes = (made: MadePackage) => scanOf(made).notAssessed.map(({ text }) => text.en)

const activities = (...names: string[]) => names.map((name) => element('activity', { name }))
const classes = (...names: string[]): WrittenDexClass[] =>
  names.map((name) => ({
    name: `Lorg/maker/app/${name};`,
    superclass: 'Landroid/app/Activity;',
    methods: [method('run()V')],
  }))
const loader: WrittenDexClass = {
  name: 'Lorg/maker/app/Stub;',
  superclass: 'Landroid/app/Application;',
  methods: [method('onCreate()V', (body) => void body.static('Ldalvik/system/DexClassLoader;->a()V'))],
}
const whole: MadePackage = { components: activities('.A', '.B'), classes: classes('A', 'B') }
const hidden = writeDex(classes('A', 'B', 'C', 'D', 'E', 'F'))
const xored = (bytes: Uint8Array, key: readonly number[]) => bytes.map((byte, at) => byte ^ key[at % key.length]!)
const readManifest = (made: MadePackage): Uint8Array => {
  const found = readPackage(apkBytes(made), 'made.apk')
  const { zip } = found.archives[0]!
  return entryBytes(zip, zip.byName.get('AndroidManifest.xml')!)
}
const PAYLOADS: readonly (readonly [how: string, bytes: Uint8Array])[] = [
  ['plain', hidden],
  ['XOR with one byte', xored(hidden, [0x5a])],
  ['XOR with a key of seven bytes', xored(hidden, [1, 2, 3, 4, 5, 6, 7])],
  ['base64', Buffer.from(Buffer.from(hidden).toString('base64'))],
  ['hexadecimal', Buffer.from(Buffer.from(hidden).toString('hex'))],
  ['gzip', gzipSync(hidden)],
  ['a number added to each byte', hidden.map((byte) => (byte + 77) & 255)],
  ['XOR with a growing number', hidden.map((byte, at) => byte ^ (at & 255))],
  ['behind other bytes', Buffer.concat([Buffer.from([1, 2, 3, 4, 5, 6, 7, 0]), hidden])],
  ['a nested package', writeZip([{ name: 'classes.dex', data: hidden }])],
  ['a nested package under XOR', xored(writeZip([{ name: 'classes.dex', data: hidden }]), [0x33])],
]

describe('code that cannot be seen keeps items from passing', () => {
  test('a complete package has no gap: its code items pass', () => {
    expect(outcome(whole, 'android-webview-js-enabled').verdict).toBe('pass')
    expect(scanOf(whole).package.packer).toBeNull()
  })

  test.each(PAYLOADS)('a dex file in an asset of any name is reported: %s', (_how, bytes) => {
    const made = { ...whole, files: { 'assets/picture.dat': bytes } }
    expect(outcome(made, 'android-webview-js-enabled')).toMatchObject({ verdict: 'not_assessed' })
    expect(notes(made)).toContain('assets/picture.dat holds code that was not read')
  })

  test.each(PAYLOADS)('a stub that loads such a payload is an unknown packer: %s', (_how, bytes) => {
    const made = {
      incomplete: true,
      application: { name: '.Stub' },
      components: activities('.A', '.B'),
      classes: [loader],
      others: [element('uses-permission', { name: 'android.permission.CAMERA' })],
      files: { 'assets/db': bytes },
    }
    const result = scanOf(made)
    expect(result.package.packer).toBe('未知加固')
    expect(result.items.find(({ id }) => id === 'android-dynamic-dex-loading')?.verdict).toBe('not_assessed')
    // What an unknown packer protects against is not known: nothing passes on its account.
    expect(result.items.find(({ id }) => id === 'android-no-root-detect')?.verdict).toBe('not_assessed')
    expect(result.permissions.find(({ name }) => name.endsWith('CAMERA'))?.state).toBe('unknown')
  })

  test('a stub whose own components are there and whose large encrypted asset outweighs it is an unknown packer', () => {
    const files = { 'assets/data': randomBytes(200_000) }
    const made = {
      application: { name: '.Stub' },
      components: activities('.A'),
      classes: [loader, ...classes('A')],
      files,
    }
    expect(scanOf(made).package.packer).toBe('未知加固')
  })

  test('compressed media and an encrypted database beside complete code are no packer', () => {
    const noise = randomBytes(100_000)
    const files = {
      'assets/song.mp3': noise,
      'assets/a': Buffer.concat([Buffer.from('OggS'), noise]),
      'assets/db': noise,
    }
    expect(scanOf({ ...whole, files }).package.packer).toBeNull()
    expect(outcome({ ...whole, files }, 'android-webview-js-enabled').verdict).toBe('pass')
  })

  test.each([
    'META-INF/data.bin',
    'classes9.dex',
    'assets/dex/classes.dex',
    'lib/arm64-v8a/libcore.so',
    'res/drawable/icon.png',
  ])('a dex file that is not loaded is reported wherever it lies: %s', (name) => {
    expect(notes({ ...whole, files: { [name]: hidden } })).toContain(`${name} holds code that was not read`)
  })

  test('a dex file between the entries and the directory of the archive is reported', () => {
    const apk = Buffer.from(apkBytes(whole))
    const directory = apk.readUInt32LE(apk.length - 6)
    const end = Buffer.from(apk.subarray(-22))
    end.writeUInt32LE(directory + hidden.length, 16)
    const bytes = Buffer.concat([apk.subarray(0, directory), hidden, apk.subarray(directory, -22), end])
    const result = scan(readPackage(bytes, 'made.apk'), { ...SCAN_CHOICES, kinds: ['static'] })
    expect(result.notAssessed.map(({ text }) => text.en).join()).toMatch(/^\[\d+, \d+\) holds code that was not read/)
  })

  test('a file of unknown content beside code that can load other code is named, and is no finding', () => {
    const files = { 'assets/k.bin': xored(hidden, [...randomBytes(32)]) }
    const made = { ...whole, application: { name: '.Stub' }, classes: [...classes('A', 'B'), loader], files }
    expect(notes(made).join()).toContain('the content of assets/k.bin is not known')
    expect(outcome(made, 'android-webview-js-enabled').verdict).toBe('pass')
    expect(notes({ ...whole, files })).toEqual([])
  })

  test('a file without order is named though its first bytes are those of a text', () => {
    const bytes = Buffer.concat([Buffer.from('plain words, '.repeat(6)), randomBytes(8_000)])
    const made = { ...whole, classes: [...classes('A', 'B'), loader], files: { 'assets/words.txt': bytes } }
    expect(notes(made).join()).toContain('the content of assets/words.txt is not known')
  })

  test('two entries of one name are named: devices may run the other one', () => {
    const dex = writeDex(classes('A', 'B'))
    const bytes = writeZip([
      { name: 'AndroidManifest.xml', data: readManifest(whole) },
      { name: 'classes.dex', data: dex },
      { name: 'classes.dex', data: hidden },
    ])
    const result = scan(readPackage(bytes, 'made.apk'), { ...SCAN_CHOICES, kinds: ['static'] })
    expect(result.notAssessed.map(({ text }) => text.en)).toContain(
      'odd archive entry classes.dex: same name as entry 1',
    )
  })

  test('an attribute that decides something and refers to a missing resource is named', () => {
    const root = element(
      'manifest',
      { package: 'org.maker.app' },
      {
        name: 'application',
        attributes: [{ name: 'debuggable', id: 0x0101000f, value: [1, 0x7f010000] as const }],
      },
    )
    const bytes = writeZip([{ name: 'AndroidManifest.xml', data: writeAxml(root) }])
    const result = scan(readPackage(bytes, 'made.apk'), { ...SCAN_CHOICES, kinds: ['static'] })
    expect(result.notAssessed.map(({ text }) => text.en)).toContain(
      'resources.arsc is damaged: no value for application debuggable',
    )
  })

  test('a package without code that declares components says so once, with the count', () => {
    const made = { components: activities('.A', '.B', '.C') }
    expect(notes(made)).toContain(
      'the manifest declares 3 classes and the package holds no code: items that need the code were not assessed',
    )
    expect(outcome(made, 'android-webview-js-enabled').verdict).toBe('not_assessed')
  })

  test('classes of the manifest that are missing keep items from passing, with the count', () => {
    const made = { incomplete: true, components: activities('.A', '.B', '.C'), classes: classes('A') }
    expect(outcome(made, 'android-webview-js-enabled').reason?.en).toBe(
      '2 of the 3 classes that the manifest declares are not in the code (org.maker.app.B and others)',
    )
  })

  test('a finding in the code that is left stays a finding, and an absent protection is not called absent', () => {
    const call = method('run()V', (body) => void body.static('Ljava/lang/Runtime;->getRuntime()Ljava/lang/Runtime;'))
    const made = {
      incomplete: true,
      components: activities('.A', '.B'),
      classes: [{ ...classes('A')[0]!, methods: [call] }],
    }
    expect(outcome(made, 'android-no-root-detect').verdict).toBe('not_assessed')
    expect(outcome({ ...made, components: activities('.A') }, 'android-no-root-detect').verdict).toBe('fail')
  })
})

describe('a damaged dex file', () => {
  const names = Array.from({ length: 60 }, (_, at) => `C${at}`)
  const dexWith = (change: (dex: Buffer, definitions: number) => void) => {
    const dex = Buffer.from(writeDex(classes(...names)))
    change(dex, dex.readUInt32LE(0x64))
    return dex
  }
  const packageWith = (dex: Uint8Array): MadePackage => ({
    components: activities('.C0'),
    files: { 'classes.dex': dex },
  })

  test('damaged class definitions invent no class and are counted in one sentence', () => {
    const dex = dexWith((bytes, at) => bytes.fill(0xfe, at + 32, at + 32 * 41))
    const result = scanOf(packageWith(dex))
    expect(result.coverage.classesRead).toBe(20)
    expect(result.notAssessed.filter(({ text }) => /of 60 classes/.test(text.en))).toHaveLength(1)
    expect(outcome(packageWith(dex), 'android-webview-js-enabled').verdict).toBe('not_assessed')
  })

  test('a header that claims a million class definitions over other data ends within 2 s of CPU', () => {
    const filler = randomBytes(8_000_000)
    const dex = dexWith((bytes) => bytes.writeUInt32LE(1_000_000, 0x60))
    const began = process.cpuUsage()
    const result = scanOf(packageWith(Buffer.concat([dex, filler])))
    const { user, system } = process.cpuUsage(began)
    expect(result.coverage.classesRead).toBeLessThanOrEqual(names.length)
    expect((user + system) / 1e6).toBeLessThan(2)
  })
})
