import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type DexReferenceNumbers,
  type WrittenDexClass,
  type WrittenDexMethod,
  writeDex,
} from '#tests/support/dex-writer.ts'
import { mutate } from '#tests/support/zip-writer.ts'
import { DEX_LIMITS } from './dex-limits.ts'
import type { Program } from './program.ts'
import { readProgram } from './read-program.ts'

const CIPHER = 'Ljavax/crypto/Cipher;->getInstance(Ljava/lang/String;)Ljavax/crypto/Cipher;'
const STATIC = 9

const programOf = (...files: readonly WrittenDexClass[][]): Program =>
  readProgram(files.map((classes, i) => ({ entry: `classes${i || ''}.dex`, bytes: writeDex(classes) })))
/** A static method `run()V` of La/Main; with this code. */
const withCode = (code: WrittenDexMethod['code'], more: Partial<WrittenDexMethod> = {}): Program =>
  programOf([{ name: 'La/Main;', methods: [{ name: 'run()V', flags: STATIC, ...(code && { code }), ...more }] }])
const invokeStatic = (method: number, ...registers: number[]): number[] => [
  0x71 | (registers.length << 12),
  method,
  registers.reduce((word, register, i) => word | (register << (4 * i)), 0),
]
const invokeVirtual = (method: number, ...registers: number[]): number[] => {
  const [head, ...rest] = invokeStatic(method, ...registers)
  return [(head! & ~0xff) | 0x6e, ...rest]
}
const constString = (register: number, text: number): number[] => [0x1a | (register << 8), text]
/** What is given to the only Cipher.getInstance of the program. */
const cipherArgument = (program: Program) =>
  program.argument(program.callsTo('Ljavax/crypto/Cipher;->getInstance')[0]!, 1)

describe('what a dex file holds', () => {
  test('classes, methods, fields, constants, annotations', () => {
    const program = programOf([
      {
        name: 'La/Main;',
        superclass: 'La/Base;',
        interfaces: ['Ljava/lang/Runnable;'],
        annotations: ['La/Mark;'],
        staticFields: [
          { name: 'KEY:Ljava/lang/String;', value: 'geheim\0漢😀' },
          { name: 'LIMIT:I', value: -7 },
          { name: 'NOTHING:Ljava/lang/Object;', value: null },
        ],
        methods: [{ name: 'run(I[Ljava/lang/String;J)Ljava/lang/Object;' }, { name: '<init>()V', flags: 0x10001 }],
      },
      { name: 'La/Base;' },
    ])
    const main = program.classOf('La/Main;')!
    expect([main.superclass, main.interfaces, main.annotations]).toEqual([
      'La/Base;',
      ['Ljava/lang/Runnable;'],
      ['La/Mark;'],
    ])
    expect(main.fields.map(({ name, constant }) => [name, constant])).toEqual([
      ['KEY', 'geheim\0漢😀'],
      ['LIMIT', -7],
      ['NOTHING', null],
    ])
    expect(main.methods.map(({ reference, parameters, returns }) => ({ reference, parameters, returns }))).toEqual([
      { reference: 'La/Main;-><init>()V', parameters: [], returns: 'V' },
      {
        reference: 'La/Main;->run(I[Ljava/lang/String;J)Ljava/lang/Object;',
        parameters: ['I', '[Ljava/lang/String;', 'J'],
        returns: 'Ljava/lang/Object;',
      },
    ])
    expect([...program.stringConstants()].map(({ value, fields }) => [value, fields])).toEqual([
      ['geheim\0漢😀', ['La/Main;->KEY:Ljava/lang/String;']],
    ])
    expect([program.classCount, program.methodCount, program.dexes[0]!.notes]).toEqual([2, 2, []])
  })

  test('the first definition of a class wins, as on a device', () => {
    const code = (text: string) => ({
      name: 'run()V',
      code: (x: DexReferenceNumbers) => [...constString(0, x.string(text)), 0x0e],
    })
    const program = programOf(
      [{ name: 'La/Main;', methods: [code('first')] }],
      [{ name: 'La/Main;', methods: [code('second')] }],
    )
    expect([...program.stringConstants()].map(({ value }) => value)).toEqual(['first'])
    expect(program.dexes[1]!.notes).toMatchObject([{ key: 'duplicate-class' }])
  })

  test('a container of version 041 holds several files', () => {
    const one = writeDex([{ name: 'La/One;' }], { version: '041' })
    const two = writeDex([{ name: 'La/Two;' }], { version: '041', base: one.length })
    const program = readProgram([{ entry: 'classes.dex', bytes: new Uint8Array(Buffer.concat([one, two])) }])
    expect([...program.classes()].map(({ descriptor }) => descriptor)).toEqual(['La/One;', 'La/Two;'])
    expect(program.dexes.map(({ version, notes }) => [version, notes])).toEqual([
      ['041', []],
      ['041', []],
    ])
  })

  test('what is no dex says so and costs nothing else', () => {
    const bytes = writeDex([{ name: 'La/Main;' }])
    const program = readProgram([
      { entry: 'classes.dex', bytes: new Uint8Array(200) },
      { entry: 'classes2.dex', bytes },
      { entry: 'classes3.dex', bytes: new Uint8Array() },
    ])
    expect(program.classCount).toBe(1)
    expect(program.dexes.map(({ entry, notes }) => [entry, notes[0]?.key])).toEqual([
      ['classes2.dex', undefined],
      ['classes.dex', 'not-dex'],
      ['classes3.dex', 'not-dex'],
    ])
  })
})

