/** A program with the output that the definition of its instructions demands, computed here and not by ART. */
export interface PredictedProgram {
  /** `programs.Name` */
  readonly main: string
  readonly classes: readonly string[]
  readonly stdout: string
}

export type Kind = 'int' | 'long' | 'float' | 'double'
export type Value = number | bigint

/** How values of a kind stand in smali and in the output. */
interface KindFacts {
  readonly descriptor: string
  readonly wide: boolean
  readonly operands: readonly Value[]
  /** The result of an operation as the kind holds it. */
  readonly toKind: (value: Value) => Value
  readonly print: (value: Value) => string
}

const INTS = [0, 1, -1, 2, 7, 31, 33, -0x80000000, 0x7fffffff, 0x12345678, -100]
const LONGS = [0n, 1n, -1n, 2n, 63n, 65n, -(2n ** 63n), 2n ** 63n - 1n, 0x123456789abcdef0n, -1000n]
const REALS = [
  0,
  -0,
  1,
  -1,
  0.1,
  1.5,
  -2.5,
  1e10,
  -1e-10,
  Number.POSITIVE_INFINITY,
  Number.NEGATIVE_INFINITY,
  Number.NaN,
]

const bits = new DataView(new ArrayBuffer(8))
const floatBits = (value: number) => {
  bits.setFloat32(0, value)
  return Number.isNaN(value) ? 0x7fc00000 : bits.getInt32(0)
}
const doubleBits = (value: number) => {
  bits.setFloat64(0, value)
  return Number.isNaN(value) ? 0x7ff8000000000000n : bits.getBigInt64(0)
}

export const KINDS: Readonly<Record<Kind, KindFacts>> = {
  int: { descriptor: 'I', wide: false, operands: INTS, toKind: (v) => Number(v) | 0, print: String },
  long: { descriptor: 'J', wide: true, operands: LONGS, toKind: (v) => BigInt.asIntN(64, v as bigint), print: String },
  float: {
    descriptor: 'F',
    wide: false,
    operands: REALS.map(Math.fround),
    toKind: (v) => Math.fround(v as number),
    print: (v) => String(floatBits(v as number)),
  },
  double: {
    descriptor: 'D',
    wide: true,
    operands: REALS,
    toKind: (v) => v,
    print: (v) => String(doubleBits(v as number)),
  },
}

/** Prints a result: reals as their bits, every NaN as the same. */
export const PRINT: Readonly<Record<Kind, (register: string) => string>> = {
  int: (r) => `invoke-static {${r}}, Lprograms/Print;->one(I)V`,
  long: (r) => `invoke-static {${wordsOf('long', r).join(', ')}}, Lprograms/Print;->one(J)V`,
  float: (r) => `invoke-static {${r}}, Lprograms/Print;->one(F)V`,
  double: (r) => `invoke-static {${wordsOf('double', r).join(', ')}}, Lprograms/Print;->one(D)V`,
}

/** The registers of a value: one or two. */
export function wordsOf(kind: Kind, register: string): string[] {
  return KINDS[kind].wide ? [register, `${register[0]}${Number(register.slice(1)) + 1}`] : [register]
}

/** Loads a constant. */
export function constant(kind: Kind, register: string, value: Value): string {
  if (kind === 'int') return `const ${register}, ${hex(value)}`
  if (kind === 'float') return `const ${register}, ${hex(floatBits(value as number))}`
  return `const-wide ${register}, ${hex(kind === 'long' ? value : doubleBits(value as number))}L`
}

function hex(value: Value): string {
  return value < 0 ? `-0x${(-value).toString(16)}` : `0x${value.toString(16)}`
}

