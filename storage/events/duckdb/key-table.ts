import { type DuckDBConnection, UINTEGER } from '@duckdb/node-api'
import { writeWords } from './column-writers.ts'
import type { DuckFile } from './duck-file.ts'
import { appendChunks } from './event-table.ts'
import { hashWords, readHex, writeHex } from './hex-words.ts'

const COLUMNS = ['n', 'a', 'b', 'c', 'd'] as const
const TYPES = COLUMNS.map(() => UINTEGER)

/**
 * Devices and users as integers from 1 on: rows hold 4 bytes instead of 16, and exact counts work on small integers. Kept in memory (about
 * 25 MB for a million keys) and in the append-only table `keys`, whose rows are written in the transaction of the first event that needs
 * them.
 */
export class KeyTable {
  private size = 0
  /** Keys up to this number are in the file. */
  private saved = 0
  private words = new Uint32Array(4 << 12)
  /** Open addressing: numbers by the hash of their key, 0 where free. */
  private slots = new Uint32Array(1 << 13)
  private readonly wanted = new Uint32Array(4)

  static async open(file: DuckFile): Promise<KeyTable> {
    const table = new KeyTable()
    const widths = COLUMNS.map(() => 4)
    await file.eachBlock(`SELECT ${COLUMNS.join(', ')} FROM keys`, widths, (columns, count) => {
      const [numbers, ...parts] = columns as [Uint32Array, ...Uint32Array[]]
      for (let row = 0; row < count; row++) {
        const number = numbers[row] as number
        table.reserve(number)
        for (const [index, part] of parts.entries()) table.words[number * 4 + index] = part[row] as number
        table.size = Math.max(table.size, number)
      }
    })
    table.saved = table.size
    table.rebuild()
    return table
  }

  /** The highest number that a row may have. */
  count(): number {
    return this.size
  }

  /** The key's number, or undefined: no row has it. */
  find(hex: string): number | undefined {
    if (!readHex(hex, this.wanted)) return undefined
    return this.slots[this.slotOf(this.wanted, 0)] || undefined
  }

  /** The key's number, a new one if need be. Throws RangeError where it is not 32 hex digits. */
  intern(hex: string): number {
    if (!readHex(hex, this.wanted)) throw new RangeError(`not a key: ${hex}`)
    const slot = this.slotOf(this.wanted, 0)
    const known = this.slots[slot] as number
    if (known > 0) return known
    const number = ++this.size
    this.reserve(number)
    this.words.set(this.wanted, number * 4)
    this.slots[slot] = number
    if (number * 2 > this.slots.length) this.rebuild()
    return number
  }

  textOf(number: number): string {
    return writeHex(this.words, number * 4)
  }

  /** Writes the new keys within the connection's transaction. */
  async save(connection: DuckDBConnection): Promise<void> {
    const first = this.saved + 1
    const last = this.size
    await appendChunks(connection, 'keys', TYPES, last - this.saved, (vector, column, from, count) =>
      writeWords(vector, count, (row) => {
        const number = first + from + row
        return column === 0 ? number : (this.words[number * 4 + column - 1] as number)
      }),
    )
    this.saved = last
  }

  /** Number of keys in the file: what restore() returns to when the transaction fails. */
  mark(): number {
    return this.saved
  }

  restore(mark: number): void {
    this.size = mark
    this.saved = mark
    this.rebuild()
  }

  /** Forgets the key; its number is not reused while the table is open. */
  forget(number: number): void {
    this.words.fill(0, number * 4, number * 4 + 4)
    this.rebuild()
  }

  /** Reverts forget(). */
  remember(number: number, hex: string): void {
    readHex(hex, this.words, number * 4)
    this.rebuild()
  }

  /** Slot of the key at `at` of `words`, or the free one where it belongs. */
  private slotOf(words: Uint32Array, at: number): number {
    const mask = this.slots.length - 1
    for (let slot = hashWords(words, at, 0) & mask; ; slot = (slot + 1) & mask) {
      const number = this.slots[slot] as number
      if (number === 0) return slot
      const own = number * 4
      if (
        this.words[own] === words[at] &&
        this.words[own + 1] === words[at + 1] &&
        this.words[own + 2] === words[at + 2] &&
        this.words[own + 3] === words[at + 3]
      )
        return slot
    }
  }

  private reserve(number: number): void {
    if ((number + 1) * 4 <= this.words.length) return
    const wider = new Uint32Array(Math.max(this.words.length * 2, (number + 1) * 4))
    wider.set(this.words)
    this.words = wider
  }

  private rebuild(): void {
    let length = 1 << 13
    while (length < this.size * 3) length *= 2
    this.slots = new Uint32Array(length)
    for (let number = 1; number <= this.size; number++) this.slots[this.slotOf(this.words, number * 4)] = number
  }
}
