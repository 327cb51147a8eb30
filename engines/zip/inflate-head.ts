/** Longest code of a symbol in bits. */
const LONGEST = 15
const END_OF_BLOCK = 256
/** Lengths and distances that symbols stand for: the smallest, and how many bits follow (RFC 1951, section 3.2.5). */
const LENGTHS = ranges(3, [8, 4, 4, 4, 4, 4]).concat([[258, 0]])
const DISTANCES = ranges(1, [4, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2])
/** The order in which a block says the code lengths of its code lengths (section 3.2.7). */
const ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]

/** `counts[n]` values with n more bits each, beginning with `first`. */
function ranges(first: number, counts: readonly number[]): (readonly [first: number, bits: number])[] {
  let next = first
  return counts.flatMap((count, bits) =>
    Array.from({ length: count }, () => {
      const range = [next, bits] as const
      next += 1 << bits
      return range
    }),
  )
}

/** A canonical Huffman code (section 3.2.2): how many symbols have each length, and the symbols in order of their codes. */
interface Code {
  readonly counts: Uint16Array
  readonly symbols: Uint16Array
}

/** Null where lengths do not make a code; a code that leaves bits unused is allowed where it has one symbol at most. */
function codeOf(lengths: Uint8Array, mayBeIncomplete: boolean): Code | null {
  const counts = new Uint16Array(LONGEST + 1)
  for (const length of lengths) counts[length]!++
  let left = 1
  for (let length = 1; length <= LONGEST; length++) {
    left = 2 * left - counts[length]!
    if (left < 0) return null
  }
  const used = lengths.length - counts[0]!
  if (left > 0 && !(mayBeIncomplete && used <= 1 && used === counts[1])) return null
  const next = new Uint16Array(LONGEST + 2)
  for (let length = 1; length <= LONGEST; length++) next[length + 1] = next[length]! + counts[length]!
  const symbols = new Uint16Array(used)
  for (let symbol = 0; symbol < lengths.length; symbol++)
    if (lengths[symbol]) symbols[next[lengths[symbol]!]!++] = symbol
  return { counts, symbols }
}

let fixed: readonly [Code, Code] | undefined
/** The codes of blocks that bring none (section 3.2.6). */
function fixedCodes(): readonly [Code, Code] {
  if (fixed) return fixed
  const lengths = Uint8Array.from({ length: 288 }, (_, at) => (at < 144 ? 8 : at < 256 ? 9 : at < 280 ? 7 : 8))
  fixed = [codeOf(lengths, false)!, codeOf(new Uint8Array(32).fill(5), false)!]
  return fixed
}

/** The input ended: what was unpacked so far is all there is. */
const END = -1
const INVALID = -2

/**
 * The first `length` bytes of deflated data (RFC 1951), fewer where the input ends before; empty where it is not deflated data. It unpacks no
 * further than asked: of thousands of entries a few bytes each cost a tenth of what zlib takes to set up and to unpack a buffer.
 */
export function inflateHead(packed: Uint8Array, length: number): Uint8Array {
  const head = new HeadInflater(packed, length)
  return head.run() === INVALID ? new Uint8Array() : head.out.subarray(0, head.written)
}

class HeadInflater {
  readonly out: Uint8Array
  written = 0
  private readonly packed: Uint8Array
  private at = 0
  private hold = 0
  private held = 0

  constructor(packed: Uint8Array, length: number) {
    this.packed = packed
    this.out = new Uint8Array(length)
  }

  /** Anything but INVALID when done. */
  run(): number {
    let last = 0
    while (last === 0 && this.written < this.out.length) {
      last = this.bits(1)
      const kind = this.bits(2)
      if (last < 0 || kind < 0) return END
      const state = kind === 0 ? this.stored() : kind === 1 ? this.block(...fixedCodes()) : this.dynamic(kind)
      if (state < 0) return state
    }
    return 0
  }

