import { describe, expect, test } from 'vitest'
import { assembleSmali } from '#tests/host-runtime/assemble-smali.ts'
import { missingForHostRuntime } from '#tests/host-runtime/build-host-runtime.ts'
import { checkRandomPrograms } from '#tests/host-runtime/check-random-programs.ts'
import { compareExecution } from '#tests/host-runtime/compare-execution.ts'
import { REWRITES } from '#tests/host-runtime/rewrites.ts'
import { verifyOnHost } from '#tests/host-runtime/verify-on-host.ts'
import { WRITTEN_CLASSES, WRITTEN_PROGRAMS } from '#tests/host-runtime/written-programs.ts'
import { type DexChanges, hardenDex } from '#tests/support/harden-dex.ts'
import { methodsOf } from '../dex-edit/dex-model.ts'
import { editCode } from '../dex-edit/edit-code.ts'
import { readDexModels } from '../dex-edit/read-dex-model.ts'
import { writeDexFiles } from '../dex-edit/write-dex.ts'

const NO_HOST = missingForHostRuntime()
const LOGS = ['v', 'd', 'i', 'w', 'e'] as const
/** Seeds of generated programs; the run of all of them is `npm run test:hardening`. */
const SEEDS = Array.from({ length: Number(process.env['HARDEN_PROGRAMS'] ?? 40) }, (_, i) => i + 1)

const ALL: DexChanges = { texts: true, predicates: true, debug: true, logs: LOGS }

describe.skipIf(NO_HOST)(`reinforced code on ART 11${NO_HOST ? `: ${NO_HOST}` : ''}`, { timeout: 300_000 }, () => {
  test('[HARD-02] generated programs pass the verifier and print what was computed for them, after each change and all of them', async () => {
    expect(await checkRandomPrograms(SEEDS, REWRITES)).toEqual([])
  })

  test('[HARD-02] written programs with exceptions, switches, threads, reflection and texts do the same after all changes', async () => {
    const dex = assembleSmali(WRITTEN_CLASSES)
    const { files, log } = hardenDex(dex, ALL)
    const count = (text: string) =>
      log.lines.filter((line) => line.text === text).reduce((sum, line) => sum + line.count, 0)
    expect([count('texts hidden') > 50, count('opaque predicates added') > 10, count('log calls removed') > 0]).toEqual(
      [true, true, true],
    )
    const programs = WRITTEN_PROGRAMS.map(({ main }) => main)
    expect(await compareExecution([dex], files, { programs, except: ['log'] })).toEqual([])
    const failures = async (some: readonly Uint8Array[]) => {
      const { hard, soft, access, unlinked } = await verifyOnHost(some)
      return { hard, soft, access, unlinked }
    }
    expect(await failures(files)).toEqual(await failures([dex]))
  })

  test('code with a broken type is found by the verifier, so that these tests can fail', async () => {
    const [model] = readDexModels(assembleSmali(WRITTEN_CLASSES))
    const body = model!.classes
      .flatMap((one) => methodsOf(one).map((method) => editCode(model!, method)))
      .find((one) => one?.instructions.some(({ opcode }) => opcode === 0x1a))!
    // A number in place of a text.
    const load = body.instructions.find(({ opcode }) => opcode === 0x1a)!
    Object.assign(load, { opcode: 0x13, units: Uint16Array.of(0x13 | (load.units[0]! & 0xff00), 127), row: -1 })
    const { hard } = await verifyOnHost(writeDexFiles(model!))
    expect(hard.length).toBeGreaterThan(0)
  })
})
