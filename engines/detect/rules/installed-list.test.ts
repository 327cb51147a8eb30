import { describe, expect, test } from 'vitest'
import { method } from '#tests/support/code-body.ts'
import { element } from '#tests/support/detect-package.ts'
import { type CodePiece, go, ifNotZero, ifZero, withJumps } from '#tests/support/dex-jumps.ts'
import { constString, invokeStatic, invokeVirtual } from '#tests/support/dex-program.ts'
import type { DexReferenceNumbers, WrittenDexClass, WrittenDexMethod } from '#tests/support/dex-writer.ts'
import { judgeOne } from '#tests/support/judge-item.ts'

const MAIN = 'Lorg/maker/app/Main;'
const NAME = 'Landroid/content/pm/PackageInfo;->packageName:Ljava/lang/String;'
const LABEL = 'Landroid/content/pm/PackageInfo;->versionName:Ljava/lang/String;'
/** v0 the list, v1 its iterator, v2 an entry, v3 its name, v4 a text, v5 an answer, v6 a new list, v8 the object, v9 and v10 parameters. */
const [REGISTERS, PARAMETERS] = [11, 3]
type Write = (x: DexReferenceNumbers) => CodePiece[]

const invoke = (opcode: number, method: number, ...registers: number[]) => {
  const [head, ...rest] = invokeVirtual(method, ...registers)
  return [(head! & ~0xff) | opcode, ...rest]
}
const list: Write = (x) => [
  [0x0012],
  invokeVirtual(x.method('Landroid/content/pm/PackageManager;->getInstalledPackages(I)Ljava/util/List;'), 9, 0),
  [0x000c],
]
const through =
  (body: Write): Write =>
  (x) => [
    invoke(0x72, x.method('Ljava/util/List;->iterator()Ljava/util/Iterator;'), 0),
    [0x010c],
    'loop',
    invoke(0x72, x.method('Ljava/util/Iterator;->hasNext()Z'), 1),
    [0x050a],
    ifZero(5, 'end'),
    invoke(0x72, x.method('Ljava/util/Iterator;->next()Ljava/lang/Object;'), 1),
    [0x020c],
    [0x021f, x.type('Landroid/content/pm/PackageInfo;')],
    [0x2354, x.field(NAME)],
    ...body(x),
    go('loop'),
    'end',
  ]
const compares =
  (callee = 'Ljava/lang/String;->equals(Ljava/lang/Object;)Z', text: string | null = 'com.maker.other'): Write =>
  (x) => [...(text === null ? [] : [constString(4, x.string(text))]), invokeVirtual(x.method(callee), 3, 4), [0x050a]]
const sends =
  (register: number): Write =>
  (x) => [invokeStatic(x.method(`${MAIN}->send(Ljava/lang/Object;)V`), register)]
const both =
  (...writes: readonly Write[]): Write =>
  (x) =>
    writes.flatMap((write) => write(x))
const answers =
  (opcode: number, register: number): Write =>
  () => [[opcode | (register << 8)]]
const nothing: Write = () => [[0x000e]]
const skips =
  (to: string): Write =>
  () => [ifZero(5, to)]
const at =
  (name: string): Write =>
  () => [name]

const level = (
  signature: string,
  write: Write,
  more: {
    readonly tries?: WrittenDexMethod['tries']
    readonly methods?: readonly WrittenDexMethod[]
    readonly classes?: readonly WrittenDexClass[]
  } = {},
) => {
  const asked: WrittenDexMethod = {
    name: signature,
    flags: 1,
    registers: REGISTERS,
    ins: PARAMETERS,
    code: (x) => withJumps(...write(x)),
    ...(more.tries && { tries: more.tries }),
  }
  return judgeOne('android-privacy-installed-apps', {
    others: [element('uses-permission', { name: 'android.permission.INTERNET' })],
    classes: [{ name: MAIN, methods: [asked, ...(more.methods ?? [])] }, ...(more.classes ?? [])],
  }).level
}
const FIND = 'find(Landroid/content/pm/PackageManager;Ljava/lang/String;)'

