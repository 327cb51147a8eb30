import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { assembleSmali, classesOf } from '#tests/host-runtime/assemble-smali.ts'
import { missingForHostRuntime } from '#tests/host-runtime/build-host-runtime.ts'
import { arithmeticPrograms, storageProgram } from '#tests/host-runtime/opcode-programs.ts'
import { randomProgram } from '#tests/host-runtime/random-programs.ts'
import { runAllOnHost } from '#tests/host-runtime/run-on-host.ts'
import { WRITTEN_CLASSES, WRITTEN_PROGRAMS } from '#tests/host-runtime/written-programs.ts'
import { callProgram } from '#tests/vm-runner/call-programs.ts'
import { flowProgram } from '#tests/vm-runner/flow-programs.ts'
import { numberProgram } from '#tests/vm-runner/number-programs.ts'
import { type PrivateCode, privateCodeOf, withoutLocks } from '#tests/vm-runner/private-code.ts'
import { missingForRunner, Runner } from '#tests/vm-runner/run-private-code.ts'
import { throwProgram } from '#tests/vm-runner/throw-programs.ts'
// @ts-expect-error: plain JavaScript without types
import { compileInterpreter } from '../../../scripts/build-harden-vm.mjs'
import { VM_ABIS, type VmAbi } from './vm-library.ts'
import operations from './vm-operations.json' with { type: 'json' }

/** What a program must print, write to the log, and end with. */
interface Expected {
  readonly main: string
  readonly stdout: string
  readonly log?: string
  readonly exception?: string
}

const fileOf = (name: string) => readFileSync(new URL(`programs/${name}`, import.meta.url), 'utf8')
const compile = compileInterpreter as (change: string, by: string, abis: string[]) => Record<string, Buffer>
const NO_HOST = missingForHostRuntime()
const MISSING = new Map(VM_ABIS.map((abi) => [abi, missingForRunner(abi)]))
const SOME_RUN = [...MISSING.values()].includes(undefined)

/** One of them has as many registers and words of arguments as a package gives to the interpreter at most. */
const OWN = [callProgram(), flowProgram(), throwProgram(), numberProgram()]
const COMPUTED = [...arithmeticPrograms(), storageProgram(), ...OWN]
const RANDOM = Array.from({ length: 25 }, (_, i) => randomProgram(i + 1))
const VIRTUAL: Expected = {
  main: 'programs.Virtual',
  stdout: fileOf('virtual.out'),
  exception: 'java.lang.NullPointerException',
}
const WRITTEN = WRITTEN_PROGRAMS.filter(({ main }) => ['programs.Registers', 'programs.Control'].includes(main))
const PROGRAMS: readonly Expected[] = [...COMPUTED, ...RANDOM, ...WRITTEN, VIRTUAL]

let dex: Uint8Array
let code: PrivateCode
beforeAll(() => {
  if (!SOME_RUN) return
  const written = WRITTEN_CLASSES.filter((text) => /^\.class .*Lprograms\/(Control|Registers|Out)[;$]/m.test(text))
  dex = assembleSmali([
    ...new Set([
      ...[...COMPUTED, ...RANDOM].flatMap(({ classes }) => withoutLocks(classes)),
      ...[...written, ...classesOf(fileOf('virtual.smali'))],
    ]),
  ])
  code = privateCodeOf(dex)
}, 120_000)

/** Programs that did something else, and what was found wrong. */
function problemsOf(runner: Runner, programs: readonly Expected[], compiled?: Uint8Array): string[] {
  const { stdout, log, exceptions, fault } = runner.run(
    programs.map(({ main }) => main),
    compiled,
  )
  const wrong = programs.flatMap(({ main, ...expected }) => {
    const same =
      stdout.get(main) === expected.stdout &&
      exceptions.get(main)?.replaceAll('/', '.') === expected.exception &&
      (expected.log === undefined || log.get(main) === expected.log)
    return same ? [] : [`${main} differs`]
  })
  return fault ? [fault, ...wrong] : wrong
}