export const PRINT_CLASS = `.class public final Lprograms/Print;
.super Ljava/lang/Object;
.method public static one(I)V
    .locals 1
    sget-object v0, Ljava/lang/System;->out:Ljava/io/PrintStream;
    invoke-virtual {v0, p0}, Ljava/io/PrintStream;->println(I)V
    return-void
.end method
.method public static one(J)V
    .locals 1
    sget-object v0, Ljava/lang/System;->out:Ljava/io/PrintStream;
    invoke-virtual {v0, p0, p1}, Ljava/io/PrintStream;->println(J)V
    return-void
.end method
.method public static one(F)V
    .locals 1
    invoke-static {p0}, Ljava/lang/Float;->floatToIntBits(F)I
    move-result v0
    invoke-static {v0}, Lprograms/Print;->one(I)V
    return-void
.end method
.method public static one(D)V
    .locals 2
    invoke-static {p0, p1}, Ljava/lang/Double;->doubleToLongBits(D)J
    move-result-wide v0
    invoke-static {v0, v1}, Lprograms/Print;->one(J)V
    return-void
.end method
.method public static text(Ljava/lang/String;)V
    .locals 1
    sget-object v0, Ljava/lang/System;->out:Ljava/io/PrintStream;
    invoke-virtual {v0, p0}, Ljava/io/PrintStream;->println(Ljava/lang/String;)V
    return-void
.end method
`

class ByZero extends Error {}

const integer = {
  add: (a: bigint, b: bigint) => a + b,
  sub: (a: bigint, b: bigint) => a - b,
  mul: (a: bigint, b: bigint) => a * b,
  div: (a: bigint, b: bigint) => {
    if (b === 0n) throw new ByZero()
    return a / b
  },
  rem: (a: bigint, b: bigint) => {
    if (b === 0n) throw new ByZero()
    return a % b
  },
  and: (a: bigint, b: bigint) => a & b,
  or: (a: bigint, b: bigint) => a | b,
  xor: (a: bigint, b: bigint) => a ^ b,
}
const shifts = {
  shl: (a: bigint, by: bigint, _width: number) => a << by,
  shr: (a: bigint, by: bigint, _width: number) => a >> by,
  ushr: (a: bigint, by: bigint, width: number) => BigInt.asUintN(width, a) >> by,
}
const real = {
  add: (a: number, b: number) => a + b,
  sub: (a: number, b: number) => a - b,
  mul: (a: number, b: number) => a * b,
  div: (a: number, b: number) => a / b,
  rem: (a: number, b: number) => a % b,
}

/** The value of an operation of two operands, undefined where it throws. The right operand of a shift is an int. */
export function applyBinary(operation: string, kind: Kind, left: Value, right: Value): Value | undefined {
  if (kind === 'float' || kind === 'double')
    return KINDS[kind].toKind(real[operation as keyof typeof real](left as number, right as number))
  const width = kind === 'int' ? 32 : 64
  const wrapped = (value: bigint) => (kind === 'int' ? Number(BigInt.asIntN(32, value)) : BigInt.asIntN(64, value))
  if (operation in shifts) {
    const by = BigInt(right) & BigInt(width - 1)
    return wrapped(shifts[operation as keyof typeof shifts](BigInt(left), by, width))
  }
  try {
    return wrapped(integer[operation as keyof typeof integer](BigInt(left), BigInt(right)))
  } catch (error) {
    if (error instanceof ByZero) return undefined
    throw error
  }
}

/** The value of a conversion or negation, `int-to-long`, `neg-float`. */
export function applyUnary(operation: string, value: Value): Value {
  const [first, second, third] = operation.split('-') as [string, string, string?]
  if (first === 'neg')
    return second === 'long' ? BigInt.asIntN(64, -(value as bigint)) : second === 'int' ? -Number(value) | 0 : -value
  if (first === 'not') return second === 'long' ? ~(value as bigint) : ~Number(value)
  const to = third as string
  if (to === 'byte') return (Number(value) << 24) >> 24
  if (to === 'short') return (Number(value) << 16) >> 16
  if (to === 'char') return Number(value) & 0xffff
  if (to === 'float') return Math.fround(Number(value))
  if (to === 'double') return Number(value)
  if (first === 'float' || first === 'double') {
    // Saturated, NaN as 0.
    const size = to === 'int' ? 31n : 63n
    const least = -(2n ** size)
    const most = 2n ** size - 1n
    const number = value as number
    const whole = Number.isNaN(number)
      ? 0n
      : number <= Number(least)
        ? least
        : number >= Number(most)
          ? most
          : BigInt(Math.trunc(number))
    return to === 'int' ? Number(whole) : whole
  }
  return to === 'int' ? Number(BigInt.asIntN(32, BigInt(value))) : BigInt(value)
}

