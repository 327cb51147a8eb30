import { describe, expect, test } from 'vitest'
import {
  CIPHER,
  constString,
  invokeStatic,
  invokeVirtual,
  programOf,
  STATIC,
  withCode,
} from '#tests/support/dex-program.ts'
import type { DexReferenceNumbers } from '#tests/support/dex-writer.ts'
import type { Program } from './program.ts'

/** What is given to the only Cipher.getInstance of the program. */
const cipherArgument = (program: Program) =>
  program.argument(program.callsTo('Ljavax/crypto/Cipher;->getInstance')[0]!, 1)

describe('argument values', () => {
  const call = (x: DexReferenceNumbers, register: number) => [...invokeStatic(x.method(CIPHER), register), 0x0e]

  test('a text argument is found over moves and casts', () => {
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
    const [cipherCall] = program.callsTo('Ljavax/crypto/Cipher;->getInstance')
    expect(program.argument(cipherCall!, 1)).toEqual({ kind: 'unknown' })
    expect(program.possibleArguments(cipherCall!, 1).map((value) => ('value' in value ? value.value : ''))).toEqual(
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
  })

  test('a text that nothing changes: of a field that is not final, by its constant or by what each constructor writes', () => {
    const field = 'La/Main;->MODE:Ljava/lang/String;'
    const name = 'MODE:Ljava/lang/String;'
    const read = {
      name: 'run()V',
      flags: STATIC,
      code: (x: DexReferenceNumbers) => [0x62, x.field(field), ...call(x, 0)],
    }
    const written = (reference: string) => ({
      name: 'set()V',
      flags: STATIC,
      code: (x: DexReferenceNumbers) => [...constString(0, x.string('DES')), 0x69, x.field(reference), 0x0e],
    })
    const open = { name, value: 'AES', flags: 9 }
    const alone = programOf([{ name: 'La/Main;', staticFields: [open], methods: [read] }])
    expect(cipherArgument(alone)).toEqual({ kind: 'string', value: 'AES' })
    for (const reference of [field, field.replace('Main', 'Child')]) {
      const changed = programOf([
        { name: 'La/Main;', staticFields: [open], methods: [read] },
        { name: 'La/Child;', superclass: 'La/Main;', methods: [written(reference)] },
      ])
      expect(cipherArgument(changed)).toEqual({ kind: 'field', field })
    }

    // iget-object v0, v3 and iput-object v0, v3
    const get = { name: 'run()V', code: (x: DexReferenceNumbers) => [0x54 | (3 << 12), x.field(field), ...call(x, 0)] }
    const made = (signature: string, value: string) => ({
      name: `<init>(${signature})V`,
      flags: 0x10001,
      code: (x: DexReferenceNumbers) => [
        ...constString(0, x.string(value)),
        0x5b | ((3 - signature.length) << 12),
        x.field(field),
        0x0e,
      ],
    })
    const instance = (...constructors: ReturnType<typeof made>[]) =>
      programOf([
        {
          name: 'La/Main;',
          instanceFields: [name],
          methods: [get, ...constructors].map((one) => ({
            ...one,
            registers: 4,
            ins: one.name === '<init>(I)V' ? 2 : 1,
          })),
        },
      ])
    expect(cipherArgument(instance(made('', 'DES')))).toEqual({ kind: 'string', value: 'DES' })
    expect(cipherArgument(instance(made('', 'DES'), made('I', 'DES')))).toEqual({ kind: 'string', value: 'DES' })
    expect(cipherArgument(instance(made('', 'DES'), made('I', 'AES')))).toEqual({ kind: 'unknown' })
    expect(cipherArgument(instance())).toEqual({ kind: 'field', field })
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
    for (const call of program.callsTo(CIPHER))
      expect(program.argument(call, 1)).toEqual({ kind: 'parameter', index: 2 })
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

  test('try blocks and null checks do not hide an argument value', () => {
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

  test('what leads to an instruction is straight up to the first jump or handler', () => {
    const calls = (x: DexReferenceNumbers) =>
      ['a', 'b', 'c'].flatMap((name) => invokeStatic(x.method(`La/Thing;->${name}()V`)))
    const counts = (code: (x: DexReferenceNumbers) => number[], extra: Parameters<typeof withCode>[1] = {}) => {
      const program = withCode(code, extra)
      const [last] = program.callsTo('La/Thing;->c')
      return [0, 1, 2, 3, 9].map((count) => program.isStraight(last!, count))
    }
    expect(counts((x) => [...calls(x), 0x0e])).toEqual([true, true, true, false, false])
    // A jump to the second call, and a handler that is the third one.
    expect(counts((x) => [0x38, 5, ...calls(x), 0x0e])).toEqual([true, true, false, false, false])
    expect(counts((x) => [...calls(x), 0x0e], { tries: [[0, 3, 6]] })).toEqual([true, false, false, false, false])
  })
})
