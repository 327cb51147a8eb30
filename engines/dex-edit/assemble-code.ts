import { FormatError } from '../bytes/format-error.ts'
import { OPCODE_FORMATS } from '../dex/opcodes.ts'
import {
  type CodeBody,
  type DebugInfo,
  type HandlerList,
  type Instruction,
  instruction,
  type SwitchTable,
  type TryRange,
} from './code-body.ts'
import type { RowTable } from './dex-model.ts'
import { ARRAY_DATA, INSTRUCTION_ROWS, PACKED_SWITCH, ROW, SPARSE_SWITCH, tableOf } from './instruction-rows.ts'

const GOTO = 0x28
const GOTO_16 = 0x29
const GOTO_32 = 0x2a
const CONST_STRING = 0x1a
const CONST_STRING_JUMBO = 0x1b
const MOST_TRY_UNITS = 0xffff

/** New numbers of rows of the model, by table. */
export type NewRows = Readonly<Record<RowTable, (row: number) => number>>

export interface AssembledCode {
  readonly units: Uint16Array
  readonly tries: readonly TryRange[]
  readonly debug: DebugInfo<number> | undefined
}

/**
 * Lays out the instructions of a body: jumps that do not reach become wider, texts beyond the first 65,536 are loaded by the wide form, tables
 * are aligned to four bytes, try blocks and debug events follow. Changes the body where instructions get another form.
 * Throws FormatError `range` where a row does not fit into its instruction.
 */
export function assembleCode(body: CodeBody, rows: NewRows): AssembledCode {
  for (const one of body.instructions) promoteText(one, rows)
  layOut(body)
  while (widen(body)) layOut(body)
  const end = body.instructions.at(-1)!
  const units = new Uint16Array(end.address)
  for (const one of body.instructions) {
    units.set(one.units, one.address)
    if (one.row >= 0) putRow(units, one.address, one.row, one.proto, rows)
    if (one.target) fillJump(units, one)
  }
  for (const one of body.instructions) {
    const table = one.target?.table
    if (table && table.is !== 'array') fillTable(units, one, one.target!.address, table)
  }
  return { units, tries: triesOf(body), debug: debugOf(body) }
}

function promoteText(one: Instruction, rows: NewRows): void {
  if (one.opcode !== CONST_STRING || rows.string(one.row) <= 0xffff) return
  one.opcode = CONST_STRING_JUMBO
  one.units = Uint16Array.of(CONST_STRING_JUMBO | (one.units[0]! & 0xff00), 0, 0)
}

const isTable = ({ units }: Instruction): boolean =>
  units[0] === PACKED_SWITCH || units[0] === SPARSE_SWITCH || units[0] === ARRAY_DATA

function layOut({ instructions }: CodeBody): void {
  let address = 0
  for (const one of instructions) {
    if (isTable(one)) address += address % 2
    one.address = address
    address += one.units.length
  }
}

/** Whether a jump had to be written in another form, so that all addresses change. */
function widen(body: CodeBody): boolean {
  let changed = false
  for (let i = 0; i < body.instructions.length; i++) {
    const one = body.instructions[i]!
    if (!one.target) continue
    const distance = one.target.address - one.address
    const far = distance < -0x8000 || distance > 0x7fff
    if (one.opcode === GOTO && (distance < -0x80 || distance > 0x7f || distance === 0)) {
      reshape(one, distance === 0 || far ? GOTO_32 : GOTO_16)
      changed = true
    } else if (one.opcode === GOTO_16 && (far || distance === 0)) {
      reshape(one, GOTO_32)
      changed = true
    } else if (far && (OPCODE_FORMATS[one.opcode] === '21t' || OPCODE_FORMATS[one.opcode] === '22t')) {
      jumpOver(body, i)
      changed = true
    }
  }
  return changed
}

function reshape(one: Instruction, opcode: number): void {
  one.opcode = opcode
  one.units = opcode === GOTO_16 ? Uint16Array.of(opcode, 0) : Uint16Array.of(opcode, 0, 0)
}

/** A condition that leads too far becomes its opposite, which jumps over a wide goto. */
function jumpOver({ instructions }: CodeBody, i: number): void {
  const one = instructions[i]!
  const wide = instruction([GOTO_32, 0, 0])
  wide.target = one.target
  one.target = instructions[i + 1]
  // Opposite conditions are neighbours: if-eq and if-ne, if-lt and if-ge, if-gt and if-le.
  one.opcode ^= 1
  one.units = one.units.slice()
  one.units[0] = one.units[0]! ^ 1
  instructions.splice(i + 1, 0, wide)
}

/** Writes the new number of a row into the units of the instruction at `address`. Throws FormatError `range` where it does not fit. */
export function putRow(units: Uint16Array, address: number, row: number, proto: number, rows: NewRows): void {
  const kind = INSTRUCTION_ROWS[units[address]! & 0xff]
  if (kind === undefined || kind === ROW.none) return
  const number = rows[tableOf(kind)](row)
  if (kind === ROW.jumbo) {
    units[address + 1] = number & 0xffff
    units[address + 2] = number >>> 16
    return
  }
  if (number > 0xffff) throw new FormatError('dex', 'range', -1, `row ${number} does not fit into an instruction`)
  units[address + 1] = number
  if (kind === ROW.polymorphic) units[address + 3] = rows.proto(proto)
}

function fillJump(units: Uint16Array, { address, opcode, target }: Instruction): void {
  const distance = target!.address - address
  switch (OPCODE_FORMATS[opcode]) {
    case '10t':
      units[address] = (units[address]! & 0xff) | ((distance & 0xff) << 8)
      break
    case '20t':
    case '21t':
    case '22t':
      units[address + 1] = distance
      break
    default:
      units[address + 1] = distance
      units[address + 2] = distance >> 16
  }
}

function fillTable(units: Uint16Array, owner: Instruction, address: number, { is, keys, targets }: SwitchTable): void {
  const word = (at: number, value: number) => {
    units[address + at] = value
    units[address + at + 1] = value >> 16
  }
  const offsets = is === 'packed' ? 4 : 2 + 2 * keys.length
  if (is === 'sparse') for (const [i, key] of keys.entries()) word(2 + 2 * i, key)
  for (const [i, target] of targets.entries()) word(offsets + 2 * i, target.address - owner.address)
}

function triesOf({ tries }: CodeBody): TryRange[] {
  const lists = new Map<unknown, HandlerList>()
  return tries.flatMap(({ from, to, handlers, catchAll }) => {
    let list = lists.get(handlers)
    if (!list) {
      list = {
        handlers: handlers.map(({ type, target }) => ({ type, address: target.address })),
        catchAll: catchAll ? catchAll.address : -1,
      }
      lists.set(handlers, list)
    }
    const ranges: TryRange[] = []
    for (let start = from.address; start < to.address; start += MOST_TRY_UNITS)
      ranges.push({ start, count: Math.min(MOST_TRY_UNITS, to.address - start), list })
    return ranges
  })
}

function debugOf({ debug }: CodeBody): DebugInfo<number> | undefined {
  if (!debug) return undefined
  const events = debug.events.map((event) => ({ ...event, at: event.at.address }))
  return { ...debug, events: events.sort((a, b) => a.at - b.at) }
}
