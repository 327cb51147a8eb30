import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { replaceInstruction } from '#engines/dex-edit/code-body.ts'
import type { DexModel } from '#engines/dex-edit/dex-model.ts'
import { editCode } from '#engines/dex-edit/edit-code.ts'
import { readDexModels } from '#engines/dex-edit/read-dex-model.ts'
import { writeDexFiles } from '#engines/dex-edit/write-dex.ts'
import { readPackage } from '#engines/package/read-package.ts'
import { rewritten } from '../support/rewritten-zip.ts'
import { virtualiseDex } from '../support/virtualise-dex.ts'
import { assembleSmali } from './assemble-smali.ts'
import { missingForHostRuntime } from './build-host-runtime.ts'
import { checkPackage } from './check-package.ts'
import { checkStaticCalls } from './check-static-calls.ts'
import { checkHardened, checkVirtualised } from './check-virtualised.ts'
import { REWRITES, type Rewrite } from './rewrites.ts'
import { stubSuperclasses } from './stub-superclasses.ts'
import { verifyOnHost } from './verify-on-host.ts'

const NO_HOST = missingForHostRuntime()
/** Packages that others built, with the numbers of their classes and of the methods that the missing hierarchy of Android makes hard failures. */
const PACKAGES = [
  { from: 'io.appium.settings', file: 'settings_apk-debug.apk', classes: 5846, hard: 0 },
  { from: 'appium-uiautomator2-server', file: 'appium-uiautomator2-server-v10.6.6.apk', classes: 9575, hard: 19 },
]

function bytesOf({ from, file }: Pick<(typeof PACKAGES)[number], 'from' | 'file'>): Uint8Array | undefined {
  const require = createRequire(import.meta.url)
  try {
    return new Uint8Array(readFileSync(join(dirname(require.resolve(`${from}/package.json`)), 'apks', file)))
  } catch {
    return undefined
  }
}

function codeOf(bytes: Uint8Array, file: string): Uint8Array[] {
  const read = readPackage(bytes, file)
  if (read.kind !== 'apk') throw new Error(`${file} is no APK`)
  return read.code.map((one) => one.bytes)
}

/** `npm run test:hardening -- packages` takes each option alone, too. */
const CHOSEN = REWRITES.filter(({ name }) => name === 'written without a change' || name === 'all')

describe.skipIf(NO_HOST)(`packages on the host runtime${NO_HOST ? `: ${NO_HOST}` : ''}`, () => {
  describe.each(PACKAGES)('$file', (item) => {
    const bytes = bytesOf(item)

    test.skipIf(!bytes)('every class is linked and verified below stubs of Android', async () => {
      const code = codeOf(bytes!, item.file)
      const stubs = stubSuperclasses(code)
      const result = await verifyOnHost([...code, assembleSmali(stubs)])
      expect(result.refused).toBeUndefined()
      expect(result.unlinked).toEqual([])
      expect(result.classes).toBe(item.classes + stubs.length)
      expect(result.hard.length).toBe(item.hard)
      // All of them are values whose real superclass a stub does not have.
      const below = /^\[0x[0-9A-F]+\] returning '.*', but expected from declaration '.*'$/
      expect(result.hard.filter(({ message }) => !below.test(message))).toEqual([])
    })

    test.skipIf(!bytes)(
      'a rewrite that loads a number in place of a text is found',
      async () => {
        const broken: Rewrite = {
          name: 'broken',
          rewrite: ([first, ...others]) => {
            const [model] = readDexModels(first!) as [DexModel]
            breakOne(model)
            return [...writeDexFiles(model), ...others]
          },
        }
        const problems = await checkPackage(bytes!, item.file, [broken])
        expect(problems).toEqual([
          expect.stringMatching(/^broken: hard: .*Constant/),
          expect.stringMatching(/^broken: hard: /),
        ])
      },
      60_000,
    )

    test.skipIf(!bytes)(
      'the verifier finds nothing after a rewrite that it did not find before',
      async () => {
        expect(await checkPackage(bytes!, item.file, CHOSEN)).toEqual([])
      },
      120_000,
    )
  })
})

const OPENS_FILES = `
.class public Lorg/maker/Opens;
.super Ljava/lang/Object;
.method static open(Landroid/content/res/AssetManager;Ljava/lang/String;)Ljava/io/InputStream;
    .locals 1
    invoke-virtual {p0, p1}, Landroid/content/res/AssetManager;->open(Ljava/lang/String;)Ljava/io/InputStream;
    move-result-object v0
    return-object v0
.end method
`

