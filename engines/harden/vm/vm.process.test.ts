import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { assembleSmali, classesOf } from '#tests/host-runtime/assemble-smali.ts'
import { missingForHostRuntime } from '#tests/host-runtime/build-host-runtime.ts'
import { checkRandomPrograms } from '#tests/host-runtime/check-random-programs.ts'
import { compareExecution } from '#tests/host-runtime/compare-execution.ts'
import { arithmeticPrograms, storageProgram } from '#tests/host-runtime/opcode-programs.ts'
import { runAllOnHost } from '#tests/host-runtime/run-on-host.ts'
import { verifyOnHost } from '#tests/host-runtime/verify-on-host.ts'
import { WRITTEN_CLASSES, WRITTEN_PROGRAMS } from '#tests/host-runtime/written-programs.ts'
import { hardenDex } from '#tests/support/harden-dex.ts'
import { virtualiseDex } from '#tests/support/virtualise-dex.ts'
// @ts-expect-error: plain JavaScript without types
import { compileInterpreter } from '../../../scripts/build-harden-vm.mjs'
import { sumLines } from '../option-results.ts'
import libraries from './vm-libraries.generated.json' with { type: 'json' }

const NO_HOST = missingForHostRuntime()
/** The bytes of another version of the compiler differ. */
const CLANG = /clang version (14\.\S*)/.exec(spawnSync('clang', ['--version'], { encoding: 'utf8' }).stdout ?? '')
const SEEDS = Array.from({ length: Number(process.env['HARDEN_PROGRAMS'] ?? 40) }, (_, i) => i + 1)
const compile = compileInterpreter as (change: string, by: string, abis: string[]) => Record<string, Buffer>

describe.skipIf(NO_HOST)(`virtualised methods on ART 11${NO_HOST ? `: ${NO_HOST}` : ''}`, { timeout: 300_000 }, () => {
  let dex: Uint8Array
  let special: Uint8Array
  const predicted = [...arithmeticPrograms(), storageProgram()]
  const programs = [...WRITTEN_PROGRAMS, ...predicted].map(({ main }) => main)
  beforeAll(() => {
    if (NO_HOST) return
    dex = assembleSmali([...new Set([...WRITTEN_CLASSES, ...predicted.flatMap((one) => one.classes)])])
    const source = readFileSync(new URL('programs/virtual.smali', import.meta.url), 'utf8')
    special = assembleSmali(classesOf(source))
  })

  test('[HARD-02] generated programs do what was computed for them, also after all other changes of code', async () => {
    const counts: number[] = []
    const virtualised = (dexFiles: readonly Uint8Array[]) => {
      const { files, count } = virtualiseDex(dexFiles, { seed: 3 })
      counts.push(count)
      return files
    }
    const all = { texts: true, predicates: true, debug: true } as const
    const problems = await checkRandomPrograms(SEEDS, [
      { name: 'virtualised', rewrite: virtualised },
      {
        name: 'changed and virtualised',
        rewrite: (dexFiles) => virtualised(dexFiles.flatMap((one) => hardenDex(one, all).files)),
      },
    ])
    expect(problems).toEqual([])
    for (const count of counts) expect(count).toBeGreaterThan(2 * SEEDS.length)
  })

  test('[HARD-02] every instruction computes what it must, and written programs do as before', async () => {
    const { files, count } = virtualiseDex([dex])
    expect(count).toBeGreaterThan(400)
    const before = await verifyOnHost([dex])
    expect(await verifyOnHost(files)).toEqual({ ...before, classes: before.classes + 1 })
    expect(await compareExecution([dex], files, { programs, checkJni: true })).toEqual([])
  })

  test('references in loops, deep calls, an overflow of the stack, interned texts and initialisers are as before', async () => {
    const { files, log } = virtualiseDex([special], { chooses: (name) => !name.includes('$Plain') })
    expect(await compareExecution([special], files, { programs: ['programs.Virtual'], checkJni: true })).toEqual([])
    expect(new Map(sumLines(log.lines).map(({ text, count }) => [text, count]))).toEqual(
      new Map([
        ['methods virtualised', 23],
        ['a constructor or the initialiser of a class', 7],
      ]),
    )
  })

  test.skipIf(!CLANG)('an interpreter with a wrong instruction is found', async () => {
    const wrong: [string, string][] = [
      ['INT_OP(OP_SUB_INT, (u32)INT_B - (u32)INT_C)', 'INT_OP(OP_SUB_INT, (u32)INT_B + (u32)INT_C)'],
      ['SET_INT(x < y ? -1 : x == y ? 0 : 1);', 'SET_INT(x < y ? -1 : x > y ? 1 : 0);'],
      ['case OP_IF_LT: BRANCH(INT_A < INT_B);', 'case OP_IF_LT: BRANCH(INT_A <= INT_B);'],
    ]
    for (const [change, by] of wrong) {
      const compiled = compile(change, by, ['x86_64'])['x86_64']!
      const { files } = virtualiseDex([dex], { compiled })
      const found = await compareExecution([dex], files, { programs, timeout: 20_000 })
      expect(found.length, change).toBeGreaterThan(0)
    }
  })

  test.skipIf(!CLANG)('an interpreter that breaks a rule of JNI is found by ART', async () => {
    const wrong: [string, string][] = [
      ['JNI0(EXCEPTION_CLEAR, void)(env);\n  for', 'for'],
      [
        'if (old) JNI(DELETE_LOCAL, void, Ref)(env, old);',
        'if (old) JNI(DELETE_LOCAL, void, Ref)(env, (Ref)((size)old + 1024));',
      ],
    ]
    for (const [change, by] of wrong) {
      const compiled = compile(change, by, ['x86_64'])['x86_64']!
      const { files } = virtualiseDex([special], { compiled })
      const run = (await runAllOnHost(files, ['programs.Virtual'], 20_000, true)).get('programs.Virtual')!
      expect({ change, said: run.runtimeLog }).toMatchObject({
        change,
        said: expect.stringMatching(/JNI DETECTED ERROR/),
      })
    }
  })

  test('a library of another build runs nothing of this one', async () => {
    const { files } = virtualiseDex([special], { seed: 1 })
    const other = virtualiseDex([special], { seed: 2 })
    const path = /\/\S+?\.so/.exec(Buffer.from(files[0]!).toString('latin1'))![0]
    writeFileSync(path, other.library)
    const found = await compareExecution([special], files, { programs: ['programs.Virtual'] })
    expect(found.some(({ what }) => what === 'stdout')).toBe(true)
  })
})

test.skipIf(!CLANG)(
  'the libraries that are committed are what the source compiles to',
  () => {
    const compiled = compile('', '', Object.keys(libraries))
    const texts = Object.fromEntries(Object.entries(compiled).map(([abi, bytes]) => [abi, bytes.toString('base64')]))
    expect(texts).toEqual(libraries)
  },
  60_000,
)
