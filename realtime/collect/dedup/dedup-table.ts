import { randomBytes } from 'node:crypto'

/**
 * An exact set of (application, 128-bit id) with each entry's time and reported_at, in typed arrays: 32 bytes a slot, open
 * addressing. It is divided into shards that grow and clean up independently, so no single step takes longer than a few
 * milliseconds at any table size.
 */
export type DedupTable = {
  /** reported_at of the entry (NaN if it has none), or undefined if there is no entry. */
  find(app: number, id: Uint32Array): number | undefined
  /** The same, and adds an entry if there was none. `at`: the later of arrival and reported_at, epoch ms. */
  findOrAdd(app: number, id: Uint32Array, at: number, reportedAt: number): number | undefined
  /**
   * Touches the slots of all ids (four words each) so that they are in the cache when each is looked up: independent loads overlap.
   * The result is meaningless.
   */
  prefetch(app: number, ids: Uint32Array): number
  remove(app: number, id: Uint32Array): void
  /** Entries older than this may be dropped (epoch ms). Rises when the table is full. */
  oldestKept(): number
  /** Raises the floor, and tidies one shard with each second that it rises. */
  forgetBefore(at: number): void
  entries(): number
  bytes(): number
}

const SHARDS = 256
const SLOT_BYTES = 32
const WORDS = SLOT_BYTES / 4
const DOUBLES = SLOT_BYTES / 8
/** Index of a slot's double: the last one, after its six words, so that a look-up touches one cache line. */
const REPORTED = DOUBLES - 1
const FIRST_SLOTS = 64
/** Share of slots in use (expired ones too) beyond which a shard is cleaned. */
const FULL = 0.8
/** Share of slots that may still be in use after that; a shard with more of them grows, by half of its size. */
const CLEAN = 0.55
const GROWTH = 1.5
/** A shard with a smaller share of live entries is shrunk, which returns the memory of a busy hour. */
const EMPTY = 0.1

/** Two views of the same bytes. words: id (4), app, seconds since 1970 (0: never used); then reported_at. */
type Shard = { words: Uint32Array; reported: Float64Array; slots: number; used: number }

