import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CIPHER, constString, invokeStatic, STATIC } from '#tests/support/dex-program.ts'
import { dexText } from '#tests/support/dex-text.ts'
import { type DexReferenceNumbers, type WrittenDexClass, writeDex } from '#tests/support/dex-writer.ts'
import { mutate } from '#tests/support/zip-writer.ts'
import { FormatError } from '../bytes/format-error.ts'
import { readProgram } from '../dex/read-program.ts'
import { entryBytes } from '../zip/entry-bytes.ts'
import { readZip } from '../zip/read-zip.ts'
import { DEBUG, instruction, type SwitchTable } from './code-body.ts'
import { DexModel, type DexValue, type MethodDefinition, NO_ROW } from './dex-model.ts'
import { editCode } from './edit-code.ts'
import { packCode } from './pack-code.ts'
import { DEX_EDIT_LIMITS, readDexModels } from './read-dex-model.ts'
import { seal } from './seal-dex.ts'
import { writeDexFiles } from './write-dex.ts'

const only = (bytes: Uint8Array): DexModel => {
  const models = readDexModels(bytes)
  expect(models).toHaveLength(1)
  return models[0]!
}

const written = (model: DexModel): Uint8Array => {
  const files = writeDexFiles(model)
  expect(files).toHaveLength(1)
  return files[0]!
}

/** Something of each kind, all of it sound. */
const SMALL_DEX = writeDex([
  {
    name: 'La/Main;',
    interfaces: ['La/I;'],
    annotations: ['La/Mark;'],
    staticFields: [{ name: 'KEY:Ljava/lang/String;', value: 'x' }],
    methods: [
      {
        ...{ name: 'run(I)Ljava/lang/String;', flags: STATIC, annotations: ['La/Mark;'], registers: 6, ins: 1 },
        ...{ lines: [[0, 3]], tries: [[0, 8, 8]] },
        code: (x) => [
          ...[...constString(0, x.string('text')), 0x002b, 8, 0, ...invokeStatic(x.method(CIPHER), 0), 0x000d, 0x0011],
          ...[0x0100, 1, 0, 0, 3, 0],
        ],
      },
    ],
  },
])

/** The only method of the only class. */
const methodOf = (model: DexModel): MethodDefinition => model.classes[0]!.directMethods[0]!

const oneMethod = (code: (numbers: DexReferenceNumbers) => number[], more: object = {}): Uint8Array =>
  writeDex([{ name: 'La/Main;', methods: [{ name: 'run()V', flags: STATIC, code, ...more }] }])

const keyOf = (run: () => unknown): string | undefined => {
  try {
    run()
    return undefined
  } catch (error) {
    if (error instanceof FormatError) return error.key
    throw error
  }
}

/** Code with jumps, tables, texts and calls, all of which lead to where an instruction begins. */
const randomMethod = fc
  .array(fc.tuple(fc.constantFrom('text', 'call', 'if', 'goto', 'switch', 'array', 'type', 'wide'), fc.nat(30)), {
    minLength: 1,
    maxLength: 25,
  })
  .map((steps) => ({
    code: (numbers: DexReferenceNumbers): number[] => {
      const sizes = { text: 2, call: 3, if: 2, goto: 2, switch: 3, array: 3, type: 2, wide: 5 }
      const starts = [0]
      for (const [kind] of steps) starts.push(starts.at(-1)! + sizes[kind])
      const body: number[] = []
      const tables: number[] = []
      let behind = starts.at(-1)! + 1
      const table = (units: readonly number[]) => {
        if (behind % 2) {
          tables.push(0)
          behind++
        }
        tables.push(...units)
        behind += units.length
        return behind - units.length
      }
      const word = (value: number) => [value & 0xffff, (value >> 16) & 0xffff]
      steps.forEach(([kind, n], i) => {
        const at = starts[i]!
        const target = starts[n % steps.length]! - at
        if (kind === 'text') body.push(...constString(0, numbers.string(`text ${n}\u4e2d\u0000\ud800`)))
        else if (kind === 'call') body.push(...invokeStatic(numbers.method(`La/B${n};->m${n}(I[JLa/C;)V`), 1))
        else if (kind === 'if') body.push(0x38, target & 0xffff)
        else if (kind === 'goto') body.push(target === 0 ? 0x29 : 0x29, (target || -at || 2) & 0xffff)
        else if (kind === 'type') body.push(0x22, numbers.type(`La/T${n};`))
        else if (kind === 'wide') body.push(0x18, n, n, n, n)
        else if (kind === 'array') body.push(0x26, ...word(table([0x0300, 1, 3, 0, 0x0201, 3]) - at))
        else {
          const keys = [-5, n, 1000 + n]
          const sparse = [0x0200, 3, ...keys.flatMap(word), ...keys.flatMap(() => word(target))]
          const packed = [0x0100, 2, ...word(n), ...word(target), ...word(target)]
          body.push(n % 2 ? 0x2c : 0x2b, ...word(table(n % 2 ? sparse : packed) - at))
        }
      })
      return [...body, 0x0e, ...tables]
    },
    lines: [
      [0, 7],
      [0, 500],
    ] as const,
    tries: [[0, 2, 0]] as const,
    registers: 4,
  }))