describe('references', () => {
  const program = programOf([
    { name: 'La/Web;', superclass: 'Landroid/webkit/WebView;' },
    { name: 'La/Own;', superclass: 'La/Web;', methods: [{ name: 'loadUrl(Ljava/lang/String;)V' }] },
    {
      name: 'La/Main;',
      methods: [
        {
          name: 'run()V',
          code: (x) =>
            ['Landroid/webkit/WebView;', 'La/Web;', 'La/Own;'].flatMap((owner) =>
              invokeVirtual(x.method(`${owner}->loadUrl(Ljava/lang/String;)V`), 0, 1),
            ),
        },
      ],
    },
  ])
  const callees = (pattern: string) =>
    program.callsTo(pattern).map(({ callee }) => callee.slice(0, callee.indexOf('->')))

  test.each([
    ['Landroid/webkit/WebView;->loadUrl', ['La/Web;', 'Landroid/webkit/WebView;']],
    ['Landroid/webkit/WebView;->loadUrl(Ljava/lang/String;)V', ['La/Web;', 'Landroid/webkit/WebView;']],
    ['Landroid/webkit/WebView;->loadUrl(Ljava/lang/String;', ['La/Web;', 'Landroid/webkit/WebView;']],
    ['Landroid/webkit/WebView;', ['Landroid/webkit/WebView;', 'La/Web;']],
    ['La/Own;->', ['La/Own;']],
    ['L*;->loadUrl', ['La/Own;', 'La/Web;', 'Landroid/webkit/WebView;']],
    ['La/*;->loadUrl(', ['La/Own;', 'La/Web;']],
    ['La/*;', ['La/Own;', 'La/Web;']],
    ['Landroid/webkit/WebView;->load', []],
    ['Landroid/webkit/WebView;->loadUrl(I)V', []],
  ])('%s', (pattern, owners) => {
    expect(callees(pattern)).toEqual(owners)
  })

  test('a class is what it extends and implements, through others', () => {
    expect(program.isA('La/Own;', 'Landroid/webkit/WebView;')).toBe(true)
    expect(program.isA('La/Web;', 'La/Own;')).toBe(false)
    expect(program.subclassesOf('Landroid/webkit/WebView;').map(({ descriptor }) => descriptor)).toEqual([
      'La/Web;',
      'La/Own;',
    ])
  })

  test('classes that extend each other in a circle end', () => {
    const circle = programOf([
      { name: 'La/A;', superclass: 'La/B;' },
      { name: 'La/B;', superclass: 'La/A;' },
    ])
    expect(circle.isA('La/A;', 'Lb/C;')).toBe(false)
    expect(circle.subclassesOf('La/A;').map(({ descriptor }) => descriptor)).toEqual(['La/B;'])
  })

  test('fields, types and texts are found where they are used, with line and offset', () => {
    const used = withCode(
      (x) => [
        0x62,
        x.field('Landroid/os/Build;->SERIAL:Ljava/lang/String;'),
        0x69,
        x.field('La/Main;->kept:Ljava/lang/String;'),
        0x22,
        x.type('La/Thing;'),
        ...constString(1, x.string('needle')),
        0x0e,
      ],
      {
        lines: [
          [0, 10],
          [2, 11],
          [6, 20],
        ],
      },
    )
    expect(used.fieldUses('Landroid/os/Build;->SERIAL').map(({ write, line }) => [write, line])).toEqual([[false, 10]])
    expect(used.fieldUses('La/Main;->kept:').map(({ write, line }) => [write, line])).toEqual([[true, 11]])
    expect(used.typeUses('La/Thing;').map(({ line }) => line)).toEqual([11])
    const [needle] = used.stringUses('needle')
    expect([needle!.line, needle!.method.reference, needle!.entry]).toEqual([20, 'La/Main;->run()V', 'classes.dex'])
    expect(used.listing(needle!, 3)).toEqual([
      '0004: new-instance v0, La/Thing;',
      '0006: const-string v1, "needle"',
      '0008: return-void',
    ])
  })
})

