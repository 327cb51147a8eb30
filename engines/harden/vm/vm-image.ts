import { mutf8Of } from '../../dex-edit/write-mutf8.ts'
import type { SeededRandom } from '../seeded-random.ts'
import operations from './vm-operations.json' with { type: 'json' }

/** Numbers of the interpreter's handlers, by name; the script that compiles it numbers them by the same list. */
const HANDLERS: ReadonlyMap<string, number> = new Map(operations.map((name, number) => [name, number]))

/** One instruction of the private code. `low` and `high` are 32 bits each; registers and small numbers lie in a, b and c. */
export interface VmRecord {
  readonly operation: string
  readonly a: number
  readonly b: number
  readonly c: number
  low: number
  readonly high: number
}

export interface VmTry {
  /** Numbers of records. */
  readonly from: number
  readonly to: number
  /** `type`: row of a type, -1 for every exception. */
  readonly handlers: readonly { readonly type: number; readonly target: number }[]
}

/** The shorty of a method with the object that it is called on. */
export const shortyOf = (shorty: string, isStatic: boolean): string =>
  isStatic ? shorty : `${shorty[0]}L${shorty.slice(1)}`

export interface VmMethod {
  readonly registers: number
  /** Of the result and of all arguments, the object first where there is one. */
  readonly shorty: string
  readonly records: readonly VmRecord[]
  readonly tries: readonly VmTry[]
}

/** What the interpreter of one build reads its image with; it is written into the library. */
export interface VmKey {
  /** Four numbers of 32 bits. */
  readonly words: readonly number[]
  /** Handler of each of 256 opcodes. */
  readonly handlers: Uint8Array
  /** Opcodes of each handler: at least one. */
  readonly opcodes: readonly (readonly number[])[]
}

/** Opcodes are shuffled for each build; those that are left over are further opcodes of some handlers. */
export function makeVmKey(random: SeededRandom): VmKey {
  const words = [random.word(), random.word(), random.word(), random.word()]
  const handlers = new Uint8Array(256)
  const opcodes: number[][] = operations.map(() => [])
  const codes = random.shuffled(Array.from(handlers.keys()))
  for (const [i, code] of codes.entries()) {
    const handler = i < operations.length ? i : random.below(operations.length)
    handlers[code] = handler
    opcodes[handler]!.push(code)
  }
  return { words, handlers, opcodes }
}

const CHECK = 0x564d3031
const HEADER_WORDS = 12
const STEP = 0x9e3779b9

function mix(value: number): number {
  let x = value >>> 0
  x ^= x >>> 16
  x = Math.imul(x, 0x7feb352d)
  x ^= x >>> 15
  x = Math.imul(x, 0x846ca68b)
  return (x ^ (x >>> 16)) >>> 0
}

/**
 * Code, texts, types and members of all methods that the interpreter runs, as one block of words. The whole is encrypted with the key of the build, and
 * the code once more with a number of its method, which the interpreter decrypts instruction by instruction.
 */
export class VmImage {
  private readonly methods: VmMethod[] = []
  private readonly tables = {
    types: new Rows<number[]>(),
    fields: new Rows<number[]>(),
    calls: new Rows<number[]>(),
    strings: new Rows<number[]>(),
  }
  private readonly texts = new Rows<{ readonly at: number; readonly bytes: Uint8Array }>()
  private textBytes = 0
  /** Words that instructions name by their place: registers of calls, tables of switches, elements of arrays. */
  private readonly data: number[] = []

  get methodCount(): number {
    return this.methods.length
  }

  /** The number that stubs call the method by. */
  add(method: VmMethod): number {
    return this.methods.push(method) - 1
  }

  /** `descriptor`: `La/B;` or `[La/B;`. */
  type(descriptor: string): number {
    const name = descriptor.startsWith('L') ? descriptor.slice(1, -1) : descriptor
    return this.tables.types.row(name, () => [this.text(name)])
  }

  /** `isInitialised`: the class needs no initialiser that may run in another thread. */
  field(owner: string, name: string, type: string, isInitialised: boolean): number {
    return this.tables.fields.row(`${owner} ${name} ${type} ${isInitialised}`, () => [
      ...[this.type(owner), this.text(name), this.text(type), type.charCodeAt(0), isInitialised ? 0 : 1],
    ])
  }

