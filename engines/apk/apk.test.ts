import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type WrittenElement, writeArsc, writeAxml } from '#tests/support/resource-writer.ts'
import { mutate, type WrittenEntry, writeZip } from '#tests/support/zip-writer.ts'
import { type FrameworkAttribute, frameworkAttributeId } from '../axml/framework-attributes.ts'
import { FormatError } from '../bytes/format-error.ts'
import { applicationLabel } from './application-label.ts'
import { fullClassName } from './components.ts'
import { APK_LIMITS, readApk } from './read-apk.ts'

type Attributes = Partial<Record<FrameworkAttribute, string | number | boolean | readonly [number, number]>>

/** An element with framework attributes; `package` and `split` come as `plain`. */
function element(
  name: string,
  attributes: Attributes = {},
  children: readonly WrittenElement[] = [],
  plain: Record<string, string> = {},
): WrittenElement {
  const value = (given: string | number | boolean | readonly [number, number]) => {
    if (typeof given === 'number') return [0x10, given] as const
    return typeof given === 'boolean' ? ([0x12, given ? 0xffffffff : 0] as const) : given
  }
  return {
    name,
    attributes: [
      ...Object.entries(attributes).map(([key, given]) => ({
        name: key,
        id: frameworkAttributeId(key as FrameworkAttribute),
        value: value(given),
      })),
      ...Object.entries(plain).map(([key, given]) => ({ name: key, value: given })),
    ],
    children,
  }
}
const named = (tag: string, name: string) => element(tag, { name })
const launcher = element('intent-filter', {}, [
  named('action', 'android.intent.action.MAIN'),
  named('category', 'android.intent.category.LAUNCHER'),
])
const table = writeArsc({
  types: [
    { name: 'string', entries: { 0: { key: 'app', value: 'Die App' } } },
    { name: 'bool', entries: { 0: { key: 'open', value: [0x12, 1] } } },
    { name: 'xml', entries: { 0: { key: 'net', value: 'res/xml/net.xml' } } },
    { name: 'mipmap', config: { density: 160 }, entries: { 0: { key: 'icon', value: 'res/m.png' } } },
    { name: 'mipmap', config: { density: 640 }, entries: { 0: { key: 'icon', value: 'res/h.png' } } },
    { name: 'mipmap', config: { density: 480 }, entries: { 0: { key: 'icon', value: 'res/missing.png' } } },
  ],
})
const packaged = (manifest: WrittenElement, entries: readonly WrittenEntry[] = []) =>
  writeZip([{ name: 'AndroidManifest.xml', data: writeAxml(manifest) }, ...entries])
const factsOf = (manifest: WrittenElement, entries: readonly WrittenEntry[] = []) =>
  readApk(packaged(manifest, entries)).facts
const manifestOf = (...children: WrittenElement[]) => element('manifest', {}, children, { package: 'a.b' })
const files = [
  'resources.arsc',
  'res/m.png',
  'res/h.png',
  'classes.dex',
  'classes2.dex',
  'classes4.dex',
  'lib/x86/liba.so',
]
const full = packaged(
  element(
    'manifest',
    { versionCode: 7, versionCodeMajor: 2, versionName: '1.2' },
    [
      element('uses-sdk', { minSdkVersion: 21, targetSdkVersion: 30 }),
      element('uses-permission', { name: 'android.permission.CAMERA', maxSdkVersion: 25 }),
      element('permission', { name: 'a.b.P', protectionLevel: [0x11, 2] }),
      element('uses-feature', { name: 'android.hardware.nfc', required: false }),
      element('uses-feature', { glEsVersion: [0x11, 0x20000] }),
      element(
        'application',
        {
          name: '.App',
          label: [1, 0x7f010000],
          icon: [1, 0x7f040000],
          debuggable: true,
          networkSecurityConfig: [1, 0x7f030000],
        },
        [
          element('meta-data', { name: 'key', value: 'secret' }),
          element('uses-library', { name: 'org.apache.http.legacy' }),
          element('activity', { name: '.Main' }, [
            launcher,
            element('intent-filter', { autoVerify: true }, [element('data', { scheme: 'https', host: 'a.example' })]),
          ]),
          element('activity-alias', { name: 'Alias', targetActivity: '.Main', exported: false }, [launcher]),
          element('service', { name: 'x.S', exported: [1, 0x7f020000], permission: 'a.b.P' }),
          element('receiver', { name: '.R', enabled: false }),
          element('provider', { name: '.P', authorities: 'a;b', grantUriPermissions: true }),
        ],
      ),
    ],
    { package: 'a.b', split: 'config.x' },
  ),
  files.map((name) => ({ name, data: name === 'resources.arsc' ? table : 'x' })),
)

