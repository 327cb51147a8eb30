/**
 * Numbers by 128-bit key (32 hex digits: device and user hashes) in typed arrays: exact, about 40 bytes a key, no objects for the
 * garbage collector. A value of 0 means 'absent'. Keys are keyed hashes already, so their own bits place them.
 */
export type HashTable = {
  readonly size: number
  get(key: string): number
  /** Stores the value (1 to 2^32 - 1), answers the one before. */
  set(key: string, value: number): number
  /** Adds to the value, answers the sum. */
  add(key: string, by: number): number
  /** Drops all keys whose value is below `least`. */
  dropBelow(least: number): void
  clear(): void
}

const SMALLEST = 256

export function createHashTable(): HashTable {
  let capacity = SMALLEST
  let keys = new Uint32Array(capacity * 4)
  let values = new Uint32Array(capacity)
  let size = 0

  function slotOf(a: number, b: number, c: number, d: number): number {
    const mask = capacity - 1
    let slot = (a ^ (b >>> 7)) & mask
    for (;;) {
      const at = slot * 4
      if (values[slot] === 0) return slot
      if (keys[at] === a && keys[at + 1] === b && keys[at + 2] === c && keys[at + 3] === d) return slot
      slot = (slot + 1) & mask
    }
  }
  function find(key: string): number {
    return slotOf(wordAt(key, 0), wordAt(key, 8), wordAt(key, 16), wordAt(key, 24))
  }
  function put(slot: number, key: string, value: number): void {
    for (let i = 0; i < 4; i++) keys[slot * 4 + i] = wordAt(key, i * 8)
    values[slot] = value
    if (++size > capacity * 0.6) rebuild(capacity * 2, 1)
  }
  function rebuild(to: number, least: number): void {
    const [oldKeys, oldValues] = [keys, values]
    capacity = to
    keys = new Uint32Array(to * 4)
    values = new Uint32Array(to)
    size = 0
    for (let i = 0; i < oldValues.length; i++) {
      const value = oldValues[i] as number
      if (value < least || value === 0) continue
      const words = oldKeys.subarray(i * 4, i * 4 + 4)
      const slot = slotOf(words[0] as number, words[1] as number, words[2] as number, words[3] as number)
      keys.set(words, slot * 4)
      values[slot] = value
      size++
    }
  }

  return {
    get size() {
      return size
    },
    get: (key) => values[find(key)] as number,
    set(key, value) {
      const slot = find(key)
      const before = values[slot] as number
      if (before === 0) put(slot, key, value)
      else values[slot] = value
      return before
    },
    add(key, by) {
      const slot = find(key)
      const sum = (values[slot] as number) + by
      if (sum === by) put(slot, key, sum)
      else values[slot] = sum
      return sum
    },
    dropBelow(least) {
      let left = 0
      for (const value of values) if (value >= least && value > 0) left++
      if (left === size) return
      let to = SMALLEST
      while (left > to * 0.4) to *= 2
      rebuild(to, least)
    },
    clear() {
      capacity = SMALLEST
      keys = new Uint32Array(capacity * 4)
      values = new Uint32Array(capacity)
      size = 0
    },
  }
}

/** Eight hex digits from `at` as an unsigned 32-bit number. */
function wordAt(key: string, at: number): number {
  let word = 0
  for (let i = at; i < at + 8; i++) {
    const c = key.charCodeAt(i)
    word = (word << 4) | (c < 58 ? c - 48 : (c & 7) + 9)
  }
  return word >>> 0
}
