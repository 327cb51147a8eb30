import type { DexFile } from './dex-file.ts'
import type { DexLimits } from './dex-limits.ts'
import { grown, type LocationTable, LocationTableBuilder } from './location-table.ts'
import {
  CALL,
  FIELD,
  JUMBO,
  OPCODE_KINDS,
  OPCODE_SIZES,
  PAYLOAD,
  PLAIN,
  payloadSize,
  STRING,
  TYPE,
  UNUSED,
} from './opcodes.ts'

const CODE_HEADER = 16
const NO_CODE = 0

/** What one pass over a dex file found: defined methods and fields as columns, and where code names what. */
export interface DexIndex {
  readonly methodCount: number
  readonly methodIds: Uint32Array
  readonly methodFlags: Uint32Array
  /** Offset of the first instruction, 0 without code. */
  readonly insnsOffsets: Uint32Array
  /** Bytes of instructions. */
  readonly insnsSizes: Uint32Array
  readonly methodStarts: Uint32Array
  readonly fieldIds: Uint32Array
  readonly fieldFlags: Uint32Array
  readonly fieldStarts: Uint32Array
  readonly staticFieldCounts: Uint32Array
  readonly calls: LocationTable
  readonly fieldLocations: LocationTable
  readonly typeLocations: LocationTable
  readonly stringLocations: LocationTable
}

/**
 * Reads class data and code of every class that `isWanted`, once and in order. Parts that are laid over each other are read again each time,
 * up to the limit of the file: sharing is allowed, multiplying is not.
 */
