import { describe, expect, test } from 'vitest'
import { method } from '#tests/support/code-body.ts'
import type { WrittenDexClass, WrittenDexMethod } from '#tests/support/dex-writer.ts'
import { judgeOne } from '#tests/support/judge-item.ts'

const ALWAYS_ALLOW = 'Landroid/webkit/WebSettings;->setMixedContentMode(I)V'
const ASK = 'La/u;->ask(Lorg/json/JSONObject;Ljava/lang/String;Z)Z'
/** Names as a build may shorten them: the bridge, the configuration, its flag. */
const [BRIDGE, CONFIG] = ['La/b;', 'La/c;']
const FLAG = `${CONFIG}->f:Z`
const GETTER = `${CONFIG}->m()Z`

const raw = (
  name: string,
  [registers, ins]: readonly [number, number],
  code: WrittenDexMethod['code'],
): WrittenDexMethod => ({
  name,
  flags: 1,
  registers,
  ins,
  code,
})

/** Turns mixed content on where the flag is true. `jump`: how far behind the question the code goes on otherwise. */
const asks = (jump = 5, opcode = 0x38) =>
  raw('init(Landroid/webkit/WebSettings;)V', [5, 2], ({ method: reference }) => [
    ...[0x0212, 0x106e, reference(GETTER), 0x0001, 0x010a],
    ...[opcode | (1 << 8), jump, 0x206e, reference(ALWAYS_ALLOW), 0x0024, 0x000e],
  ])
/** The same where an optimiser put the read of the flag in the place of the call. */
const reads = raw('init(Landroid/webkit/WebSettings;)V', [5, 2], ({ method: reference, field }) => [
  ...[0x0212, 0x1155, field(FLAG), 0x0138, 5, 0x206e, reference(ALWAYS_ALLOW), 0x0024, 0x000e],
])
/** Turns it on where another value is true, too. */
const either = raw('init(Landroid/webkit/WebSettings;Z)V', [6, 3], ({ method: reference, field }) => [
  ...[0x0212, 0x0539, 6, 0x1155, field(FLAG), 0x0138, 5, 0x206e, reference(ALWAYS_ALLOW), 0x0024, 0x000e],
])
/** Where another value is true, it goes on at the question itself, past the read of the flag. */
const merged = raw('init(Landroid/webkit/WebSettings;Z)V', [6, 3], ({ method: reference, field }) => [
  ...[0x0212, 0x5101, 0x0139, 4, 0x1155, field(FLAG), 0x0138, 5, 0x206e, reference(ALWAYS_ALLOW), 0x0024, 0x000e],
])
/** An exception of a call before leads past the question: to the call, or to the question itself. */
const caught = (handler: number) => ({
  ...raw('init(Landroid/webkit/WebSettings;)V', [5, 2], ({ method: reference, field }) => [
    ...[0x0212, 0x1112, 0x106e, reference('Ljava/lang/Runnable;->run()V'), 0x0003],
    ...[0x1155, field(FLAG), 0x0138, 5, 0x206e, reference(ALWAYS_ALLOW), 0x0024, 0x000e],
  ]),
  tries: [[2, 3, handler] as const],
})
const getter = raw('m()Z', [2, 1], ({ field }) => [0x1055, field(FLAG), 0x000f])
const load = (first = 'allowMixedContent', second = 'android.allowMixedContent') =>
  raw('load(Landroid/content/Context;)V', [6, 2], ({ string, method: reference, field }) => [
    ...[0x011a, string('capacitor.config.json')],
    ...[0x011a, string(first), 0x3071, reference(ASK), 0x0210, 0x020a],
    ...[0x011a, string(second), 0x3071, reference(ASK), 0x0210, 0x020a],
    ...[0x425c, field(FLAG), 0x000e],
  ])
const makes = method(`static open()${CONFIG}`, (body) => body.result(body.make(CONFIG)))

const level = (
  config: string | null,
  { guard = asks(), loader = load(), classes = [] as readonly WrittenDexClass[] } = {},
) => {
  const { verdict, level: found } = judgeOne('android-webview-mixed-content', {
    files: config === null ? {} : { 'assets/capacitor.config.json': config },
    classes: [
      ...classes,
      { name: BRIDGE, methods: [guard, method('begin()V', (body) => void body.static(`${CONFIG}->open()${CONFIG}`))] },
      {
        name: CONFIG,
        instanceFields: ['f:Z'],
        methods: [method('<init>()V'), getter, loader, makes],
      },
    ],
  })
  return verdict === 'fail' ? found : verdict
}

describe('DET-03 mixed content that Capacitor allows by its configuration alone', () => {
  test('it is no finding where the configuration of the package leaves it off', () => {
    for (const config of ['{}', '{"allowMixedContent":false}', '{"android":{"allowMixedContent":false}}']) {
      expect(level(config), config).toBe('pass')
      expect(level(config, { guard: reads }), config).toBe('pass')
    }
  })

  test('it stays where the configuration turns it on, by either name, or cannot be read', () => {
    for (const config of [
      '{"allowMixedContent":true}',
      '{"android":{"allowMixedContent":true}}',
      '{"android":{"allowMixedContent":"true"}}',
      '{"android":[]}',
      '{"android":null',
      '[]',
      '',
      null,
    ])
      expect(level(config), String(config)).toBe('middle')
  })

  test('it stays where the code does not ask for the flag directly before the call', () => {
    // Goes on at the call itself.
    expect(level('{}', { guard: asks(2) })).toBe('middle')
    // Another question leads to the call past the first one, as `a || allowsMixedContent` does.
    expect(level('{}', { guard: either })).toBe('middle')
    expect(level('{}', { guard: merged })).toBe('middle')
    // Runs where the flag is false.
    expect(level('{}', { guard: asks(5, 0x39) })).toBe('middle')
  })

  test('it stays where an exception of other code leads past the question, not where it leads to it or behind the call', () => {
    expect(level('{}', { guard: caught(9) })).toBe('middle')
    expect(level('{}', { guard: caught(7) })).toBe('middle')
    expect(level('{}', { guard: caught(5) })).toBe('pass')
    expect(level('{}', { guard: caught(12) })).toBe('pass')
  })

  test('it stays where the flag is read by other names, or other code writes it or makes the configuration', () => {
    expect(level('{}', { loader: load('allowMixedContent', 'android.mixed') })).toBe('middle')
    expect(level('{}', { loader: load('mixed') })).toBe('middle')
    const own = (one: WrittenDexMethod) => [{ name: 'Lorg/maker/app/Main;', methods: [one] }]
    const sets = raw('set()V', [2, 1], ({ field }) => [0x105c, field(FLAG), 0x000e])
    expect(level('{}', { classes: own(sets) })).toBe('middle')
    const opens = method('go()V', (body) => void body.static(`${CONFIG}->open()${CONFIG}`))
    expect(level('{}', { classes: own(opens) })).toBe('middle')
    expect(level('{}', { classes: own(method('go()V', (body) => void body.make(CONFIG))) })).toBe('middle')
    const names = method('go(Ljava/lang/String;)V', (body) => void body.static(ASK, null, 'allowMixedContent', 1))
    expect(level('{}', { classes: own(names) })).toBe('middle')
    // Code that only looks at what is there changes nothing.
    expect(level('{}', { classes: own(method('go()V', (body) => void body.virtual(GETTER))) })).toBe('pass')
  })
})
