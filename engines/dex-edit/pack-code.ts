import { type AssembledCode, assembleCode, type NewRows, putRow } from './assemble-code.ts'
import { END_MARK, type PackedCode } from './code-body.ts'
import type { DexModel, MethodDefinition } from './dex-model.ts'
import { INSTRUCTION_ROWS, ROW } from './instruction-rows.ts'

/** Rows while code is laid out: which instruction loads a text is all that they decide. */
function layoutRows(isWide: boolean): NewRows {
  const zero = () => 0
  return {
    string: () => (isWide ? 0x10000 : 0),
    ...{ type: zero, proto: zero, field: zero, method: zero, handle: zero, callSite: zero },
  }
}

/**
 * Lays out the edited code of a method for good, when nothing edits it any more. In a file with more than 65,536 texts every text is loaded by
 * the wide instruction, since its number is not known yet.
 */
export function packCode(model: DexModel, method: MethodDefinition): void {
  const { code } = method
  if (code?.is !== 'body') return
  const { units, tries, debug } = assembleCode(code, layoutRows(model.strings.length > 0x10000))
  const rows = code.instructions.flatMap(({ opcode, address, row, proto }) =>
    opcode !== END_MARK && INSTRUCTION_ROWS[opcode] !== ROW.none ? [address, row, proto] : [],
  )
  const { registers, ins, outs, detail } = code
  method.code = { is: 'packed', registers, ins, outs, units, rows: Int32Array.from(rows), tries, debug, detail }
}

/** Rows that packed code names, each with the kind of its instruction. */
export function* rowsOf({ units, rows }: PackedCode): Generator<{ kind: number; row: number; proto: number }> {
  for (let i = 0; i < rows.length; i += 3)
    yield { kind: INSTRUCTION_ROWS[units[rows[i]!]! & 0xff]!, row: rows[i + 1]!, proto: rows[i + 2]! }
}

/** The code with new numbers. Throws FormatError `range` where one does not fit. */
export function unpackCode({ units, rows, tries, debug }: PackedCode, numbers: NewRows): AssembledCode {
  const filled = units.slice()
  for (let i = 0; i < rows.length; i += 3) putRow(filled, rows[i]!, rows[i + 1]!, rows[i + 2]!, numbers)
  return { units: filled, tries, debug }
}
