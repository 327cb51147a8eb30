import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { assembleSmali, classesOf } from '#tests/host-runtime/assemble-smali.ts'
import { buildHostRuntime, type Intrusion, missingForHostRuntime } from '#tests/host-runtime/build-host-runtime.ts'
import { phoneApp, phoneClasses, startOnPhone } from '#tests/host-runtime/reinforced-device.ts'
import { runOnHost } from '#tests/host-runtime/run-on-host.ts'
import { hardenApk } from './harden-apk.ts'
import { readKeepRules } from './keep-rules.ts'
import assembledRuntime from './runtime/runtime-dex.generated.json' with { type: 'json' }
import type { WantedChecks } from './runtime-checks.ts'

const NO_HOST = missingForHostRuntime()
const RUNS = { exit: 0, stdout: 'attached\ncreated\nrunning\n' }
/** By what is looked at beside the app. */
const KILLED = { exit: 0x89 }
const WAIT = { wait: '2500' }

async function reinforced(checks: WantedChecks): Promise<Uint8Array> {
  const request = { keep: readKeepRules(''), seed: Buffer.alloc(32, 7), checks }
  return new Uint8Array(Buffer.concat((await hardenApk(phoneApp(), 'made.apk', request)).pieces))
}

/** Asks the class Memory, as it is before a build, of each of these memory maps. */
async function judged(maps: readonly string[]): Promise<string[]> {
  const main = `.class public Lappwarden/runtime/Ask;
.super Ljava/lang/Object;
.method public static main([Ljava/lang/String;)V
    .locals 3
    const/4 v0, 0x0
    :next
    array-length v1, p0
    if-ge v0, v1, :end
    aget-object v1, p0, v0
    invoke-static {v1}, Lappwarden/runtime/Memory;->judge(Ljava/lang/String;)Ljava/lang/String;
    move-result-object v1
    sget-object v2, Ljava/lang/System;->out:Ljava/io/PrintStream;
    invoke-virtual {v2, v1}, Ljava/io/PrintStream;->println(Ljava/lang/Object;)V
    add-int/lit8 v0, v0, 0x1
    goto :next
    :end
    return-void
.end method
`
  const runtime = Buffer.from(assembledRuntime.dex, 'base64')
  const run = await runOnHost([phoneClasses(), runtime, assembleSmali(classesOf(main))], 'appwarden.runtime.Ask', maps)
  expect(run).toMatchObject({ exit: 0 })
  return run.stdout.split('\n').slice(0, -1)
}

