import duckdb from '@duckdb/node-bindings'
import type { EventTuple } from '#contracts/telemetry/stored-event.ts'

/**
 * Writes one column of some rows straight into the memory of a DuckDB vector: through values and bigints, as node-api does it, the same
 * takes three times as long, and the store answers no query meanwhile.
 */
export type WriteColumn = (vector: duckdb.Vector, rows: readonly EventTuple[], from: number, count: number) => void

/** Rows that one vector holds at most. */
export const VECTOR_ROWS = 2048

// One column at a time is made here and copied; DuckDB's numbers are little-endian like those of every machine it runs on here.
const scratch = new ArrayBuffer(VECTOR_ROWS * 16)
const bytes = new Uint8Array(scratch)
const words = new Uint32Array(scratch)
const doubles = new Float64Array(scratch)
const validity = new Uint8Array(VECTOR_ROWS / 8)

const copy = (vector: duckdb.Vector, size: number) => duckdb.copy_data_to_vector(vector, 0, scratch, 0, size)

/** Marks the rows without a value; `isNull` is asked for each. */
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
  return (vector, rows, from, count) => {
    for (let i = 0; i < count; i++) bytes[i] = ((rows[from + i] as EventTuple)[at] as number) & mask
    copy(vector, count)
  }
}

export function numbers(of: (row: EventTuple) => number): WriteColumn {
  return (vector, rows, from, count) => {
    for (let i = 0; i < count; i++) words[i] = of(rows[from + i] as EventTuple)
    copy(vector, count * 4)
  }
}

/** Epoch milliseconds as a 64-bit integer. */
export function times(at: number): WriteColumn {
  return (vector, rows, from, count) => {
    for (let i = 0; i < count; i++) {
      const time = Math.round(Number((rows[from + i] as EventTuple)[at]))
      const high = Math.floor(time / 0x1_0000_0000)
      words[i * 2] = time - high * 0x1_0000_0000
      words[i * 2 + 1] = high
    }
    copy(vector, count * 8)
    writeNulls(vector, count, (i) => (rows[from + i] as EventTuple)[at] === null)
  }
}

export function coordinates(at: number): WriteColumn {
  return (vector, rows, from, count) => {
    for (let i = 0; i < count; i++) doubles[i] = Number((rows[from + i] as EventTuple)[at])
    copy(vector, count * 8)
    writeNulls(vector, count, (i) => (rows[from + i] as EventTuple)[at] === null)
  }
}

export function texts(at: number): WriteColumn {
  return (vector, rows, from, count) => {
    for (let i = 0; i < count; i++)
      duckdb.vector_assign_string_element(vector, i, (rows[from + i] as EventTuple)[at] as string)
  }
}

/** 32 hex digits, dashed or not, as a 128-bit number; DuckDB flips its sign so that numbers order as their texts. */
export function ids(at: number): WriteColumn {
  return (vector, rows, from, count) => {
    for (let i = 0; i < count; i++) {
      const text = (rows[from + i] as EventTuple)[at] as string | null
      if (text !== null) writeId(text, i * 4)
    }
    copy(vector, count * 16)
    writeNulls(vector, count, (i) => (rows[from + i] as EventTuple)[at] === null)
  }
}

/** Values of hex digits by character code. */
const DIGITS = new Uint8Array(128)
for (const [value, digit] of [...'0123456789abcdef'].entries()) DIGITS[digit.charCodeAt(0)] = value

function writeId(text: string, at: number): void {
  let word = 0
  let digits = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === 45) continue
    word = (word << 4) | (DIGITS[code & 127] as number)
    digits++
    // The first eight digits are the highest word.
    if ((digits & 7) === 0) words[at + 4 - (digits >> 3)] = digits === 8 ? word ^ 0x80000000 : word
  }
}

/** Fresh constant bytes for a column that begins empty. */
export function zeros(): WriteColumn {
  return (vector, _rows, _from, count) => {
    bytes.fill(0, 0, count)
    copy(vector, count)
  }
}