const INTEGER_OPERATIONS = [...Object.keys(integer), ...Object.keys(shifts)]
const CONVERSIONS = [
  ...['neg-int', 'not-int', 'neg-long', 'not-long', 'neg-float', 'neg-double'],
  ...['int-to-long', 'int-to-float', 'int-to-double', 'long-to-int', 'long-to-float', 'long-to-double'],
  ...['float-to-int', 'float-to-long', 'float-to-double', 'double-to-int', 'double-to-long', 'double-to-float'],
  ...['int-to-byte', 'int-to-char', 'int-to-short'],
]
const SMALL_KINDS: Readonly<Record<string, Kind>> = { byte: 'int', char: 'int', short: 'int' }

/** Operations of two operands in all their forms, conversions and comparisons, each on all pairs of unusual operands. */
export function arithmeticPrograms(): PredictedProgram[] {
  return [
    ...(Object.keys(KINDS) as Kind[]).map((kind) => binaryProgram(kind)),
    literalProgram(),
    conversionProgram(),
    comparisonProgram(),
  ].map((program) => ({ ...program, classes: [...program.classes, PRINT_CLASS] }))
}

/** A program whose main makes the calls, and prints the lines. */
export function predictedProgram(
  name: string,
  methods: readonly string[],
  calls: readonly string[],
  lines: readonly string[],
): PredictedProgram {
  const text = `.class public Lprograms/${name};
.super Ljava/lang/Object;
${methods.join('\n')}
.method public static main([Ljava/lang/String;)V
    .locals 0
    ${calls.join('\n    ')}
    return-void
.end method
`
  return { main: `programs.${name}`, classes: [text], stdout: lines.map((line) => `${line}\n`).join('') }
}

/** Methods `op0` … that compute and print, called by main for every pair. */
class ProgramText {
  readonly name: string
  private readonly methods: string[] = []
  private readonly calls: string[] = []
  readonly lines: string[] = []

  constructor(name: string) {
    this.name = name
  }

  /** A method that takes these kinds in p0 …, and a call of it for each row of operands. */
  method(kinds: readonly Kind[], body: string, rows: readonly (readonly Value[])[]): void {
    const name = `op${this.methods.length}`
    const types = kinds.map((kind) => KINDS[kind].descriptor).join('')
    this.methods.push(`.method static ${name}(${types})V\n    .locals 6\n${body}\n    return-void\n.end method`)
    const calls = rows.flatMap((row) => {
      let register = 0
      const words: string[] = []
      const constants = kinds.map((kind, i) => {
        const at = `v${register}`
        words.push(...wordsOf(kind, at))
        register += KINDS[kind].wide ? 2 : 1
        return constant(kind, at, row[i]!)
      })
      return [...constants, `invoke-static {${words.join(', ')}}, L${this.path};->${name}(${types})V`]
    })
    // A method of its own: calls of all operations together would not fit in one.
    this.methods.push(
      `.method static ${name}All()V\n    .locals 4\n    ${calls.join('\n    ')}\n    return-void\n.end method`,
    )
    this.calls.push(`invoke-static {}, L${this.path};->${name}All()V`)
  }

  program(): PredictedProgram {
    return predictedProgram(this.name, this.methods, this.calls, this.lines)
  }

  private get path(): string {
    return `programs/${this.name}`
  }
}

