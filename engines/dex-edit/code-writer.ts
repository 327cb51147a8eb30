import { FormatError } from '../bytes/format-error.ts'
import { type AssembledCode, assembleCode } from './assemble-code.ts'
import type { ByteWriter } from './byte-writer.ts'
import { readDebugInfo, reduceDebugInfo, writeDebugInfo } from './debug-info.ts'
import {
  type ClassDefinition,
  type DexCode,
  type DexModel,
  type FileCode,
  type MethodDefinition,
  methodsOf,
} from './dex-model.ts'
import { liftCode } from './edit-code.ts'
import { INSTRUCTION_ROWS, ROW, tableOf, unitCount } from './instruction-rows.ts'
import { unpackCode } from './pack-code.ts'
import type { SortedTables } from './sorted-tables.ts'
import { readTries, writeTries } from './try-blocks.ts'

/** Writes debug information and then the code of methods, with the numbers of the new tables. */
export class CodeWriter {
  private readonly model: DexModel
  private readonly classes: readonly ClassDefinition[]
  private readonly tables: SortedTables
  private readonly out: ByteWriter
  private readonly debugOffsets = new Map<MethodDefinition, number>()
  private readonly codeOffsets = new Map<MethodDefinition, number>()
  private readonly assembled = new Map<MethodDefinition, AssembledCode>()

  constructor(model: DexModel, classes: readonly ClassDefinition[], tables: SortedTables, out: ByteWriter) {
    this.model = model
    this.classes = classes
    this.tables = tables
    this.out = out
  }

  /** debug_info_item; the first step, since only it lays code out. */
  writeDebug(): number {
    const { out, model, tables } = this
    const items = new Map<string, number>()
    const ofFile = new Map<string, number>()
    for (const method of this.classes.flatMap(methodsOf)) {
      const code = this.codeToWrite(method)
      if (!code) continue
      if (code.is !== 'file') {
        // Texts decide about widths, so that the layout of a body is known only here.
        const assembled = code.is === 'body' ? assembleCode(code, tables) : unpackCode(code, tables)
        this.assembled.set(method, assembled)
        if (!assembled.debug || code.detail === 'none') continue
        const info = reduceDebugInfo(assembled.debug, code.detail)
        this.debugOffsets.set(
          method,
          out.putOnce(items, () => writeDebugInfo(out, info, tables)),
        )
      } else if (code.debug && code.detail !== 'none') {
        // Many methods share one item, which is read once.
        const key = `${code.debug} ${code.detail}`
        let offset = ofFile.get(key)
        if (offset === undefined) {
          const info = reduceDebugInfo(readDebugInfo(model.source.bytes, code.debug), code.detail)
          offset = out.putOnce(items, () => writeDebugInfo(out, info, tables))
          ofFile.set(key, offset)
        }
        this.debugOffsets.set(method, offset)
      }
    }
    return items.size
  }

  /** Code of the file is laid out again only where a text does not fit into its instruction any more. */
  private codeToWrite({ code }: MethodDefinition): DexCode | undefined {
    if (code?.is !== 'file' || this.tables.strings.rows.length <= 0x10000) return code
    const { units } = this.model.source
    const end = code.start + code.size
    for (let at = code.start; at < end; at += unitCount(units, at, end))
      if (INSTRUCTION_ROWS[units[at]! & 0xff] === ROW.string && this.tables.string(units[at + 1]!) > 0xffff)
        return liftCode(this.model, code)
    return code
  }

  /** code_item */
  writeCode(): number {
    const { out } = this
    let count = 0
    for (const method of this.classes.flatMap(methodsOf)) {
      const { code } = method
      if (!code) continue
      count++
      out.align(4)
      this.codeOffsets.set(method, out.length)
      const { units, tries } = this.assembled.get(method) ?? this.renumbered(code as FileCode)
      if (tries.length > 0xffff) throw new FormatError('dex', 'range', -1, 'too many try blocks in one method')
      out.u16(code.registers)
      out.u16(code.ins)
      out.u16(code.outs)
      out.u16(tries.length)
      out.u32(this.debugOffsets.get(method) ?? 0)
      out.u32(units.length)
      out.putUnits(units)
      if (!tries.length) continue
      out.align(4)
      writeTries(out, tries, (row) => this.tables.type(row))
    }
    return count
  }

  private renumbered(code: FileCode): Pick<AssembledCode, 'units' | 'tries'> {
    const { tables } = this
    const units = this.model.source.units.slice(code.start, code.start + code.size)
    for (let at = 0; at < units.length; ) {
      const count = unitCount(units, at, units.length)
      const kind = INSTRUCTION_ROWS[units[at]! & 0xff]!
      if (kind === ROW.jumbo) {
        const row = tables.string(units[at + 1]! + units[at + 2]! * 0x10000)
        units[at + 1] = row & 0xffff
        units[at + 2] = row >>> 16
      } else if (kind !== ROW.none) {
        units[at + 1] = tables[tableOf(kind)](units[at + 1]!)
        if (kind === ROW.polymorphic) units[at + 3] = tables.proto(units[at + 3]!)
      }
      at += count
    }
    return { units, tries: readTries(this.model.source, code) }
  }

  /** Of the code of a method, after `writeCode`; 0 without code. */
  offsetOf(method: MethodDefinition): number {
    return this.codeOffsets.get(method) ?? 0
  }
}