describe('what stands in an argument', () => {
  const call = (x: DexReferenceNumbers, register: number) => [...invokeStatic(x.method(CIPHER), register), 0x0e]

  test('a text, over moves and casts', () => {
    const program = withCode((x) => [
      ...constString(0, x.string('AES/ECB')),
      0x07 | (1 << 8) | (0 << 12),
      0x1f | (1 << 8),
      x.type('Ljava/lang/String;'),
      ...call(x, 1),
    ])
    expect(cipherArgument(program)).toEqual({ kind: 'string', value: 'AES/ECB' })
  })

  test('either of two texts is not decided, but known', () => {
    const program = withCode((x) => [
      ...constString(0, x.string('AES/ECB')),
      0x38 | (3 << 8),
      4,
      ...constString(0, x.string('AES/GCM')),
      ...call(x, 0),
    ])
    const [site] = program.callsTo('Ljavax/crypto/Cipher;->getInstance')
    expect(program.argument(site!, 1)).toEqual({ kind: 'unknown' })
    expect(program.possibleArguments(site!, 1).map((value) => ('value' in value ? value.value : ''))).toEqual(
      expect.arrayContaining(['AES/ECB', 'AES/GCM']),
    )
  })

  test('a static final field, by its constant or by the static initialiser', () => {
    const field = 'La/Main;->MODE:Ljava/lang/String;'
    const run = {
      name: 'run()V',
      flags: STATIC,
      code: (x: DexReferenceNumbers) => [0x62, x.field(field), ...call(x, 0)],
    }
    const initialiser = {
      name: '<clinit>()V',
      flags: 0x10008,
      code: (x: DexReferenceNumbers) => [...constString(0, x.string('DES')), 0x69, x.field(field), 0x0e],
    }
    const name = 'MODE:Ljava/lang/String;'
    const constant = programOf([{ name: 'La/Main;', staticFields: [{ name, value: 'AES' }], methods: [run] }])
    expect(cipherArgument(constant)).toEqual({ kind: 'string', value: 'AES' })
    const stored = programOf([{ name: 'La/Main;', staticFields: [{ name }], methods: [run, initialiser] }])
    expect(cipherArgument(stored)).toEqual({ kind: 'string', value: 'DES' })
    const open = programOf([{ name: 'La/Main;', staticFields: [{ name, value: 'AES', flags: 9 }], methods: [run] }])
    expect(cipherArgument(open)).toEqual({ kind: 'field', field })
  })

  test('a text that a StringBuilder puts together', () => {
    const builder = 'Ljava/lang/StringBuilder;'
    const program = withCode((x) => {
      const append = x.method(`${builder}->append(Ljava/lang/String;)${builder}`)
      return [
        0x22,
        x.type(builder),
        ...invokeVirtual(x.method(`${builder}-><init>()V`), 0),
        ...constString(1, x.string('AES')),
        ...invokeVirtual(append, 0, 1),
        0x0c,
        ...constString(1, x.string('/ECB')),
        ...invokeVirtual(append, 0, 1),
        ...invokeVirtual(x.method(`${builder}->toString()Ljava/lang/String;`), 0),
        0x0c | (2 << 8),
        ...call(x, 2),
      ]
    })
    expect(cipherArgument(program)).toEqual({ kind: 'string', value: 'AES/ECB' })
  })

  test('parameters count as arguments do, wide ones as one', () => {
    const program = programOf([
      {
        name: 'La/Main;',
        methods: [
          { name: 'run(JLjava/lang/String;)V', registers: 4, ins: 4, code: (x) => call(x, 3) },
          { name: 'other(JLjava/lang/String;)V', flags: STATIC, registers: 3, ins: 3, code: (x) => call(x, 2) },
        ],
      },
    ])
    for (const site of program.callsTo(CIPHER))
      expect(program.argument(site, 1)).toEqual({ kind: 'parameter', index: 2 })
  })

  test('bytes of an array, from a table and one by one', () => {
    const spec = 'Ljavax/crypto/spec/IvParameterSpec;->of([B)V'
    const table = withCode((x) => [
      0x12 | (0 << 8) | (3 << 12),
      0x23 | (1 << 8) | (0 << 12),
      x.type('[B'),
      0x26 | (1 << 8),
      7,
      0,
      ...invokeStatic(x.method(spec), 1),
      0x0e,
      0x0300,
      1,
      3,
      0,
      0x0201,
      0x0003,
    ])
    const bytesOf = (program: Program) => {
      const value = program.argument(program.callsTo(spec)[0]!, 1)
      return value.kind === 'array' ? [value.length, ...(value.bytes ?? [])] : value
    }
    expect(bytesOf(table)).toEqual([3, 1, 2, 3])
    const single = withCode((x) => [
      0x12 | (0 << 8) | (2 << 12),
      0x23 | (1 << 8) | (0 << 12),
      x.type('[B'),
      0x12 | (2 << 8) | (1 << 12),
      0x12 | (3 << 8) | (5 << 12),
      0x4f | (3 << 8),
      1 | (2 << 8),
      ...invokeStatic(x.method(spec), 1),
      0x0e,
    ])
    expect(bytesOf(single)).toEqual([2, 0, 5])
  })

  test('a loop and a jump into nowhere end', () => {
    const program = withCode((x) => [0x0000, 0x38 | (1 << 8), 3, 0x28 | (0xfe << 8), ...call(x, 0), 0x29, 0x7fff])
    expect(cipherArgument(program)).toEqual({ kind: 'unknown' })
  })

  test('try blocks and null checks', () => {
    const program = withCode(
      (x) => [
        0x38,
        5,
        ...invokeVirtual(x.method('La/Thing;->go()V'), 0),
        ...invokeVirtual(x.method('La/Thing;->stop()V'), 1),
        0x0e,
        0x0d,
        0x0e,
      ],
      { tries: [[2, 3, 9]] },
    )
    const [go] = program.callsTo('La/Thing;->go')
    const [stop] = program.callsTo('La/Thing;->stop')
    expect([program.isCaught(go!), program.isCaught(stop!)]).toEqual([true, false])
    expect([program.isNullChecked(go!), program.isNullChecked(stop!)]).toEqual([true, false])
  })
})

