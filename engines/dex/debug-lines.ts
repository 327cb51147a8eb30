import type { DexFile } from './dex-file.ts'
import { EncodedReader } from './encoded-value.ts'

/** Bytes that are looked at to find one line. */
const LONGEST = 2 ** 18
const END = 0
const ADVANCE_PC = 1
const ADVANCE_LINE = 2
const START_LOCAL = 3
const START_LOCAL_EXTENDED = 4
const SET_FILE = 9
const FIRST_SPECIAL = 10
/** Numbers of the operands (LEB128 all) of the opcodes from `end_local` to `set_epilogue_begin`. */
const OPERANDS: Readonly<Record<number, number>> = {
  [START_LOCAL]: 3,
  [START_LOCAL_EXTENDED]: 4,
  5: 1,
  6: 1,
  [SET_FILE]: 1,
}

/** The source line of the instruction at code unit `unit` by the debug_info_item at `offset`; null where it says none. */
export function lineOf(dex: DexFile, offset: number, unit: number): number | null {
  if (offset === 0 || offset >= dex.bytes.length) return null
  const reader = new EncodedReader(dex, offset)
  let line = reader.uleb()
  const parameters = reader.uleb()
  for (let i = 0; i < Math.min(parameters, 256) && !reader.ended; i++) reader.uleb()
  let address = 0
  let found: number | null = null
  const limit = offset + LONGEST
  while (!reader.ended && reader.at < limit) {
    const opcode = dex.u8(reader.at++)
    if (opcode === END) break
    if (opcode === ADVANCE_PC) address += reader.uleb()
    else if (opcode === ADVANCE_LINE) line += reader.sleb()
    else if (opcode < FIRST_SPECIAL) for (let i = OPERANDS[opcode] ?? 0; i > 0; i--) reader.uleb()
    else {
      address += Math.floor((opcode - FIRST_SPECIAL) / 15)
      line += ((opcode - FIRST_SPECIAL) % 15) - 4
      if (address > unit) break
      found = line
    }
    if (address > unit) break
  }
  return found !== null && found > 0 ? found : null
}
