import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { SMALL_DEX, STATIC } from '#tests/support/dex-program.ts'
import { writeDex } from '#tests/support/dex-writer.ts'
import { mutate } from '#tests/support/zip-writer.ts'
import { DEX_LIMITS } from './dex-limits.ts'
import type { Program } from './program.ts'
import { readProgram } from './read-program.ts'

describe('hostile files', () => {
  const bytes = SMALL_DEX
  const askAll = (program: Program) => {
    for (const one of program.classes()) {
      void [one.superclass, one.interfaces, one.annotations, one.fields]
      for (const method of one.methods) {
        void [method.reference, method.annotations, program.returns(method), program.callersOf(method, 3)]
        for (const call of program.callsFrom(method)) {
          void [call.line, program.argument(call, 0), program.argument(call, 1), program.listing(call, 5)]
          void [program.isCaught(call), program.isNullChecked(call), program.isStraight(call, 2)]
          void program.isOnlyRead(call, () => 'same')
        }
      }
    }
    for (const text of program.stringConstants()) void text.locations.length
  }

  test('whatever is flipped or cut, nothing is thrown and it ends', () => {
    const change = fc.tuple(fc.nat(bytes.length - 1), fc.constantFrom(0, 1, 2, 0x0e, 0x7f, 0x80, 0xff))
    fc.assert(
      fc.property(fc.array(change, { maxLength: 8 }), fc.constantFrom(0, 0, 0, 1, 40, 200), (changes, cut) => {
        askAll(readProgram([{ entry: 'classes.dex', bytes: mutate(bytes, changes, cut) }]))
      }),
      { numRuns: 1500 },
    )
  })

  test('sizes that lie are cut and reported', () => {
    const lying = (at: number) => {
      const copy = bytes.slice()
      new DataView(copy.buffer).setUint32(at, 0x7fffffff, true)
      const program = readProgram([{ entry: 'classes.dex', bytes: copy }])
      askAll(program)
      return program.dexes[0]!.notes.map(({ key }) => key)
    }
    expect(lying(0x20)).toContain('truncated')
    for (const field of [0x38, 0x40, 0x48, 0x50, 0x58, 0x60]) expect(lying(field)).toContain('table')
  })

  test('what lies beyond a limit is left out and reported', () => {
    const many = writeDex([
      {
        name: 'La/Main;',
        methods: Array.from({ length: 60 }, (_, i) => ({ name: `m${i}()V`, flags: STATIC, code: () => [0x0e] })),
      },
    ])
    const read = (limits: Partial<typeof DEX_LIMITS>) =>
      readProgram([{ entry: 'classes.dex', bytes: many }], { ...DEX_LIMITS, ...limits })
    const notesWith = (limits: Partial<typeof DEX_LIMITS>) => read(limits).dexes[0]!.notes.map(({ key }) => key)
    for (const limits of [{ methods: 10 }, { classes: 0 }]) expect(notesWith(limits)).toContain('limit')
    // Without a budget for texts no class has a name.
    expect(notesWith({ overlap: 0 })).toContain('class-definition')
    expect([read({ methods: 10 }).methodCount, read({ classes: 0 }).methodCount]).toEqual([10, 0])
  })

  test('classes and texts that share their bytes cost no more than a few times the file', () => {
    const shared = writeDex([
      {
        name: 'La/A;',
        methods: [{ name: 'run()V', flags: STATIC, code: () => [...Array<number>(60_000).fill(0), 0x0e] }],
      },
      ...Array.from({ length: 3000 }, (_, i) => ({ name: `La/B${i};` })),
    ])
    const view = new DataView(shared.buffer)
    const classDefs = view.getUint32(0x64, true)
    const strings = view.getUint32(0x3c, true)
    for (let i = 1; i <= 3000; i++) view.setUint32(classDefs + 32 * i + 24, view.getUint32(classDefs + 24, true), true)
    const program = readProgram([{ entry: 'classes.dex', bytes: shared }])
    expect(program.dexes[0]!.notes.map(({ key }) => key)).toContain('limit')
    expect(
      [...program.classes()].filter(({ methods }) => methods.some(({ codeSize }) => codeSize > 0)).length,
    ).toBeLessThan(20)
    // Every text at one location, the names of classes among them, where half of the file is one run of letters.
    shared.fill(0x41, shared.length / 2)
    for (let i = 0; i < view.getUint32(0x38, true); i++) view.setUint32(strings + 4 * i, shared.length / 2, true)
    const started = performance.now()
    const same = readProgram([{ entry: 'classes.dex', bytes: shared }])
    expect(same.callsTo('L*;->run')).toEqual([])
    expect(performance.now() - started).toBeLessThan(5000)
  })
})
