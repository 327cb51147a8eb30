import { ByteReader } from '../bytes/byte-reader.ts'
import { FormatError } from '../bytes/format-error.ts'
import type { ByteWriter } from './byte-writer.ts'
import type { HandlerList, TryRange } from './code-body.ts'
import type { DexSource, FileCode } from './dex-model.ts'

/** Reads the try blocks of code; those that share handlers share the list. Throws FormatError `try`, `truncated`, `leb128`. */
export function readTries({ bytes }: DexSource, code: FileCode): TryRange[] {
  if (!code.tries) return []
  const reader = new ByteReader(bytes, 'dex')
  const table = 2 * (code.start + code.size + (code.size % 2))
  const handlers = table + 8 * code.tries
  reader.seek(handlers)
  const count = reader.uleb128()
  const lists = new Map<number, HandlerList>()
  for (let i = 0; i < count; i++) lists.set(reader.position - handlers, readHandlers(reader))
  reader.seek(table)
  return Array.from({ length: code.tries }, () => {
    const at = reader.position
    const [start, units, offset] = [reader.u32(), reader.u16(), reader.u16()]
    const list = lists.get(offset)
    if (!list || start + units > code.size) throw reader.error('try', 'a try block without handlers or code', at)
    return { start, count: units, list }
  })
}

function readHandlers(reader: ByteReader): HandlerList {
  const size = reader.sleb128()
  const handlers: { type: number; address: number }[] = []
  for (let i = 0; i < Math.abs(size); i++) handlers.push({ type: reader.uleb128(), address: reader.uleb128() })
  return { handlers, catchAll: size <= 0 ? reader.uleb128() : -1 }
}

/** Writes try_item rows and the lists of handlers; the writer is where the rows begin. */
export function writeTries(writer: ByteWriter, tries: readonly TryRange[], type: (row: number) => number): void {
  const rows = writer.skip(8 * tries.length)
  const begin = writer.length
  const lists = new Set(tries.map(({ list }) => list))
  writer.uleb(lists.size)
  const offsets = new Map<HandlerList, number>()
  for (const list of lists) {
    offsets.set(list, writer.length - begin)
    const { handlers, catchAll } = list
    writer.sleb(catchAll < 0 ? handlers.length : -handlers.length)
    for (const one of handlers) {
      writer.uleb(type(one.type))
      writer.uleb(one.address)
    }
    if (catchAll >= 0) writer.uleb(catchAll)
  }
  tries.forEach(({ start, count, list }, i) => {
    const offset = offsets.get(list)!
    if (offset > 0xffff) throw new FormatError('dex', 'range', -1, 'too many exception handlers in one method')
    writer.setU32(rows + 8 * i, start)
    writer.setU16(rows + 8 * i + 4, count)
    writer.setU16(rows + 8 * i + 6, offset)
  })
}