describe('DET-03 a look in the list of what is installed for applications that the code names', () => {
  test('is low where an entry goes on only after its name was the wanted one, in whatever way the method answers', () => {
    const wanted = both(compares(), skips('loop'), sends(2))
    expect(level(`${FIND}V`, both(list, through(wanted), nothing))).toBe('low')
    // The answer the other way round: a jump where the name is the wanted one.
    const jumps: Write = both(compares(), () => [ifNotZero(5, 'found')])
    const found = both(list, through(jumps), nothing, at('found'), answers(0x11, 2))
    expect(level(`${FIND}Landroid/content/pm/PackageInfo;`, found)).toBe('low')
    expect(level(`${FIND}Z`, both(list, through(both(compares(), skips('loop'))), answers(0x0f, 5)))).toBe('low')
    const either = both(
      compares(),
      () => [ifNotZero(5, 'is')],
      compares(undefined, 'com.maker.more'),
      skips('loop'),
      at('is'),
    )
    expect(level(`${FIND}V`, both(list, through(both(either, sends(2))), nothing))).toBe('low')
  })

  test("knows Kotlin's comparison by what it does, whatever its name", () => {
    const kotlin = (equals: string): WrittenDexClass => ({
      name: 'Lkotlin/jvm/internal/a;',
      methods: [
        method('static b(Ljava/lang/Object;Ljava/lang/Object;)Z', (body) =>
          body.result(body.virtual(equals, body.parameter(0), body.parameter(1)), 'Z'),
        ),
      ],
    })
    const asks: Write = (x) => [
      constString(4, x.string('com.maker.other')),
      invokeStatic(x.method('Lkotlin/jvm/internal/a;->b(Ljava/lang/Object;Ljava/lang/Object;)Z'), 3, 4),
      [0x050a],
    ]
    const code = both(list, through(both(asks, skips('loop'), sends(2))), nothing)
    expect(level(`${FIND}V`, code, { classes: [kotlin('Ljava/lang/Object;->equals(Ljava/lang/Object;)Z')] })).toBe(
      'low',
    )
    expect(level(`${FIND}V`, code, { classes: [kotlin(`${MAIN}->isSent(Ljava/lang/Object;)Z`)] })).toBe('middle')
  })

  test('keeps its level where an entry goes on without the question, before it, or where the answer is no', () => {
    const ask = both(compares(), skips('loop'))
    for (const register of [0, 1, 2, 3])
      expect(level(`${FIND}V`, both(list, through(both(sends(register), ask)), nothing)), `v${register}`).toBe('middle')
    expect(level(`${FIND}V`, both(list, through(both(compares(), skips('on'), at('on'), sends(3))), nothing))).toBe(
      'middle',
    )
    const other: Write = both(compares(), () => [ifNotZero(5, 'loop')], sends(3))
    expect(level(`${FIND}V`, both(list, through(other), nothing))).toBe('middle')
    expect(level(`${FIND}Ljava/util/List;`, both(list, through(ask), answers(0x11, 0)))).toBe('middle')
    // The list itself goes on, although the one entry was found.
    expect(level(`${FIND}V`, both(list, through(both(ask, sends(0))), nothing))).toBe('middle')
  })

  test('keeps its level where what goes on is an entry that came before, or one of equal version', () => {
    const earlier = both(
      compares(),
      () => [ifZero(5, 'keep')],
      sends(6),
      at('keep'),
      () => [[0x2607]],
    )
    expect(
      level(
        `${FIND}V`,
        both(() => [[0x0612]], list, through(earlier), nothing),
      ),
    ).toBe('middle')
    const version: Write = both((x) => [[0x2354, x.field(LABEL)]], compares(), skips('loop'), sends(2))
    expect(level(`${FIND}V`, both(list, through(version), nothing))).toBe('middle')
    const begins = both(compares('Ljava/lang/String;->startsWith(Ljava/lang/String;)Z'), skips('loop'), sends(2))
    expect(level(`${FIND}V`, both(list, through(begins), nothing))).toBe('middle')
  })

  test('keeps its level where an entry is stored, or the handler of an exception takes it', () => {
    const stores: Write = both(compares(), (x) => [[0x0369, x.field(`${MAIN}->last:Ljava/lang/String;`)]])
    expect(level(`${FIND}V`, both(list, through(stores), nothing))).toBe('middle')
    const code = both(list, through(both(compares(), skips('loop'))), nothing, at('caught'), sends(3), nothing)
    expect(level(`${FIND}V`, code)).toBe('low')
    // Instructions of the loop up to the comparison are covered; the handler begins behind the return.
    const numbers = {
      string: () => 0,
      type: () => 0,
      field: () => 0,
      method: () => 0,
    } as unknown as DexReferenceNumbers
    const units = (write: Write) => withJumps(...write(numbers)).length
    const handler = units(both(list, through(both(compares(), skips('loop'))), nothing))
    expect(level(`${FIND}V`, code, { tries: [[units(list), handler - units(list) - 1, handler]] })).toBe('middle')
  })

  test('a name from elsewhere is one that code names only where all callers give it, or where the answer is yes or no', () => {
    const given = (): Write => (x) => [
      invokeVirtual(x.method('Ljava/lang/String;->equals(Ljava/lang/Object;)Z'), 3, 10),
      [0x050a],
    ]
    const wanted = both(list, through(both(given(), skips('loop'), sends(2))), nothing)
    expect(level(`${FIND}V`, wanted)).toBe('middle')
    const asks = method('go()V', (body) => void body.virtual(`${MAIN}->${FIND}V`, null, null, 'com.maker.other'))
    expect(level(`${FIND}V`, wanted, { methods: [asks] })).toBe('low')
    expect(level(`${FIND}Z`, both(list, through(both(given(), skips('loop'))), answers(0x0f, 5)))).toBe('low')
    expect(level(`${FIND}Z`, both(list, through(both(given(), skips('loop'), sends(2))), answers(0x0f, 5)))).toBe(
      'middle',
    )
    const own: Write = both(
      (x) => [invokeVirtual(x.method('Landroid/content/Context;->getPackageName()Ljava/lang/String;'), 9), [0x040c]],
      compares(undefined, null),
    )
    expect(level(`${FIND}V`, both(list, through(both(own, skips('loop'), sends(2))), nothing))).toBe('low')
  })

  test('names that are gathered in a list of the method count as the list', () => {
    const fresh: Write = (x) => [
      [0x0622, x.type('Ljava/util/ArrayList;')],
      invoke(0x70, x.method('Ljava/util/ArrayList;-><init>()V'), 6),
    ]
    const adds: Write = (x) => [invoke(0x72, x.method('Ljava/util/List;->add(Ljava/lang/Object;)Z'), 6, 3)]
    const asks: Write = (x) => [
      constString(4, x.string('com.maker.other')),
      invoke(0x72, x.method('Ljava/util/List;->contains(Ljava/lang/Object;)Z'), 6, 4),
      [0x050a],
    ]
    const gathers = both(fresh, list, through(adds), asks)
    expect(level(`${FIND}Z`, both(gathers, answers(0x0f, 5)))).toBe('low')
    expect(level(`${FIND}V`, both(gathers, sends(6), nothing))).toBe('middle')
    expect(level(`${FIND}Ljava/util/List;`, both(gathers, answers(0x11, 6)))).toBe('middle')
    // A list from elsewhere keeps what is put into it.
    const kept: Write = (x) => [[0x8654, x.field(`${MAIN}->all:Ljava/util/List;`)]]
    expect(level(`${FIND}Z`, both(kept, list, through(adds), asks, answers(0x0f, 5)))).toBe('middle')
  })

  test('a list in which nothing is looked for, and code that nothing leads to, keep the level', () => {
    expect(level(`${FIND}V`, both(list, nothing))).toBe('middle')
    expect(
      level(
        `${FIND}V`,
        both(() => [go('end')], list, through(both(compares(), skips('loop'))), nothing),
      ),
    ).toBe('middle')
  })

  test('a method that returns the list counts as its callers do', () => {
    const APPS = 'apps(Landroid/content/pm/PackageManager;)Ljava/util/List;'
    const gives = (flags: number, write: Write = answers(0x11, 0)): WrittenDexMethod => ({
      name: APPS,
      flags,
      registers: REGISTERS,
      ins: flags & 8 ? 1 : 2,
      code: (x) => withJumps([0x0908, 10], ...both(list, write)(x)),
    })
    const asks: Write = (x) => [invokeStatic(x.method(`${MAIN}->${APPS}`), 9), [0x000c]]
    const looks = both(asks, through(both(compares(), skips('loop'))), nothing)
    const methods = [gives(9)]
    expect(level(`${FIND}V`, looks, { methods })).toBe('low')
    // It takes the names of all, or the whole list.
    expect(level(`${FIND}V`, both(asks, through(sends(3)), nothing), { methods })).toBe('middle')
    expect(level(`${FIND}V`, both(asks, sends(0), nothing), { methods })).toBe('middle')
    expect(level(`${FIND}V`, both(asks, nothing), { methods })).toBe('middle')
    // The helper itself hands it on, nothing calls it, or one of two callers takes all.
    expect(level(`${FIND}V`, looks, { methods: [gives(9, both(sends(0), answers(0x11, 0)))] })).toBe('middle')
    expect(level(`${FIND}V`, nothing, { methods })).toBe('middle')
    const other: WrittenDexMethod = {
      name: `all(Landroid/content/pm/PackageManager;)V`,
      flags: 9,
      registers: REGISTERS,
      ins: 2,
      code: (x) => withJumps(...both(asks, sends(0), nothing)(x)),
    }
    expect(level(`${FIND}V`, looks, { methods: [gives(9), other] })).toBe('middle')
    // A list that another method returns again is not followed.
    const again = `${FIND}Ljava/util/List;`
    expect(level(again, both(asks, answers(0x11, 0)), { methods })).toBe('middle')
  })
})
