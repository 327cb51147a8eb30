import { createHash } from 'node:crypto'
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { assembleSmali } from '#tests/host-runtime/assemble-smali.ts'
import { buildHostRuntime, missingForHostRuntime } from '#tests/host-runtime/build-host-runtime.ts'
import { phoneApp, phoneClasses, startOnPhone } from '#tests/host-runtime/reinforced-device.ts'
import { verifyOnHost } from '#tests/host-runtime/verify-on-host.ts'
import { madeKeyStore, STORE_PASSWORD } from '#tests/support/made-key-store.ts'
import { rewritten } from '#tests/support/rewritten-zip.ts'
// @ts-expect-error: plain JavaScript without types
import { assemblePart } from '../../scripts/build-harden-runtime.mjs'
import { openKeyStore } from '../keystore/open-key-store.ts'
import { readPackage } from '../package/read-package.ts'
import { openSigningKey } from '../signing/open-signing-key.ts'
import { signApk } from '../signing/sign-apk.ts'
import { verifyApk } from '../signing/verify-apk.ts'
import { entryBytes } from '../zip/entry-bytes.ts'
import { readZip } from '../zip/read-zip.ts'
import assembledFiles from './files/files-dex.generated.json' with { type: 'json' }
import { hardenApk } from './harden-apk.ts'
import type { HardenRequest } from './harden-request.ts'
import { readKeepRules } from './keep-rules.ts'
import assembledPreferences from './preferences/preferences-dex.generated.json' with { type: 'json' }
import assembledRuntime from './runtime/runtime-dex.generated.json' with { type: 'json' }
import type { WantedChecks } from './runtime-checks.ts'
import assembledShell from './shell/shell-dex.generated.json' with { type: 'json' }

const NO_HOST = missingForHostRuntime()
const NOW = Date.UTC(2026, 10, 25)

async function reinforced(
  checks: WantedChecks,
  more: Partial<HardenRequest> = {},
  apk = phoneApp({ files: { 'lib/x86_64/libown.so': 'a library', 'classes-old.dex': 'not loaded' } }),
): Promise<Uint8Array> {
  const request = { keep: readKeepRules(''), seed: Buffer.alloc(32, 7), checks, ...more }
  return new Uint8Array(Buffer.concat((await hardenApk(apk, 'made.apk', request)).pieces))
}

const RUNS = { exit: 0, stdout: 'attached\ncreated\nrunning\n' }
/** Before the code of the app. */
const KILLED = { exit: 0x89, stdout: '' }
/** Killed by what is looked at beside the app. */
const KILLED_LATER = { exit: 0x89 }
const WAIT = { wait: '3000' }

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'runtime-checks-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

