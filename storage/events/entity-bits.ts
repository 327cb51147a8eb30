/** Where counts go, and for counts of new ones: by key the code of when it was first seen (1 without times), 0 where it is not new. */
export type Counted = { counts: Uint32Array; fresh?: Uint16Array; byTime?: boolean }

/** One count a code of what rows are told apart by. */
export type Counting = Counted & {
  size: number
  /** Rows of attacks alone. */
  attacked: boolean
  /** Place of the block with the codes, or with what `codes` tells them of; without it every row has code 1. */
  value?: number
  codes?: Uint16Array
}

/** Countings of few codes share a 32-bit word of each key; others have words of their own. */
type Place = { word: number; members: { counting: Counting; offset: number }[]; counts: Uint32Array }

const BLOCK = 2048

/**
 * Bits by key: what was counted of it already. Countings of few codes share a word, so that a row costs one look at memory for all of
 * them. The loops over rows are functions of arrays alone, which the engine compiles once and well.
 */
export class EntityBits {
  private readonly table: Uint32Array
  private readonly words: number
  private readonly places: Place[] = []
  private codes = new Uint32Array(BLOCK)
  private wanted = new Uint32Array(BLOCK)

  constructor(keys: number, countings: readonly Counting[]) {
    let words = 0
    for (const counting of [...countings].sort((a, b) => b.size - a.size)) {
      let place = this.places.find(({ members }) => used(members) + counting.size <= 32)
      if (!place) {
        place = { word: words, members: [], counts: new Uint32Array(Math.max(32, counting.size)) }
        words += Math.ceil(counting.size / 32)
        this.places.push(place)
      }
      place.members.push({ counting, offset: used(place.members) })
    }
    this.words = words
    this.table = new Uint32Array(words * keys)
  }

  /** Rows: the key of each (0 for none), what they are told apart by, and whether they are attacks. */
  add(keys: Uint32Array, blocks: readonly Uint32Array[], attacks: Uint32Array | undefined, count: number): void {
    if (count > this.wanted.length) [this.wanted, this.codes] = [new Uint32Array(count), new Uint32Array(count)]
    const { codes, wanted, table, words } = this
    for (const { word, members, counts } of this.places) {
      const alone = members.length === 1
      if (!alone) wanted.fill(0, 0, count)
      for (const { counting, offset } of members) {
        readCodes(codes, counting, blocks, count)
        if (counting.attacked && attacks) onlyWhere(codes, attacks, count)
        if (counting.fresh && counting.byTime) onlySame(codes, counting.fresh, keys, count)
        else if (counting.fresh) onlyFresh(codes, counting.fresh, keys, count)
        if (!alone) addBits(wanted, codes, offset, count)
      }
      if (alone) takeCodes(table, words, word, keys, codes, counts, count)
      else takeBits(table, words, word, keys, wanted, counts, count)
    }
  }

  /** Writes the counts into those of the countings. */
  finish(): void {
    for (const { members, counts } of this.places)
      for (const { counting, offset } of members)
        counting.counts.set(counts.subarray(offset, offset + counting.size), 1)
  }
}

const used = (members: Place['members']) => members.reduce((sum, { counting }) => sum + counting.size, 0)

function readCodes(
  codes: Uint32Array,
  { value, codes: table }: Counting,
  blocks: readonly Uint32Array[],
  count: number,
) {
  if (value === undefined) codes.fill(1, 0, count)
  else if (table) lookUp(codes, blocks[value] as Uint32Array, table, count)
  else codes.set((blocks[value] as Uint32Array).subarray(0, count))
}

function lookUp(codes: Uint32Array, values: Uint32Array, table: Uint16Array, count: number): void {
  for (let row = 0; row < count; row++) {
    const value = values[row] as number
    codes[row] = value < table.length ? (table[value] as number) : 0
  }
}

function onlyWhere(codes: Uint32Array, holds: Uint32Array, count: number): void {
  for (let row = 0; row < count; row++) if (holds[row] === 0) codes[row] = 0
}

function onlyFresh(codes: Uint32Array, fresh: Uint16Array, keys: Uint32Array, count: number): void {
  for (let row = 0; row < count; row++) if (fresh[keys[row] as number] === 0) codes[row] = 0
}

function onlySame(codes: Uint32Array, fresh: Uint16Array, keys: Uint32Array, count: number): void {
  for (let row = 0; row < count; row++) if (fresh[keys[row] as number] !== codes[row]) codes[row] = 0
}

function addBits(wanted: Uint32Array, codes: Uint32Array, offset: number, count: number): void {
  for (let row = 0; row < count; row++) {
    const code = codes[row] as number
    if (code !== 0) wanted[row] = (wanted[row] as number) | (1 << (offset + code - 1))
  }
}

/** Sets the wanted bits of each key, and counts those that were not set. */
function takeBits(
  table: Uint32Array,
  words: number,
  word: number,
  keys: Uint32Array,
  wanted: Uint32Array,
  counts: Uint32Array,
  count: number,
): void {
  for (let row = 0; row < count; row++) {
    const key = keys[row] as number
    const at = key * words + word
    const before = table[at] as number
    let fresh = (wanted[row] as number) & ~before
    if (fresh === 0 || key === 0) continue
    table[at] = before | fresh
    while (fresh !== 0) {
      const bit = 31 - Math.clz32(fresh & -fresh)
      fresh &= fresh - 1
      counts[bit] = (counts[bit] as number) + 1
    }
  }
}

function takeCodes(
  table: Uint32Array,
  words: number,
  word: number,
  keys: Uint32Array,
  codes: Uint32Array,
  counts: Uint32Array,
  count: number,
): void {
  for (let row = 0; row < count; row++) {
    const key = keys[row] as number
    const code = codes[row] as number
    if (code === 0 || key === 0) continue
    const bit = code - 1
    const at = key * words + word + (bit >>> 5)
    const mask = 1 << (bit & 31)
    const before = table[at] as number
    if ((before & mask) !== 0) continue
    table[at] = before | mask
    counts[bit] = (counts[bit] as number) + 1
  }
}
