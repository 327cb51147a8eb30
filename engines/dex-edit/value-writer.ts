import type { ByteWriter } from './byte-writer.ts'
import { type DexAnnotation, type DexValue, ENCODED, VALUE_TABLES } from './dex-model.ts'
import type { SortedTables } from './sorted-tables.ts'

/** Writes values and annotations with the numbers of the new tables ('Encoded value formats' of the dex format). */
export class ValueWriter {
  private readonly out: ByteWriter
  private readonly tables: SortedTables

  constructor(out: ByteWriter, tables: SortedTables) {
    this.out = out
    this.tables = tables
  }

  /** encoded_annotation; its elements are in the order of their names. */
  annotation({ type, elements }: DexAnnotation): void {
    const { out, tables } = this
    out.uleb(tables.type(type))
    out.uleb(elements.length)
    const ordered = [...elements].sort((a, b) => tables.string(a.name) - tables.string(b.name))
    for (const { name, value } of ordered) {
      out.uleb(tables.string(name))
      this.value(value)
    }
  }

  /** encoded_array */
  array(values: readonly DexValue[]): void {
    this.out.uleb(values.length)
    for (const value of values) this.value(value)
  }

  private value(value: DexValue): void {
    const { out } = this
    if (value.is === 'null') out.u8(ENCODED.null)
    else if (value.is === 'boolean') out.u8(ENCODED.boolean | (value.value ? 0x20 : 0))
    else if (value.is === 'array') {
      out.u8(ENCODED.array)
      this.array(value.values)
    } else if (value.is === 'annotation') {
      out.u8(ENCODED.annotation)
      this.annotation(value.annotation)
    } else {
      const bytes = value.is === 'number' ? value.bytes : bytesOf(this.tables[VALUE_TABLES[value.type]!](value.row))
      out.u8(value.type | ((bytes.length - 1) << 5))
      out.put(bytes)
    }
  }
}

/** As few bytes as hold a number, the lowest first. */
function bytesOf(number: number): Uint8Array {
  const bytes = [number & 0xff]
  for (let left = number >>> 8; left; left >>>= 8) bytes.push(left & 0xff)
  return Uint8Array.from(bytes)
}