describe('what a package says of itself', () => {
  const { facts, zip } = readApk(full)

  test('[ASSET] identity, versions, names, pictures, files', () => {
    expect(facts).toMatchObject({
      package: { value: 'a.b' },
      versionCode: { value: '7' },
      versionCodeMajor: { value: 2 },
      versionName: { value: '1.2' },
      minSdk: { value: '21' },
      targetSdk: { value: '30' },
      maxSdk: null,
      label: { value: 'Die App' },
      applicationClass: { value: 'a.b.App' },
      launchableActivity: { value: 'a.b.Main' },
      debuggable: { value: true },
      allowBackup: null,
      usesCleartextTraffic: null,
      networkSecurityConfig: { value: 'res/xml/net.xml' },
      split: { value: 'config.x' },
      abis: ['x86'],
      nativeLibraries: [{ abi: 'x86', name: 'liba.so', entry: 'lib/x86/liba.so' }],
      dexEntries: ['classes.dex', 'classes2.dex'],
      metaData: [{ name: 'key', value: 'secret' }],
      libraries: [{ value: 'org.apache.http.legacy' }],
      notes: [],
    })
    expect(facts.icons.map(({ path, density }) => [path, density])).toEqual([
      ['res/h.png', 640],
      ['res/m.png', 160],
    ])
    expect(facts.features.map(({ name, required, glEsVersion }) => [name, required, glEsVersion])).toEqual([
      ['android.hardware.nfc', false, null],
      ['', true, '0x20000'],
    ])
    expect(zip.entries.length).toBe(8)
  })

  test('[DET] components as a device takes them', () => {
    expect(
      facts.components.map(({ kind, name, exported, exportedWritten }) => [kind, name, exported, exportedWritten]),
    ).toEqual([
      ['activity', 'a.b.Main', true, false],
      ['activity-alias', 'a.b.Alias', false, true],
      ['service', 'x.S', true, true],
      ['receiver', 'a.b.R', false, false],
      ['provider', 'a.b.P', false, false],
    ])
    const [main, alias, service, receiver, provider] = facts.components
    expect(main!.intentFilters[1]).toMatchObject({ autoVerify: true, data: [{ scheme: 'https', host: 'a.example' }] })
    expect(alias!.targetActivity).toBe('a.b.Main')
    expect(service!.permission).toBe('a.b.P')
    expect(receiver!.enabled).toBe(false)
    expect(provider).toMatchObject({ authorities: ['a', 'b'], grantUriPermissions: true })
  })

  test('each fact about an APK names its location in the manifest', () => {
    expect(facts.components[2]!.evidence).toMatchObject({
      entry: 'AndroidManifest.xml',
      path: '/manifest/application[1]/service[1]',
    })
    expect(facts.debuggable!.evidence.path).toBe('/manifest/application[1]')
    expect(facts.debuggable!.evidence.offset).toBeGreaterThan(facts.components[0]!.evidence.offset - 400)
  })

  test('permissions: asked for, defined', () => {
    expect(facts.permissions).toMatchObject([{ name: 'android.permission.CAMERA', maxSdkVersion: 25, impliedBy: null }])
    expect(facts.definedPermissions).toMatchObject([{ name: 'a.b.P', protectionLevel: 'signature' }])
  })
})

