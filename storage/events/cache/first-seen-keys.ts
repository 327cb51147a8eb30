import type { Scan } from '../duckdb/select.ts'
import { firstSeenRows, type Selection } from '../query/compile-query.ts'
import type { Dialect } from '../query/dialect.ts'
import { growTypedArray } from '../query/grow-typed-array.ts'

/** Devices or users whose first occurrence lies in the span. Dropped keys are set to 0. */
export type FirstSeenKeys = {
  keys: Uint32Array
  /** For each requested expression: the code of the first occurrence. */
  codes: Uint32Array[]
  count: number
}

/**
 * Reads the keys whose first occurrence over the selection's applications lies in its span. `codes` are SQL expressions of the time `seen`
 * that never decrease with time. A key may have several rows, of which the earliest counts: grouping all of them is slower than reading the
 * rows of the span and then removing keys with earlier rows.
 */
export async function readFirstSeenKeys(
  selection: Selection,
  column: 'device' | 'uid',
  codes: readonly string[],
  scan: Scan,
  dialect: Dialect,
): Promise<FirstSeenKeys> {
  const { within, before } = firstSeenRows(selection, column, dialect)
  const keyCount = dialect.keyCount()
  const ones = new FirstSeenCollector(keyCount, codes.length)
  const few = keyCount < AT_ONCE ? 'few' : undefined
  const words = codes.map((code) => `, CAST(${code} AS UINTEGER)`).join('')
  const add: Parameters<Scan>[2] = ([keys = NONE, ...blocks], count) => ones.add(keys, blocks, count)
  await scan(`SELECT k${words} ${within}`, 1 + codes.length, add, few)
  if (ones.count === 0) return ones
  // A few keys are looked up among the earlier rows; for many keys all earlier rows are read.
  const among = ones.count < keyCount / MANY ? ` AND k IN (SELECT k ${within})` : ''
  await scan(`SELECT k ${before}${among}`, 1, ([keys = NONE], count) => ones.drop(keys, count), few)
  return ones
}

/** With fewer keys the result is read in one block. */
const AT_ONCE = 1 << 20
/** From this share of all keys on, keys are no longer looked up one by one. */
const MANY = 16

const NONE = new Uint32Array(0)

class FirstSeenCollector implements FirstSeenKeys {
  keys = new Uint32Array(1 << 10)
  codes: Uint32Array[]
  count = 0
  /** Index of each key plus 1; 0: not collected. */
  private readonly slots: Uint32Array

  constructor(keyCount: number, codes: number) {
    this.slots = new Uint32Array(keyCount + 1)
    this.codes = Array.from({ length: codes }, () => new Uint32Array(1 << 10))
  }

  add(keys: Uint32Array, blocks: readonly Uint32Array[], count: number): void {
    if (this.count + count > this.keys.length) this.widen(Math.max(this.keys.length * 2, this.count + count))
    for (let row = 0; row < count; row++) {
      const key = keys[row] as number
      const known = this.slots[key] as number
      const at = known === 0 ? this.count++ : known - 1
      if (known === 0) {
        this.slots[key] = at + 1
        this.keys[at] = key
      }
      for (let index = 0; index < blocks.length; index++) {
        const code = (blocks[index] as Uint32Array)[row] as number
        const own = this.codes[index] as Uint32Array
        if (known === 0 || code < (own[at] as number)) own[at] = code
      }
    }
  }

  drop(keys: Uint32Array, count: number): void {
    for (let row = 0; row < count; row++) {
      const slot = this.slots[keys[row] as number] as number
      if (slot > 0) this.keys[slot - 1] = 0
    }
  }

  private widen(length: number): void {
    this.keys = growTypedArray(this.keys, length)
    this.codes = this.codes.map((codes) => growTypedArray(codes, length))
  }
}
