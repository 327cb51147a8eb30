import type { ReactNode } from 'react'

export type PlainColumn<Row> = { id: string; title: string; cell: (row: Row) => ReactNode; className?: string }

/** A table to read: hairlines, rows as high as their text, scrolls sideways by itself. */
export function PlainTable<Row>({
  label,
  columns,
  rows,
  rowKey,
}: {
  label: string
  columns: readonly PlainColumn<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table must be scrollable by keyboard
    <section className="overflow-x-auto" aria-label={label} tabIndex={0}>
      <table className="w-full border-collapse">
        <thead>
          <tr className="h-8 border-b text-12 whitespace-nowrap text-muted">
            {columns.map((column) => (
              <th key={column.id} scope="col" className="px-2 text-left font-normal first:pl-5 last:pr-5">
                {column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={rowKey(row)} className="border-b align-top hover:bg-hover">
              {columns.map((column) => (
                <td key={column.id} className={`px-2 py-2 first:pl-5 last:pr-5 ${column.className ?? ''}`}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
