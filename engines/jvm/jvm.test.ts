import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type ClassPoolNumbers, two, type WrittenClass, writeClass } from '#tests/support/class-writer.ts'
import { mutate, writeZip } from '#tests/support/zip-writer.ts'
import { FormatError } from '../bytes/format-error.ts'
import type { Program } from '../dex/program.ts'
import { jarClasses } from './jar-classes.ts'
import { readJvmProgram } from './read-jvm-program.ts'

const CIPHER = 'javax/crypto/Cipher->getInstance(Ljava/lang/String;)Ljavax/crypto/Cipher;'
const STATIC = 9
const programOf = (...classes: WrittenClass[]): Program =>
  readJvmProgram(classes.map((one) => ({ entry: `${one.name}.class`, bytes: writeClass(one) })))
const ldc = (index: number) => [0x13, ...two(index)]
const getInstance = (x: ClassPoolNumbers) => [0xb8, ...two(x.method(CIPHER)), 0x57]
const withCode = (code: (x: ClassPoolNumbers) => number[], name = 'run()V'): Program =>
  programOf({ name: 'a/Main', methods: [{ name, flags: STATIC, code }] })
const cipherArguments = (program: Program) =>
  program.possibleArguments(program.callsTo('Ljavax/crypto/Cipher;->getInstance')[0]!, 1)

describe('class files as a program', () => {
  const program = programOf(
    {
      name: 'a/Main',
      superclass: 'a/Base',
      interfaces: ['java/lang/Runnable'],
      sourceFile: 'Main.java',
      annotations: ['La/Mark;'],
      fields: [{ name: 'KEY:Ljava/lang/String;', value: 'secret' }],
      methods: [
        {
          name: 'run()V',
          lines: [
            [0, 10],
            [9, 12],
          ],
          tries: [[12, 15, 15]],
          code: (x) => [
            0x2a,
            0xc6,
            ...two(8),
            0x2a,
            0x09,
            0xb6,
            ...two(x.method('a/Main->go(J)V')),
            0xbb,
            ...two(x.type('a/Thing')),
            0xb2,
            ...two(x.field('android/os/Build->SERIAL:Ljava/lang/String;')),
            0xb1,
          ],
        },
      ],
    },
    { name: 'a/Base', methods: [{ name: 'go(J)V' }] },
  )

  test('classes, fields, methods, annotations', () => {
    const main = program.classOf('La/Main;')!
    expect([main.superclass, main.interfaces, main.sourceFile, main.annotations, main.entry]).toEqual([
      'La/Base;',
      ['Ljava/lang/Runnable;'],
      'Main.java',
      ['La/Mark;'],
      'a/Main.class',
    ])
    expect(main.fields).toEqual([
      {
        reference: 'La/Main;->KEY:Ljava/lang/String;',
        name: 'KEY',
        type: 'Ljava/lang/String;',
        accessFlags: 0x19,
        constant: 'secret',
      },
    ])
    expect(main.methods.map(({ reference }) => reference)).toEqual(['La/Main;->run()V'])
    expect(program.dexes).toMatchObject([{ version: '52', classCount: 2, methodCount: 2, notes: [] }])
    expect([...program.stringConstants()].map(({ value, fields }) => [value, fields])).toEqual([
      ['secret', ['La/Main;->KEY:Ljava/lang/String;']],
    ])
  })

  test('calls, fields and types with entry, offset and line', () => {
    const [call] = program.callsTo('La/Base;->go')
    expect([call!.callee, call!.kind, call!.line, call!.entry]).toEqual([
      'La/Main;->go(J)V',
      'virtual',
      10,
      'a/Main.class',
    ])
    expect([program.isNullChecked(call!), program.isCaught(call!)]).toEqual([true, false])
    const [use] = program.typeUses('La/Thing;')
    expect([use!.line, program.isCaught(use!)]).toEqual([12, false])
    expect(program.fieldUses('Landroid/os/Build;->SERIAL').map(({ write }) => write)).toEqual([false])
    expect(program.listing(call!, 3)).toEqual(['5: lconst_0', '6: invokevirtual La/Main;->go(J)V', '9: new La/Thing;'])
    const go = program.classOf('La/Base;')!.methods[0]!
    expect(program.callersOf(go, 2).map(({ reference }) => reference)).toEqual(['La/Main;->run()V'])
  })
})