describe('who calls whom', () => {
  const calling = (name: string, callee: string, flags = 1): WrittenDexMethod => ({
    name,
    flags,
    code: (x) => [...invokeVirtual(x.method(callee), 0), 0x0e],
  })
  const program = programOf([
    { name: 'La/Shape;', flags: 0x601, methods: [{ name: 'draw()V' }] },
    { name: 'La/Round;', interfaces: ['La/Shape;'], methods: [calling('draw()V', 'La/Pen;->move()V')] },
    { name: 'La/Flat;', interfaces: ['La/Shape;'], methods: [{ name: 'draw()V', code: () => [0x0e] }] },
    { name: 'La/Pen;', methods: [{ name: 'move()V', code: () => [0x0e] }] },
    { name: 'La/Main;', methods: [calling('all()V', 'La/Shape;->draw()V'), calling('top()V', 'La/Main;->all()V')] },
  ])
  const move = program.classOf('La/Pen;')!.methods[0]!

  test('through an interface, nearest first, no deeper than asked', () => {
    const names = (depth: number) => program.callersOf(move, depth).map(({ reference }) => reference)
    expect(names(1)).toEqual(['La/Round;->draw()V'])
    expect(names(3)).toEqual(['La/Round;->draw()V', 'La/Main;->all()V', 'La/Main;->top()V'])
  })
})

