import { describe, expect, test } from 'vitest'
import { bundleBytes, type MadeModule, protoElement } from '#tests/support/bundle.ts'
import { method } from '#tests/support/code-body.ts'
import { runDex } from '#tests/support/dex-run.ts'
import { writeElf } from '#tests/support/elf-writer.ts'
import { madeKeyStore, STORE_PASSWORD } from '#tests/support/made-key-store.ts'
import { writeZip } from '#tests/support/zip-writer.ts'
import { ProtoXmlEditor } from '../bundle/proto-xml-editor.ts'
import { readProgram } from '../dex/read-program.ts'
import { readDexModels } from '../dex-edit/read-dex-model.ts'
import { openKeyStore } from '../keystore/open-key-store.ts'
import type { AndroidPackage } from '../package/package.ts'
import { readPackage } from '../package/read-package.ts'
import { judgeJar } from '../signing/judge-jar.ts'
import { openSigningKey } from '../signing/open-signing-key.ts'
import { signJar } from '../signing/sign-jar.ts'
import { entryBytes } from '../zip/entry-bytes.ts'
import { readZip } from '../zip/read-zip.ts'
import { compareBundles } from './compare-bundles.ts'
import { hardenPackage } from './harden-package.ts'
import type { HardenRequest } from './harden-request.ts'
import { hardenText } from './harden-texts.ts'
import { readKeepRules } from './keep-rules.ts'
import { RUNTIME_CHECKS } from './runtime-checks.ts'

const LOG = 'Landroid/util/Log;->d(Ljava/lang/String;Ljava/lang/String;)I'
const USE = 'Lext/Other;->use(Ljava/lang/String;)V'
const MAIN = 'Lorg/maker/app/Main;'
const ROOM = 'Lorg/maker/app/Room;'
const logs = (text: string) =>
  method('static run()V', (body) => {
    body.static(LOG, 'tag', 'text')
    body.static(USE, text)
  })

const base: MadeModule = {
  dexes: [[{ name: MAIN, superclass: 'Landroid/app/Application;', methods: [logs('of the base')] }]],
  application: { name: 'org.maker.app.Main', debuggable: true, allowBackup: true },
  components: [protoElement('activity', { name: 'org.maker.app.Room', exported: false })],
  files: {
    'lib/arm64-v8a/liba.so': writeElf({
      machine: 183,
      soname: 'liba.so',
      sections: { '.comment': Buffer.from('hidden_name') },
    }),
    'assets/www/a.js': 'function add(first, second) { return first + second }',
    'resources.pb': '',
    'root/META-INF/services/a': 'kept',
  },
}
const feature: MadeModule = {
  dexes: [
    [{ name: 'Lorg/maker/app/Wall;', methods: [logs('of the wall')] }],
    [{ name: ROOM, superclass: 'Landroid/app/Activity;', methods: [logs('of the room')] }],
  ],
  application: { debuggable: true },
  components: [protoElement('activity', { name: 'org.maker.app.Room', allowTaskReparenting: true })],
}
const MAPPING = 'BUNDLE-METADATA/com.android.tools.build.obfuscation/proguard.map'
const PROFILE = 'BUNDLE-METADATA/com.android.tools.build.profiles/baseline.prof'
const made = bundleBytes({ base, feature }, { files: { [MAPPING]: 'a -> b:', [PROFILE]: 'pro' } })

const ALL: Partial<HardenRequest> = {
  ...{ logLevels: ['d'], antiDecompile: true, manifest: true, antiHijack: true, soProtection: true, zipCheck: true },
  ...{ screens: ['**'], dexProtection: true, certificate: 'ab'.repeat(32), thirdPartySoBan: [] },
  checks: Object.fromEntries(RUNTIME_CHECKS.map((check) => [check, 'exit'])),
  protectScript: () => ({ code: 'protected', strength: 'low' }) as never,
}

async function harden(bytes: Uint8Array, request: Partial<HardenRequest>) {
  const seed = Buffer.alloc(32, 7)
  const { pieces, lines } = await hardenPackage(bytes, 'a.aab', { keep: readKeepRules(''), seed, ...request })
  const result = new Uint8Array(Buffer.concat(pieces))
  const zip = readZip(result)
  return {
    ...{ bytes: result, zip },
    read: readPackage(result, 'a.aab') as AndroidPackage,
    content: (name: string) => Buffer.from(entryBytes(zip, zip.byName.get(name)!)),
    lines: lines.map(
      ({ option, outcome, file, place, text, detail, count }) =>
        `${outcome} ${option} ${place || file}: ${hardenText({ text, detail }, 'en')}: ${count}`,
    ),
  }
}