/** Prints the result, or `by zero`. */
function guarded(compute: string, kind: Kind, result: string): string {
  return `    :try
    ${compute}
    :try_end
    .catch Ljava/lang/ArithmeticException; {:try .. :try_end} :zero
    ${PRINT[kind](result)}
    return-void
    :zero
    const-string v0, "by zero"
    invoke-static {v0}, Lprograms/Print;->text(Ljava/lang/String;)V`
}

function binaryProgram(kind: Kind): PredictedProgram {
  const text = new ProgramText(`Binary${kind[0]!.toUpperCase()}${kind.slice(1)}`)
  const facts = KINDS[kind]
  const isInteger = kind === 'int' || kind === 'long'
  for (const operation of isInteger ? INTEGER_OPERATIONS : Object.keys(real)) {
    const right: Kind = operation in shifts ? 'int' : kind
    const rows = facts.operands.flatMap((a) => KINDS[right].operands.map((b) => [a, b] as const))
    const second = facts.wide ? 'p2' : 'p1'
    const forms = [
      [`${operation}-${kind} v0, p0, ${second}`, 'v0'],
      [`${operation}-${kind}/2addr p0, ${second}`, 'p0'],
    ] as const
    for (const [compute, result] of forms) {
      text.method([kind, right], guarded(compute, kind, result), rows)
      for (const [a, b] of rows) {
        const value = applyBinary(operation, kind, a, b)
        text.lines.push(value === undefined ? 'by zero' : facts.print(value))
      }
    }
  }
  return text.program()
}

function literalProgram(): PredictedProgram {
  const text = new ProgramText('Literals')
  const operations = ['add', 'rsub', 'mul', 'div', 'rem', 'and', 'or', 'xor']
  const forms = [
    ...operations.flatMap((one) => [-128, -1, 0, 1, 127].map((literal) => [one, 'lit8', literal] as const)),
    ...Object.keys(shifts).flatMap((one) => [-1, 0, 1, 31].map((literal) => [one, 'lit8', literal] as const)),
    ...operations.flatMap((one) => [-32768, -1, 0, 300, 32767].map((literal) => [one, 'lit16', literal] as const)),
  ]
  for (const [operation, width, literal] of forms) {
    const name = width === 'lit16' && operation === 'rsub' ? 'rsub-int' : `${operation}-int/${width}`
    text.method(
      ['int'],
      guarded(`${name} v0, p0, ${hex(literal)}`, 'int', 'v0'),
      INTS.map((a) => [a]),
    )
    for (const a of INTS) {
      const value =
        operation === 'rsub' ? applyBinary('sub', 'int', literal, a) : applyBinary(operation, 'int', a, literal)
      text.lines.push(value === undefined ? 'by zero' : String(value))
    }
  }
  return text.program()
}

function conversionProgram(): PredictedProgram {
  const text = new ProgramText('Conversions')
  for (const operation of CONVERSIONS) {
    const [first, second, third] = operation.split('-') as [string, string, string?]
    const from = (third ? first : second) as Kind
    const to = third ? (SMALL_KINDS[third] ?? (third as Kind)) : from
    text.method(
      [from],
      `    ${operation} v0, p0\n    ${PRINT[to]('v0')}`,
      KINDS[from].operands.map((a) => [a]),
    )
    for (const a of KINDS[from].operands) text.lines.push(KINDS[to].print(applyUnary(operation, a)))
  }
  return text.program()
}

function comparisonProgram(): PredictedProgram {
  const text = new ProgramText('Comparisons')
  const operations = [
    ['cmpl-float', 'float', -1],
    ['cmpg-float', 'float', 1],
    ['cmpl-double', 'double', -1],
    ['cmpg-double', 'double', 1],
    ['cmp-long', 'long', 0],
  ] as const
  for (const [operation, kind, unordered] of operations) {
    const { operands, wide } = KINDS[kind]
    const rows = operands.flatMap((a) => operands.map((b) => [a, b] as const))
    text.method([kind, kind], `    ${operation} v0, p0, ${wide ? 'p2' : 'p1'}\n    ${PRINT.int('v0')}`, rows)
    for (const [a, b] of rows) text.lines.push(String(a < b ? -1 : a > b ? 1 : a === b ? 0 : unordered))
  }
  return text.program()
}