describe('argument values', () => {
  test('a text, over a local variable and a cast', () => {
    const program = withCode((x) => [
      ...ldc(x.string('AES/ECB')),
      0x4b,
      0x2a,
      0xc0,
      ...two(x.type('java/lang/String')),
      ...getInstance(x),
      0xb1,
    ])
    expect(cipherArguments(program)).toEqual([{ kind: 'string', value: 'AES/ECB' }])
  })

  test('an argument that is either of two texts gives both', () => {
    const program = withCode(
      (x) => [
        0x1a,
        0x99,
        ...two(9),
        ...ldc(x.string('AES/ECB')),
        0xa7,
        ...two(6),
        ...ldc(x.string('AES/GCM')),
        ...getInstance(x),
        0xb1,
      ],
      'run(I)V',
    )
    expect(cipherArguments(program).map((value) => ('value' in value ? value.value : ''))).toEqual(
      expect.arrayContaining(['AES/ECB', 'AES/GCM']),
    )
  })

  test('a variable that is set twice is not decided behind a branch', () => {
    const program = withCode(
      (x) => [
        ...ldc(x.string('AES/ECB')),
        0x4c,
        0x1a,
        0x99,
        ...two(7),
        ...ldc(x.string('AES/GCM')),
        0x4c,
        0x2b,
        ...getInstance(x),
        0xb1,
      ],
      'run(I)V',
    )
    expect(cipherArguments(program)).toEqual([{ kind: 'unknown' }])
  })

  test('a static final field that the initialiser sets, and a StringBuilder', () => {
    const builder = 'java/lang/StringBuilder'
    const program = programOf({
      name: 'a/Main',
      fields: [{ name: 'MODE:Ljava/lang/String;' }],
      methods: [
        {
          name: '<clinit>()V',
          flags: 8,
          code: (x) => [
            0xbb,
            ...two(x.type(builder)),
            0x59,
            0xb7,
            ...two(x.method(`${builder}-><init>()V`)),
            ...ldc(x.string('AES')),
            0xb6,
            ...two(x.method(`${builder}->append(Ljava/lang/String;)L${builder};`)),
            ...ldc(x.string('/ECB')),
            0xb6,
            ...two(x.method(`${builder}->append(Ljava/lang/String;)L${builder};`)),
            0xb6,
            ...two(x.method(`${builder}->toString()Ljava/lang/String;`)),
            0xb3,
            ...two(x.field('a/Main->MODE:Ljava/lang/String;')),
            0xb1,
          ],
        },
        {
          name: 'run()V',
          code: (x) => [0xb2, ...two(x.field('a/Main->MODE:Ljava/lang/String;')), ...getInstance(x), 0xb1],
        },
      ],
    })
    expect(cipherArguments(program)).toEqual([{ kind: 'string', value: 'AES/ECB' }])
  })

  test('a text that only the constructor writes; a second writer makes it undecided', () => {
    const field = 'a/Main->mode:Ljava/lang/String;'
    const write = (name: string) => ({
      name,
      flags: 1,
      code: (x: ClassPoolNumbers) => [0x2a, ...ldc(x.string('AES')), 0xb5, ...two(x.field(field)), 0xb1],
    })
    const withWriters = (...names: string[]) =>
      programOf({
        name: 'a/Main',
        fields: [{ name: 'mode:Ljava/lang/String;', flags: 2 }],
        methods: [
          ...names.map(write),
          {
            name: 'run()V',
            flags: 1,
            code: (x: ClassPoolNumbers) => [0x2a, 0xb4, ...two(x.field(field)), ...getInstance(x), 0xb1],
          },
        ],
      })
    expect(cipherArguments(withWriters('<init>()V'))).toEqual([{ kind: 'string', value: 'AES' }])
    expect(cipherArguments(withWriters('<init>()V', 'set()V'))).toEqual([
      { kind: 'field', field: 'La/Main;->mode:Ljava/lang/String;' },
    ])
  })

  test('wide parameters count as one, bytes of an array are read', () => {
    const program = withCode((x) => [0x2c, ...getInstance(x), 0xb1], 'run(JLjava/lang/String;)V')
    expect(cipherArguments(program)).toEqual([{ kind: 'parameter', index: 2 }])
    const iv = 'a/Iv->of([B)V'
    const array = withCode((x) => [
      0x05,
      0xbc,
      8,
      0x59,
      0x03,
      0x10,
      0xff,
      0x54,
      0x59,
      0x04,
      0x07,
      0x54,
      0xb8,
      ...two(x.method(iv)),
      0xb1,
    ])
    expect(array.argument(array.callsTo('La/Iv;->of')[0]!, 1)).toEqual({
      kind: 'array',
      length: 2,
      bytes: Uint8Array.of(0xff, 4),
    })
  })

  test('values that a method returns are found', () => {
    const program = withCode((x) => [...ldc(x.string('yes')), 0xb0], 'run()Ljava/lang/String;')
    expect(program.returns(program.classOf('La/Main;')!.methods[0]!)).toEqual([{ kind: 'string', value: 'yes' }])
    const answer = withCode(() => [0x04, 0xac], 'run()Z')
    expect(answer.returns(answer.classOf('La/Main;')!.methods[0]!)).toEqual([{ kind: 'number', value: 1 }])
  })
})