export function dedupTable(maxBytes: number): DedupTable {
  const maxSlots = Math.max(FIRST_SLOTS, Math.floor(maxBytes / SLOT_BYTES / SHARDS))
  // Senders choose ids: the hash is seeded so that a sender cannot aim at one slot.
  const seed = new Uint32Array(new Uint8Array(randomBytes(20)).buffer)
  const shards = Array.from({ length: SHARDS }, () => makeShard(FIRST_SLOTS))
  let floorSeconds = 0
  let tidied = 0

  function hash(app: number, id: Uint32Array): number {
    let h = Math.imul(app ^ (seed[4] as number), 0x9e3779b1)
    for (let i = 0; i < 4; i++) {
      h = Math.imul(h ^ (id[i] as number) ^ (seed[i] as number), 0x85ebca6b)
      h ^= h >>> 15
    }
    h = Math.imul(h, 0xc2b2ae35)
    return (h ^ (h >>> 16)) >>> 0
  }
  /** Slot of the entry, or minus one minus the slot it would take. */
  function seek(shard: Shard, h: number, app: number, id: Uint32Array): number {
    const { words, slots } = shard
    let free = -1
    for (let slot = firstSlot(h, slots); ; slot = slot + 1 === slots ? 0 : slot + 1) {
      const at = slot * WORDS
      const seconds = words[at + 5] as number
      if (seconds === 0) return -1 - (free < 0 ? slot : free)
      if (
        words[at] === id[0] &&
        words[at + 1] === id[1] &&
        words[at + 2] === id[2] &&
        words[at + 3] === id[3] &&
        words[at + 4] === app
      )
        return slot
      if (free < 0 && seconds < floorSeconds) free = slot
    }
  }
  function put(shard: Shard, slot: number, app: number, id: Uint32Array, seconds: number, reportedAt: number): void {
    const at = slot * WORDS
    if (shard.words[at + 5] === 0) shard.used++
    for (let i = 0; i < 4; i++) shard.words[at + i] = id[i] as number
    shard.words[at + 4] = app
    shard.words[at + 5] = seconds
    shard.reported[slot * DOUBLES + REPORTED] = reportedAt
  }
  /** A cleaned, possibly larger copy; if it is full at the maximum size the floor rises until there is room. */
  function rebuild(index: number): Shard {
    const old = shards[index] as Shard
    const { slots } = old
    let live = countFrom(old, floorSeconds)
    if (slots === maxSlots && live > slots * CLEAN) {
      floorSeconds = raisedFloor(old, floorSeconds, live - slots * CLEAN)
      live = countFrom(old, floorSeconds)
    }
    return copy(index, live > slots * CLEAN ? Math.min(Math.ceil(slots * GROWTH), maxSlots) : slots)
  }
  function tidy(index: number): void {
    const shard = shards[index] as Shard
    const live = countFrom(shard, floorSeconds)
    if (shard.slots > FIRST_SLOTS && live < shard.slots * EMPTY)
      copy(index, Math.max(FIRST_SLOTS, Math.ceil(live / CLEAN)))
  }
  /** A copy of the shard's live entries with `to` slots. */
  function copy(index: number, to: number): Shard {
    const old = shards[index] as Shard
    const { slots } = old
    const shard = makeShard(to)
    const id = new Uint32Array(4)
    for (let slot = 0; slot < slots; slot++) {
      const at = slot * WORDS
      const seconds = old.words[at + 5] as number
      if (seconds === 0 || seconds < floorSeconds) continue
      for (let i = 0; i < 4; i++) id[i] = old.words[at + i] as number
      const app = old.words[at + 4] as number
      put(
        shard,
        -1 - seek(shard, hash(app, id), app, id),
        app,
        id,
        seconds,
        old.reported[slot * DOUBLES + REPORTED] as number,
      )
    }
    shards[index] = shard
    return shard
  }

  const one = new Uint32Array(4)
  return {
    prefetch(app, ids) {
      let read = 0
      for (let i = 0; i < ids.length; i += 4) {
        one[0] = ids[i] as number
        one[1] = ids[i + 1] as number
        one[2] = ids[i + 2] as number
        one[3] = ids[i + 3] as number
        const h = hash(app, one)
        const { words, slots } = shards[h & (SHARDS - 1)] as Shard
        read ^= words[firstSlot(h, slots) * WORDS] as number
      }
      return read
    },
    find(app, id) {
      const h = hash(app, id)
      const shard = shards[h & (SHARDS - 1)] as Shard
      const slot = seek(shard, h, app, id)
      return slot < 0 ? undefined : shard.reported[slot * DOUBLES + REPORTED]
    },
    findOrAdd(app, id, at, reportedAt) {
      const h = hash(app, id)
      let shard = shards[h & (SHARDS - 1)] as Shard
      if (shard.used >= shard.slots * FULL) shard = rebuild(h & (SHARDS - 1))
      const slot = seek(shard, h, app, id)
      if (slot >= 0) return shard.reported[slot * DOUBLES + REPORTED]
      put(shard, -1 - slot, app, id, Math.floor(at / 1000), reportedAt)
      return undefined
    },
    remove(app, id) {
      const h = hash(app, id)
      const shard = shards[h & (SHARDS - 1)] as Shard
      const slot = seek(shard, h, app, id)
      if (slot < 0) return
      // The slot stays used, so that entries after it are still found; application 0 does not exist.
      shard.words[slot * WORDS + 4] = 0
      shard.words[slot * WORDS + 5] = 1
    },
    oldestKept: () => floorSeconds * 1000,
    forgetBefore(at) {
      const seconds = Math.floor(at / 1000)
      if (seconds <= floorSeconds) return
      floorSeconds = seconds
      tidy(tidied++ & (SHARDS - 1))
    },
    entries: () => shards.reduce((sum, shard) => sum + shard.used, 0),
    bytes: () => shards.reduce((sum, shard) => sum + shard.slots * SLOT_BYTES, 0),
  }
}

/** The slot where the search for a hash begins: its 24 upper bits, scaled to the slots. */
function firstSlot(h: number, slots: number): number {
  return (((h >>> 8) * slots) / 2 ** 24) | 0
}

function makeShard(slots: number): Shard {
  const bytes = new ArrayBuffer(slots * SLOT_BYTES)
  return { words: new Uint32Array(bytes), reported: new Float64Array(bytes), slots, used: 0 }
}

function countFrom({ words, slots }: Shard, seconds: number): number {
  let count = 0
  for (let slot = 0; slot < slots; slot++) {
    const at = words[slot * WORDS + 5] as number
    if (at !== 0 && at >= seconds) count++
  }
  return count
}

/** The lowest floor that drops at least `surplus` of the entries at `seconds` or later. */
function raisedFloor({ words, slots }: Shard, seconds: number, surplus: number): number {
  const times = new Uint32Array(slots)
  for (let slot = 0; slot < slots; slot++) times[slot] = words[slot * WORDS + 5] as number
  const sorted = times.filter((time) => time > 1 && time >= seconds).sort()
  return (sorted[Math.min(sorted.length - 1, Math.ceil(surplus))] as number) + 1
}