const randomDex = fc.array(randomMethod, { minLength: 1, maxLength: 6 }).map((methods) =>
  writeDex([
    ...methods.map(
      (method, i): WrittenDexClass => ({
        name: `La/Main${i};`,
        interfaces: i ? ['La/I;'] : [],
        annotations: ['La/Mark;'],
        sourceFile: `M${i}.java`,
        staticFields: [
          { name: 'KEY:Ljava/lang/String;', value: `v${i}` },
          { name: 'N:I', value: i },
        ],
        instanceFields: ['x:J'],
        methods: [
          { name: 'run()V', flags: STATIC, annotations: ['La/Mark;'], ...method },
          { name: 'other(IJ)Z', flags: 0x401 },
        ],
      }),
    ),
  ]),
)

describe('a rewrite without a change', () => {
  test('keeps all content of random files, and what the reader for examination sees of them', () => {
    fc.assert(
      fc.property(randomDex, (bytes) => {
        const model = only(bytes)
        const again = written(model)
        expect(dexText(only(again))).toBe(dexText(model))
        expect(readProgram([{ entry: 'classes.dex', bytes: again }]).dexes[0]!.notes).toEqual([])
        // What was written is its own rewrite.
        expect(Buffer.compare(written(only(again)), again)).toBe(0)
      }),
      { numRuns: 150 },
    )
  })

  test('is compared by content, whether the bytes are a Buffer of a file or an array', () => {
    const bytes = writeDex([{ name: 'La/Main;', staticFields: [{ name: 'N:I', value: 25 }] }])
    expect(dexText(only(Buffer.from(bytes)))).toBe(dexText(only(bytes)))
    expect(dexText(only(bytes))).toContain('4:25')
  })

  test('keeps all content when every method was laid out again', () => {
    fc.assert(
      fc.property(randomDex, (bytes) => {
        const model = only(bytes)
        const before = dexText(model)
        for (const one of model.classes) for (const method of one.directMethods) editCode(model, method)
        const whole = written(model)
        expect(dexText(only(whole))).toBe(before)
        for (const one of model.classes) for (const method of one.directMethods) packCode(model, method)
        expect(Buffer.compare(written(model), whole)).toBe(0)
      }),
      { numRuns: 150 },
    )
  })

  test.each(['035', '037', '038', '039', '040', '041'])('keeps version %s of the format', (version) => {
    const bytes = writeDex([{ name: 'La/Main;' }], { version })
    const again = written(only(bytes))
    expect(only(again).version).toBe(version)
    expect(dexText(only(again))).toBe(dexText(only(bytes)))
  })

  const require = createRequire(import.meta.url)
  const apk = join(
    dirname(require.resolve('appium-uiautomator2-server/package.json')),
    'apks/appium-uiautomator2-server-debug-androidTest.apk',
  )
  const dexdump = (bytes: Uint8Array): string => {
    const folder = mkdtempSync(join(tmpdir(), 'dex-edit-'))
    try {
      writeFileSync(join(folder, 'a.dex'), bytes)
      return execFileSync('dexdump', ['-d', '-a', join(folder, 'a.dex')], { encoding: 'utf8', maxBuffer: 1 << 30 })
    } finally {
      rmSync(folder, { recursive: true })
    }
  }
  /** Without offsets and numbers of rows, which a rewrite may change. */
  const contentOf = (dump: string): string =>
    dump
      .replace(/^(Opened|Processing) .*/gm, '')
      .replace(/^[0-9a-f]{6}: [0-9a-f. ]*\|(\[[0-9a-f]+\])?/gm, '|')
      .replace(/\/\/ .*@[0-9a-f]+|\b(string|type|method|field|proto)@[0-9a-f]+|\[[0-9a-f]{6}\]/g, '')
      .replace(/_(idx|off) +: .*/g, '')
  const files = existsSync(apk)
    ? readZip(new Uint8Array(readFileSync(apk))).entries.filter(({ name }) => name.endsWith('.dex'))
    : []
  test.skipIf(!files.length)('keeps all content of the files of a package that a compiler wrote', () => {
    const zip = readZip(new Uint8Array(readFileSync(apk)))
    const models = files.map((entry) => only(entryBytes(zip, entry)))
    for (const model of models) expect(dexText(only(written(model))) === dexText(model)).toBe(true)
  })
  test.skipIf(!files.length || !existsSync('/usr/bin/dexdump'))('is the same for dexdump, which verifies files', () => {
    const zip = readZip(new Uint8Array(readFileSync(apk)))
    for (const entry of files) {
      const bytes = entryBytes(zip, entry)
      expect(contentOf(dexdump(written(only(bytes)))) === contentOf(dexdump(bytes)), entry.name).toBe(true)
    }
  })
})

