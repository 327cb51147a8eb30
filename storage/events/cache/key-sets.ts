/** Sets are partitioned by the upper 16 bits of the key; each part stores the lower 16 bits. */
const PART_BITS = 16
/** A part of this length is a bitmap of 65,536 bits, a shorter one its members in order. */
const BITMAP = 4096
const WORDS = 2048
/** Rows that a collector holds before it makes sets of them, more where there are many sets. */
const MAX_COLLECTED = 1 << 17
const MAX_COLLECTED_PER_CODE = 1 << 8
/** So few members are put in order by themselves, without the table. */
const FEW = 64

// Scratch space for one part at a time.
const table = new Uint32Array(WORDS)
const halves = new Uint16Array(table.buffer)

/** Sets of devices or users, one a code from 1 on: sorted, in 2 bytes a member or a bit where they are many. Never changed. */
export class KeySets {
  readonly parts: number
  private readonly starts: Uint32Array
  private readonly data: Uint16Array

  constructor(parts: number, starts: Uint32Array, data: Uint16Array) {
    this.parts = parts
    this.starts = starts
    this.data = data
  }

  get bytes(): number {
    return this.starts.byteLength + this.data.byteLength
  }

  /** The part of a code's set: fewer than 4,096 members, or a bitmap. Empty when there are no members. */
  part(code: number, part: number): Uint16Array {
    if (part >= this.parts) return NONE
    const at = (code - 1) * this.parts + part
    if (at + 1 >= this.starts.length) return NONE
    const [from, to] = [this.starts[at] as number, this.starts[at + 1] as number]
    return from === to ? NONE : this.data.subarray(from, to)
  }

  /** The sets of `size` codes from `first` on, as codes from 1 on. */
  codes(first: number, size: number): KeySets {
    const [from, to] = [(first - 1) * this.parts, (first - 1 + size) * this.parts]
    const starts = this.starts.slice(from, to + 1)
    const begin = starts[0] as number
    const data = this.data.slice(begin, starts[starts.length - 1])
    for (let i = 0; i < starts.length; i++) starts[i] = (starts[i] as number) - begin
    return new KeySets(this.parts, starts, data)
  }
}

const NONE = new Uint16Array(0)

export type Member = { sets: KeySets; code: number }

/** How many numbers are in any of the sets, and in `only` where it is given. */
export function countUnion(members: readonly Member[], only?: Member): number {
  let count = 0
  const parts = Math.max(0, ...members.map(({ sets }) => sets.parts))
  for (let part = 0; part < parts; part++) {
    const wanted = only?.sets.part(only.code, part)
    if (wanted?.length === 0) continue
    const found = members.map(({ sets, code }) => sets.part(code, part)).filter(({ length }) => length > 0)
    const [first] = found
    if (!first) continue
    if (found.length === 1 && !wanted && first.length < BITMAP) {
      count += first.length
      continue
    }
    for (const one of found) addPart(one)
    count += wanted ? countIn(wanted) : countBits()
    table.fill(0)
  }
  return count
}

/** The union of sets of the same codes. */
function unite(all: readonly KeySets[], size: number): KeySets {
  const parts = Math.max(...all.map((sets) => sets.parts))
  const out = new Parts(size * parts)
  for (let code = 1; code <= size; code++)
    for (let part = 0; part < parts; part++) {
      for (const sets of all) addPart(sets.part(code, part))
      out.take()
    }
  return out.finish(parts)
}

/** Takes in keys with their codes, in any order, as often as they come. */
export class KeyCollector {
  private readonly size: number
  private keys = new Uint32Array(1 << 12)
  private codes = new Uint32Array(1 << 12)
  private count = 0
  private made: KeySets | undefined

  constructor(size: number) {
    this.size = size
  }

  /** Skips rows whose key or code is 0, or whose `holds` value is 0. */
  add(keys: Uint32Array, codes: Uint32Array | undefined, holds: Uint32Array | undefined, count: number): void {
    if (this.count + count > this.keys.length) this.widen(count)
    this.count = collect(this.keys, this.codes, this.count, keys, codes, holds, count)
    if (this.count > Math.max(MAX_COLLECTED, this.size * MAX_COLLECTED_PER_CODE)) this.seal()
  }

  finish(): KeySets {
    this.seal()
    return this.made as KeySets
  }

  private widen(count: number): void {
    let length = this.keys.length
    while (length < this.count + count) length *= 2
    const [keys, codes] = [new Uint32Array(length), new Uint32Array(length)]
    keys.set(this.keys.subarray(0, this.count))
    codes.set(this.codes.subarray(0, this.count))
    this.keys = keys
    this.codes = codes
  }

  private seal(): void {
    if (this.count === 0 && this.made) return
    const fresh = makeSets(this.keys, this.codes, this.count, this.size)
    this.made = this.made ? unite([this.made, fresh], this.size) : fresh
    this.count = 0
  }
}

