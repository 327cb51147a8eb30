import { crc32 } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { writeZip } from '#tests/support/zip-writer.ts'
import { FormatError } from '../bytes/format-error.ts'
import { entryBytes, hasSoundChecksum } from '../zip/entry-bytes.ts'
import { readZip } from '../zip/read-zip.ts'
import { replaceEntries } from '../zip/replace-entries.ts'
import { findPackageScripts, protectPackageScripts } from './package-scripts.ts'
import { protectScript } from './protect-script.ts'
import { openScriptArchive, scriptBytes } from './script-archive.ts'
import { SCRIPT_OPTIONS } from './script-options.ts'

const keyOf = (work: () => unknown) => {
  try {
    work()
  } catch (error) {
    if (error instanceof FormatError) return error.key
    throw error
  }
  return undefined
}
const script = { name: 'a.js', data: 'var a = 1' }

describe('archives of scripts', () => {
  test('scripts are found in the order of the archive, folders and other files are no scripts', () => {
    const archive = openScriptArchive(
      writeZip([
        { name: 'www/', data: '', deflate: false },
        { name: 'www/z.mjs', data: 'export default 1' },
        { name: 'www/index.html', data: '<html>' },
        { name: 'www/A.JS', data: 'var a' },
        { name: 'www/empty.js', data: '', deflate: false },
        { name: 'www/style.css', data: 'a{}' },
      ]),
    )
    expect(archive.scripts.map(({ name }) => name)).toEqual(['www/z.mjs', 'www/A.JS'])
    expect(Buffer.from(scriptBytes(archive, archive.scripts[0]!)).toString()).toBe('export default 1')
  })

  test('names that lead out of the folder are refused, also those that only Windows reads so', () => {
    for (const name of ['../a.js', 'b/../../a.js', '/etc/a.js', 'C:/a.js', '..\\a.js', 'b\\..\\..\\a.js'])
      expect(
        keyOf(() => openScriptArchive(writeZip([script, { ...script, name }]))),
        name,
      ).toBe('unsafe-name')
    expect(keyOf(() => openScriptArchive(writeZip([script, { ...script, name: 'b\\c.js' }])))).toBeUndefined()
  })

  test('links, encrypted and doubled entries, other methods, and archives without a script are refused', () => {
    const link = { ...script, name: 'l.js', central: { externalAttributes: (0o120777 << 16) >>> 0 } }
    expect(keyOf(() => openScriptArchive(writeZip([script, link])))).toBe('link')
    const sealed = { ...script, name: 's.js', central: { flags: 1 }, local: { flags: 1 } }
    expect(keyOf(() => openScriptArchive(writeZip([script, sealed])))).toBe('encrypted')
    expect(keyOf(() => openScriptArchive(writeZip([script, script])))).toBe('duplicate')
    const odd = { ...script, name: 'o.js', central: { method: 12 }, local: { method: 12 } }
    expect(keyOf(() => openScriptArchive(writeZip([script, odd])))).toBe('method')
    expect(keyOf(() => openScriptArchive(writeZip([{ name: 'a.txt', data: 'x' }])))).toBe('no-script')
    expect(keyOf(() => openScriptArchive(Buffer.from('PK\x03\x04 no archive')))).toBe('no-end')
  })

  test('a bomb is refused by what it declares, before it is unpacked', () => {
    const one = { name: 'b.js', data: Buffer.alloc(60 * 2 ** 20, 0x20) }
    expect(keyOf(() => openScriptArchive(writeZip([script, one])))).toBe('limit')
    const lying = openScriptArchive(
      writeZip([{ ...script, central: { size: 50 * 2 ** 20 }, local: { size: 50 * 2 ** 20 } }]),
    )
    expect(keyOf(() => scriptBytes(lying, lying.scripts[0]!))).toMatch(/^(limit|size)$/)
    const huge = { ...script, name: 'h.js', central: { size: 100 * 2 ** 20 }, local: { size: 100 * 2 ** 20 } }
    expect(keyOf(() => openScriptArchive(writeZip([huge])))).toBe('limit')
    const crowd = Array.from({ length: 20_001 }, (_one, number) => ({
      name: `${number}.js`,
      data: 'a',
      deflate: false,
    }))
    expect(keyOf(() => openScriptArchive(writeZip(crowd)))).toBe('limit')
  })

  test('a script that is not what its checksum says is refused', () => {
    const archive = openScriptArchive(writeZip([{ ...script, central: { crc32: 1 }, local: { crc32: 1 } }]))
    expect(keyOf(() => scriptBytes(archive, archive.scripts[0]!))).toBe('checksum')
  })
})