describe('rules of Android', () => {
  const implied = (target: number | undefined, ...uses: WrittenElement[]) =>
    factsOf(manifestOf(...(target ? [element('uses-sdk', { targetSdkVersion: target })] : []), ...uses))
      .permissions.filter(({ impliedBy }) => impliedBy)
      .map(({ name }) => name.replace('android.permission.', ''))
  const uses = (name: string, tag = 'uses-permission') => named(tag, `android.permission.${name}`)

  test('permissions that old targets and other permissions bring', () => {
    expect(implied(undefined)).toEqual(['WRITE_EXTERNAL_STORAGE', 'READ_PHONE_STATE', 'READ_EXTERNAL_STORAGE'])
    expect(implied(4)).toEqual([])
    expect(implied(30, uses('WRITE_EXTERNAL_STORAGE'))).toEqual(['READ_EXTERNAL_STORAGE'])
    expect(implied(30, uses('WRITE_EXTERNAL_STORAGE', 'uses-permission-sdk-23'))).toEqual([])
    expect(implied(15, uses('READ_CONTACTS'), uses('WRITE_CONTACTS'))).toEqual(['READ_CALL_LOG', 'WRITE_CALL_LOG'])
    expect(implied(16, uses('READ_CONTACTS'))).toEqual([])
  })

  test('providers of targets below 17 are open by default', () => {
    const open = (target: number) =>
      factsOf(
        manifestOf(
          element('uses-sdk', { targetSdkVersion: target }),
          element('application', {}, [element('provider', { name: 'P' })]),
        ),
      ).components[0]!.exported
    expect([open(16), open(17)]).toEqual([true, false])
  })

  test('code names are newer than any number, nothing is 1', () => {
    expect(factsOf(manifestOf(element('uses-sdk', { targetSdkVersion: 'VanillaIceCream' }))).effectiveTargetSdk).toBe(
      10_000,
    )
    expect(factsOf(manifestOf(element('uses-sdk', { minSdkVersion: 9 }))).effectiveTargetSdk).toBe(9)
    expect(factsOf(manifestOf()).effectiveTargetSdk).toBe(1)
  })

  test.each([
    ['.A', 'p.q.A'],
    ['A', 'p.q.A'],
    ['x.A', 'x.A'],
    ['', ''],
  ])('Android expands the class name %j to %j', (name, whole) => {
    expect(fullClassName(name, 'p.q')).toBe(whole)
  })
})

describe('odd and hostile packages', () => {
  test('what is missing or unreadable has a name', () => {
    expect(() => readApk(writeZip([{ name: 'x', data: 'x' }]))).toThrow('no AndroidManifest.xml')
    expect(() => readApk(writeZip([{ name: 'AndroidManifest.xml', data: '<manifest/>' }]))).toThrow(FormatError)
    const broken = factsOf(manifestOf(element('application', { label: [1, 0x7f010000] })), [
      { name: 'resources.arsc', data: 'x' },
    ])
    expect(broken.notes.map(({ key }) => key)).toEqual(['resources-unreadable'])
    expect(broken.label!.value).toBe('@0x7f010000')
    // Not shown as a name.
    expect(applicationLabel(broken)).toBe('')
  })

  test('oddities of a manifest are noted by key', () => {
    const keys = (root: WrittenElement) => factsOf(root).notes.map(({ key }) => key)
    expect(keys(element('other'))).toEqual(['manifest-root'])
    expect(keys(manifestOf(element('application'), element('application')))).toEqual(['several-applications'])
    expect(keys(manifestOf(element('application', {}, [element('activity')])))).toEqual(['component-without-name'])
    expect(keys({ name: 'manifest', attributes: [{ name: 'versionName', value: '1' }] })).toEqual([])
  })

  test('whatever is flipped or cut, only FormatError is thrown', () => {
    const change = fc.tuple(fc.nat(full.length - 1), fc.constantFrom(0, 1, 2, 3, 8, 0x7f, 0x80, 0xff))
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 8 }), (changes) => {
        try {
          readApk(mutate(full, changes, 0), APK_LIMITS)
        } catch (error) {
          if (!(error instanceof FormatError)) throw error
        }
      }),
      { numRuns: 200 },
    )
  })

  test('a manifest or table changed before it is packed leads to facts or a FormatError', () => {
    const manifest = writeAxml(
      manifestOf(element('application', { label: [1, 0x7f010000] }, [element('activity', { name: '.A' }, [launcher])])),
    )
    const change = fc.tuple(fc.nat(4000), fc.constantFrom(0, 1, 2, 3, 8, 0x7f, 0xff))
    fc.assert(
      fc.property(fc.array(change, { maxLength: 6 }), fc.array(change, { maxLength: 6 }), (first, second) => {
        const bytes = writeZip([
          { name: 'AndroidManifest.xml', data: mutate(manifest, first, 0), deflate: false },
          { name: 'resources.arsc', data: mutate(table, second, 0), deflate: false },
        ])
        try {
          readApk(bytes)
        } catch (error) {
          if (!(error instanceof FormatError)) throw error
        }
      }),
      { numRuns: 200 },
    )
  })
})
