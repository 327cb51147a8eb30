import type { EventRow } from '#domain/query.ts'
import type { DuckFile } from '../duckdb/duck-file.ts'
import { type Selection, whereSql } from '../query/compile-query.ts'
import type { Dialect } from '../query/dialect.ts'
import { TIME_COLUMN } from '../query/dimensions.ts'
import { cursorOf, selectRows } from '../query/select-rows.ts'

const BLOCK_ROWS = 4000
/** Rows that one slice of time holds, about: one question reads and sorts a slice, not the whole set. */
const SLICE_ROWS = 3000
const HISTOGRAM = 5000

/** The selection's rows, newest first, in blocks; no transaction stays open while the reader works on a block. */
export async function* streamRows(
  file: Pick<DuckFile, 'read'>,
  selection: Selection,
  dialect: Dialect,
  signal: AbortSignal,
): AsyncGenerator<EventRow[]> {
  for (const span of await timeSlices(file, selection, dialect)) {
    let cursor: string | undefined
    do {
      if (signal.aborted) return
      const page: Parameters<typeof selectRows>[1] = {
        limit: BLOCK_ROWS,
        order: 'desc',
        whole: true,
        ...(cursor && { cursor }),
      }
      const rows = await file.read((select) => selectRows({ ...selection, span }, page, select, dialect))
      if (rows.length > 0) yield rows
      const last = rows.at(-1)
      cursor = rows.length === BLOCK_ROWS && last ? cursorOf(last, selection.basis) : undefined
    } while (cursor)
  }
}

/** Cuts the span into slices, newest first, by a histogram of its rows. */
async function timeSlices(file: Pick<DuckFile, 'read'>, selection: Selection, dialect: Dialect) {
  const { from, to } = selection.span
  const width = Math.max(1, Math.ceil((to - from) / HISTOGRAM))
  const bucket = dialect.bucket(`${TIME_COLUMN[selection.basis]} - ${dialect.lit(from)}`, width)
  const histogram = await file.read((select) =>
    select(
      `SELECT ${bucket} AS b, count(*) FROM events WHERE ${whereSql(selection, dialect)} GROUP BY b ORDER BY b DESC`,
    ),
  )
  const slices: { from: number; to: number }[] = []
  let end = to
  let held = 0
  for (const [b, count] of histogram) {
    held += Number(count)
    if (held < SLICE_ROWS) continue
    const start = from + Number(b) * width
    slices.push({ from: start, to: end })
    end = start
    held = 0
  }
  // The rest is kept even where it counted nothing: rows may have come since.
  if (end > from) slices.push({ from, to: end })
  return slices
}
