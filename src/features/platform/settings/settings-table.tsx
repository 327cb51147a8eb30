import type { ReactNode } from 'react'

export type Column<Row> = { id: string; title: string; cell: (row: Row) => ReactNode; end?: boolean }

/** The plain table of the settings tabs: hairlines, 36 px rows, scrolls sideways by itself. */
export function SettingsTable<Row extends { id: string }>({
  label,
  columns,
  rows,
}: {
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table must be scrollable by keyboard
    <section className="overflow-x-auto" aria-label={label} tabIndex={0}>
      <table className="w-full border-collapse whitespace-nowrap">
        <thead>
          <tr className="h-8 border-b text-12 text-muted">
            {columns.map((column) => (
              <th
                key={column.id}
                scope="col"
                className={`px-2 font-normal first:pl-5 last:pr-4 ${column.end ? 'text-right' : 'text-left'}`}
              >
                {column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id} className="h-row border-b hover:bg-hover">
              {columns.map((column) => (
                <td key={column.id} className={`px-2 first:pl-5 last:pr-4 ${column.end ? 'text-right' : ''}`}>
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
