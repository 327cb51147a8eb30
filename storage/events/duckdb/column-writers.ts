import duckdb from '@duckdb/node-bindings'
import type { EventTuple } from '#contracts/telemetry/stored-event.ts'
import { readHex } from './hex-words.ts'

/**
 * Writes one column of a row block directly into the memory of a DuckDB vector: node-api's values and bigints take three times as long and
 * block queries meanwhile.
 */
export type WriteColumn = (vector: duckdb.Vector, rows: RowBlock, from: number, count: number) => void

/** Rows to write, with the numbers of their devices and users (0: no user). */
export type RowBlock = { tuples: readonly EventTuple[]; devices: Uint32Array; users: Uint32Array }

/** Rows that one vector holds at most. */
export const VECTOR_ROWS = 2048

// Scratch space for one column at a time; little-endian like DuckDB on every supported machine.
const scratch = new ArrayBuffer(VECTOR_ROWS * 16)
const bytes = new Uint8Array(scratch)
const words = new Uint32Array(scratch)
const doubles = new Float64Array(scratch)
const validity = new Uint8Array(VECTOR_ROWS / 8)

const copy = (vector: duckdb.Vector, size: number) => duckdb.copy_data_to_vector(vector, 0, scratch, 0, size)

/** Marks the rows without a value. */
function writeNulls(vector: duckdb.Vector, count: number, isNull: (index: number) => boolean): void {
  validity.fill(0xff)
  let any = false
  for (let i = 0; i < count; i++) {
    if (!isNull(i)) continue
    any = true
    validity[i >> 3] = (validity[i >> 3] as number) & ~(1 << (i & 7))
  }
  if (!any) return
  duckdb.vector_ensure_validity_writable(vector)
  duckdb.copy_data_to_vector_validity(vector, 0, validity.buffer, 0, Math.ceil(count / 64) * 8)
}

export function smallNumbers(at: number, mask = 0xff): WriteColumn {
  return (vector, { tuples }, from, count) =>
    writeBytes(vector, count, (i) => ((tuples[from + i] as EventTuple)[at] as number) & mask)
}

/** A column of 8-bit numbers without nulls. */
export function writeBytes(vector: duckdb.Vector, count: number, of: (index: number) => number): void {
  for (let i = 0; i < count; i++) bytes[i] = of(i)
  copy(vector, count)
}

export function numbers(of: (row: EventTuple) => number): WriteColumn {
  return (vector, { tuples }, from, count) => writeWords(vector, count, (i) => of(tuples[from + i] as EventTuple))
}

/** A column of 32-bit numbers without nulls. */
export function writeWords(vector: duckdb.Vector, count: number, of: (index: number) => number): void {
  for (let i = 0; i < count; i++) words[i] = of(i)
  copy(vector, count * 4)
}

/** Numbers of devices or users; 0 becomes NULL. */
export function keys(of: 'devices' | 'users'): WriteColumn {
  return (vector, block, from, count) => {
    writeWords(vector, count, (i) => block[of][from + i] as number)
    writeNulls(vector, count, (i) => block[of][from + i] === 0)
  }
}

/** A column of 64-bit integers without nulls. */
export function writeTimes(vector: duckdb.Vector, count: number, of: (index: number) => number): void {
  for (let i = 0; i < count; i++) {
    const time = Math.round(of(i))
    const high = Math.floor(time / 0x1_0000_0000)
    words[i * 2] = time - high * 0x1_0000_0000
    words[i * 2 + 1] = high
  }
  copy(vector, count * 8)
}

/** Epoch milliseconds as a 64-bit integer. */
export function times(at: number): WriteColumn {
  return (vector, { tuples }, from, count) => {
    writeTimes(vector, count, (i) => Number((tuples[from + i] as EventTuple)[at]))
    writeNulls(vector, count, (i) => (tuples[from + i] as EventTuple)[at] === null)
  }
}

export function coordinates(at: number): WriteColumn {
  return (vector, { tuples }, from, count) => {
    for (let i = 0; i < count; i++) doubles[i] = Number((tuples[from + i] as EventTuple)[at])
    copy(vector, count * 8)
    writeNulls(vector, count, (i) => (tuples[from + i] as EventTuple)[at] === null)
  }
}

export function texts(at: number): WriteColumn {
  return (vector, { tuples }, from, count) =>
    writeTexts(vector, count, (i) => (tuples[from + i] as EventTuple)[at] as string)
}

/** A column of texts that are nearly all empty: sixteen zero bytes are an empty text of DuckDB. */
export function rareTexts(of: (row: EventTuple) => string | null | undefined): WriteColumn {
  return (vector, { tuples }, from, count) => {
    words.fill(0, 0, count * 4)
    copy(vector, count * 16)
    for (let i = 0; i < count; i++) {
      const text = of(tuples[from + i] as EventTuple)
      if (text) duckdb.vector_assign_string_element(vector, i, text)
    }
  }
}

export function writeTexts(vector: duckdb.Vector, count: number, of: (index: number) => string): void {
  for (let i = 0; i < count; i++) duckdb.vector_assign_string_element(vector, i, of(i))
}

const hex = new Uint32Array(4)

/** 32 hex digits, dashed or not, as a 128-bit number; DuckDB flips its sign so that numbers order as their texts. */
export function ids(at: number): WriteColumn {
  return (vector, { tuples }, from, count) => {
    for (let i = 0; i < count; i++) {
      const text = (tuples[from + i] as EventTuple)[at] as string
      if (!readHex(text, hex)) throw new RangeError(`not an id: ${text}`)
      for (let word = 0; word < 4; word++) words[i * 4 + 3 - word] = hex[word] as number
      words[i * 4 + 3] = (words[i * 4 + 3] as number) ^ 0x80000000
    }
    copy(vector, count * 16)
  }
}

/** A column that starts as zero. */
export function zeros(): WriteColumn {
  return (vector, _block, _from, count) => writeBytes(vector, count, () => 0)
}