describe('entries replaced', () => {
  const original = writeZip(
    [
      { name: 'z/', data: '', deflate: false },
      { name: 'z/b.js', data: 'var before = 1' },
      { name: 'z/图.txt', data: 'other file'.repeat(50) },
      { name: 'z/stored.js', data: 'var stored = 1', deflate: false },
    ],
    { comment: Buffer.from('a comment') },
  )

  test('order, names, methods, attributes, comment and the bytes of others stay', () => {
    const zip = readZip(original)
    const content = Buffer.from('var after = 2;'.repeat(20))
    const replaced = new Map([1, 3].map((index) => [zip.entries[index]!, content] as const))
    const result = readZip(replaceEntries(zip, replaced))
    expect(result.entries.map(({ name, method }) => [name, method])).toEqual(
      zip.entries.map(({ name, method }) => [name, method]),
    )
    expect(Buffer.from(result.comment).toString()).toBe('a comment')
    for (const entry of result.entries) {
      const bytes = entryBytes(result, entry)
      expect(hasSoundChecksum(entry, bytes)).toBe(true)
      const before = zip.entries[entry.index]!
      const expected = replaced.get(before) ?? entryBytes(zip, before)
      expect(Buffer.from(bytes).equals(Buffer.from(expected))).toBe(true)
      expect(entry.notes).toEqual([])
    }
  })

  test('nothing replaced gives the same bytes, and sizes that came after the data stand before it', () => {
    expect(replaceEntries(readZip(original), new Map()).equals(Buffer.from(original))).toBe(true)
    const data = Buffer.from('var a = 1')
    const described = readZip(
      writeZip([
        {
          name: 'a.js',
          data,
          central: { flags: 8 },
          local: { flags: 8, crc32: 0, size: 0, compressedSize: 0 },
        },
      ]),
    )
    const [entry] = readZip(replaceEntries(described, new Map())).entries
    expect([entry?.flags, entry?.crc32, entry?.size, entry?.notes]).toEqual([0, crc32(data), data.length, []])
  })
})

describe('scripts of a package', () => {
  test('uni-app, Cordova and React Native scripts are found by their places, in APK and IPA', () => {
    const paths = [
      'classes.dex',
      'assets/apps/__UNI__1A2B3C/www/app-service.js',
      'assets/apps/__UNI__1A2B3C/www/manifest.json',
      'assets/www/cordova.js',
      'assets/public/main.js',
      'assets/index.android.bundle',
      'assets/other/tool.js',
      'res/raw/a.js',
      'Payload/App.app/main.jsbundle',
      'Payload/App.app/Pandora/apps/__UNI__1A2B3C/www/app-view.js',
      'Payload/App.app/www/index.js',
    ]
    expect(findPackageScripts(paths).map(({ path, framework }) => `${framework} ${path}`)).toEqual([
      'uni-app assets/apps/__UNI__1A2B3C/www/app-service.js',
      'cordova assets/www/cordova.js',
      'cordova assets/public/main.js',
      'react-native assets/index.android.bundle',
      'web assets/other/tool.js',
      'react-native Payload/App.app/main.jsbundle',
      'uni-app Payload/App.app/Pandora/apps/__UNI__1A2B3C/www/app-view.js',
      'cordova Payload/App.app/www/index.js',
    ])
  })

  test('plain bundles are protected, Hermes bytecode is left alone and declared, a broken script is named', async () => {
    const files: Record<string, Uint8Array> = {
      'assets/index.android.bundle': Buffer.from(
        'var __DEV__=false;__d(function(g,r){r(1).run("secret text")},0,[1]);',
      ),
      'assets/hermes.bundle': Buffer.concat([Buffer.from('c61fbc03c103191f', 'hex'), Buffer.alloc(64)]),
      'assets/www/broken.js': Buffer.from('function ('),
    }
    const results = await protectPackageScripts(
      Object.keys(files),
      (path) => files[path] as Uint8Array,
      (bytes, name) => protectScript(bytes, { name, options: { ...SCRIPT_OPTIONS, preset: 'high' }, seed: 1 }),
    )
    expect(results.map(({ path, outcome }) => [path, outcome])).toEqual([
      ['assets/index.android.bundle', 'protected'],
      ['assets/hermes.bundle', 'left'],
      ['assets/www/broken.js', 'failed'],
    ])
    const [bundle, hermes, broken] = results
    expect(bundle?.outcome === 'protected' && bundle.script.code.includes('secret text')).toBe(false)
    expect(hermes?.outcome === 'left' && hermes.format).toBe('hermes')
    expect(broken?.outcome === 'failed' && broken.refusal.key).toBe('syntax')
  })
})
