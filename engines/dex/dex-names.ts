import type { Names, References, Texts } from './code-part.ts'
import type { DexFile } from './dex-file.ts'

/** Texts of a dex file by number; found by halving, as the format sorts them, and by a table where a file does not keep to it. */
export class DexStrings implements Texts {
  private readonly dex: DexFile
  private readonly isSorted: boolean
  private numbers: Map<string, number> | undefined

  constructor(dex: DexFile) {
    this.dex = dex
    this.isSorted = isSorted(dex)
  }

  get count(): number {
    return this.dex.strings.count
  }

  at(index: number): string {
    return this.dex.string(index)
  }

  find(text: string): number {
    if (!this.isSorted) {
      this.numbers ??= new Map(Array.from({ length: this.count }, (_, i) => [this.at(i), i]))
      return this.numbers.get(text) ?? -1
    }
    const first = this.firstFrom(text)
    return first < this.count && this.at(first) === text ? first : -1
  }

  *beginning(text: string): Generator<string> {
    for (let i = this.isSorted ? this.firstFrom(text) : 0; i < this.count; i++) {
      const found = this.at(i)
      if (found.startsWith(text)) yield found
      else if (this.isSorted) return
    }
  }

  /** The first that is not before a text. */
  private firstFrom(text: string): number {
    let low = 0
    let high = this.count
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.at(middle) < text) low = middle + 1
      else high = middle
    }
    return low
  }
}

/** Modified UTF-8 sorts as UTF-16 does, but for the character zero in two bytes: it comes behind the end of a text and before all others. */
const rankOf = (bytes: Uint8Array, at: number): number =>
  bytes[at] === 0xc0 && bytes[at + 1] === 0x80 ? 0.5 : bytes[at]!

/** Compares the bytes of neighbours. */
function isSorted(dex: DexFile): boolean {
  const { bytes } = dex
  // Texts laid over each other could be compared without end.
  let budget = 4 * bytes.length
  let last = -1
  for (let i = 0; i < dex.strings.count; i++) {
    let at = dex.u32(dex.strings.offset + 4 * i)
    at = dex.behindLength(at)
    const begin = at
    if (last >= 0) {
      let before = last
      while (bytes[before] === bytes[at] && bytes[at]) {
        before++
        at++
      }
      budget -= at - begin
      if (budget < 0 || !(rankOf(bytes, before) < rankOf(bytes, at))) return false
    }
    last = begin
  }
  return true
}

/** Types of a dex file by number. */
export class DexTypes implements Names {
  private readonly dex: DexFile
  private readonly strings: DexStrings
  private byString: Map<number, number> | undefined
  private isSorted: boolean | undefined

  constructor(dex: DexFile, strings: DexStrings) {
    this.dex = dex
    this.strings = strings
  }

  get count(): number {
    return this.dex.types.count
  }

  at(index: number): string {
    return this.dex.type(index)
  }

  find(descriptor: string): number {
    const text = this.strings.find(descriptor)
    if (text < 0) return -1
    this.isSorted ??= isAscending(this.count, this.textOf)
    if (this.isSorted) {
      const index = firstNotBelow(this.count, this.textOf, text)
      return index < this.count && this.textOf(index) === text ? index : -1
    }
    if (!this.byString) {
      this.byString = new Map()
      // The first of several with one text: what lies behind the end of a damaged table comes last.
      for (let i = this.count - 1; i >= 0; i--) this.byString.set(this.textOf(i), i)
    }
    return this.byString.get(text) ?? -1
  }

  private readonly textOf = (index: number): number => this.dex.u32(this.dex.types.offset + 4 * index)
}

/** Are the numbers in order, as the format asks, so that they can be found by halving? */
function isAscending(count: number, numberOf: (index: number) => number): boolean {
  for (let i = 1; i < count; i++) if (numberOf(i - 1) > numberOf(i)) return false
  return true
}

/** The first index whose number is `wanted` or more; `count` where all are less. */
function firstNotBelow(count: number, numberOf: (index: number) => number, wanted: number): number {
  let low = 0
  let high = count
  while (low < high) {
    const middle = (low + high) >> 1
    if (numberOf(middle) < wanted) low = middle + 1
    else high = middle
  }
  return low
}

/** Methods or fields that a dex file names: both tables have the owner first and the name last. */
export class DexReferences implements References {
  readonly count: number
  private readonly dex: DexFile
  private readonly offset: number
  private readonly strings: DexStrings
  private readonly types: DexTypes
  private readonly signatureAt: (index: number) => string
  private byName: Buckets | undefined
  private byOwner: Buckets | undefined
  private isSorted: boolean | undefined

  constructor(
    dex: DexFile,
    table: { readonly count: number; readonly offset: number },
    strings: DexStrings,
    types: DexTypes,
    signatureAt: (index: number) => string,
  ) {
    this.dex = dex
    this.count = table.count
    this.offset = table.offset
    this.strings = strings
    this.types = types
    this.signatureAt = signatureAt
  }

  owner(index: number): string {
    return this.dex.type(this.dex.u16(this.offset + 8 * index))
  }

  name(index: number): string {
    return this.dex.string(this.dex.u32(this.offset + 8 * index + 4))
  }

  signature(index: number): string {
    return this.signatureAt(index)
  }

  named(name: string): ArrayLike<number> {
    this.byName ??= new Buckets(this.count, this.strings.count, (i) => this.dex.u32(this.offset + 8 * i + 4))
    return this.byName.of(this.strings.find(name))
  }

  ownedBy(descriptor: string): ArrayLike<number> {
    const type = this.types.find(descriptor)
    if (type < 0) return []
    this.isSorted ??= isAscending(this.count, this.ownerOf)
    if (!this.isSorted) {
      this.byOwner ??= new Buckets(this.count, this.types.count, this.ownerOf)
      return this.byOwner.of(type)
    }
    const from = firstNotBelow(this.count, this.ownerOf, type)
    const owned: number[] = []
    for (let i = from; i < this.count && this.ownerOf(i) === type; i++) owned.push(i)
    return owned
  }

  private readonly ownerOf = (index: number): number => this.dex.u16(this.offset + 8 * index)
}

/** Numbers sorted into buckets by a key below `keys`, without an object for each. */
class Buckets {
  private readonly keys: number
  private readonly starts: Uint32Array
  private readonly order: Uint32Array

  constructor(count: number, keys: number, keyOf: (index: number) => number) {
    this.keys = keys
    this.starts = new Uint32Array(keys + 2)
    this.order = new Uint32Array(count)
    for (let i = 0; i < count; i++) this.starts[Math.min(keyOf(i), keys) + 1]!++
    for (let k = 1; k < this.starts.length; k++) this.starts[k]! += this.starts[k - 1]!
    const next = this.starts.slice()
    for (let i = 0; i < count; i++) this.order[next[Math.min(keyOf(i), keys)]!++] = i
  }

  of(key: number): Uint32Array {
    return key >= 0 && key < this.keys
      ? this.order.subarray(this.starts[key]!, this.starts[key + 1]!)
      : new Uint32Array()
  }
}
