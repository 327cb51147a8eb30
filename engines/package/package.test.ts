import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { writeElf } from '#tests/support/elf-writer.ts'
import { writeXmlPlist } from '#tests/support/plist-writer.ts'
import {
  proto,
  protoBoolean,
  protoNumber,
  protoReference,
  protoResources,
  protoString,
  protoXml,
} from '#tests/support/proto-writer.ts'
import { writeArsc, writeAxml } from '#tests/support/resource-writer.ts'
import { mutate, writeZip } from '#tests/support/zip-writer.ts'
import { findAttribute } from '../axml/find-attribute.ts'
import { FormatError } from '../bytes/format-error.ts'
import { allFiles, fileNamed } from './package-files.ts'
import { PACKAGE_LIMITS } from './package-limits.ts'
import { readAnyXml } from './read-any-xml.ts'
import { readPackage } from './read-package.ts'

const NAME = 0x01010003
const LABEL = 0x01010001
const ICON = 0x01010002
const zip = (files: Record<string, Uint8Array | string>) =>
  writeZip(Object.entries(files).map(([name, data]) => ({ name, data, deflate: false })))
const keyOf = (read: () => unknown): string => {
  try {
    read()
  } catch (error) {
    if (error instanceof FormatError) return `${error.format} ${error.key}`
    throw error
  }
  return 'nothing thrown'
}
const binaryManifest = (split?: string) =>
  writeAxml({
    name: 'manifest',
    attributes: [{ name: 'package', value: 'com.example' }, ...(split ? [{ name: 'split', value: split }] : [])],
    children: [
      {
        name: 'application',
        attributes: [
          { name: 'label', id: LABEL, value: [1, 0x7f010000] as const },
          { name: 'icon', id: ICON, value: [1, 0x7f020000] as const },
        ],
      },
    ],
  })
const table = (types: Parameters<typeof writeArsc>[0]['types']) => writeArsc({ types })
const android = (kind: string, bytes: Uint8Array, name = 'upload') => {
  const found = readPackage(bytes, name)
  if (found.platform !== 'android' || !('facts' in found)) throw new Error(`kind ${found.kind}`)
  expect(found.kind).toBe(kind)
  return found
}