describe('instructions that are moved', () => {
  /** Code `if (v0 == 0) goto end` with so many units inserted between. */
  const stretched = (units: number, opcode: number[]) => {
    const model = only(oneMethod(() => [...opcode, 0x0000, 0x0000, 0x1012, 0x0e]))
    const body = editCode(model, methodOf(model))!
    const at = body.instructions.findIndex(({ opcode: one }) => one === 0)
    const filler = Array.from({ length: units }, () => instruction([0]))
    body.instructions.splice(at, 0, ...filler)
    const again = only(written(model))
    const read = editCode(again, methodOf(again))!
    return read.instructions
  }

  test.each([
    [10, 0x28],
    [200, 0x29],
    [40_000, 0x2a],
  ])('a goto over %i units becomes as wide as it must be and leads to the same instruction', (units, opcode) => {
    const [jump] = stretched(units, [0x0328])
    expect(jump!.opcode).toBe(opcode)
    expect([...jump!.target!.units]).toEqual([0x1012])
  })

  test('a condition that does not reach becomes its opposite over a wide goto', () => {
    const near = stretched(1000, [0x0138, 0x0004])
    expect([near[0]!.opcode, [...near[0]!.target!.units]]).toEqual([0x38, [0x1012]])
    const [condition, wide, next] = stretched(40_000, [0x0138, 0x0004])
    expect([condition!.opcode, condition!.target]).toEqual([0x39, next])
    expect([wide!.opcode, [...wide!.target!.units]]).toEqual([0x2a, [0x1012]])
  })

  test('tables stay on four bytes, and a table that two switches share is written for each', () => {
    const model = only(oneMethod(() => [0x002b, 8, 0, 0x002b, 5, 0, 0x000e, 0, 0x0100, 1, 0, 0, 3, 0]))
    const body = editCode(model, methodOf(model))!
    body.instructions.unshift(instruction([0]))
    const bytes = written(model)
    const again = only(bytes)
    const { instructions } = editCode(again, methodOf(again))!
    const tables = instructions.filter(({ table }) => table)
    expect(tables.map(({ address }) => address % 2)).toEqual([0, 0])
    const switches = instructions.filter(({ opcode }) => opcode === 0x2b)
    expect(new Set(switches.map(({ target }) => target)).size).toBe(2)
    // Each counted its offsets from itself: the first led to the second, that one to the return.
    const first = (one: (typeof switches)[number]) => (one.target!.table as SwitchTable).targets[0]!.opcode
    expect(switches.map(first)).toEqual([0x2b, 0x0e])
  })

  test('try blocks, handlers and lines follow, and what is inserted before the target of a jump is not run by it', () => {
    const model = only(
      oneMethod((n) => [...invokeStatic(n.method('La/B;->m()V')), 0x0e, 0x000d, 0xfe28], {
        tries: [[0, 3, 4]],
        lines: [
          [0, 10],
          [3, 11],
          [4, 12],
        ],
      }),
    )
    const body = editCode(model, methodOf(model))!
    body.instructions.unshift(instruction([0x1012]), instruction([0x1012]))
    body.instructions.splice(3, 0, instruction([0]))
    const again = only(written(model))
    const read = editCode(again, methodOf(again))!
    const [one] = read.tries
    expect([one!.from.opcode, one!.to.opcode, one!.catchAll!.opcode]).toEqual([0x71, 0x0e, 0x0d])
    expect(read.instructions.at(-2)!.target!.opcode).toBe(0x0e)
    const lines = read.debug!.events.filter(({ code }) => code === DEBUG.firstSpecial)
    expect(lines.map(({ at, line }) => [at.opcode, line])).toEqual([
      [0x71, 10],
      [0x0e, 11],
      [0x0d, 12],
    ])
    expect([one!.from.address, one!.to.address]).toEqual([2, 6])
  })

  test('a try block longer than 65,535 units is written as several', () => {
    const model = only(
      oneMethod((n) => [...invokeStatic(n.method('La/B;->m()V')), 0x0e, 0x000d, 0x0e], { tries: [[0, 3, 4]] }),
    )
    const body = editCode(model, methodOf(model))!
    body.instructions.splice(1, 0, ...Array.from({ length: 70_000 }, () => instruction([0])))
    const again = only(written(model))
    const read = editCode(again, methodOf(again))!
    expect(read.tries.map(({ from, to }) => to.address - from.address)).toEqual([65_535, 4468])
  })

  test('debug information can be reduced to lines, or left out', () => {
    const reduced = (detail: 'lines' | 'none') => {
      const model = only(SMALL_DEX)
      for (const method of model.classes[0]!.directMethods.concat(model.classes[0]!.virtualMethods))
        if (method.code) method.code.detail = detail
      const again = only(written(model))
      return editCode(again, [...again.classes[0]!.directMethods, ...again.classes[0]!.virtualMethods][0]!)!.debug
    }
    expect(reduced('lines')!.events).toHaveLength(1)
    expect(reduced('none')).toBeUndefined()
  })
})

