import type { Language } from '#contracts/errors.ts'
import type { EventRow, Scope } from '#domain/query.ts'
import type { EventStore } from '#storage/events/port.ts'
import type { FileStore } from '#storage/files/port.ts'
import type { MetaStore } from '#storage/postgres/database.ts'
import type { Cell } from '../../../platform/tables/csv.ts'
import type { ExportWords } from '../../../query/export-words.ts'
import type { ExportTable } from '../export-tables.ts'

/** What a list is read from; scope and rights are those of the caller. */
export type ListSource = {
  meta: MetaStore
  store: EventStore
  files: FileStore
  words: ExportWords
  language: Language
  zone: string
  scope: Scope
  userId: number
  /** Permission items of the requester that decide about rows. */
  auth: readonly string[]
  /** The moment that ranges and states are meant against. */
  now: number
  /** Takes out of an event what the requester may not read. */
  row(row: EventRow): EventRow
  signal: AbortSignal
}

type Column<Row> = readonly [zh: string, en: string, cell: (row: Row) => Cell]

/** Pages of rows as a table: each page is read when the one before was written. */
export function listTable<Row>(
  columns: readonly Column<Row>[],
  { language, signal }: Pick<ListSource, 'language' | 'signal'>,
  total: number,
  pages: AsyncIterable<readonly Row[]> | Iterable<readonly Row[]>,
): ExportTable {
  async function* blocks(): AsyncGenerator<Cell[][]> {
    for await (const page of pages) {
      signal.throwIfAborted()
      yield page.map((row) => columns.map(([, , cell]) => cell(row)))
    }
  }
  return { header: columns.map(([zh, en]) => (language === 'zh' ? zh : en)), total, blocks: blocks() }
}