const read = (bytes: Uint8Array) => readPackage(bytes, 'a.aab') as AndroidPackage
const failed = (result: Uint8Array, source = made) =>
  compareBundles(read(source), read(result))
    .checks.filter(({ passed }) => !passed)
    .map(({ check, detail }) => `${check}: ${detail}`)

describe('[HARD-02] bundles (AAB)', () => {
  test('code of every module is changed with classes of ours of its own, and runs as before', async () => {
    const { read: result, zip, lines } = await harden(made, { logLevels: ['d'], antiDecompile: true, screens: ['**'] })
    const models = (module: string) =>
      zip.entries
        .filter(({ name }) => name.startsWith(`${module}/dex/`))
        .flatMap((entry) => readDexModels(entryBytes(zip, entry)))
    const textOf = (module: string, descriptor: string) =>
      runDex(models(module), `${descriptor}->run()V`).calls.filter(([reference]) => reference === USE)
    expect(textOf('base', MAIN)).toEqual([[USE, 'of the base']])
    expect(textOf('feature', ROOM)).toEqual([[USE, 'of the room']])
    expect(textOf('feature', 'Lorg/maker/app/Wall;')).toEqual([[USE, 'of the wall']])
    const texts = [...readProgram(result.code).stringConstants()].map(({ value }) => value)
    expect(texts.filter((value) => value.startsWith('of the'))).toEqual([])
    expect(lines.filter((line) => line.includes('log calls removed'))).toHaveLength(3)
    expect(lines).toContain(
      'applied screenshot_prevention org.maker.app.Room: onCreate added, which sets FLAG_SECURE: 1',
    )
    // The guard is in the module of the activity alone.
    expect([models('base'), models('feature')].map((all) => all.flatMap(({ classes }) => classes).length)).toEqual([
      3, 5,
    ])
    expect(lines).toContain(
      `skipped anti_decompile ${PROFILE}: the profile of the code no longer fits: Android does not use it: 1`,
    )
  })

  test('all options together: manifests of all modules, libraries and scripts change; all else keeps its bytes; the comparison passes', async () => {
    const { bytes, content, read: result, lines } = await harden(made, ALL)
    expect(failed(bytes)).toEqual([])
    expect(result.facts).toMatchObject({
      debuggable: { value: false },
      allowBackup: { value: false },
      usesCleartextTraffic: { value: false },
    })
    const editor = new ProtoXmlEditor(content('feature/manifest/AndroidManifest.xml'))
    const [application] = editor.childrenOf(editor.root, 'application')
    expect(application!.attributes.map(({ name, data }) => [name, data])).toEqual([['debuggable', 0]])
    const [activity] = editor.childrenOf(application!, 'activity')
    expect(activity!.attributes.map(({ name, data }) => [name, data]).at(-1)).toEqual(['allowTaskReparenting', 0])
    expect(content('base/assets/www/a.js').toString()).toBe('protected')
    expect(lines.some((line) => line.includes('so_protection base/lib/arm64-v8a/liba.so'))).toBe(true)
    expect([content(MAPPING).toString(), content('base/root/META-INF/services/a').toString()]).toEqual([
      'a -> b:',
      'kept',
    ])
    expect(lines).toContain('applied anti_debugging : checked when a process starts: exits: 1')
    expect(result.facts.applicationClass!.value).not.toBe('org.maker.app.Main')
    expect(result.facts.dexEntries).toContain('base/dex/classes2.dex')
  })

  test('what cannot be done for a bundle is skipped with the reason', async () => {
    const { lines, zip } = await harden(made, { ...ALL, virtualised: ['**'] })
    expect(zip.entries.filter(({ name }) => name.endsWith('.so')).map(({ name }) => name)).toEqual([
      'base/lib/arm64-v8a/liba.so',
    ])
    const reasons = ['dex_protection', 'signature_check', 'integrity_check', 'zip_check', 'dex_vmp'].map((option) =>
      lines.filter((line) => line.includes(` ${option} `)),
    )
    expect(reasons).toEqual([
      [expect.stringContaining('the key follows from a certificate that is not known here')],
      [expect.stringContaining('the certificate of the app is not that of the upload')],
      [expect.stringContaining('their files are not known here')],
      [expect.stringContaining('devices never see its ZIP structure')],
      [expect.stringContaining('the interpreter is not put into bundles')],
    ])
    expect(lines.some((line) => line.includes('resource files of a bundle keep their names'))).toBe(true)
  })

  test('for Android before 5.0 no class is added to a bundle of several dex files, whose code the store puts together', async () => {
    const old = bundleBytes({ base, feature }, { minSdk: 19 })
    const { lines, read: result } = await harden(old, { ...ALL, dexProtection: false })
    expect(readProgram(result.code).classCount).toBe(3)
    expect(lines.filter((line) => line.includes('Android before 5.0')).map((line) => line.split(' ')[1])).toEqual(
      expect.arrayContaining(['anti_decompile', 'screenshot_prevention', 'anti_debugging']),
    )
    expect(lines.filter((line) => line.includes('log calls removed'))).toHaveLength(3)
  })

  test('an Application in another module than the base gets no checks at run time', async () => {
    const bundle = bundleBytes({ base: { ...base, application: { name: 'org.maker.app.Room' } }, feature })
    const { lines } = await harden(bundle, { checks: { anti_debugging: 'exit' } })
    expect(lines).toEqual([
      expect.stringContaining('skipped anti_debugging base/manifest/AndroidManifest.xml: its Application'),
    ])
  })

  test('a signature of before is dropped, and a new one is that of the key', async () => {
    const { bytes: store } = madeKeyStore('jks', { alias: 'release', now: Date.now() })
    const key = openSigningKey(openKeyStore(store, { passwords: { store: STORE_PASSWORD } }))
    const sign = (bytes: Uint8Array) =>
      new Uint8Array(Buffer.concat(signJar(readZip(bytes), { key, alias: 'release', createdBy: 'test' }).pieces))
    const { bytes, zip } = await harden(sign(made), { manifest: true })
    expect(zip.entries.filter(({ name }) => name.startsWith('META-INF/'))).toEqual([])
    expect(judgeJar(bytes, key)).toMatchObject([{ key: 'SIGNED_OTHERWISE' }])
    expect(judgeJar(sign(bytes), key)).toEqual([])
    expect(failed(sign(bytes), sign(made))).toEqual([])
  })

  test('each change that no option makes fails its check, with the entry', () => {
    const changed = (more: Partial<MadeModule>, files = {}) =>
      bundleBytes(
        { base: { ...base, ...more }, feature },
        { files: { [MAPPING]: 'a -> b:', [PROFILE]: 'pro', ...files } },
      )
    expect(failed(made)).toEqual([])
    expect(failed(changed({}, { [MAPPING]: 'a -> c:' }))).toEqual([`untouched: ${MAPPING}: changed`])
    expect(failed(changed({}, { 'base/other': '' }))).toEqual(['bundle: base/other: not in the original'])
    expect(failed(changed({}, { 'more/dex/classes.dex': '' }))[0]).toContain('bundle: more/dex/classes.dex')
    expect(failed(made, changed({}, { 'base/other': '' }))[0]).toBe('bundle: base/other: missing')
    const asks = protoElement('uses-permission', { name: 'android.permission.CAMERA' })
    expect(failed(changed({ others: [asks] }))).toEqual([
      expect.stringContaining('manifests: base/manifest/AndroidManifest.xml: element manifest'),
      'permissions: android.permission.CAMERA',
    ])
    const open = protoElement('activity', { name: 'org.maker.app.Room', exported: true })
    expect(failed(changed({ components: [open] }))).toEqual([
      'manifests: base/manifest/AndroidManifest.xml: activity exported: changed',
      'components: activity org.maker.app.Room',
    ])
    const application = { ...base.application, allowBackup: false, name: 'org.maker.app.Room' }
    expect(failed(changed({ application }))).toEqual([
      'manifests: base/manifest/AndroidManifest.xml: application name: changed',
    ])
    const other = { name: MAIN, superclass: 'Landroid/app/Application;' }
    expect(failed(changed({ dexes: [[{ ...other, methods: [] }]] }))).toEqual([`dex: ${MAIN}: ${MAIN}->run()V changed`])
    expect(failed(changed({ dexes: [[{ ...other, superclass: ROOM, methods: [logs('a')] }]] }))).toEqual([
      `dex: ${MAIN}: superclass changed`,
    ])
    expect(failed(changed({ dexes: [] }))).toContain(`dex: ${MAIN}: missing`)
    const native = { ...base.files, 'lib/arm64-v8a/liba.so': writeElf({ machine: 183, soname: 'libb.so' }) }
    expect(failed(changed({ files: native }))).toEqual([expect.stringContaining('elf: base/lib/arm64-v8a/liba.so')])
  })

  test('a broken manifest of a module, and a damaged archive, are refused', async () => {
    const keyOf = async (bytes: Uint8Array) =>
      harden(bytes, { manifest: true }).then(
        () => 'none',
        (error) => `${error.format} ${error.key}`,
      )
    const broken = { 'more/manifest/AndroidManifest.xml': Buffer.from([0x0a, 0x7f]) }
    expect(await keyOf(bundleBytes({ base }, { files: broken }))).toBe('protobuf truncated')
    expect(await keyOf(made.subarray(0, made.length - 30))).toMatch(/^zip /)
    const twice = writeZip([
      { name: 'base/manifest/AndroidManifest.xml', data: 'a' },
      { name: 'base/manifest/AndroidManifest.xml', data: 'b' },
    ])
    expect(await keyOf(twice)).not.toBe('none')
  })
})