describe.skipIf(NO_HOST)(`virtualised packages on the host runtime${NO_HOST ? `: ${NO_HOST}` : ''}`, () => {
  const [settings] = PACKAGES
  const own = bytesOf(settings!)
  const small = { from: 'appium-uiautomator2-server', file: 'appium-uiautomator2-server-debug-androidTest.apk' }
  const all = bytesOf(small)

  test.skipIf(!own)(
    '[HARD-02] methods of the package itself are virtualised, and our verifier, ART and the tools of the SDK that are here take the signed result',
    async () => {
      const { problems, lines, virtualised } = await checkVirtualised(own!, settings!.file, ['io.appium.**'])
      expect(problems).toEqual([])
      expect(virtualised).toBe(189)
      const places = lines.filter(({ outcome }) => outcome === 'applied').map(({ place }) => place)
      expect(places.filter((place) => !place.startsWith('io.appium.'))).toEqual([])
      // Each method that keeps its code is named, or counted by its class.
      const kept = lines.filter(({ outcome, place }) => outcome === 'skipped' && place !== '')
      expect(kept.reduce((sum, { count }) => sum + count, 0)).toBe(107)
    },
    180_000,
  )

  test.skipIf(!own)(
    '[HARD-02] files of a package are encrypted and its calls redirected, and the same verifiers and tools take the signed result',
    async () => {
      // It has no files below assets, and no call that opens one.
      const files = {
        'assets/settings.ini': 'server = 10.0.0.1',
        'assets/ca.pem': '-----BEGIN CERTIFICATE-----\n',
        'classes10.dex': assembleSmali([OPENS_FILES], 21),
      }
      const wanted = { resources: ['assets/**'], certificates: true }
      const { problems, lines } = await checkHardened(rewritten(own!, files), settings!.file, wanted)
      // The class of ours throws an exception of Android, which stubs do not know as one; with a made-up phone ART accepts it (engines/harden/files).
      expect(problems).toEqual([expect.stringMatching(/^reinforced: soft: [a-z]{6}\.[a-z]{5}$/)])
      expect(lines.map(({ option, outcome, file, text, count }) => [option, outcome, file, text, count])).toEqual([
        ['resource_protection', 'applied', 'classes10.dex', 'calls that open files redirected', 1],
        ['resource_protection', 'applied', 'classes.dex', 'calls that open files redirected', 1],
        ['resource_protection', 'applied', 'assets/settings.ini', 'file encrypted', 1],
        ['resource_protection', 'applied', 'assets/ca.pem', 'file encrypted', 1],
        ['cer_protection', 'applied', 'assets/ca.pem', 'file encrypted', 1],
      ])
    },
    180_000,
  )

  test.skipIf(!own)(
    '[HARD-02] preferences of a package are encrypted, and the same verifiers and tools take the signed result',
    async () => {
      const { problems, lines } = await checkHardened(own!, settings!.file, { preferences: true })
      // Classes of ours name what is only on a phone; with a made-up one ART accepts them (engines/harden/preferences).
      const ours = /^reinforced: (?:access|soft|unlinked): ([a-z]{6})\.[a-z]{4,5}$/
      expect(problems.filter((problem) => !ours.test(problem))).toEqual([])
      expect(new Set(problems.map((problem) => ours.exec(problem)![1])).size).toBe(1)
      expect(lines.map(({ option, outcome, file, text, count }) => [option, outcome, file, text, count])).toEqual([
        ['db_protection', 'skipped', '', 'code of Google Play services may open it, too ({detail})', 1],
        ['db_protection', 'absent', '', 'encryption of databases and of other files that the app writes', 1],
        ['db_protection', 'applied', 'classes.dex', 'calls that open preferences redirected', 2],
      ])
    },
    180_000,
  )

  test.skipIf(!all)(
    '[HARD-02] every method of a package that can be is virtualised, those of libraries too, and no class fails worse than before',
    async () => {
      let count = 0
      const rewrite: Rewrite = {
        name: 'virtualised',
        rewrite: (code) => {
          const made = virtualiseDex(code)
          count = made.count
          return made.files
        },
      }
      expect(await checkPackage(all!, small.file, [rewrite], { withSignatures: true })).toEqual([])
      expect(count).toBe(1472)
    },
    120_000,
  )

  test.skipIf(!all)(
    '[HARD-02] methods that others wrote give the same, and throw the same, once all of them are virtualised',
    async () => {
      const { problems, compared, values } = await checkStaticCalls(codeOf(all!, small.file))
      expect(problems).toEqual([])
      expect(compared).toBeGreaterThan(200)
      expect(values).toBeGreaterThan(50)
    },
    180_000,
  )
})

/** `const-string` before a call that takes the text becomes `const/16`. */
function breakOne(model: DexModel): void {
  for (const one of model.classes)
    for (const method of one.directMethods) {
      const body = editCode(model, method)
      const at = body?.instructions.findIndex(
        ({ opcode, units }, i) => opcode === 0x1a && units[0]! >> 8 === 0 && body.instructions[i + 1]?.opcode === 0x11,
      )
      if (!body || at === undefined || at < 0) continue
      replaceInstruction(body.instructions[at]!, [0x0013, 5])
      return
    }
}