/** A type of a field or an array element with unusual values. */
const STORED = [
  ['Z', '-boolean', 'int', [0, 1]],
  ['B', '-byte', 'int', [-128, 0, 127]],
  ['S', '-short', 'int', [-32768, 0, 32767]],
  ['C', '-char', 'int', [0, 0x4e2d, 0xffff]],
  ['I', '', 'int', [-0x80000000, 0, 0x7fffffff]],
  ['F', '', 'float', [-0, 0.1, 1e10].map(Math.fround)],
  ['J', '-wide', 'long', [-(2n ** 63n), 0n, 2n ** 63n - 1n]],
  ['D', '-wide', 'double', [-0, 0.1, 1e300]],
] as const

/** Fields of every type, of objects and of classes, and arrays of every type, written and read, one by one and as data in the code. */
export function storageProgram(): PredictedProgram {
  const text = new ProgramText('Storage')
  const fields: string[] = []
  for (const [type, suffix, kind, values] of STORED) {
    const { print } = KINDS[kind]
    const rows = values.map((value) => [value] as const)
    const owner = 'Lprograms/Stored;'
    fields.push(`.field public of${type}:${type}`, `.field public static all${type}:${type}`)
    text.method(
      [kind],
      `    new-instance v2, ${owner}
    invoke-direct {v2}, ${owner}-><init>()V
    iput${suffix} p0, v2, ${owner}->of${type}:${type}
    iget${suffix} v0, v2, ${owner}->of${type}:${type}
    ${PRINT[kind]('v0')}`,
      rows,
    )
    text.method(
      [kind],
      `    sput${suffix} p0, ${owner}->all${type}:${type}
    sget${suffix} v0, ${owner}->all${type}:${type}
    ${PRINT[kind]('v0')}`,
      rows,
    )
    text.method(
      [kind],
      `    const/4 v2, 0x3
    new-array v3, v2, [${type}
    const/4 v2, 0x1
    aput${suffix} p0, v3, v2
    aget${suffix} v0, v3, v2
    ${PRINT[kind]('v0')}`,
      rows,
    )
    for (let i = 0; i < 3; i++) text.lines.push(...values.map(print))
    const data = [...values, values[0]]
    const size = { Z: 1, B: 1, S: 2, C: 2, I: 4, F: 4, J: 8, D: 8 }[type]
    const raw = data.map((value) =>
      kind === 'float' ? floatBits(value as number) : kind === 'double' ? doubleBits(value as number) : value,
    )
    const literal = (value: Value) =>
      `${hex(size === 2 && value > 0x7fff ? Number(value) - 0x10000 : value)}${{ 1: 't', 2: 's', 4: '', 8: 'L' }[size]}`
    text.method(
      [],
      `    const/4 v2, ${hex(data.length)}
    new-array v3, v2, [${type}
    fill-array-data v3, :data
    const/4 v2, 0x0
    array-length v4, v3
    :next
    if-ge v2, v4, :done
    aget${suffix} v0, v3, v2
    ${PRINT[kind]('v0')}
    add-int/lit8 v2, v2, 0x1
    goto :next
    :done
    return-void
    :data
    .array-data ${size}
        ${raw.map(literal).join('\n        ')}
    .end array-data`,
      [[]],
    )
    text.lines.push(...data.map((value) => print(value)))
  }
  const program = text.program()
  const stored = `.class public Lprograms/Stored;
.super Ljava/lang/Object;
${fields.join('\n')}
.method public constructor <init>()V
    .locals 0
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    return-void
.end method
`
  return { ...program, classes: [...program.classes, stored, PRINT_CLASS] }
}