  /** The next bits as a number, END where they are not there. */
  private bits(count: number): number {
    while (this.held < count) {
      if (this.at >= this.packed.length) return END
      this.hold |= this.packed[this.at++]! << this.held
      this.held += 8
    }
    const value = this.hold & ((1 << count) - 1)
    this.hold >>>= count
    this.held -= count
    return value
  }

  private symbol({ counts, symbols }: Code): number {
    let code = 0
    let first = 0
    let index = 0
    for (let length = 1; length <= LONGEST; length++) {
      const bit = this.bits(1)
      if (bit < 0) return END
      code |= bit
      const count = counts[length]!
      if (code - count < first) return symbols[index + code - first]!
      index += count
      first = (first + count) << 1
      code <<= 1
    }
    return INVALID
  }

  private stored(): number {
    this.hold = 0
    this.held = 0
    const { packed, at } = this
    if (at + 4 > packed.length) return END
    const size = packed[at]! | (packed[at + 1]! << 8)
    if (size !== (~(packed[at + 2]! | (packed[at + 3]! << 8)) & 0xffff)) return INVALID
    const bytes = packed.subarray(at + 4, at + 4 + Math.min(size, this.out.length - this.written))
    this.out.set(bytes, this.written)
    this.written += bytes.length
    this.at = at + 4 + bytes.length
    return 0
  }

  private dynamic(kind: number): number {
    if (kind !== 2) return INVALID
    const literals = this.bits(5) + 257
    const distances = this.bits(5) + 1
    const count = this.bits(4) + 4
    if (count < 4) return END
    if (literals > 286 || distances > 30) return INVALID
    const own = new Uint8Array(ORDER.length)
    for (let at = 0; at < count; at++) {
      const length = this.bits(3)
      if (length < 0) return END
      own[ORDER[at]!] = length
    }
    const code = codeOf(own, false)
    if (!code) return INVALID
    const lengths = new Uint8Array(literals + distances)
    for (let at = 0; at < lengths.length; ) {
      const symbol = this.symbol(code)
      if (symbol < 0) return symbol
      if (symbol < 16) {
        lengths[at++] = symbol
        continue
      }
      if (symbol === 16 && at === 0) return INVALID
      const repeated = symbol === 16 ? lengths[at - 1]! : 0
      const more = symbol === 16 ? this.bits(2) : symbol === 17 ? this.bits(3) : this.bits(7)
      if (more < 0) return END
      const to = at + more + (symbol === 18 ? 11 : 3)
      if (to > lengths.length) return INVALID
      lengths.fill(repeated, at, to)
      at = to
    }
    if (lengths[END_OF_BLOCK] === 0) return INVALID
    const forLiterals = codeOf(lengths.subarray(0, literals), true)
    const forDistances = codeOf(lengths.subarray(literals), true)
    return forLiterals && forDistances ? this.block(forLiterals, forDistances) : INVALID
  }

  private block(literals: Code, distances: Code): number {
    const { out } = this
    while (this.written < out.length) {
      const symbol = this.symbol(literals)
      if (symbol < 0) return symbol
      if (symbol === END_OF_BLOCK) return 0
      if (symbol < END_OF_BLOCK) {
        out[this.written++] = symbol
        continue
      }
      const length = this.range(LENGTHS, symbol - END_OF_BLOCK - 1)
      if (length < 0) return length
      const which = this.symbol(distances)
      if (which < 0) return which
      const distance = this.range(DISTANCES, which)
      if (distance < 0) return distance
      if (distance > this.written) return INVALID
      const to = Math.min(out.length, this.written + length)
      for (; this.written < to; this.written++) out[this.written] = out[this.written - distance]!
    }
    return 0
  }

  private range(ranges: readonly (readonly [first: number, bits: number])[], symbol: number): number {
    const range = ranges[symbol]
    if (!range) return INVALID
    const more = this.bits(range[1])
    return more < 0 ? END : range[0] + more
  }
}
