import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { missingForHostRuntime } from '#tests/host-runtime/build-host-runtime.ts'
import { phoneApp, phoneClasses, startOnPhone } from '#tests/host-runtime/reinforced-device.ts'
import { verifyOnHost } from '#tests/host-runtime/verify-on-host.ts'
import { rewritten } from '#tests/support/rewritten-zip.ts'
import type { DexModel } from '../dex-edit/dex-model.ts'
import { readDexModels } from '../dex-edit/read-dex-model.ts'
import { entryBytes } from '../zip/entry-bytes.ts'
import { readZip } from '../zip/read-zip.ts'
import { hardenApk } from './harden-apk.ts'
import type { HardenRequest } from './harden-request.ts'
import { readKeepRules } from './keep-rules.ts'
import assembledRuntime from './runtime/runtime-dex.generated.json' with { type: 'json' }
import assembledShell from './shell/shell-dex.generated.json' with { type: 'json' }

const NO_HOST = missingForHostRuntime()
const DER = Buffer.from('the certificate of the maker')
const RUNS = { exit: 0, stdout: 'attached\ncreated\nrunning\n' }
/** Before the code of the app. */
const KILLED = { exit: 0x89, stdout: '' }

let folder: string
let certificate: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'shell-protection-'))
  certificate = file('maker.der', DER)
})
afterAll(() => rmSync(folder, { recursive: true }))