export function indexDex(dex: DexFile, isWanted: (classDef: number) => boolean, limits: DexLimits): DexIndex {
  const { bytes, notes } = dex
  const classes = dex.classDefs.count
  const calls = new LocationTableBuilder()
  const fieldLocations = new LocationTableBuilder()
  const typeLocations = new LocationTableBuilder()
  const stringLocations = new LocationTableBuilder()
  const methods = new Columns(4)
  const fields = new Columns(2)
  const methodStarts = new Uint32Array(classes + 1)
  const fieldStarts = new Uint32Array(classes + 1)
  const staticFieldCounts = new Uint32Array(classes)
  const { count: methodCount } = dex.methods
  const { count: fieldCount } = dex.fields
  const { count: typeCount } = dex.types
  const { count: stringCount } = dex.strings
  let codeBudget = limits.overlap * bytes.length
  let dataBudget = limits.overlap * bytes.length
  let at = 0

  const uleb = (): number => {
    let byte = bytes[at++] ?? 0
    let value = byte & 0x7f
    for (let shift = 7; byte >= 0x80 && shift < 35; shift += 7) {
      byte = bytes[at++] ?? 0
      value += (byte & 0x7f) * 2 ** shift
    }
    return value
  }
  const badIndex = (address: number, what: string, index: number) =>
    notes.add('index', address, `${what} ${index} does not exist`)

  function scan(from: number, end: number): void {
    let p = from
    while (p < end) {
      const opcode = bytes[p]!
      const kind = OPCODE_KINDS[opcode]!
      const size = kind === PAYLOAD && bytes[p + 1] !== 0 ? payloadSize(bytes, p) : OPCODE_SIZES[opcode]!
      if (p + size > end) {
        notes.add('instruction', p, 'instruction runs over the end of its method')
        return
      }
      if (kind !== PLAIN && kind !== PAYLOAD) {
        const index = bytes[p + 2]! | (bytes[p + 3]! << 8)
        if (kind === CALL) {
          if (index < methodCount) calls.add(p, index)
          else badIndex(p, 'method', index)
        } else if (kind === FIELD) {
          if (index < fieldCount) fieldLocations.add(p, index)
          else badIndex(p, 'field', index)
        } else if (kind === STRING) {
          if (index < stringCount) stringLocations.add(p, index)
          else badIndex(p, 'string', index)
        } else if (kind === TYPE) {
          if (index < typeCount) typeLocations.add(p, index)
          else badIndex(p, 'type', index)
        } else if (kind === JUMBO) {
          const wide = dex.u32(p + 2)
          if (wide < stringCount) stringLocations.add(p, wide)
          else badIndex(p, 'string', wide)
        } else if (kind === UNUSED) notes.add('instruction', p, `opcode 0x${opcode.toString(16)} is not in use`)
      }
      p += size
    }
  }

  /** Offset and size of the instructions of a code item, cut to the file; the offset is 0 where there are none. */
  function locate(code: number): [offset: number, size: number] {
    if (code === NO_CODE) return [0, 0]
    if (code + CODE_HEADER > bytes.length) {
      notes.add('code', code, 'code lies outside of the file')
      return [0, 0]
    }
    const wanted = 2 * dex.u32(code + 12)
    const size = Math.min(wanted, bytes.length - code - CODE_HEADER)
    if (size < wanted) notes.add('code', code, `${wanted} bytes of code claimed, ${size} left`)
    return [code + CODE_HEADER, size]
  }

  function readMethods(count: number, end: number): void {
    let id = 0
    for (let i = 0; i < count && at < end && dataBudget > 0; i++) {
      id += uleb()
      const flags = uleb()
      const code = uleb()
      if (id >= methodCount) {
        badIndex(at, 'method', id)
        continue
      }
      if (methods.length >= limits.methods) {
        notes.add('limit', at, `more than ${limits.methods} methods`)
        return
      }
      const [offset, size] = locate(code)
      codeBudget -= size
      const isRead = codeBudget >= 0
      if (!isRead) notes.add('limit', offset, 'methods laid over each other hold more code than is read')
      methods.add(id, flags, isRead ? offset : 0, isRead ? size : 0)
      calls.nextMethod()
      fieldLocations.nextMethod()
      typeLocations.nextMethod()
      stringLocations.nextMethod()
      if (isRead) scan(offset, offset + size)
    }
  }

  function readFields(count: number): void {
    let id = 0
    for (let i = 0; i < count && at < bytes.length && dataBudget > 0; i++) {
      id += uleb()
      const flags = uleb()
      if (id < fieldCount) fields.add(id, flags)
      else badIndex(at, 'field', id)
    }
  }

  for (let c = 0; c < classes; c++) {
    methodStarts[c] = methods.length
    fieldStarts[c] = fields.length
    const data = dex.u32(dex.classDefs.offset + 32 * c + 24)
    if (data === 0 || !isWanted(c)) continue
    if (data >= bytes.length) {
      notes.add('class-data', data, 'class data lies outside of the file')
      continue
    }
    at = data
    const staticFields = uleb()
    const instanceFields = uleb()
    const directMethods = uleb()
    const virtualMethods = uleb()
    readFields(staticFields)
    staticFieldCounts[c] = fields.length - fieldStarts[c]!
    readFields(instanceFields)
    readMethods(directMethods, bytes.length)
    readMethods(virtualMethods, bytes.length)
    if (at > bytes.length) notes.add('class-data', data, 'class data runs over the end of the file')
    dataBudget -= at - data
    if (dataBudget <= 0) notes.add('limit', data, 'classes laid over each other hold more than is read')
  }
  methodStarts[classes] = methods.length
  fieldStarts[classes] = fields.length
  const [methodIds, methodFlags, insnsOffsets, insnsSizes] = methods.columns()
  const [fieldIds, fieldFlags] = fields.columns()
  return {
    methodCount: methods.length,
    methodIds: methodIds!,
    methodFlags: methodFlags!,
    insnsOffsets: insnsOffsets!,
    insnsSizes: insnsSizes!,
    methodStarts,
    fieldIds: fieldIds!,
    fieldFlags: fieldFlags!,
    fieldStarts,
    staticFieldCounts,
    calls: calls.build(methodCount),
    fieldLocations: fieldLocations.build(fieldCount),
    typeLocations: typeLocations.build(typeCount),
    stringLocations: stringLocations.build(stringCount),
  }
}

/** A few growing columns of words. */
class Columns {
  length = 0
  private words: Uint32Array<ArrayBuffer>[]

  constructor(count: number) {
    this.words = Array.from({ length: count }, () => new Uint32Array(1024))
  }

  add(...row: number[]): void {
    if (this.length === this.words[0]!.length) this.words = this.words.map(grown)
    for (let i = 0; i < row.length; i++) this.words[i]![this.length] = row[i]!
    this.length++
  }

  columns(): Uint32Array[] {
    return this.words.map((column) => column.slice(0, this.length))
  }
}