function collect(
  intoKeys: Uint32Array,
  intoCodes: Uint32Array,
  from: number,
  keys: Uint32Array,
  codes: Uint32Array | undefined,
  holds: Uint32Array | undefined,
  count: number,
): number {
  let at = from
  for (let row = 0; row < count; row++) {
    const code = codes ? (codes[row] as number) : 1
    const key = keys[row] as number
    if (code === 0 || key === 0 || (holds && holds[row] === 0)) continue
    intoKeys[at] = key
    intoCodes[at] = code
    at++
  }
  return at
}

/** Counting sort by code and part, then each part is built from its own rows: memory is read sequentially. */
function makeSets(keys: Uint32Array, codes: Uint32Array, count: number, size: number): KeySets {
  let highest = 0
  for (let row = 0; row < count; row++) if ((keys[row] as number) > highest) highest = keys[row] as number
  const parts = (highest >>> PART_BITS) + 1
  const ends = new Uint32Array(size * parts + 1)
  for (let row = 0; row < count; row++) {
    const at = ((codes[row] as number) - 1) * parts + ((keys[row] as number) >>> PART_BITS)
    ends[at + 1] = (ends[at + 1] as number) + 1
  }
  for (let at = 1; at < ends.length; at++) ends[at] = (ends[at] as number) + (ends[at - 1] as number)
  const lows = new Uint16Array(count)
  const next = ends.slice()
  for (let row = 0; row < count; row++) {
    const key = keys[row] as number
    const at = ((codes[row] as number) - 1) * parts + (key >>> PART_BITS)
    const slot = next[at] as number
    next[at] = slot + 1
    lows[slot] = key
  }
  const out = new Parts(size * parts)
  for (let at = 0; at < size * parts; at++) {
    const own = lows.subarray(ends[at], ends[at + 1])
    if (own.length > FEW) addMembers(own)
    if (own.length > FEW) out.take()
    else out.takeFew(own)
  }
  return out.finish(parts)
}

/** Gathers parts, one after the other, out of the table. */
class Parts {
  private readonly starts: Uint32Array
  private data = new Uint16Array(1 << 12)
  private at = 0
  private length = 0

  constructor(count: number) {
    this.starts = new Uint32Array(count + 1)
  }

  /** Turns the contents of the table into the next part. */
  take(): void {
    const count = touched ? countBits() : 0
    if (count > 0) {
      const many = count >= BITMAP
      const need = many ? BITMAP : count
      this.reserve(need)
      if (many) this.data.set(halves, this.length)
      else listBits(this.data, this.length)
      this.length += need
      table.fill(0)
    }
    touched = false
    this.at++
    this.starts[this.at] = this.length
  }

  /** Few members, in any order and as often as they come, become the next part. */
  takeFew(members: Uint16Array): void {
    this.reserve(members.length)
    members.sort()
    for (let i = 0; i < members.length; i++) {
      const low = members[i] as number
      if (i === 0 || low !== members[i - 1]) this.data[this.length++] = low
    }
    this.at++
    this.starts[this.at] = this.length
  }

  private reserve(count: number): void {
    if (this.length + count <= this.data.length) return
    const wider = new Uint16Array(Math.max(this.data.length * 2, this.length + count))
    wider.set(this.data.subarray(0, this.length))
    this.data = wider
  }

  finish(parts: number): KeySets {
    return new KeySets(parts, this.starts, this.data.slice(0, this.length))
  }
}

/** Whether anything was put into the table: empty parts need no look at it. */
let touched = false

function addPart(part: Uint16Array): void {
  if (part.length === BITMAP) addBitmap(part)
  else addMembers(part)
}

function addMembers(members: Uint16Array): void {
  touched ||= members.length > 0
  for (let i = 0; i < members.length; i++) {
    const low = members[i] as number
    table[low >>> 5] = (table[low >>> 5] as number) | (1 << (low & 31))
  }
}

function addBitmap(bits: Uint16Array): void {
  touched = true
  for (let i = 0; i < BITMAP; i++) halves[i] = (halves[i] as number) | (bits[i] as number)
}

function bitsIn(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555)
  const nibbles = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)
  return Math.imul((nibbles + (nibbles >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

function countBits(): number {
  let count = 0
  for (let i = 0; i < WORDS; i++) {
    const word = table[i] as number
    if (word !== 0) count += bitsIn(word)
  }
  return count
}

/** How many of the table's numbers are in the part. */
function countIn(part: Uint16Array): number {
  let count = 0
  if (part.length === BITMAP) {
    for (let i = 0; i < BITMAP; i++) count += bitsIn((halves[i] as number) & (part[i] as number))
    return count
  }
  for (let i = 0; i < part.length; i++) {
    const low = part[i] as number
    if (((table[low >>> 5] as number) & (1 << (low & 31))) !== 0) count++
  }
  return count
}

function listBits(into: Uint16Array, from: number): void {
  let at = from
  for (let i = 0; i < WORDS; i++) {
    let word = table[i] as number
    while (word !== 0) {
      into[at++] = i * 32 + 31 - Math.clz32(word & -word)
      word &= word - 1
    }
  }
}
