import type { DexFile } from './dex-file.ts'
import { argumentRegister, firstRegister, literalOf, secondRegister, signed8, signed16 } from './dex-operands.ts'
import { CALL, FIELD, OPCODE_FORMATS, OPCODE_KINDS, OPCODE_NAMES, OPCODE_SIZES, payloadSize, TYPE } from './opcodes.ts'

const LONGEST_TEXT = 200

/** Instructions around `address` as text, at most `lines`, the one at the address in the middle. */
export function listDex(dex: DexFile, insns: number, size: number, address: number, lines: number): string[] {
  const before: number[] = []
  const chosen: number[] = []
  const ahead = Math.floor((lines - 1) / 2)
  for (let at = insns; at < insns + size && chosen.length < lines; ) {
    const opcode = dex.u8(at)
    if (at < address) {
      before.push(at)
      if (before.length > ahead) before.shift()
    } else {
      if (!chosen.length) chosen.push(...before)
      chosen.push(at)
    }
    at += opcode === 0 ? payloadSize(dex.bytes, at) : OPCODE_SIZES[opcode]!
  }
  return chosen
    .slice(0, lines)
    .map((at) => `${((at - insns) >> 1).toString(16).padStart(4, '0')}: ${instructionText(dex, at)}`)
}

function instructionText(dex: DexFile, at: number): string {
  const opcode = dex.u8(at)
  if (opcode === 0 && dex.u8(at + 1) !== 0) return `data of ${payloadSize(dex.bytes, at)} bytes`
  const operands = operandsOf(dex, at, opcode)
  return operands ? `${OPCODE_NAMES[opcode]} ${operands}` : OPCODE_NAMES[opcode]!
}

function operandsOf(dex: DexFile, at: number, opcode: number): string {
  const format = OPCODE_FORMATS[opcode]!
  const first = `v${firstRegister(dex, at)}`
  const jump = (units: number) => `${units < 0 ? '-' : '+'}0x${Math.abs(units).toString(16)}`
  switch (format) {
    case '10x':
      return ''
    case '12x':
    case '22x':
    case '32x':
      return `${first}, v${secondRegister(dex, at)}`
    case '11x':
      return first
    case '11n':
    case '21s':
    case '21h':
    case '31i':
    case '51l':
      return `${first}, ${literalOf(dex, at)}`
    case '10t':
      return jump(signed8(dex.u8(at + 1)))
    case '20t':
      return jump(signed16(dex.u16(at + 2)))
    case '30t':
      return jump(dex.u32(at + 2) | 0)
    case '21t':
      return `${first}, ${jump(signed16(dex.u16(at + 2)))}`
    case '22t':
      return `${first}, v${secondRegister(dex, at)}, ${jump(signed16(dex.u16(at + 2)))}`
    case '31t':
      return `${first}, ${jump(dex.u32(at + 2) | 0)}`
    case '23x':
      return `${first}, v${dex.u8(at + 2)}, v${dex.u8(at + 3)}`
    case '22b':
      return `${first}, v${dex.u8(at + 2)}, ${signed8(dex.u8(at + 3))}`
    case '22s':
      return `${first}, v${secondRegister(dex, at)}, ${signed16(dex.u16(at + 2))}`
    case '22c':
      return `${first}, v${secondRegister(dex, at)}, ${named(dex, at, opcode)}`
    case '21c':
    case '31c':
      return `${first}, ${named(dex, at, opcode)}`
    default:
      return `{${argumentRegisters(dex, at)}}, ${named(dex, at, opcode)}`
  }
}

function argumentRegisters(dex: DexFile, at: number): string {
  const registers: string[] = []
  for (let slot = 0; slot < 256; slot++) {
    const register = argumentRegister(dex, at, slot)
    if (register < 0) break
    registers.push(`v${register}`)
  }
  return registers.length > 5 ? `${registers[0]} .. ${registers.at(-1)}` : registers.join(', ')
}

/** What the instruction names: a text, a type, a field, a method. */
function named(dex: DexFile, at: number, opcode: number): string {
  const index = dex.u16(at + 2)
  if (opcode === 0x1a || opcode === 0x1b) return quoted(dex.string(opcode === 0x1b ? dex.u32(at + 2) : index))
  const kind = OPCODE_KINDS[opcode]
  if (kind === CALL) return dex.methodReference(index)
  if (kind === FIELD) return dex.fieldReference(index)
  return kind === TYPE || (opcode >= 0x23 && opcode <= 0x25) ? dex.type(index) : `#${index}`
}

const quoted = (text: string): string =>
  JSON.stringify(text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}…` : text)