function file(name: string, content: Uint8Array): string {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

async function reinforced(more: Partial<HardenRequest>, minSdk = 26) {
  const { pieces, lines } = await hardenApk(phoneApp({ minSdk }), 'made.apk', {
    ...{ keep: readKeepRules(''), seed: Buffer.alloc(32, 7), checks: { shell_protection: 'exit' as const } },
    certificate: createHash('sha256').update(DER).digest('hex'),
    ...more,
  })
  return {
    apk: new Uint8Array(Buffer.concat(pieces)),
    lines: lines.filter(({ option }) => option === 'shell_protection'),
  }
}

const namesOf = (apk: Uint8Array, pattern: RegExp) =>
  [...readZip(apk).byName.keys()].filter((name) => pattern.test(name))
const bytesOf = (apk: Uint8Array, name: string) => entryBytes(readZip(apk), readZip(apk).byName.get(name)!)
function flipped(apk: Uint8Array, name: string): Uint8Array {
  const bytes = new Uint8Array(bytesOf(apk, name))
  bytes[bytes.length >> 1]! ^= 1
  return rewritten(apk, { [name]: bytes })
}
const start = (apk: Uint8Array, installed: Uint8Array, SDK_INT = '33') =>
  startOnPhone(apk, { SDK_INT, certificate, sourceDir: file('installed.apk', installed) })

describe.skipIf(NO_HOST)(`shell protection on ART 11${NO_HOST ? `: ${NO_HOST}` : ''}`, { timeout: 120_000 }, () => {
  test('[HARD-02] a flipped byte in the dex file of the checks, or in its seal, ends the process before the code of the app', async () => {
    const { apk } = await reinforced({ checks: { anti_debugging: 'exit', shell_protection: 'exit' } })
    const [seal] = namesOf(apk, /^assets\/[a-z]{9}$/) as [string]
    expect(await start(apk, apk)).toMatchObject(RUNS)
    expect(await start(apk, rewritten(apk, { 'assets/a': 'of the app' }))).toMatchObject(RUNS)
    for (const name of ['classes2.dex', seal]) expect(await start(apk, flipped(apk, name))).toMatchObject(KILLED)
    expect(await start(apk, rewritten(apk, { [seal]: undefined }))).toMatchObject(KILLED)
  })

  test('[HARD-02] a flipped byte in the loader of encrypted code or in a library of the interpreter ends the process', async () => {
    const { apk, lines } = await reinforced({ dexProtection: true, virtualised: ['org.maker.app.App.onCreate'] })
    expect(namesOf(apk, /^assets\/[a-z]{9}$/)).toEqual([])
    const libraries = namesOf(apk, /^lib\//)
    expect(libraries).toHaveLength(3)
    // As it was built the app begins, though the made-up phone has no library of the interpreter to load.
    expect((await start(apk, apk)).stdout).toContain('attached\n')
    for (const SDK_INT of ['28', '33'])
      for (const name of ['classes.dex', ...libraries.slice(0, 1)])
        expect(await start(apk, flipped(apk, name), SDK_INT)).toMatchObject(KILLED)
    expect(await start(apk, rewritten(apk, { [libraries[2]!]: undefined }))).toMatchObject(KILLED)
    expect(lines.map(({ outcome, text, count }) => [outcome, text, count])).toEqual([
      ['applied', 'checked when a process starts: exits', 1],
      ['applied', 'parts of the shell are compared when a process starts', 5],
      ['applied', 'dex files of the shell differ in names, texts and code', 2],
      ['skipped', 'the machine code of the interpreter is that of other builds', 3],
    ])
  })

  test.each(['24', '28', '33'])(
    '[HARD-02] an encrypted app starts with its shell as it was built, on Android API %s',
    async (SDK_INT) => {
      const { apk } = await reinforced({ dexProtection: true }, 21)
      expect(await start(apk, apk, SDK_INT)).toMatchObject(RUNS)
      expect(await start(apk, flipped(apk, 'classes.dex'), SDK_INT)).toMatchObject(KILLED)
    },
  )

  test('[HARD-02] a package without a shell gets none for this option alone, and says so', async () => {
    const { apk, lines } = await reinforced({})
    expect(lines.map(({ outcome, text }) => [outcome, text])).toEqual([
      ['skipped', 'no loader, check or interpreter of ours is in the package'],
    ])
    expect(namesOf(apk, /\.dex$/)).toEqual(['classes.dex'])
  })

  test('[HARD-02] two builds have neither names, texts nor long parts of their code in common, and ART’s verifier accepts both', async () => {
    const checks = {
      anti_debugging: 'exit',
      memory_protection: 'exit',
      core_library_protection: 'exit',
      shell_protection: 'exit',
    } as const
    const builds = await Promise.all(
      [1, 2].map(async (seed) => {
        const plain = await reinforced({ checks, seed: Buffer.alloc(32, seed) })
        const sealed = await reinforced({ checks, seed: Buffer.alloc(32, seed), dexProtection: true })
        return [bytesOf(plain.apk, 'classes2.dex'), bytesOf(sealed.apk, 'classes.dex')] as const
      }),
    )
    for (const at of [0, 1] as const) {
      const [first, second] = builds.map((build) => build[at]) as [Uint8Array, Uint8Array]
      // What is left in common are names that Android gives: classes, members, and the types of their methods.
      const others = new Set(ownTexts(second))
      expect(ownTexts(first).filter((text) => others.has(text))).toEqual([])
      expect(longestRun(codeOf(first), codeOf(second))).toBeLessThan(64)
      const { hard, soft } = await verifyOnHost([first, second, phoneClasses()])
      expect({ hard, soft }).toEqual({ hard: [], soft: [] })
    }
  })
})

/** Names that Android gives to what the sources of both dex files use. */
function givenNames(): Set<string> {
  // The last ones: what the decoder of texts calls.
  const names = new Set(['<clinit>', 'intern', 'toCharArray'])
  for (const { dex } of [assembledRuntime, assembledShell]) {
    const [model] = readDexModels(Buffer.from(dex, 'base64')) as [DexModel]
    const isOwn = (type: number) => model.descriptor(type).includes('appwarden')
    for (const [type, text] of model.types.entries()) if (!isOwn(type)) names.add(model.strings[text]!)
    for (const { owner, name } of [...model.methods, ...model.fields])
      if (!isOwn(owner)) names.add(model.strings[name]!)
    for (const one of model.classes)
      for (const { method } of one.virtualMethods) {
        const name = model.strings[model.methods[method]!.name]!
        if (/^(?:attachBaseContext|getPackageName|onCreate|run|instantiate\w+)$/.test(name)) names.add(name)
      }
  }
  return names
}

/** Texts that the build gave, or that say what the code does; those of one or two letters, and forms of methods, are no sign of anything. */
function ownTexts(dex: Uint8Array): string[] {
  const [model] = readDexModels(dex) as [DexModel]
  const given = givenNames()
  const isForm = (text: string) => /^[VZBSCIJFDL]+$/.test(text)
  return model.strings.filter(
    (text) => text.length > 2 && !given.has(text) && !isForm(text) && !text.startsWith('Lorg/maker/'),
  )
}

/** The code items of a dex file, by its map. */
function codeOf(dex: Uint8Array): Uint8Array {
  const view = new DataView(dex.buffer, dex.byteOffset, dex.byteLength)
  const map = view.getUint32(0x34, true)
  const parts = Array.from({ length: view.getUint32(map, true) }, (_, row) => ({
    type: view.getUint16(map + 4 + 12 * row, true),
    at: view.getUint32(map + 12 + 12 * row, true),
  })).sort((a, b) => a.at - b.at)
  const code = parts.findIndex(({ type }) => type === 0x2001)
  return dex.subarray(parts[code]!.at, parts[code + 1]?.at ?? dex.length)
}

/** Bytes of the longest part that both have. */
function longestRun(first: Uint8Array, second: Uint8Array): number {
  const [a, b] = [first, second].map((one) => Buffer.from(one).toString('latin1')) as [string, string]
  const share = (size: number) => {
    const parts = new Set<string>()
    for (let at = 0; at + size <= a.length; at++) parts.add(a.slice(at, at + size))
    for (let at = 0; at + size <= b.length; at++) if (parts.has(b.slice(at, at + size))) return true
    return false
  }
  let [size, over] = [0, 4096]
  while (size + 1 < over) {
    const middle = (size + over) >> 1
    if (share(middle)) size = middle
    else over = middle
  }
  return size
}
