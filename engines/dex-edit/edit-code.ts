import { FormatError } from '../bytes/format-error.ts'
import { OPCODE_FORMATS, OPCODE_NAMES } from '../dex/opcodes.ts'
import {
  type CodeBody,
  DEBUG,
  type DebugEvent,
  type DebugInfo,
  type Handler,
  type HandlerList,
  type Instruction,
  instruction,
  type SwitchTable,
  type TryBlock,
} from './code-body.ts'
import { readDebugInfo } from './debug-info.ts'
import type { DexModel, FileCode, MethodDefinition } from './dex-model.ts'
import { ARRAY_DATA, INSTRUCTION_ROWS, PACKED_SWITCH, ROW, SPARSE_SWITCH, unitCount } from './instruction-rows.ts'
import { readTries } from './try-blocks.ts'

/**
 * The code of a method as instructions that can be edited; it takes the place of the code in the file. Undefined for a method without code.
 * Throws FormatError `instruction`, `jump`, `try`, `truncated`, `leb128`.
 */
export function editCode(model: DexModel, method: MethodDefinition): CodeBody | undefined {
  const { code } = method
  if (code?.is === 'packed') throw new Error('code that is laid out is not edited again')
  if (code?.is !== 'file') return code
  const body = liftCode(model, code)
  method.code = body
  return body
}

/** Code of the file as instructions, which is not changed there. */
export const liftCode = (model: DexModel, code: FileCode): CodeBody => new CodeLifter(model, code).lift()

class CodeLifter {
  private readonly model: DexModel
  private readonly code: FileCode
  private readonly units: Uint16Array
  /** By code unit. */
  private readonly places = new Map<number, Instruction>()
  /** The first instruction that uses a table. */
  private readonly switches = new Map<Instruction, Instruction>()

  constructor(model: DexModel, code: FileCode) {
    this.model = model
    this.code = code
    this.units = model.source.units.subarray(code.start, code.start + code.size)
  }

  lift(): CodeBody {
    const { code } = this
    const instructions = this.split()
    for (const one of [...instructions]) this.connect(one, instructions)
    const tries = this.tries()
    const body: CodeBody = {
      is: 'body',
      registers: code.registers,
      ins: code.ins,
      outs: code.outs,
      instructions,
      tries,
      debug: this.debug(),
      detail: code.detail,
    }
    dropPadding(body)
    return body
  }

  private split(): Instruction[] {
    const { units } = this
    const instructions: Instruction[] = []
    for (let at = 0; at < units.length; ) {
      const count = unitCount(units, at, units.length)
      const one = instruction(units.slice(at, at + count), rowOf(units, at))
      one.address = at
      if (INSTRUCTION_ROWS[one.opcode] === ROW.polymorphic) one.proto = units[at + 3]!
      instructions.push(one)
      this.places.set(at, one)
      at += count
    }
    const end = instruction([])
    end.address = units.length
    this.places.set(units.length, end)
    instructions.push(end)
    return instructions
  }

  /** Finds the target of a jump; a table is read when the first instruction that uses it is seen. */
  private connect(one: Instruction, instructions: Instruction[]): void {
    const offset = jumpOf(one)
    if (offset === undefined) return
    let target = this.placeOf(one.address + offset)
    if (OPCODE_FORMATS[one.opcode] === '31t') {
      const user = this.switches.get(target)
      if (user) {
        // Offsets in a table count from the switch, so that each switch gets its own.
        const copy = instruction(target.units)
        instructions.splice(instructions.indexOf(target) + 1, 0, copy)
        target = copy
      }
      this.switches.set(target, one)
      this.readTable(one, target)
    } else if (target.units.length === 0) throw this.refusal(one, 'leads behind the code')
    one.target = target
  }

  private readTable(one: Instruction, table: Instruction): void {
    const { units } = table
    const wanted = { 38: ARRAY_DATA, 43: PACKED_SWITCH, 44: SPARSE_SWITCH }[one.opcode]
    if (units[0] !== wanted) throw this.refusal(one, 'has no table')
    if (units[0] === ARRAY_DATA) {
      table.table = { is: 'array', units }
      return
    }
    const packed = units[0] === PACKED_SWITCH
    const count = units[1]!
    const word = (at: number) => units[at]! | (units[at + 1]! << 16) | 0
    const offsets = packed ? 4 : 2 + 2 * count
    const keys = Array.from({ length: count }, (_, i) => (packed ? (word(2) + i) | 0 : word(2 + 2 * i)))
    const targets = keys.map((_, i) => this.placeOf(one.address + word(offsets + 2 * i)))
    const read: SwitchTable = { is: packed ? 'packed' : 'sparse', keys, targets }
    table.table = read
  }

