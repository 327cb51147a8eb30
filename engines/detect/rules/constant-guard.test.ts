import { describe, expect, test } from 'vitest'
import { type Body, method } from '#tests/support/code-body.ts'
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

  test('a static flag counts, one that other code changes does not', () => {
    const reads = (x: DexReferenceNumbers): CodePiece[] => [[0x0063, x.field(`${FLAGS}->lax:Z`)], ifZero(0, 'end')]
    expect(found(reads, flags(0))).toEqual(KEPT)
    expect(found(reads, flags(1))).toEqual(OPEN)
    expect(found(reads, flags(0, 0x9))).toEqual(KEPT)
    const changes = (value: number): WrittenDexClass => ({
      name: 'Lorg/maker/app/Other;',
      methods: [method('static change()V', (body) => body.put(`${FLAGS}->lax:Z`, value))],
    })
    expect(found(reads, flags(0, 0x9), changes(1))).toEqual(OPEN)
    expect(found(reads)).toEqual(OPEN)
  })

  describe('of what every caller gives', () => {
    const SETTINGS = 'Lorg/maker/app/Settings;'
    const FIELD = `${SETTINGS}->strict:Z`
    const LAX = 'Lorg/maker/app/Lax;'
    const OPENS = 'Lorg/maker/app/Net;->open(Z)V'
    /** The settings, whose constructor writes the flag; with `asks` only where the object says so. */
    const settings = (value: number, asks = false): WrittenDexClass => ({
      name: SETTINGS,
      instanceFields: ['strict:Z'],
      methods: [
        {
          name: '<init>(Z)V',
          flags: 0x10001,
          registers: 3,
          ins: 2,
          code: (x) =>
            withJumps(
              [0x1070, x.method('Ljava/lang/Object;-><init>()V'), 1],
              ...(asks ? [ifZero(2, 'end')] : []),
              [value ? 0x1012 : 0x0012],
              [0x105c, x.field(FIELD)],
              'end',
              [0x0e],
            ),
        },
        {
          name: 'open()V',
          flags: 1,
          registers: 3,
          ins: 1,
          code: (x) => [0x2055, x.field(FIELD), 0x1071, x.method(OPENS), 0, 0x0e],
        },
      ],
    })
    /** Makes the lax verifier where the parameter says that it shall not be strict. */
    const net: WrittenDexClass = {
      name: 'Lorg/maker/app/Net;',
      methods: [
        {
          name: 'open(Z)V',
          flags: 9,
          registers: 2,
          ins: 1,
          code: (x) =>
            withJumps(
              ifNotZero(1, 'end'),
              [0x0022, x.type(LAX), 0x1070, x.method(`${LAX}-><init>()V`), 0],
              [
                0x1071,
                x.method(
                  'Ljavax/net/ssl/HttpsURLConnection;->setDefaultHostnameVerifier(Ljavax/net/ssl/HostnameVerifier;)V',
                ),
                0,
              ],
              'end',
              [0x0e],
            ),
        },
      ],
    }
    const lax: WrittenDexClass = {
      name: LAX,
      interfaces: ['Ljavax/net/ssl/HostnameVerifier;'],
      methods: [
        method('<init>()V'),
        method('verify(Ljava/lang/String;Ljavax/net/ssl/SSLSession;)Z', (body) => body.result(1, 'Z')),
      ],
    }
    const judged = (main: (body: Body) => void, ...classes: WrittenDexClass[]) => {
      const { level, findings } = judgeOne('android-hostname-verifier-allow-all', {
        components: [element('activity', { name: '.Main' })],
        classes: [
          {
            name: 'Lorg/maker/app/Main;',
            superclass: 'Landroid/app/Activity;',
            methods: [method('<init>()V'), method('onCreate(Landroid/os/Bundle;)V', main)],
          },
          net,
          lax,
          ...classes,
        ],
      })
      return [level, findings[0]!.detail.en.split('; ')[1]]
    }
    const starts = (body: Body) => void body.virtual(`${SETTINGS}->open()V`, body.make(SETTINGS, '(Z)V', 1))

    test('is a note where a field that only its constructor sets says so', () => {
      expect(judged(starts, settings(1))).toEqual(KEPT)
      expect(judged(starts, settings(0))).toEqual(OPEN)
      expect(judged(starts, settings(1, true))).toEqual(OPEN)
    })

    test('is a note where each caller gives the constant itself', () => {
      const opens =
        (...values: number[]) =>
        (body: Body) => {
          for (const value of values) body.static(OPENS, value)
        }
      expect(judged(opens(1, 1))).toEqual(KEPT)
      expect(judged(opens(1, 0))).toEqual(OPEN)
    })
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