/** Changes of the interpreter that a processor must show. */
const WRONG: readonly (readonly [what: string, abis: readonly VmAbi[], change: string, by: string, shown: RegExp])[] = [
  [
    'a subtraction that adds',
    VM_ABIS,
    'INT_OP(OP_SUB_INT, (u32)INT_B - (u32)INT_C)',
    'INT_OP(OP_SUB_INT, (u32)INT_B + (u32)INT_C)',
    /^programs.BinaryInt differs$/,
  ],
  [
    'a wrong number in the table of JNI',
    VM_ABIS,
    'NEW_LOCAL = 25,',
    'NEW_LOCAL = 26,',
    /that the interpreter does not/,
  ],
  ['the number of another function', VM_ABIS, 'IS_INSTANCE = 32,', 'IS_INSTANCE = 24,', /differs|^not a|of another/],
  [
    'a rounding that ignores the even one of two',
    ['arm64-v8a', 'armeabi-v7a'],
    '(rest == half && (mantissa & 1))',
    'rest == half',
    /^programs.Numbers differs$/,
  ],
  [
    'references that are kept',
    ['arm64-v8a', 'armeabi-v7a'],
    'if (old) JNI(DELETE_LOCAL, void, Ref)(env, old);',
    '(void)env, (void)old;',
    /^local references are left over/,
  ],
  [
    'a division of 64 bits that leaves out a bit',
    ['armeabi-v7a'],
    'for (int bit = 63; bit >= 0; bit--)',
    'for (int bit = 63; bit > 0; bit--)',
    /^programs.BinaryLong differs$/,
  ],
  [
    'a number that JNI gets in a register of the floating point unit',
    ['armeabi-v7a'],
    '((void (*)(Env, Ref, void*, double))function)',
    '((void (__attribute__((pcs("aapcs-vfp"))) *)(Env, Ref, void*, double))function)',
    /^programs.Storage differs$/,
  ],
  [
    'a number that JNI gives, read from a register of the floating point unit',
    ['armeabi-v7a'],
    'bits_of(((double(*) parameters)(function))arguments)',
    'bits_of(((double(__attribute__((pcs("aapcs-vfp"))) *) parameters)(function))arguments)',
    /^programs.Storage differs$/,
  ],
  [
    'a short result that is read with the bits above it',
    ['arm64-v8a'],
    '((u8(*) parameters)(function))arguments',
    '((u32(*) parameters)(function))arguments',
    /^programs.Storage differs$/,
  ],
]
/** The programs that show the changes. */
const SHOWING = ['BinaryInt', 'BinaryLong', 'Storage', 'Passed', 'Throws', 'Virtual', 'Numbers']

describe.each([...VM_ABIS])('the interpreter of %s', (abi) => {
  const missing = MISSING.get(abi)
  describe.skipIf(missing)(`runs programs${missing ? `: ${missing}` : ''}`, { timeout: 120_000 }, () => {
    let runner: Runner
    beforeAll(() => {
      runner = new Runner(abi, code)
    }, 60_000)
    afterAll(() => runner?.remove())

    test('[HARD-02] every instruction, call, field, array and exception does what was computed for it', () => {
      expect(operations.filter((name) => !code.operations.has(name))).toEqual([])
      expect(problemsOf(runner, PROGRAMS)).toEqual([])
    })

    test('a call takes no more of the stack than Android keeps for one', () => {
      const { most } = runner.run([...OWN, VIRTUAL].map(({ main }) => main))
      // ART keeps 8 KiB below the place where it throws a StackOverflowError, and checks it in every call that the interpreter makes.
      expect(most!.stack).toBeLessThan(4096)
      expect(most!.stack).toBeGreaterThan(100)
    })

    test.each(WRONG.filter(([, abis]) => abis.includes(abi)).map((one) => [one[0], one] as const))(
      'a wrong interpreter is found: %s',
      (_, [, , change, by, shown]) => {
        const wrong = compile(change, by, [abi])[abi]!
        const programs = PROGRAMS.filter(({ main }) => SHOWING.includes(main.replace('programs.', '')))
        expect(problemsOf(runner, programs, wrong).filter((one) => shown.test(one))).not.toEqual([])
      },
    )
  })
})

test.skipIf(NO_HOST ?? !SOME_RUN)(
  `the programs do on ART what was computed for them${NO_HOST ? `: ${NO_HOST}` : ''}`,
  async () => {
    const programs: readonly Expected[] = [...OWN, VIRTUAL]
    const runs = await runAllOnHost(
      [dex],
      programs.map(({ main }) => main),
    )
    for (const { main, stdout, exception } of programs) {
      const run = runs.get(main)!
      expect({ main, stdout: run.stdout, exception: run.exception?.type }).toEqual({ main, stdout, exception })
    }
  },
  60_000,
)
