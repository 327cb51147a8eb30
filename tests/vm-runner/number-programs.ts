import { SeededRandom } from '#engines/harden/seeded-random.ts'
import {
  applyBinary,
  applyUnary,
  constant,
  KINDS,
  type Kind,
  PRINT,
  PRINT_CLASS,
  type PredictedProgram,
  predictedProgram,
  type Value,
  wordsOf,
} from '../host-runtime/opcode-programs.ts'

const COUNT = 150
/** Rows that one method calls with. */
const CHUNK = 50

const bytes = new DataView(new ArrayBuffer(8))

/** The float nearest to a whole number, the even one of two: `Math.fround(Number(value))` would round twice. */
function floatOf(value: bigint): number {
  const magnitude = value < 0n ? -value : value
  const shift = BigInt(Math.max(0, magnitude.toString(2).length - 24))
  const [whole, rest] = [magnitude >> shift, magnitude & ((1n << shift) - 1n)]
  const half = shift ? 1n << (shift - 1n) : 1n
  const rounded = rest > half || (rest === half && whole & 1n) ? whole + 1n : whole
  return Math.fround(Number(rounded << shift) * (value < 0n ? -1 : 1))
}

/** Numbers of every size: bits of all lengths, denormal ones, those that lie in the middle between two floats. */
class Numbers {
  private readonly random = new SeededRandom(Buffer.alloc(32, 9))

  of(kind: Kind): Value {
    if (kind === 'int') return this.word() | 0
    if (kind === 'long') return BigInt.asIntN(64, this.wide())
    return kind === 'float' ? this.float() : this.double()
  }

  private word(): number {
    return this.random.word() >>> this.random.below(32)
  }

  private wide(): bigint {
    const bits = (BigInt(this.random.word()) << 32n) | BigInt(this.random.word())
    const kind = this.random.below(4)
    if (kind === 0) return bits
    if (kind === 1) return -(bits >> BigInt(this.random.below(64)))
    // The 24 bits of a float, and the half of its last one: nothing or a bit more behind it decides.
    if (kind === 2) {
      const shift = BigInt(2 + this.random.below(38))
      const tie = ((1n << 23n) | (bits & 0x7fffffn)) << shift
      return (tie | (1n << (shift - 1n)) | BigInt(this.random.below(2))) * (this.random.below(2) ? 1n : -1n)
    }
    return bits >> BigInt(this.random.below(64))
  }

  private float(): number {
    bytes.setUint32(0, this.random.word())
    // Denormal, or of a size near to one.
    const kind = this.random.below(3)
    if (kind === 0) bytes.setUint32(0, bytes.getUint32(0) & 0x807fffff)
    if (kind === 1) bytes.setUint32(0, (bytes.getUint32(0) & 0x83ffffff) | 0x3c000000)
    return bytes.getFloat32(0)
  }

  private double(): number {
    bytes.setUint32(0, this.random.word())
    bytes.setUint32(4, this.random.word())
    const kind = this.random.below(3)
    if (kind === 0) bytes.setUint32(0, bytes.getUint32(0) & 0x800fffff)
    if (kind === 1) bytes.setUint32(0, (bytes.getUint32(0) & 0x83ffffff) | 0x3c000000)
    return bytes.getFloat64(0)
  }
}

const INTEGER = ['mul', 'div', 'rem', 'shl', 'shr', 'ushr']
const REAL = ['add', 'sub', 'mul', 'div', 'rem']
const CONVERSIONS = [
  'int-to-float',
  'int-to-double',
  'long-to-float',
  'long-to-double',
  'float-to-int',
  'float-to-long',
].concat(['float-to-double', 'double-to-int', 'double-to-long', 'double-to-float'])

/**
 * Operations and conversions on numbers of every size, where the interpreter computes what a compiler leaves to a library: 64 bits on a processor of 32,
 * remainders, roundings.
 */
export function numberProgram(): PredictedProgram {
  const numbers = new Numbers()
  const methods: string[] = []
  const calls: string[] = []
  const lines: string[] = []
  const add = (
    kinds: readonly Kind[],
    compute: string,
    result: Kind,
    of: (row: readonly Value[]) => Value | undefined,
  ) => {
    const name = `m${methods.length}(${kinds.map((kind) => KINDS[kind].descriptor).join('')})V`
    methods.push(`.method static ${name}
    .locals 2
    ${compute}
    ${PRINT[result]('v0')}
    return-void
.end method`)
    const rows = Array.from({ length: COUNT }, () => kinds.map((kind) => numbers.of(kind)))
    const wanted = rows.flatMap((row) => {
      const value = of(row)
      return value === undefined ? [] : [{ row, value }]
    })
    lines.push(...wanted.map(({ value }) => KINDS[result].print(value)))
    for (let from = 0; from < wanted.length; from += CHUNK) {
      const made = wanted.slice(from, from + CHUNK).flatMap(({ row }) => {
        const words: string[] = []
        const loads = kinds.map((kind, i) => {
          const register = `v${words.length}`
          words.push(...wordsOf(kind, register))
          return constant(kind, register, row[i]!)
        })
        return [...loads, `invoke-static {${words.join(', ')}}, Lprograms/Numbers;->${name}`]
      })
      calls.push(`invoke-static {}, Lprograms/Numbers;->all${methods.length}()V`)
      methods.push(
        `.method static all${methods.length}()V\n    .locals 4\n    ${made.join('\n    ')}\n    return-void\n.end method`,
      )
    }
  }
  for (const kind of ['int', 'long', 'float', 'double'] as const) {
    const second = KINDS[kind].wide ? 'p2' : 'p1'
    for (const operation of kind === 'int' || kind === 'long' ? INTEGER : REAL) {
      const right: Kind = operation.includes('sh') ? 'int' : kind
      add([kind, right], `${operation}-${kind} v0, p0, ${second}`, kind, ([a, b]) =>
        applyBinary(operation, kind, a!, b!),
      )
    }
  }
  for (const operation of CONVERSIONS) {
    const [from, , to] = operation.split('-') as [Kind, string, Kind]
    add([from], `${operation} v0, p0`, to, ([value]) =>
      to === 'float' && typeof value === 'bigint' ? floatOf(value) : applyUnary(operation, value!),
    )
  }
  const program = predictedProgram('Numbers', methods, calls, lines)
  return { ...program, classes: [...program.classes, PRINT_CLASS] }
}