describe('archives and hostile files', () => {
  const bytes = writeClass({
    name: 'a/Main',
    annotations: ['La/Mark;'],
    fields: [{ name: 'KEY:Ljava/lang/String;', value: 'x' }],
    methods: [
      {
        name: 'run(I)V',
        lines: [[0, 1]],
        tries: [[0, 3, 3]],
        code: (x) => [
          ...ldc(x.string('text')),
          ...getInstance(x),
          0x1a,
          0xaa,
          0,
          ...Array<number>(3).fill(0),
          20,
          ...Array<number>(12).fill(0),
          0xb1,
          0xb1,
        ],
      },
    ],
  })

  test('classes of an archive; variants for later Java are left out', () => {
    const jar = writeZip([
      { name: 'a/Main.class', data: bytes },
      { name: 'META-INF/versions/11/a/Main.class', data: bytes },
      { name: 'module-info.class', data: bytes },
      { name: 'a/Broken.class', data: 'no class' },
    ])
    const { classes, unreadable } = jarClasses(jar, 'classes.jar!/')
    expect([classes.map(({ entry }) => entry), unreadable]).toEqual([
      ['classes.jar!/a/Main.class', 'classes.jar!/a/Broken.class'],
      [],
    ])
    const program = readJvmProgram(classes)
    expect(program.classCount).toBe(1)
    expect(program.dexes[0]!.notes).toMatchObject([{ key: 'not-class' }])
  })

  test('whatever is flipped or cut, nothing is thrown and it ends', () => {
    const change = fc.tuple(fc.nat(bytes.length - 1), fc.constantFrom(0, 1, 2, 8, 0x7f, 0x80, 0xaa, 0xb8, 0xff))
    fc.assert(
      fc.property(fc.array(change, { maxLength: 8 }), fc.constantFrom(0, 0, 0, 1, 40), (changes, cut) => {
        const program = readJvmProgram([{ entry: 'a', bytes: mutate(bytes, changes, cut) }])
        for (const one of program.classes()) {
          void [one.annotations, one.fields, one.sourceFile]
          for (const method of one.methods) {
            void [method.annotations, program.returns(method), program.callersOf(method, 2)]
            for (const call of program.callsFrom(method)) {
              void [call.line, program.argument(call, 0), program.argument(call, 1), program.listing(call, 5)]
              void [program.isCaught(call), program.isNullChecked(call)]
            }
          }
        }
      }),
      { numRuns: 1500 },
    )
    expect(() => jarClasses(Uint8Array.of(1, 2, 3))).toThrow(FormatError)
  })
})