  call(owner: string, name: string, signature: string, shorty: string): number {
    return this.tables.calls.row(`${owner} ${name} ${signature}`, () => [
      ...[this.type(owner), this.text(name), this.text(signature), this.text(shorty)],
    ])
  }

  string(text: string): number {
    return this.tables.strings.row(text, () => [this.text(text)])
  }

  /**
   * Place of the words in the image. `even`: at a multiple of 8 bytes, as JNI wants what it reads longs and doubles from; the image lies at the
   * beginning of a page.
   */
  words(words: readonly number[], even = false): number {
    if (even && (HEADER_WORDS + this.data.length) % 2) this.data.push(0)
    this.data.push(...words)
    return HEADER_WORDS + this.data.length - words.length
  }

  /** Place of a text behind `bytes`; a zero ends it. */
  private text(text: string): number {
    const row = this.texts.row(text, () => {
      const bytes = mutf8Of(text)
      const at = this.textBytes
      this.textBytes += bytes.length + 1
      return { at, bytes }
    })
    return this.texts.all[row]!.at
  }

  /** The bytes as the interpreter gets them. */
  encode(key: VmKey, random: SeededRandom): Uint8Array {
    const { types, fields, calls, strings } = this.tables
    const shorties = this.methods.map(({ shorty }) => this.text(shorty))
    const words: number[] = [...new Array<number>(HEADER_WORDS).fill(0), ...this.data]
    const put = (more: Iterable<number>): number => {
      const at = words.length
      for (const word of more) words.push(word >>> 0)
      return at
    }
    const rows = this.methods.map(({ registers, records, tries }, i) => {
      const salt = random.word()
      const code = put(encryptedCode(records, key, salt, random))
      const lists = tries.map(({ from, to, handlers }) => [
        ...[from, to, put(handlers.flatMap(({ type, target }) => [type, target])), handlers.length],
      ])
      return [registers, shorties[i]!, code, salt, put(lists.flat()), tries.length]
    })
    const header = [
      ...[CHECK, 0, put(rows.flat()), put(types.all.flat()), types.all.length, put(fields.all.flat())],
      ...[fields.all.length, put(calls.all.flat()), calls.all.length, put(strings.all.flat()), strings.all.length],
    ]
    header.push(words.length)
    const bytes = Buffer.alloc(4 * Math.ceil(this.textBytes / 4))
    for (const text of this.texts.all) bytes.set(text.bytes, text.at)
    for (let at = 0; at < bytes.length; at += 4) words.push(bytes.readUInt32LE(at))
    header[1] = words.length
    for (const [i, word] of header.entries()) words[i] = word
    const result = Buffer.alloc(4 * words.length)
    for (const [i, word] of words.entries()) {
      const mask = mix(mix((key.words[0]! + Math.imul(i, STEP)) | 0) ^ key.words[1]!)
      result.writeUInt32LE((word ^ mask) >>> 0, 4 * i)
    }
    return result
  }
}

function* encryptedCode(
  records: readonly VmRecord[],
  key: VmKey,
  salt: number,
  random: SeededRandom,
): Generator<number> {
  const stream = (key.words[2]! ^ salt) | 0
  let at = 0
  for (const { operation, a, b, c, low, high } of records) {
    const opcodes = key.opcodes[HANDLERS.get(operation)!]!
    const opcode = opcodes[random.below(opcodes.length)]!
    // The upper half of the first number is not read for the opcode.
    const first = opcode | (random.below(256) << 8)
    for (const word of [first | (a << 16), b | (c << 16), low, high])
      yield (word ^ mix((stream + Math.imul(at++, STEP)) | 0)) >>> 0
  }
}

/** Rows of a table, each once. */
class Rows<Row> {
  readonly all: Row[] = []
  private readonly known = new Map<string, number>()

  row(key: string, make: () => Row): number {
    const found = this.known.get(key)
    if (found !== undefined) return found
    const row = make()
    this.known.set(key, this.all.length)
    return this.all.push(row) - 1
  }
}
