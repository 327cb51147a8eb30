import type { RowData } from '@tanstack/react-table'
import { formatExact } from '#src/shared/format/number.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { type Column, DataTable } from '#src/shared/table/data-table.tsx'
import { SearchBox } from '#src/shared/table/search-box.tsx'
import { TableFoot } from '#src/shared/table/table-tools.tsx'
import { useAddress } from '#src/shared/table/use-address.ts'
import { EmptyState } from '#src/shared/ui/empty-state.tsx'
import { fileTexts } from './file-texts.ts'

const PAGE_SIZE = 100

/** Rows that are all loaded: searched and paged in the browser; search and page are kept in the address. */
export function FactTable<Row extends RowData>({
  label,
  rows,
  columns,
  rowKey,
  textOf,
}: {
  label: string
  rows: readonly Row[]
  columns: readonly Column<Row>[]
  rowKey: (row: Row) => string
  /** What the search looks at. */
  textOf: (row: Row) => string
}) {
  const t = useTexts(fileTexts)
  const { params, setParams } = useAddress()
  const find = (params.get('find') ?? '').slice(0, 100)
  const words = find.toLowerCase()
  const found = words ? rows.filter((row) => textOf(row).toLowerCase().includes(words)) : rows
  const page = Math.min(Math.max(1, Number(params.get('page')) || 1), Math.max(1, Math.ceil(found.length / PAGE_SIZE)))
  return (
    <section aria-label={label}>
      <div className="flex items-center gap-3 px-5 py-2">
        <SearchBox
          value={find}
          label={t('find')}
          onSearch={(next) => setParams({ find: next || null, page: null }, true)}
        />
        <span className="text-12 text-muted">{formatExact(found.length)}</span>
      </div>
      <DataTable
        label={label}
        columns={columns}
        rows={found.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE)}
        rowKey={rowKey}
        empty={<EmptyState kind={words ? 'filtered' : 'none'} title={t(words ? 'noMatch' : 'none')} />}
      />
      {found.length > PAGE_SIZE && (
        <TableFoot
          page={page}
          pageSize={PAGE_SIZE}
          total={found.length}
          onPage={(next) => setParams({ page: next > 1 ? String(next) : null })}
        />
      )}
    </section>
  )
}
