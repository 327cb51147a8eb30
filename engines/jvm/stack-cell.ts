import { type PartValue, UNKNOWN, VALUE_LIMIT } from '../dex/code-part.ts'
import { sameValue } from '../dex/typed-part-value.ts'

/** The value in one word of the operand stack or in a local variable. */
export interface Cell {
  readonly values: readonly PartValue[]
  /** The local variable it was loaded from, -1 if none. */
  readonly slot: number
  /** Of a StringBuilder that was made here. */
  readonly builder?: BuilderState
  /** Of a byte array that was made here. */
  readonly array?: ArrayState
}

/** Text that a StringBuilder holds so far; undefined once it is not decided. */
export interface BuilderState {
  text: string | undefined
  readonly block: number
}

/** Bytes that an array was filled with so far; undefined once they are not decided. */
export interface ArrayState {
  bytes: Uint8Array | undefined
  readonly length: number
  readonly block: number
  filled: boolean
}

const NO_SLOT = -1
export const UNDECIDED: Cell = { values: [UNKNOWN], slot: NO_SLOT }

export const cellOf = (value: PartValue): Cell => ({ values: [value], slot: NO_SLOT })

/** The values of a cell with what is known of an array by now. */
export function cellValues({ values, array }: Cell): readonly PartValue[] {
  if (!array) return values
  const { bytes, filled, length } = array
  return [{ kind: 'array', length, ...(filled && bytes && { bytes }) }]
}

/** The one number or text of a cell. */
export function constantOf(cell: Cell): string | number | bigint | undefined {
  const [value, ...others] = cell.values
  return !others.length && value && (value.kind === 'string' || value.kind === 'number') ? value.value : undefined
}

/** Possible values, coming from either side. */
export function mergedCell(a: Cell, b: Cell): Cell {
  if (a === b) return a
  const values = [...a.values]
  for (const value of b.values) if (!values.some((known) => sameValue(known, value))) values.push(value)
  return values.length > VALUE_LIMIT ? UNDECIDED : { values, slot: a.slot === b.slot ? a.slot : NO_SLOT }
}