/** A model without a file: everything in it is new. */
const emptyModel = () => new DexModel('039', { bytes: new Uint8Array(), units: new Uint16Array() })

function addClass(model: DexModel, descriptor: string, code?: (model: DexModel) => ReturnType<typeof instruction>[]) {
  const method = { method: model.method(`${descriptor}->run()V`), flags: STATIC } as MethodDefinition
  if (code)
    method.code = {
      is: 'body',
      ...{ registers: 4, ins: 0, outs: 4, tries: [], debug: undefined, detail: 'all' },
      instructions: [...code(model), instruction([0x0e]), instruction([])],
    }
  model.classes.push({
    ...{ type: model.type(descriptor), flags: 1, superclass: model.type('Ljava/lang/Object;'), interfaces: [] },
    ...{ sourceFile: NO_ROW, staticFields: [], instanceFields: [], directMethods: [method], virtualMethods: [] },
  })
  return model.classes.at(-1)!
}

describe('what does not come from compilers often', () => {
  test('call sites, method handles, prototypes, values of every kind and flags of hidden interfaces are kept', () => {
    const model = emptyModel()
    model.handles.push(
      { kind: 4, member: model.method('La/Boot;->link(Ljava/lang/String;)V') },
      { kind: 1, member: model.field('La/Boot;->f:I') },
    )
    const row = (type: number, value: number): DexValue => ({ is: 'row', type, row: value })
    model.callSites.push([
      row(0x16, 0),
      row(0x17, model.string('name')),
      row(0x15, model.proto('(IJ)La/R;')),
      { is: 'number', type: 0x06, bytes: Uint8Array.of(1, 2, 3) },
    ])
    const polymorphic = instruction([0x10fa, 0, 0, 0], model.method('La/H;->invoke([Ljava/lang/Object;)V'))
    polymorphic.proto = model.proto('(I)V')
    const one = addClass(model, 'La/Main;', () => [
      instruction([0x10fc, 0, 0], 0),
      instruction([0x00fe, 0], 1),
      instruction([0x00ff, 0], model.proto('(F)D')),
      polymorphic,
    ])
    const annotation = {
      visibility: 2,
      type: model.type('La/Mark;'),
      elements: [
        { name: model.string('z'), value: row(0x18, model.type('La/Main;')) },
        { name: model.string('a'), value: { is: 'array', values: [{ is: 'null' }, { is: 'boolean', value: true }] } },
        { name: model.string('m'), value: row(0x1b, model.field('La/E;->ONE:La/E;')) },
        { name: model.string('n'), value: row(0x1a, model.method('La/E;->of()V')) },
      ] as { name: number; value: DexValue }[],
    }
    one.annotations = [annotation]
    one.directMethods[0]!.parameterAnnotations = [undefined, [annotation]]
    one.directMethods[0]!.hidden = 3
    one.staticFields.push({
      ...{ field: model.field('La/Main;->k:La/Mark;'), flags: 8, hidden: 1 },
      value: { is: 'annotation', annotation },
    })
    const text = dexText(only(written(model)))
    for (const part of [
      '"name"',
      '(IJ)La/R;',
      '6:1,2,3',
      '1 La/Boot;->f:I',
      '(F)D',
      'invoke-polymorphic',
      'La/E;->of()V',
    ])
      expect(text).toContain(part)
    // Elements of an annotation are in the order of their names.
    expect(text).toContain('@La/Mark;(a=[null,true],m=La/E;->ONE:La/E;,n=La/E;->of()V,z=La/Main;)')
    expect(text).toMatch(/static 8 La\/Main;->k:La\/Mark; = @.* 1$/m)
    const again = only(written(only(written(model))))
    expect(dexText(again)).toBe(text)
  })

  test('a text beyond the first 65,536 is loaded by the wide instruction', () => {
    const model = emptyModel()
    addClass(model, 'La/Main;', () =>
      Array.from({ length: 66_000 }, (_, i) =>
        instruction([0x001a, 0], model.string(`text ${String(i).padStart(6, '0')}`)),
      ),
    )
    const bytes = written(model)
    const again = only(bytes)
    const { instructions } = editCode(again, methodOf(again))!
    const wide = instructions.filter(({ opcode }) => opcode === 0x1b)
    expect(wide.length).toBeGreaterThan(400)
    expect(instructions.slice(0, 66_000).map(({ row }) => again.strings[row])).toEqual(
      Array.from({ length: 66_000 }, (_, i) => `text ${String(i).padStart(6, '0')}`),
    )
    packCode(model, methodOf(model))
    expect(Buffer.compare(written(model), bytes)).not.toBe(0)
    const packed = only(written(model))
    expect(dexText(packed)).toBe(dexText(again))
    // Also in code that nothing else changes: texts that come before all others move every number.
    addClass(again, 'La/New;', () =>
      Array.from({ length: 1000 }, (_, i) => instruction([0x001a, 0], again.string(`! ${i}`))),
    )
    const fresh = only(bytes)
    addClass(fresh, 'La/New;', () =>
      Array.from({ length: 1000 }, (_, i) => instruction([0x001a, 0], fresh.string(`! ${i}`))),
    )
    const moved = only(written(fresh))
    const main = moved.classes.find(({ type }) => moved.descriptor(type) === 'La/Main;')!
    const texts = editCode(moved, main.directMethods[0]!)!.instructions.slice(0, 66_000)
    expect(moved.strings[texts[65_999]!.row]).toBe('text 065999')
    expect(texts.filter(({ opcode }) => opcode === 0x1b).length).toBeGreaterThan(wide.length + 900)
  })

  test('classes that name more methods than one file takes are written as several files, all of them once', () => {
    const model = emptyModel()
    for (let c = 0; c < 70; c++)
      addClass(model, `La/C${c};`, () =>
        Array.from({ length: 1000 }, (_, i) => instruction([0x0071, 0, 0], model.method(`La/B${c};->m${i}()V`))),
      )
    const files = writeDexFiles(model)
    expect(files).toHaveLength(2)
    const program = readProgram(files.map((bytes, i) => ({ entry: `classes${i}.dex`, bytes })))
    expect([...program.classes()].map(({ descriptor }) => descriptor).sort()).toEqual(
      Array.from({ length: 70 }, (_, i) => `La/C${i};`).sort(),
    )
    for (const { notes, methodCount } of program.dexes) expect([notes, methodCount <= 65_536]).toEqual([[], true])
    const large = emptyModel()
    addClass(large, 'La/C;', () =>
      Array.from({ length: 66_000 }, (_, i) => instruction([0x0071, 0, 0], large.method(`La/B;->m${i}()V`))),
    )
    expect(keyOf(() => writeDexFiles(large))).toBe('overflow')
  })
})

