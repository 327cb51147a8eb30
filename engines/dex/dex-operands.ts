import type { DexFile } from './dex-file.ts'
import { OPCODE_FORMATS } from './opcodes.ts'

/** Opcodes whose result fills two registers. */
const WIDE_RESULT = new Set<number>([
  4, 5, 6, 0x0b, 0x45, 0x53, 0x61, 0x7d, 0x7e, 0x80, 0x81, 0x83, 0x86, 0x88, 0x89, 0x8b,
])
for (const [from, to] of [
  [0x16, 0x19],
  [0x9b, 0xa5],
  [0xab, 0xaf],
  [0xbb, 0xc5],
  [0xcb, 0xcf],
] as const)
  for (let opcode = from; opcode <= to; opcode++) WIDE_RESULT.add(opcode)

/** By opcode: does it write its first register? (`check-cast` leaves the value as it was.) */
const WRITES = new Uint8Array(256)
for (const [from, to] of [
  [0x01, 0x0d],
  [0x12, 0x1c],
  [0x20, 0x23],
  [0x2d, 0x31],
  [0x44, 0x4a],
  [0x52, 0x58],
  [0x60, 0x66],
  [0x7b, 0xe2],
  [0xfe, 0xff],
] as const)
  WRITES.fill(1, from, to + 1)

export const isWideResult = (opcode: number): boolean => WIDE_RESULT.has(opcode)

/** The register that the instruction writes, -1 if none. */
export function writtenRegister(dex: DexFile, at: number): number {
  const opcode = dex.u8(at)
  return WRITES[opcode] ? firstRegister(dex, at) : -1
}

/** vA, vAA or vAAAA. */
export function firstRegister(dex: DexFile, at: number): number {
  const format = OPCODE_FORMATS[dex.u8(at)]!
  if (format === '32x') return dex.u16(at + 2)
  const nibble = format === '12x' || format === '11n' || format.startsWith('22') ? isNibble(format) : false
  return nibble ? dex.u8(at + 1) & 15 : dex.u8(at + 1)
}

/** 22x and 22b hold a whole byte, 22c, 22s and 22t half of one. */
const isNibble = (format: string): boolean => format !== '22x' && format !== '22b'

/** Source of a move, or the second operand of a 12x or 22c. */
export function secondRegister(dex: DexFile, at: number): number {
  const format = OPCODE_FORMATS[dex.u8(at)]!
  if (format === '32x') return dex.u16(at + 4)
  if (format === '22x') return dex.u16(at + 2)
  return dex.u8(at + 1) >> 4
}

/** Register in the n-th argument slot of an invoke or filled-new-array (wide values take two); -1 beyond the last. */
export function argumentRegister(dex: DexFile, at: number, slot: number): number {
  const format = OPCODE_FORMATS[dex.u8(at)]!
  if (format === '3rc' || format === '4rcc') return slot < dex.u8(at + 1) ? dex.u16(at + 4) + slot : -1
  const count = dex.u8(at + 1) >> 4
  if (slot >= count || slot > 4) return -1
  if (slot === 4) return dex.u8(at + 1) & 15
  return (dex.u8(at + 4 + (slot >> 1)) >> (slot & 1 ? 4 : 0)) & 15
}

export const signed8 = (value: number): number => (value << 24) >> 24
export const signed16 = (value: number): number => (value << 16) >> 16

/** The literal of a const instruction; of const-wide a bigint. */
export function literalOf(dex: DexFile, at: number): number | bigint {
  switch (dex.u8(at)) {
    case 0x12:
      return signed8(dex.u8(at + 1)) >> 4
    case 0x13:
      return signed16(dex.u16(at + 2))
    case 0x14:
      return dex.u32(at + 2) | 0
    case 0x15:
      return dex.u16(at + 2) << 16
    case 0x16:
      return BigInt(signed16(dex.u16(at + 2)))
    case 0x17:
      return BigInt(dex.u32(at + 2) | 0)
    case 0x18:
      return BigInt.asIntN(64, (BigInt(dex.u32(at + 6)) << 32n) | BigInt(dex.u32(at + 2)))
    default:
      return BigInt.asIntN(64, BigInt(dex.u16(at + 2)) << 48n)
  }
}
