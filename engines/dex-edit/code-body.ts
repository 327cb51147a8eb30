/** Table of a switch: keys and where each leads. */
export interface SwitchTable {
  readonly is: 'packed' | 'sparse'
  keys: number[]
  targets: Instruction[]
}
/** Elements of fill-array-data. */
export interface ArrayTable {
  readonly is: 'array'
  readonly units: Uint16Array
}

/**
 * One instruction of code that is edited. Jumps lead to instructions, not to offsets: what is inserted before the target of a jump is not
 * run by the jump. `units` are as in the file; rows and jumps in them are filled in by the writer.
 */
export interface Instruction {
  opcode: number
  units: Uint16Array
  /** Row of the model that the instruction names; -1 where it names none. */
  row: number
  /** Prototype of invoke-polymorphic. */
  proto: number
  target: Instruction | undefined
  /** A table is no instruction, but lies among them. */
  table: SwitchTable | ArrayTable | undefined
  /** Code units from the start, as the writer lays them out. */
  address: number
}

export interface Handler {
  /** Type of the exception. */
  readonly type: number
  readonly target: Instruction
}

export interface TryBlock {
  readonly from: Instruction
  /** The first instruction behind it. */
  readonly to: Instruction
  readonly handlers: readonly Handler[]
  readonly catchAll: Instruction | undefined
}

/** DBG_*: what a debug event says, beside positions. */
export const DEBUG = {
  end: 0,
  advancePc: 1,
  advanceLine: 2,
  startLocal: 3,
  startLocalExtended: 4,
  endLocal: 5,
  restartLocal: 6,
  prologueEnd: 7,
  epilogueBegin: 8,
  setFile: 9,
  firstSpecial: 10,
} as const

export interface DebugEvent<Place> {
  readonly at: Place
  /** One of DEBUG; firstSpecial for the position that a line begins at. */
  readonly code: number
  readonly line: number
  readonly register: number
  /** Rows of texts and types, -1 for none. */
  readonly name: number
  readonly type: number
  readonly signature: number
}

export interface DebugInfo<Place> {
  readonly lineStart: number
  readonly parameterNames: readonly number[]
  readonly events: readonly DebugEvent<Place>[]
}

/** How much debug information is written: all, lines alone, none. */
export type DebugDetail = 'all' | 'lines' | 'none'

/** Code of a method that is edited. The last instruction is an end mark without units. */
export interface CodeBody {
  readonly is: 'body'
  registers: number
  ins: number
  outs: number
  instructions: Instruction[]
  tries: TryBlock[]
  debug: DebugInfo<Instruction> | undefined
  detail: DebugDetail
}

/** encoded_catch_handler: types and code units, and where all other exceptions go (-1: nowhere). */
export interface HandlerList {
  readonly handlers: readonly { readonly type: number; readonly address: number }[]
  readonly catchAll: number
}

export interface TryRange {
  readonly start: number
  readonly count: number
  readonly list: HandlerList
}

/** Edited code that is laid out: a fraction of the memory of a body. Rows are those of the model, and not in the units. */
export interface PackedCode {
  readonly is: 'packed'
  readonly registers: number
  readonly ins: number
  readonly outs: number
  readonly units: Uint16Array
  /** Of each instruction that names a row: code unit, row, prototype of invoke-polymorphic or -1. */
  readonly rows: Int32Array
  readonly tries: readonly TryRange[]
  readonly debug: DebugInfo<number> | undefined
  detail: DebugDetail
}

export const END_MARK = -1

export function instruction(units: readonly number[] | Uint16Array, row = -1): Instruction {
  const own = units instanceof Uint16Array ? units : Uint16Array.from(units)
  return {
    opcode: own.length ? own[0]! & 0xff : END_MARK,
    units: own,
    row,
    proto: -1,
    target: undefined,
    table: undefined,
    address: 0,
  }
}

/** Makes another instruction of one that jumps may lead to. */
export function replaceInstruction(old: Instruction, units: readonly number[], row = -1): void {
  old.units = Uint16Array.from(units)
  old.opcode = old.units[0]! & 0xff
  old.row = row
  old.proto = -1
  old.target = undefined
}