describe('hostile files', () => {
  const bytes = writeDex([
    {
      name: 'La/Main;',
      interfaces: ['La/I;'],
      annotations: ['La/Mark;'],
      staticFields: [{ name: 'KEY:Ljava/lang/String;', value: 'x' }],
      methods: [
        {
          name: 'run(I)Ljava/lang/String;',
          registers: 6,
          ins: 2,
          lines: [[0, 3]],
          tries: [[0, 4, 2]],
          code: (x) => [
            ...constString(0, x.string('text')),
            0x2b,
            6,
            0,
            ...invokeStatic(x.method(CIPHER), 0),
            0x11,
            0x0100,
            1,
            0,
            0,
            3,
            0,
          ],
        },
      ],
    },
  ])
  const askAll = (program: Program) => {
    for (const one of program.classes()) {
      void [one.superclass, one.interfaces, one.annotations, one.fields]
      for (const method of one.methods) {
        void [method.reference, method.annotations, program.returns(method), program.callersOf(method, 3)]
        for (const site of program.callsFrom(method)) {
          void [site.line, program.argument(site, 0), program.argument(site, 1), program.listing(site, 5)]
          void [program.isCaught(site), program.isNullChecked(site)]
        }
      }
    }
    for (const text of program.stringConstants()) void text.sites.length
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

  test('sizes that lie are cut and told', () => {
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

  test('what lies beyond a limit is left out and told', () => {
    const many = writeDex([
      {
        name: 'La/Main;',
        methods: Array.from({ length: 60 }, (_, i) => ({ name: `m${i}()V`, flags: STATIC, code: () => [0x0e] })),
      },
    ])
    const read = (limits: Partial<typeof DEX_LIMITS>) =>
      readProgram([{ entry: 'classes.dex', bytes: many }], { ...DEX_LIMITS, ...limits })
    for (const limits of [{ methods: 10 }, { classes: 0 }, { overlap: 0 }])
      expect(read(limits).dexes[0]!.notes.map(({ key }) => key)).toContain('limit')
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
    // Every text at one place, the names of classes among them, where half of the file is one run of letters.
    shared.fill(0x41, shared.length / 2)
    for (let i = 0; i < view.getUint32(0x38, true); i++) view.setUint32(strings + 4 * i, shared.length / 2, true)
    const started = performance.now()
    const same = readProgram([{ entry: 'classes.dex', bytes: shared }])
    expect(same.callsTo('L*;->run')).toEqual([])
    expect(performance.now() - started).toBeLessThan(5000)
  })
})
