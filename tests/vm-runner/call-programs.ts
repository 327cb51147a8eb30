import { SeededRandom } from '#engines/harden/seeded-random.ts'
import {
  constant,
  KINDS,
  type Kind,
  PRINT_CLASS,
  type PredictedProgram,
  type Value,
} from '../host-runtime/opcode-programs.ts'

/** Types of parameters and results: how a value is held, and unusual ones. */
const TYPES: Readonly<Record<string, readonly [kind: Kind | 'text', values: readonly (Value | string)[]]>> = {
  Z: ['int', [0, 1]],
  B: ['int', [-128, 127, -1]],
  C: ['int', [0, 0x4e2d, 0xffff]],
  S: ['int', [-32768, 32767, -1]],
  I: ['int', [-0x80000000, 0x7fffffff, -1, 0x12345678]],
  J: ['long', [-(2n ** 63n), 2n ** 63n - 1n, 0x123456789abcdef0n, -1n, 0xffffffffn]],
  F: ['float', [0.1, -1.5, 1e10, Number.POSITIVE_INFINITY, Number.NaN].map(Math.fround)],
  D: ['double', [0.1, -2.5e300, -0, Number.NEGATIVE_INFINITY, Number.NaN]],
  L: ['text', ['first', 'second', 'the third']],
}
const LETTERS = Object.keys(TYPES).join('')
const TEXT = 'Ljava/lang/String;'
const MODES = ['static', 'virtual', 'direct', 'interface', 'super'] as const
type Mode = (typeof MODES)[number]

/** Words of two registers at even and at odd places, in registers and on the stack, beside values of every other type. */
const SHAPES = [
  ...['', 'J', 'D', 'IJ', 'ID', 'JI', 'FJ', 'JIJ', 'IJIJ', 'IIJ', 'IIIJ', 'FD', 'DF', 'FFD', 'DFD', 'IFJD', 'ZJBDC'],
  ...['JJJJ', 'DDDD', 'IJJJI', 'FDDDF', 'FFFFFFFFF', 'DDDDDDDDDD', 'IIIIIIIIIIII', 'LJLDL', 'LLLLLLLL', 'ZBCSIJFDL'],
  ...['LDFJISCBZ', 'IJIJIJIJIJ', 'FDFDFDFDFD', 'JJJJJJJJJJJJJJJ', 'IDDDDDDDDDDDDDDD', 'ZZZZBBBBCCCCSSSSJ'],
]

const typeOf = (letter: string) => (letter === 'L' ? TEXT : letter)
const wordsIn = (letter: string) => (letter === 'J' || letter === 'D' ? 2 : 1)

/** Lines that put a value into registers. */
function load(letter: string, register: number, value: Value | string): string {
  const [kind] = TYPES[letter]!
  if (kind === 'text') return `const-string v${register}, "${value}"`
  return constant(kind, `v${register}`, value as Value)
}

/** A line that prints registers, named with `v` or `p`. */
function print(letter: string, prefix: 'v' | 'p', register: number): string {
  const [kind] = TYPES[letter]!
  const last = register + wordsIn(letter) - 1
  const method = kind === 'text' ? `text(${TEXT})V` : `one(${KINDS[kind].descriptor})V`
  return `invoke-static/range {${prefix}${register} .. ${prefix}${last}}, Lprograms/Print;->${method}`
}
const printed = (letter: string, value: Value | string): string => {
  const [kind] = TYPES[letter]!
  return kind === 'text' ? String(value) : KINDS[kind].print(value as Value)
}

interface Shape {
  readonly parameters: string
  readonly result: string
  readonly mode: Mode
}

/**
 * Calls with arguments of every type and number, static, virtual, private, by an interface and by super, and a result of every type. A method prints
 * what it got, its caller what came back.
 * @param count calls of random shapes beside the chosen ones
 */
