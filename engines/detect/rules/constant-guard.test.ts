import { describe, expect, test } from 'vitest'
import { method } from '#tests/support/code-body.ts'
import { element } from '#tests/support/detect-package.ts'
import { type CodePiece, go, ifNotZero, ifZero, withJumps } from '#tests/support/dex-jumps.ts'
import type { DexReferenceNumbers, WrittenDexClass } from '#tests/support/dex-writer.ts'
import { judgeOne } from '#tests/support/judge-item.ts'

const CLIENT = 'Lorg/maker/app/Client;'
const EQUALS = 'Ljava/lang/String;->equals(Ljava/lang/Object;)Z'
const KOTLIN = 'Lkotlin/jvm/internal/a;'
const SAME = `${KOTLIN}->b(Ljava/lang/Object;Ljava/lang/Object;)Z`
const FLAGS = 'Lorg/maker/app/Flags;'

const compares: WrittenDexClass = {
  name: KOTLIN,
  methods: [
    method('static b(Ljava/lang/Object;Ljava/lang/Object;)Z', (body) =>
      body.result(
        body.virtual('Ljava/lang/Object;->equals(Ljava/lang/Object;)Z', body.parameter(0), body.parameter(1)),
        'Z',
      ),
    ),
  ],
}
const flags = (value: number, access = 0x19): WrittenDexClass => ({
  name: FLAGS,
  methods: [],
  staticFields: [{ name: 'lax:Z', value, flags: access }],
})

/** A client of a web view that goes on by force after these pieces: registers 0 and 1 are free, 5 is the error. */
function found(pieces: (numbers: DexReferenceNumbers) => readonly CodePiece[], ...classes: WrittenDexClass[]) {
  const code = (numbers: DexReferenceNumbers) =>
    withJumps(
      ...pieces(numbers),
      [0x106e, numbers.method('Landroid/webkit/SslErrorHandler;->proceed()V'), 4],
      [0x0e],
      'end',
      [0x0e],
    )
  const { level, findings } = judgeOne('android-webview-ssl-error-proceed', {
    components: [element('activity', { name: '.Main' })],
    classes: [
      {
        name: 'Lorg/maker/app/Main;',
        superclass: 'Landroid/app/Activity;',
        methods: [method('<init>()V'), method('onCreate(Landroid/os/Bundle;)V', (body) => void body.make(CLIENT))],
      },
      {
        name: CLIENT,
        superclass: 'Landroid/webkit/WebViewClient;',
        methods: [
          method('<init>()V'),
          {
            name: 'onReceivedSslError(Landroid/webkit/WebView;Landroid/webkit/SslErrorHandler;Landroid/net/http/SslError;)V',
            flags: 1,
            registers: 6,
            ins: 4,
            code,
          },
        ],
      },
      ...classes,
    ],
  })
  return [level, findings[0]!.detail.en.split('; ')[1]]
}
const KEPT = ['info', 'a condition of constants before it is never met']
const OPEN = ['high', undefined]

/** Loads two texts and compares them. */
const asks =
  (first: string, second: string, callee = EQUALS) =>
  ({ string, method: reference }: DexReferenceNumbers): CodePiece[] => [
    [0x001a, string(first), 0x011a, string(second)],
    [callee === EQUALS ? 0x206e : 0x2071, reference(callee), 0x0010, 0x000a],
  ]
const invert = [0x1112, 0x10b7]

describe('[DET-03] code behind a condition of constants', () => {
  test('is a note where the condition is never met, for texts that a build type left', () => {
    expect(found((x) => [...asks('google', 'google')(x), invert, ifZero(0, 'end')])).toEqual(KEPT)
    expect(found((x) => [...asks('google', 'china')(x), ifZero(0, 'end')])).toEqual(KEPT)
    expect(found((x) => [...asks('google', 'google')(x), ifNotZero(0, 'end')])).toEqual(KEPT)
  })

  test('keeps its level where the condition is met', () => {
    expect(found((x) => [...asks('google', 'google')(x), ifZero(0, 'end')])).toEqual(OPEN)
    expect(found((x) => [...asks('google', 'china')(x), invert, ifZero(0, 'end')])).toEqual(OPEN)
    expect(found((x) => [...asks('google', 'china')(x), ifNotZero(0, 'end')])).toEqual(OPEN)
  })

  test('is followed through the comparison of Kotlin, whatever its name, and no other helper', () => {
    const pieces = (x: DexReferenceNumbers) => [...asks('a', 'b', SAME)(x), ifZero(0, 'end')]
    expect(found(pieces, compares)).toEqual(KEPT)
    expect(found(pieces)).toEqual(OPEN)
    const other = SAME.replace(KOTLIN, 'Lorg/maker/a;')
    const elsewhere = { ...compares, name: 'Lorg/maker/a;' }
    expect(found((x) => [...asks('a', 'b', other)(x), ifZero(0, 'end')], elsewhere)).toEqual(OPEN)
  })

  test('a static final flag counts, one that may change does not', () => {
    const reads = (x: DexReferenceNumbers): CodePiece[] => [[0x0063, x.field(`${FLAGS}->lax:Z`)], ifZero(0, 'end')]
    expect(found(reads, flags(0))).toEqual(KEPT)
    expect(found(reads, flags(1))).toEqual(OPEN)
    expect(found(reads, flags(0, 0x9))).toEqual(OPEN)
    expect(found(reads)).toEqual(OPEN)
  })

  test('keeps its level where another way leads past the condition, or a value is no constant', () => {
    const past = (x: DexReferenceNumbers): CodePiece[] => [
      ifZero(5, 'do'),
      ...asks('a', 'b')(x),
      ifZero(0, 'end'),
      'do',
    ]
    expect(found(past)).toEqual(OPEN)
    const merged = (): CodePiece[] => [[0x1012], ifZero(5, 'ask'), [0x0012], go('ask'), 'ask', ifZero(0, 'end')]
    expect(found(merged)).toEqual(OPEN)
    const given = ({ method: reference, string }: DexReferenceNumbers): CodePiece[] => [
      [0x001a, string('a'), 0x206e, reference(EQUALS), 0x0050, 0x000a],
      ifZero(0, 'end'),
    ]
    expect(found(given)).toEqual(OPEN)
  })
})
