import { FormatError } from '../bytes/format-error.ts'
import { OPCODE_NAMES, OPCODE_SIZES } from '../dex/opcodes.ts'
import type { RowTable } from './dex-model.ts'

/** Which table an instruction names a row of. */
export const ROW = {
  none: 0,
  string: 1,
  jumbo: 2,
  type: 3,
  field: 4,
  method: 5,
  /** A method, and a prototype in the last unit. */
  polymorphic: 6,
  callSite: 7,
  handle: 8,
  proto: 9,
} as const

const TABLES: readonly (RowTable | undefined)[] = [
  undefined,
  'string',
  'string',
  'type',
  'field',
  'method',
  'method',
  'callSite',
  'handle',
  'proto',
]

/** The table of a kind of ROW other than `none`. */
export const tableOf = (kind: number): RowTable => TABLES[kind]!

/** By opcode. */
export const INSTRUCTION_ROWS: Uint8Array = Uint8Array.from(OPCODE_NAMES, rowKindOf)

function rowKindOf(name: string): number {
  if (name === 'const-string') return ROW.string
  if (name === 'const-string/jumbo') return ROW.jumbo
  if (/^(const-class|check-cast|instance-of|new-instance|new-array|filled-new-array(\/range)?)$/.test(name))
    return ROW.type
  if (/^[is](get|put)/.test(name)) return ROW.field
  if (/^invoke-polymorphic/.test(name)) return ROW.polymorphic
  if (/^invoke-custom/.test(name)) return ROW.callSite
  if (/^invoke-/.test(name)) return ROW.method
  if (name === 'const-method-handle') return ROW.handle
  if (name === 'const-method-type') return ROW.proto
  return ROW.none
}

export const PACKED_SWITCH = 0x0100
export const SPARSE_SWITCH = 0x0200
export const ARRAY_DATA = 0x0300

/** Code units of the instruction or table at `at`, which must end before `end`. Throws FormatError `instruction`. */
export function unitCount(units: Uint16Array, at: number, end: number): number {
  const first = units[at]!
  let count = OPCODE_SIZES[first & 0xff]! >> 1
  if (first === PACKED_SWITCH) count = 4 + 2 * (units[at + 1] ?? 0)
  else if (first === SPARSE_SWITCH) count = 2 + 4 * (units[at + 1] ?? 0)
  else if (first === ARRAY_DATA) {
    const width = units[at + 1] ?? 0
    const elements = (units[at + 2] ?? 0) + (units[at + 3] ?? 0) * 0x10000
    count = 4 + Math.ceil((width * elements) / 2)
  }
  if (at + count > end)
    throw new FormatError('dex', 'instruction', 2 * at, 'an instruction reaches over the end of its code')
  return count
}