export function callProgram(count = 60): PredictedProgram {
  const random = new SeededRandom(Buffer.alloc(32, 5))
  const pick = <T>(list: ArrayLike<T>): T => list[random.below(list.length)]!
  const shapes: Shape[] = []
  for (const [i, parameters] of SHAPES.entries())
    for (const mode of MODES)
      shapes.push({ parameters, mode, result: `V${LETTERS}`[(i + MODES.indexOf(mode)) % (1 + LETTERS.length)]! })
  for (let i = 0; i < count; i++) {
    const parameters = Array.from({ length: random.below(14) }, () => pick([...LETTERS])).join('')
    shapes.push({ parameters, mode: pick(MODES), result: pick([...`V${LETTERS}`]) })
  }
  const parts = { own: [] as string[], below: [] as string[], listed: [] as string[], calls: [] as string[] }
  const lines: string[] = []
  for (const [i, { parameters, result, mode }] of shapes.entries()) {
    const signature = `m${i}(${[...parameters].map(typeOf).join('')})${typeOf(result)}`
    const isStatic = mode === 'static'
    const values = [...parameters].map((letter) => pick(TYPES[letter]![1]))
    const returned: Value | string | undefined = result === 'V' ? undefined : pick(TYPES[result]![1])
    // The method: prints its parameters, gives a constant.
    const flags = isStatic ? 'static ' : mode === 'direct' ? 'private ' : 'public '
    let at = isStatic ? 0 : 1
    const prints = [...parameters].map((letter) => {
      const line = print(letter, 'p', at)
      at += wordsIn(letter)
      return line
    })
    const gives =
      returned === undefined
        ? ['return-void']
        : [load(result, 0, returned), `return${result === 'L' ? '-object' : wordsIn(result) === 2 ? '-wide' : ''} v0`]
    parts.own.push(method(`${flags}${signature}`, 2, [...prints, ...gives]))
    if (mode === 'interface') parts.listed.push(`.method public abstract ${signature}\n.end method`)
    if (mode === 'super') parts.below.push(method(`public ${signature}`, 2, gives))
    // Its caller: the object and the constants from v0 on.
    let register = isStatic ? 0 : 1
    const loads = values.map((value, j) => {
      const line = load(parameters[j]!, register, value)
      register += wordsIn(parameters[j]!)
      return line
    })
    const inBelow = mode === 'super'
    const list = register <= 5 && random.below(2) ? numbered(register) : register ? `{v0 .. v${register - 1}}` : '{}'
    const range = list.includes('..') ? '/range' : ''
    const owner = mode === 'interface' ? 'Lprograms/Passing;' : 'Lprograms/Passed;'
    const move = result === 'L' ? '-object' : wordsIn(result) === 2 ? '-wide' : ''
    const caller = [
      ...(isStatic ? [] : ['move-object/from16 v0, p0']),
      ...loads,
      `invoke-${mode}${range} ${list}, ${owner}->${signature}`,
      ...(returned === undefined ? [] : [`move-result${move} v0`, print(result, 'v', 0)]),
      'return-void',
    ]
    ;(inBelow ? parts.below : parts.own).push(method(`public final c${i}()V`, Math.max(register, 2), caller))
    parts.calls.push(`invoke-virtual {v0}, Lprograms/Passed${inBelow ? '$Below' : ''};->c${i}()V`)
    lines.push(...values.map((value, j) => printed(parameters[j]!, value)))
    if (returned !== undefined) lines.push(printed(result, returned))
  }
  return {
    main: 'programs.Passed',
    classes: [
      `.class public Lprograms/Passed;\n.super Ljava/lang/Object;\n.implements Lprograms/Passing;\n${[
        emptyConstructor('Ljava/lang/Object;'),
        ...parts.own,
        method('public static main([Ljava/lang/String;)V', 1, [
          'new-instance v0, Lprograms/Passed$Below;',
          'invoke-direct {v0}, Lprograms/Passed$Below;-><init>()V',
          ...parts.calls,
          'return-void',
        ]),
      ].join('\n')}`,
      `.class public Lprograms/Passed$Below;\n.super Lprograms/Passed;\n${[
        emptyConstructor('Lprograms/Passed;'),
        ...parts.below,
      ].join('\n')}`,
      `.class public interface abstract Lprograms/Passing;\n.super Ljava/lang/Object;\n${parts.listed.join('\n')}\n`,
      PRINT_CLASS,
    ],
    stdout: lines.map((line) => `${line}\n`).join(''),
  }
}

const numbered = (count: number) => `{${Array.from({ length: count }, (_, i) => `v${i}`).join(', ')}}`

const method = (head: string, locals: number, lines: readonly string[]): string =>
  `.method ${head}\n    .locals ${locals}\n    ${lines.join('\n    ')}\n.end method`

const emptyConstructor = (superclass: string): string =>
  method('public constructor <init>()V', 0, [`invoke-direct {p0}, ${superclass}-><init>()V`, 'return-void'])