describe('hostile files', () => {
  const tryAll = (bytes: Uint8Array) =>
    keyOf(() => {
      for (const model of readDexModels(bytes)) {
        writeDexFiles(model)
        for (const one of model.classes)
          for (const method of [...one.directMethods, ...one.virtualMethods]) editCode(model, method)
        writeDexFiles(model)
      }
    })

  test('whatever is changed or cut, it is rewritten or refused with a FormatError', () => {
    const change = fc.tuple(fc.nat(SMALL_DEX.length - 1), fc.constantFrom(0, 1, 2, 0x0e, 0x7f, 0x80, 0xff))
    const seen = new Set<string | undefined>()
    fc.assert(
      fc.property(fc.array(change, { maxLength: 6 }), fc.constantFrom(0, 0, 0, 1, 40, 200), (changes, cut) => {
        seen.add(tryAll(mutate(SMALL_DEX, changes, cut)))
      }),
      { numRuns: 2000 },
    )
    expect(seen.size).toBeGreaterThan(6)
  })

  test('cut off at every byte it is refused', () => {
    for (let length = 0; length < SMALL_DEX.length; length++)
      expect(tryAll(SMALL_DEX.slice(0, length)), String(length)).toBeDefined()
  })

  test('tables that claim more than there is, unsorted tables and broken texts are refused', () => {
    const changed = (change: (view: DataView) => void) => {
      const copy = SMALL_DEX.slice()
      change(new DataView(copy.buffer))
      return tryAll(copy)
    }
    const view = new DataView(SMALL_DEX.buffer, SMALL_DEX.byteOffset)
    for (const field of [0x38, 0x40, 0x48, 0x50, 0x58, 0x60])
      expect(['limit', 'truncated', 'order', 'string', 'index']).toContain(
        changed((v) => v.setUint32(field, 0x7fffffff, true)),
      )
    const strings = view.getUint32(0x3c, true)
    expect(changed((v) => v.setUint32(strings, view.getUint32(strings + 4, true), true))).toBe('order')
    expect(changed((v) => v.setUint8(view.getUint32(strings, true) + 1, 0xff))).toBe('string')
    expect(changed((v) => v.setUint32(0x28, 0x78563412, true))).toBe('endian')
    expect(keyOf(() => readDexModels(SMALL_DEX, { ...DEX_EDIT_LIMITS, bytes: 100 }))).toBe('limit')
    expect(keyOf(() => readDexModels(new Uint8Array(200)))).toBe('not-dex')
  })

  test('classes and texts that share their bytes are refused before they cost much', () => {
    const shared = writeDex([
      {
        name: 'La/A;',
        methods: [{ name: 'run()V', flags: STATIC, code: () => [...Array<number>(60_000).fill(0), 0x0e] }],
      },
      ...Array.from({ length: 3000 }, (_, i) => ({ name: `La/B${i};` })),
    ])
    const view = new DataView(shared.buffer)
    const classes = view.getUint32(0x64, true)
    for (let i = 1; i <= 3000; i++) view.setUint32(classes + 32 * i + 24, view.getUint32(classes + 24, true), true)
    const started = performance.now()
    expect(keyOf(() => readDexModels(shared))).toBe('limit')
    expect(performance.now() - started).toBeLessThan(3000)
  })

  test('checksum and signature are those of the content', () => {
    const bytes = written(only(SMALL_DEX))
    expect(Buffer.compare(seal(bytes.slice()), bytes)).toBe(0)
    const changed = bytes.slice()
    changed[0x80]! ^= 1
    expect(Buffer.compare(seal(changed).subarray(8, 32), bytes.subarray(8, 32))).not.toBe(0)
  })
})
