import { describe, expect, test } from 'vitest'
import { constString, invokeVirtual, programOf, withCode } from '#tests/support/dex-program.ts'
import { type DexReferenceNumbers, type WrittenDexMethod, writeDex } from '#tests/support/dex-writer.ts'
import { readProgram } from './read-program.ts'

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
    expect([...program.textsBeginning('geheim')]).toEqual(['geheim\0漢😀'])
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
  ])('callees of the reference pattern %s are found', (pattern, owners) => {
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
