import { log } from '#runtime/log.ts'
import type { DuckFile } from './duck-file.ts'
import { hashWords, readHex } from './hex-words.ts'

/** Words of 32 bits in one block: a cache line. */
const BLOCK_WORDS = 16
const PROBES = 6
/** A larger filter is built when fewer bits for each row remain; about one in thousands of new ids is then looked up needlessly. */
const BITS_PER_ROW = 14
const MIN_BITS = 2 ** 24
/** 64 MB: good for 38 million rows. Beyond, more ids are looked up in vain; no answer is ever wrong. */
const MAX_BITS = 2 ** 29

/**
 * Blocked Bloom filter over all stored event ids: spares the flusher a search of the whole store for each block of pending events. Built in
 * the background when first needed; until then every id may be stored.
 */
export class IdFilter {
  private readonly file: DuckFile
  private rows: number
  private current: Bits | undefined
  /** The filter under construction: also receives ids written meanwhile, so none is missed. */
  private coming: Bits | undefined
  private closed = false

  constructor(file: DuckFile, rows: number) {
    this.file = file
    this.rows = rows
  }

  /** Call within a write transaction before it adds rows: a build started here reads everything written before. */
  mayHold(id: string): boolean {
    const length = this.current?.length ?? 0
    if (!this.coming && length < MAX_BITS && length < Math.max(MIN_BITS, this.rows * BITS_PER_ROW)) void this.build()
    return this.current?.has(id) ?? true
  }

  /** To be called before the row's transaction is committed; one that fails does no harm. */
  add(id: string): void {
    this.rows++
    this.current?.add(id)
    this.coming?.add(id)
  }

  close(): void {
    this.closed = true
  }

  private async build(): Promise<void> {
    let length = MIN_BITS
    while (length < MAX_BITS && length < this.rows * BITS_PER_ROW * 1.5) length *= 2
    const made = new Bits(length)
    this.coming = made
    try {
      await this.file.eachBlock('SELECT id FROM events', [16], ([ids], count) => {
        if (this.closed) throw new Error('closed')
        made.addStored(ids as Uint32Array, count)
      })
      this.current = made
    } catch (error) {
      if (!this.closed) log.error({ err: error }, 'event store: cannot build the filter of ids')
    } finally {
      this.coming = undefined
    }
  }
}

class Bits {
  readonly length: number
  private readonly words: Uint32Array
  private readonly id = new Uint32Array(4)

  constructor(length: number) {
    this.length = length
    this.words = new Uint32Array(length / 32)
  }

  has(text: string): boolean {
    return !readHex(text, this.id) || this.visit(false)
  }

  add(text: string): void {
    if (readHex(text, this.id)) this.visit(true)
  }

  /** Ids as DuckDB holds UUIDs: low word first, the sign flipped. */
  addStored(ids: Uint32Array, count: number): void {
    for (let row = 0; row < count; row++) {
      for (let word = 0; word < 4; word++) this.id[word] = ids[row * 4 + 3 - word] as number
      this.id[0] = (this.id[0] as number) ^ 0x80000000
      this.visit(true)
    }
  }

  /** Whether all bits of the id were set; with `set`, sets them. */
  private visit(set: boolean): boolean {
    const block = (hashWords(this.id, 0, 1) % (this.words.length / BLOCK_WORDS)) * BLOCK_WORDS
    let bits = hashWords(this.id, 0, 2)
    let more = hashWords(this.id, 0, 3)
    for (let probe = 0; probe < PROBES; probe++) {
      const at = block + (bits & 15)
      const bit = 1 << (more & 31)
      if (((this.words[at] as number) & bit) === 0) {
        if (!set) return false
        this.words[at] = (this.words[at] as number) | bit
      }
      bits >>>= 4
      more >>>= 5
    }
    return true
  }
}