function file(name: string, content: Uint8Array): string {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

describe.skipIf(NO_HOST)(`checks at run time on ART 11${NO_HOST ? `: ${NO_HOST}` : ''}`, { timeout: 120_000 }, () => {
  test('the classes that are committed are what their sources assemble to', () => {
    const hash = (dex: Uint8Array) => createHash('sha256').update(dex).digest('hex')
    expect(hash(assemblePart('runtime'))).toBe(hash(Buffer.from(assembledRuntime.dex, 'base64')))
    expect(hash(assemblePart('shell'))).toBe(hash(Buffer.from(assembledShell.dex, 'base64')))
    expect(hash(assemblePart('files'))).toBe(hash(Buffer.from(assembledFiles.dex, 'base64')))
    expect(hash(assemblePart('preferences'))).toBe(hash(Buffer.from(assembledPreferences.dex, 'base64')))
  })

  test('[HARD-02] a process that a debugger traces ends before the code of the app, and one without goes on', async () => {
    const apk = await reinforced({ anti_debugging: 'exit' })
    expect(await startOnPhone(apk)).toMatchObject(RUNS)
    expect(await startOnPhone(apk, { library: buildHostRuntime().tracer })).toMatchObject(KILLED)
    expect(await startOnPhone(apk, { debugger: '1' })).toMatchObject(KILLED)
  })

  test('[HARD-02] a check that warns shows a text in the language of the user and lets the app go on', async () => {
    const apk = await reinforced({ anti_debugging: 'warn' })
    expect((await startOnPhone(apk, { debugger: '1' })).stdout).toBe(
      'attached\ncreated\ntoast:\nA security risk was found on this device\nrunning\n',
    )
    expect((await startOnPhone(apk, { debugger: '1', 'user.language': 'zh' })).stdout).toContain(
      'toast:\n当前运行环境存在安全风险\n',
    )
  })

  test.each([
    [
      'the emulator of Android',
      {
        FINGERPRINT: 'google/sdk_gphone64_x86_64/emu64xa:14/UE1A/1:userdebug/dev-keys',
        HARDWARE: 'ranchu',
        PRODUCT: 'sdk_gphone64_x86_64',
        MODEL: 'sdk_gphone64_x86_64',
      },
      KILLED,
    ],
    ['Genymotion', { HARDWARE: 'vbox86', MANUFACTURER: 'Genymotion' }, KILLED],
    ['a phone with one such property', { HARDWARE: 'goldfish' }, RUNS],
    [
      'ChromeOS',
      {
        FINGERPRINT: 'google/rammus/rammus_cheets:11/R91/1:user/release-keys',
        HARDWARE: 'bertha',
        PRODUCT: 'rammus',
        MODEL: 'Chromebook',
      },
      RUNS,
    ],
    [
      'Windows',
      {
        HARDWARE: 'windows_x86_64',
        PRODUCT: 'windows_x86_64',
        MODEL: 'Subsystem for Android(TM)',
        MANUFACTURER: 'Microsoft Corporation',
      },
      RUNS,
    ],
    [
      'a phone of Samsung',
      {
        FINGERPRINT: 'samsung/dm3qzcx/dm3q:14/UP1A/S9180:user/release-keys',
        HARDWARE: 'qcom',
        PRODUCT: 'dm3qzcx',
        MODEL: 'SM-S9180',
        MANUFACTURER: 'samsung',
      },
      RUNS,
    ],
  ])('[HARD-02] two signs of an emulator end the process, one does not: %s', async (_, facts, expected) => {
    expect(await startOnPhone(await reinforced({ anti_emulator: 'exit' }), facts)).toMatchObject(expected)
  })

  test('[HARD-02] a mapped agent and a class of a hooking framework end the process, other libraries do not', async () => {
    const apk = await reinforced({ anti_xposed: 'exit' })
    const { empty } = buildHostRuntime()
    const agent = join(folder, 'frida-agent-64.so')
    copyFileSync(empty, agent)
    const other = join(folder, 'libfriend.so')
    copyFileSync(empty, other)
    expect(await startOnPhone(apk, { library: other, ...WAIT })).toMatchObject(RUNS)
    expect(await startOnPhone(apk, { library: agent, ...WAIT })).toMatchObject(KILLED_LATER)
    const bridge = assembleSmali(
      ['.class public Lde/robv/android/xposed/XposedBridge;\n.super Ljava/lang/Object;\n'],
      21,
    )
    expect(await startOnPhone(apk, {}, [bridge])).toMatchObject(KILLED)
  })

  test.each([
    ['the folder of the first user', { dataDir: '/data/data/org.maker.app' }, RUNS],
    ['the folder of a work profile', { dataDir: '/data/user/10/org.maker.app', uid: '1010123' }, RUNS],
    ['a folder on a card', { dataDir: '/mnt/expand/57f8f4bc-abf4-655f-bf67-946fc0f9f25b/user/0/org.maker.app' }, RUNS],
    ['a package that the maker of the phone keeps below data', { sourceDir: '/data/miui/app/x/base.apk' }, RUNS],
    ['a folder inside of another app', { dataDir: '/data/data/io.host/virtual/data/user/0/org.maker.app' }, KILLED],
    ['a folder of another package', { dataDir: '/data/user/0/io.host' }, KILLED],
    ['a package file inside of another app', { sourceDir: '/data/data/io.host/virtual/app/base.apk' }, KILLED],
    ['the uid of another package', { uidPackage: 'io.host' }, KILLED],
    ['the user that makers keep for clones', { dataDir: '/data/user/999/org.maker.app', uid: '99910123' }, KILLED],
  ])(
    '[HARD-02] an app that another one runs is recognised by where it lies and what it runs as: %s',
    async (_, facts, expected) => {
      expect(await startOnPhone(await reinforced({ anti_multi_open: 'exit' }), facts)).toMatchObject(expected)
    },
  )

  test.each([
    ['none', {}, RUNS],
    ['one of the process', { 'http.proxyHost': '10.0.0.2' }, KILLED_LATER],
    ['one of the process for TLS', { 'http.proxyHost': '', 'https.proxyHost': '10.0.0.2' }, KILLED_LATER],
    ['one of the network', { networkProxy: '10.0.0.2' }, KILLED_LATER],
    ['one of the network that Android 5 does not say', { networkProxy: '10.0.0.2', SDK_INT: '22' }, RUNS],
  ])('[HARD-02] a proxy ends the process: %s', async (_, facts, expected) => {
    expect(await startOnPhone(await reinforced({ proxy_check: 'exit' }), { ...facts, wait: '1000' })).toMatchObject(
      expected,
    )
  })

  test('[HARD-02] a package that is signed with another key ends, on old and new versions of Android', async () => {
    const keys = ['release', 'other'].map((alias) => {
      const { bytes, certificate } = madeKeyStore('pkcs12', { alias, now: NOW })
      return { key: openSigningKey(openKeyStore(bytes, { passwords: { store: STORE_PASSWORD } })), certificate, alias }
    })
    const certificate = keys[0]!.certificate.fingerprints.sha256
    const apk = await reinforced({ signature_check: 'exit' }, { certificate })
    for (const { key, alias } of keys) {
      const signed = signApk(readZip(apk), {
        key,
        alias,
        schemes: new Set(['v1', 'v2', 'v3']),
        minSdk: 29,
        createdBy: 'test',
      })
      const bytes = new Uint8Array(Buffer.concat(signed.pieces))
      const verified = verifyApk(bytes)
      const path = file(`${alias}.der`, verified.certificates[0]!.der)
      for (const SDK_INT of ['27', '33'])
        expect(await startOnPhone(bytes, { certificate: path, SDK_INT })).toMatchObject(
          alias === 'release' ? RUNS : KILLED,
        )
    }
  })

  test('[HARD-02] code that was changed, added or taken away after the reinforcement ends the process', async () => {
    const apk = await reinforced({ integrity_check: 'exit' })
    const start = async (name: string, bytes: Uint8Array) =>
      startOnPhone(apk, { sourceDir: file(name, bytes), ...WAIT })
    const zip = readZip(apk)
    const flipped = (name: string) => {
      const content = new Uint8Array(entryBytes(zip, zip.byName.get(name)!))
      content[content.length - 1]! ^= 1
      return rewritten(apk, { [name]: content })
    }
    expect(await start('same.apk', apk)).toMatchObject(RUNS)
    expect(await start('packed-again.apk', rewritten(apk, {}))).toMatchObject(RUNS)
    expect(await start('other-file.apk', rewritten(apk, { 'assets/a': 'new' }))).toMatchObject(RUNS)
    for (const name of ['classes.dex', 'lib/x86_64/libown.so', 'AndroidManifest.xml'])
      expect(await start('flipped.apk', flipped(name))).toMatchObject(KILLED_LATER)
    expect(await start('more.apk', rewritten(apk, { 'classes3.dex': 'x' }))).toMatchObject(KILLED_LATER)
    expect(await start('library.apk', rewritten(apk, { 'lib/x86_64/libgadget.so': 'x' }))).toMatchObject(KILLED_LATER)
    expect(await start('less.apk', rewritten(apk, { 'lib/x86_64/libown.so': undefined }))).toMatchObject(KILLED_LATER)
  })

  test('[HARD-02] an app whose checks fail or find nothing goes on, with all of them', async () => {
    const all: WantedChecks = {
      ...{ anti_debugging: 'exit', anti_emulator: 'exit', anti_xposed: 'exit', anti_multi_open: 'exit' },
      ...{ proxy_check: 'exit', signature_check: 'exit', integrity_check: 'exit' },
      ...{ memory_protection: 'exit', core_library_protection: 'exit', shell_protection: 'exit' },
    }
    const der = Buffer.from('no certificate')
    const certificate = createHash('sha256').update(der).digest('hex')
    const apk = await reinforced(all, { certificate })
    const sound = { certificate: file('any.der', der), sourceDir: file('all.apk', apk), ...WAIT }
    expect(await startOnPhone(apk, sound)).toMatchObject(RUNS)
    // Neither the package nor the certificate can be read: the checks throw.
    expect(await startOnPhone(apk, WAIT)).toMatchObject(RUNS)
  })

  test('[HARD-02] the verifier accepts the runtime, and no two builds have its names or texts in common', async () => {
    const apks = await Promise.all(
      [1, 2].map((seed) =>
        reinforced({ anti_debugging: 'exit', anti_emulator: 'exit' }, { seed: Buffer.alloc(32, seed) }),
      ),
    )
    const added = apks.map((apk) => {
      const zip = readZip(apk)
      return entryBytes(zip, zip.byName.get('classes2.dex')!)
    })
    const [first, second] = added.map((dex) => Buffer.from(dex).toString('latin1'))
    for (const text of ['TracerPid', 'appwarden', 'goldfish', 'debugger', 'actionOn']) {
      expect(first).not.toContain(text)
      expect(second).not.toContain(text)
    }
    const read = readPackage(apks[0]!, 'made.apk')
    if (read.kind !== 'apk') throw new Error('no APK')
    const name = read.facts.applicationClass!.value
    expect(second).not.toContain(name.replace('.', '/'))
    const { hard, soft, access, unlinked } = await verifyOnHost([
      ...read.code.map(({ bytes }) => bytes),
      phoneClasses(),
    ])
    expect({ hard, soft, access, unlinked }).toEqual({ hard: [], soft: [], access: [], unlinked: [] })
  })
})