describe('packages of every kind', () => {
  test('the kind of a package is detected by its content', () => {
    const kinds = {
      apk: zip({ 'AndroidManifest.xml': binaryManifest() }),
      aab: zip({ 'base/manifest/AndroidManifest.xml': protoXml({ name: 'manifest' }) }),
      apks: zip({ 'base.apk': zip({ 'AndroidManifest.xml': binaryManifest() }) }),
      aar: zip({ 'AndroidManifest.xml': '<manifest package="a"/>', 'R.txt': '' }),
      jar: zip({ 'a/B.class': 'x' }),
      ipa: zip({ 'Payload/A.app/Info.plist': writeXmlPlist({ CFBundleIdentifier: 'a' }) }),
      so: writeElf(),
    }
    for (const [kind, bytes] of Object.entries(kinds)) expect(readPackage(bytes, 'upload').kind).toBe(kind)
    const compiled = zip({ 'classes.dex': 'dex', 'META-INF/MANIFEST.MF': '' })
    expect(readPackage(compiled, 'a.jar')).toMatchObject({ kind: 'jar', code: [{ entry: 'classes.dex' }] })
    expect(keyOf(() => readPackage(compiled, 'a.apk'))).toBe('apk no-manifest')
    expect(keyOf(() => readPackage(Buffer.from('text'), 'a.apk'))).toBe('package unknown-kind')
    expect(keyOf(() => readPackage(zip({ 'a.txt': 'x' }), 'a.zip'))).toBe('package unknown-kind')
    expect(keyOf(() => readPackage(zip({ 'a.txt': 'x' }), 'a.apk'))).toBe('apk no-manifest')
    expect(keyOf(() => readPackage(zip({ 'a.txt': 'x' }), 'a.xapk'))).toBe('apks no-base')
  })

  test('a bundle: protobuf manifest and resources say the same facts', () => {
    const manifest = protoXml({
      name: 'manifest',
      attributes: [
        { name: 'package', value: 'com.example' },
        { name: 'versionCode', id: 0x0101021b, value: '7', item: protoNumber(7) },
      ],
      children: [
        { name: 'uses-sdk', attributes: [{ name: 'targetSdkVersion', id: 0x01010270, item: protoNumber(30) }] },
        { name: 'uses-permission', attributes: [{ name: 'name', id: NAME, value: 'android.permission.CAMERA' }] },
        {
          name: 'application',
          attributes: [
            { name: 'label', id: LABEL, item: protoReference(0x7f010000) },
            { name: 'icon', id: ICON, item: protoReference(0x7f020000) },
            { name: 'debuggable', id: 0x0101000f, item: protoBoolean(true) },
          ],
          children: [
            {
              name: 'activity',
              attributes: [
                { name: 'name', id: NAME, value: '.Main' },
                { name: 'exported', id: 0x01010010, item: protoBoolean(false) },
              ],
            },
          ],
        },
      ],
    })
    const resources = protoResources([
      {
        type: 'string',
        typeId: 1,
        entries: [
          {
            name: 'app_name',
            id: 0,
            values: [{ item: protoString('App') }, { item: protoString('应用'), config: proto([3, 'zh-CN']) }],
          },
        ],
      },
      {
        type: 'mipmap',
        typeId: 2,
        entries: [
          { name: 'icon', id: 0, values: [{ item: proto([5, proto([1, 'res/icon.png'])]), config: proto([18, 480]) }] },
        ],
      },
    ])
    const found = android(
      'aab',
      zip({
        'base/manifest/AndroidManifest.xml': manifest,
        'base/resources.pb': resources,
        'base/res/icon.png': 'png',
        'feature/dex/classes.dex': 'f',
        'base/dex/classes2.dex': 'b2',
        'base/dex/classes.dex': 'b1',
        'base/lib/arm64-v8a/liba.so': 'elf',
      }),
    )
    expect([...new Set([...found.resources!.all()].map(({ entry }) => entry))]).toEqual(['base/resources.pb'])
    expect(found.facts).toMatchObject({
      package: { value: 'com.example', evidence: { entry: 'base/manifest/AndroidManifest.xml' } },
      versionCode: { value: '7' },
      label: { value: 'App' },
      debuggable: { value: true },
      icons: [{ path: 'base/res/icon.png', density: 480, attribute: 'icon' }],
      permissions: [{ name: 'android.permission.CAMERA' }],
      components: [{ name: 'com.example.Main', exported: false, exportedWritten: true }],
      abis: ['arm64-v8a'],
    })
    expect(found.resources?.locales()).toEqual(['', 'zh-CN'])
    expect(found.resources?.nameOf(0x7f010000)).toBe('string/app_name')
    expect(found.code.map(({ entry }) => entry)).toEqual([
      'base/dex/classes.dex',
      'base/dex/classes2.dex',
      'feature/dex/classes.dex',
    ])
    expect(Buffer.from(found.code[0]!.bytes).toString()).toBe('b1')
  })

  test('splits: code, libraries, ABIs and resources of all, facts of the base', () => {
    const base = zip({
      'AndroidManifest.xml': binaryManifest(),
      'classes.dex': 'base',
      'resources.arsc': table([{ name: 'string', entries: { 0: { key: 'app_name', value: 'App' } } }]),
    })
    const split = zip({
      'AndroidManifest.xml': binaryManifest('config.arm64_v8a'),
      'lib/arm64-v8a/liba.so': 'elf',
      'res/icon.png': 'png',
      'resources.arsc': table([
        { name: 'string', config: { language: 'fr' }, entries: { 0: { key: 'app_name', value: 'Appli' } } },
        { name: 'mipmap', config: { density: 480 }, entries: { 0: { key: 'icon', value: 'res/icon.png' } } },
      ]),
    })
    const found = android(
      'apks',
      zip({ 'a_split.apk': split, 'base.apk': base, 'broken.apk': 'x', 'manifest.json': '{}' }),
    )
    expect(found.facts).toMatchObject({
      package: { value: 'com.example', evidence: { entry: 'base.apk!/AndroidManifest.xml' } },
      label: { value: 'App' },
      split: null,
      abis: ['arm64-v8a'],
      dexEntries: ['base.apk!/classes.dex'],
      nativeLibraries: [{ entry: 'a_split.apk!/lib/arm64-v8a/liba.so' }],
      icons: [{ path: 'a_split.apk!/res/icon.png' }],
    })
    expect(found.resources?.locales()).toEqual(['', 'fr'])
    expect(found.notes).toMatchObject([{ key: 'part-unreadable', entry: 'broken.apk' }])
    expect(Buffer.from(fileNamed(found, 'base.apk!/classes.dex', PACKAGE_LIMITS.zip)!.bytes).toString()).toBe('base')
    expect(fileNamed(found, 'base.apk!/none', PACKAGE_LIMITS.zip)).toBeUndefined()
    const names = [...allFiles(found, PACKAGE_LIMITS.zip)].map(({ entry }) => entry)
    expect(names).toContain('manifest.json')
    expect(names).toContain('base.apk!/classes.dex')
    expect(names).not.toContain('base.apk')
  })

  test('which packages of a set belong together', () => {
    const apk = (name: string) => zip({ 'AndroidManifest.xml': binaryManifest(), 'classes.dex': name })
    const dex = (files: Record<string, string>) =>
      android(
        'apks',
        zip(Object.fromEntries(Object.entries(files).map(([name, content]) => [name, apk(content)]))),
      ).code.map(({ entry }) => entry)
    expect(dex({ 'splits/base-master.apk': 's', 'standalones/standalone-hdpi.apk': 'o', 'toc.apk': 't' })).toEqual([
      'splits/base-master.apk!/classes.dex',
    ])
    expect(dex({ 'universal.apk': 'u', 'other.apk': 'o' })).toEqual(['universal.apk!/classes.dex'])
    expect(dex({ 'standalones/a.apk': 'a', 'standalones/b.apk': 'b' })).toEqual(['standalones/a.apk!/classes.dex'])
  })

  test('a library: text manifest, classes of its jars', () => {
    const manifest =
      '<manifest xmlns:android="http://schemas.android.com/apk/res/android" package="org.lib">\n<uses-sdk android:minSdkVersion="21"/><application android:allowBackup="true"><service android:name=".S" android:exported="true"/></application></manifest>'
    const jar = zip({ 'a/B.class': 'b', 'META-INF/versions/9/a/B.class': 'newer' })
    const found = android(
      'aar',
      zip({
        'AndroidManifest.xml': manifest,
        'classes.jar': jar,
        'libs/more.jar': zip({ 'c/D.class': 'd' }),
        'jni/x86/libx.so': 'elf',
      }),
    )
    expect(found.facts).toMatchObject({
      package: { value: 'org.lib' },
      minSdk: { value: '21' },
      allowBackup: { value: true },
      components: [{ name: 'org.lib.S', exported: true }],
      abis: ['x86'],
    })
    expect(found.code.map(({ entry }) => entry)).toEqual(['classes.jar!/a/B.class', 'libs/more.jar!/c/D.class'])
  })

  test('XML in any of its forms reads alike', () => {
    const forms = [
      readAnyXml(binaryManifest()),
      readAnyXml(
        protoXml({
          name: 'manifest',
          children: [
            { name: 'application', attributes: [{ name: 'label', id: LABEL, item: protoReference(0x7f010000) }] },
          ],
        }),
      ),
      readAnyXml(
        Buffer.from(
          '<manifest xmlns:android="http://schemas.android.com/apk/res/android"><application android:label="@string/a"/></manifest>',
        ),
      ),
    ]
    for (const { root } of forms) {
      expect(root.name).toBe('manifest')
      expect(findAttribute(root.children[0]!, 'label')).toBeDefined()
    }
  })

  test('number and size of archives inside a package are bounded', () => {
    const base = zip({ 'AndroidManifest.xml': binaryManifest() })
    const set = zip({ 'a.apk': base, 'b.apk': base, 'c.apk': base })
    const found = readPackage(set, 'x.apks', { ...PACKAGE_LIMITS, innerArchives: 2 })
    expect(found.notes).toMatchObject([{ key: 'parts-left-out', entry: 'c.apk' }])
    expect(readPackage(set, 'x.apks', { ...PACKAGE_LIMITS, innerSize: base.length + 10 }).notes).toHaveLength(1)
  })

  test('whatever is flipped or cut, only FormatError is thrown', () => {
    const resources = protoResources([
      { type: 'string', typeId: 1, entries: [{ name: 'a', id: 0, values: [{ item: protoString('A') }] }] },
    ])
    const bytes = zip({
      'base/manifest/AndroidManifest.xml': protoXml({
        name: 'manifest',
        attributes: [{ name: 'package', value: 'a.b' }],
      }),
      'base/resources.pb': resources,
    })
    const change = fc.tuple(fc.nat(bytes.length - 1), fc.constantFrom(0, 1, 8, 10, 0x7f, 0x80, 0xff))
    fc.assert(
      fc.property(fc.array(change, { maxLength: 6 }), fc.constantFrom(0, 0, 0, 30), (changes, cut) => {
        keyOf(() => readPackage(mutate(bytes, changes, cut), 'upload'))
      }),
      { numRuns: 500 },
    )
  })
})