describe.skipIf(NO_HOST)(`memory protection on ART 11${NO_HOST ? `: ${NO_HOST}` : ''}`, { timeout: 120_000 }, () => {
  test.each<[string, Intrusion]>([
    ['memory that is writable and executable', 'writableCode'],
    ['code out of a memfd', 'libraryOfMemory'],
    ['an open file of a tool', 'toolFile'],
    ['writable and executable memory that appears later', 'writableCodeLater'],
  ])('[HARD-02] a process that has %s ends, and one without goes on', async (_, intrusion) => {
    const apk = await reinforced({ memory_protection: 'exit' })
    const wait = intrusion === 'writableCodeLater' ? '8500' : WAIT.wait
    expect(await startOnPhone(apk, { library: buildHostRuntime().intruder[intrusion], wait })).toMatchObject(KILLED)
    expect(await startOnPhone(apk, { library: buildHostRuntime().empty, wait: '6500' })).toMatchObject(RUNS)
  })

  test('[HARD-02] dumps of a process are forbidden, except where the package may be debugged, and a refusal ends nothing', async () => {
    const apk = await reinforced({ memory_protection: 'exit' })
    const dumpable = async (facts: Record<string, string>) => {
      const run = await startOnPhone(apk, { ...facts, dumpable: '1' })
      expect(run).toMatchObject({ exit: 0 })
      return run.stdout.includes('dumps are allowed')
    }
    expect(await dumpable({})).toBe(false)
    expect(await dumpable({ flags: '2' })).toBe(true)
    expect(await dumpable({ prctl: 'refused' })).toBe(true)
  })

  test.each(['21', '25', '26', '28', '29', '33'])(
    '[HARD-02] the loader of encrypted code wipes keys and plain code when it is done with them, on Android API %s',
    async (SDK_INT) => {
      const der = Buffer.from('the certificate of the maker')
      const { pieces } = await hardenApk(phoneApp(), 'made.apk', {
        ...{ keep: readKeepRules(''), seed: Buffer.alloc(32, 7), dexProtection: true },
        certificate: createHash('sha256').update(der).digest('hex'),
      })
      const folder = mkdtempSync(join(tmpdir(), 'memory-'))
      try {
        const [certificate, sourceDir] = [join(folder, 'a.der'), join(folder, 'a.apk')]
        writeFileSync(certificate, der)
        writeFileSync(sourceDir, Buffer.concat(pieces))
        const run = await startOnPhone(new Uint8Array(Buffer.concat(pieces)), {
          SDK_INT,
          certificate,
          sourceDir,
          given: '1',
        })
        // Salt, secret twice or more, the keys of the cipher and of the integrity; from Android 8 on the dex file.
        const said = /arrays given:\n(\d+)\nnot wiped:\n(\d+)\n/.exec(run.stdout)
        expect(Number(said?.[1])).toBeGreaterThanOrEqual(SDK_INT < '26' ? 5 : 6)
        expect(said?.[2]).toBe('0')
      } finally {
        rmSync(folder, { recursive: true })
      }
    },
  )

  const LIBC = '7e1f2a3000-7e1f33b000 r-xp 0003e000 07:48 57 /apex/com.android.runtime/lib64/bionic/libc.so\n'
  const OWN = '7c10000000-7c10080000 r-xp 00042000 fe:2c 9123 /data/app/~~a==/org.maker.app-b==/lib/arm64/libown.so\n'
  const RWX = '7d00000000-7d00001000 rwxp 00000000 00:00 0 \n'
  test('[HARD-02] memory maps as devices have them are no finding', async () => {
    const sound = [
      [
        'Android 5 to 7',
        '73d2c26000-73d4c26000 rwxp 00000000 00:04 10543 /dev/ashmem/dalvik-jit-code-cache (deleted)\n',
      ],
      ['Android 9', '9a0f1000-9c0f1000 r-xp 00000000 00:04 18220 /dev/ashmem/dalvik-jit-code-cache (deleted)\n'],
      [
        'Android 10 and later',
        '4f3b3000-513b3000 r--s 00000000 00:01 6931 /memfd:jit-cache (deleted)\n' +
          '513b3000-533b3000 r-xs 02000000 00:01 6931 /memfd:jit-cache (deleted)\n' +
          '533b3000-553b3000 r-xs 02000000 00:01 6930 /memfd:jit-zygote-cache (deleted)\n',
      ],
      ['Android without memfd', '512c7000-532c7000 rwxp 00000000 00:00 0 [anon:dalvik-jit-code-cache]\n'],
      ['Android 14', '47c61000-49c61000 rwxs 00000000 00:01 71 [anon_shmem:dalvik-jit-code-cache]\n'],
      [
        'a web view beside the app, whose engine has no name',
        `${RWX}7b00000000-7b04000000 r-xp 01d22000 fe:0d 1302 /product/app/TrichromeLibrary/TrichromeLibrary.apk\n`,
      ],
      [
        'a web view that the user updated',
        `${RWX}7b00000000-7b04000000 r-xp 01d22000 fe:2c 77 /data/app/~~q==/com.google.android.webview-c==/lib/arm64/libwebviewchromium.so\n`,
      ],
      ['V8 that names its memory', '7c80000000-7c80040000 rwxp 00000000 00:00 0 [anon:v8]\n'],
      ['a library of the app that may write code', RWX + OWN],
      ['ARM code on x86', `${RWX}e0000000-e0800000 r-xp 00000000 08:06 5000 /system/lib64/libndk_translation.so\n`],
      ['a driver of the graphics', '7a00000000-7a00100000 rwxs 00000000 00:13 404 /dev/kgsl-3d0\n'],
      [
        'code that was compiled again while the app runs',
        '7c20000000-7c20300000 r-xp 00100000 fe:2c 88 /data/app/~~a==/org.maker.app-b==/oat/arm64/base.odex (deleted)\n',
      ],
      [
        'a module of the system that was updated',
        '7c30000000-7c30300000 r-xp 00100000 fe:2c 88 /apex/com.android.conscrypt/lib64/libssl.so (deleted)\n',
      ],
      [
        'stacks and pages of the kernel',
        '7ffc000000-7ffc800000 rwxp 00000000 00:00 0 [stack]\n7e3d000000-7e3d001000 r-xp 00000000 00:00 0 [vdso]\n',
      ],
      ['no memory at all, and lines that are cut', '\n7e3d\n7e3d000000-7e3d001000 r-x'],
    ]
    const found = await judged(sound.map(([, maps]) => LIBC + maps))
    expect(found.map((evidence, at) => [sound[at]![0], evidence])).toEqual(sound.map(([name]) => [name, 'null']))
  })

  test('[HARD-02] memory maps that show what was put there are a finding', async () => {
    const foreign = [
      ['memory without a name', RWX, 'writable code 7d00000000-7d00001000 rwxp 00000000 00:00 0 '],
      [
        'an agent in a memfd',
        `${OWN}7594000000-7594837000 r-xp 009f8000 00:05 216887 /memfd:agent-64.so (deleted)\n`,
        'code of /memfd:agent-64.so (deleted)',
      ],
      [
        'a library of the folder of tools',
        '7594000000-7594837000 r-xp 009f8000 fe:2c 21 /data/local/tmp/x.so\n',
        'code of /data/local/tmp/x.so',
      ],
      [
        'a module of a root solution',
        '7594000000-7594837000 r-xp 009f8000 fe:2c 21 /data/adb/modules/m/zygisk/arm64-v8a.so\n',
        'code of /data/adb/modules/m/zygisk/arm64-v8a.so',
      ],
      [
        'a library that is gone',
        '7594000000-7594837000 r-xp 00000000 fe:2c 21 /sdcard/x.so (deleted)\n',
        'code of /sdcard/x.so (deleted)',
      ],
      [
        'a system library that is writable',
        '7e1f400000-7e1f480000 rwxp 00010000 07:48 57 /apex/com.android.art/lib64/libart.so\n',
        'writable code 7e1f400000-7e1f480000 rwxp 00010000 07:48 57 /apex/com.android.art/lib64/libart.so',
      ],
      [
        'a tool for dumps',
        '7b00000000-7b00100000 r--s 00000000 fe:2c 5 /data/app/formatfa.xposed.Fdex2-1/base.apk\n',
        'tool formatfa.xposed.Fdex2',
      ],
    ]
    const found = await judged(foreign.map(([, maps]) => LIBC + maps))
    expect(found.map((evidence, at) => [foreign[at]![0], evidence])).toEqual(
      foreign.map(([name, , wanted]) => [name, wanted]),
    )
  })
})