  private tries(): TryBlock[] {
    const lists = new Map<HandlerList, { handlers: readonly Handler[]; catchAll: Instruction | undefined }>()
    return readTries(this.model.source, this.code).map(({ start, count, list }) => {
      let lifted = lists.get(list)
      if (!lifted) {
        const handlers = list.handlers.map(({ type, address }) => ({ type, target: this.placeOf(address) }))
        lifted = { handlers, catchAll: list.catchAll < 0 ? undefined : this.placeOf(list.catchAll) }
        lists.set(list, lifted)
      }
      return { from: this.placeOf(start), to: this.endOf(start + count), ...lifted }
    })
  }

  private debug(): DebugInfo<Instruction> | undefined {
    const { code } = this
    if (!code.debug || code.detail === 'none') return undefined
    const info = readDebugInfo(this.model.source.bytes, code.debug)
    const events: DebugEvent<Instruction>[] = []
    // Events behind the code belong to a longer method that shares the information.
    for (const event of info.events) {
      const at = this.places.get(event.at)
      if (at && (at.units.length || event.code !== DEBUG.firstSpecial)) events.push({ ...event, at })
    }
    return { ...info, events }
  }

  /** A try block may end within an instruction, all of which it covers then. */
  private endOf(address: number): Instruction {
    for (let at = address; ; at++) {
      const place = this.places.get(at)
      if (place) return place
    }
  }

  private placeOf(address: number): Instruction {
    const place = this.places.get(address)
    if (!place) throw this.refusal(undefined, `no instruction begins at unit ${address}`)
    return place
  }

  private refusal(one: Instruction | undefined, what: string): FormatError {
    const offset = 2 * (this.code.start + (one?.address ?? 0))
    return new FormatError('dex', 'jump', offset, one ? `a jump or table: ${what}` : what)
  }
}

/** The row in the units of an instruction of a file; -1 without. */
function rowOf(units: Uint16Array, at: number): number {
  const opcode = units[at]! & 0xff
  switch (INSTRUCTION_ROWS[opcode]) {
    case ROW.none:
      return -1
    case ROW.jumbo:
      return units[at + 1]! + units[at + 2]! * 0x10000
    default:
      return units[at + 1]!
  }
}

/** Signed distance of a jump in code units, undefined for other instructions. */
function jumpOf({ opcode, units }: Instruction): number | undefined {
  switch (OPCODE_FORMATS[opcode]) {
    case '10t':
      return (units[0]! << 16) >> 24
    case '20t':
    case '21t':
    case '22t':
      return (units[1]! << 16) >> 16
    case '30t':
    case '31t':
      return units[1]! | (units[2]! << 16) | 0
    default:
      return undefined
  }
}

const ENDS_FLOW = /^(return|throw|goto)/

/** Takes out the nop that aligned a table: the writer aligns tables itself. */
function dropPadding(body: CodeBody): void {
  const { instructions } = body
  if (!instructions.some(({ table }) => table)) return
  const targets = new Set<Instruction>()
  for (const { target, table } of instructions) {
    if (target) targets.add(target)
    if (table && table.is !== 'array') for (const one of table.targets) targets.add(one)
  }
  for (const { from, to, handlers, catchAll } of body.tries)
    for (const one of [from, to, catchAll, ...handlers.map(({ target }) => target)]) if (one) targets.add(one)
  for (const { at } of body.debug?.events ?? []) targets.add(at)
  body.instructions = instructions.filter((one, i) => {
    if (one.units[0] !== 0 || targets.has(one) || !instructions[i + 1]?.table) return true
    const before = instructions[i - 1]
    return !before || !(before.table || endsFlow(before.opcode))
  })
}

export const endsFlow = (opcode: number): boolean => ENDS_FLOW.test(OPCODE_NAMES[opcode] ?? '')
