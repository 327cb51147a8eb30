import type { UseQueryResult } from '@tanstack/react-query'
import type { RowData } from '@tanstack/react-table'
import type { ReactNode } from 'react'
import type { ApiError } from '#src/shared/api/api-error.ts'
import { defineTexts, useTexts } from '#src/shared/i18n/texts.ts'
import { type Column, DataTable } from '#src/shared/table/data-table.tsx'
import { TableFoot } from '#src/shared/table/table-tools.tsx'
import { Drawer } from '#src/shared/ui/drawer.tsx'
import { EmptyState } from '#src/shared/ui/empty-state.tsx'
import { ErrorState } from '#src/shared/ui/error-state.tsx'
import { SegmentedControl } from '#src/shared/ui/segmented-control.tsx'
import { Skeleton } from '#src/shared/ui/skeleton.tsx'
import { SearchBox } from '../../../shared/table/search-box.tsx'
import type { Address } from '../../../shared/table/use-address.ts'

const texts = defineTexts('detection-part', {
  find: { zh: '查找', en: 'Search' },
  noMatch: { zh: '没有匹配“{{find}}”的行', en: 'No row matches “{{find}}”' },
  noRows: { zh: '没有', en: 'Nothing here' },
  noRowsHint: { zh: '检测过，没有发现。', en: 'It was looked for and nothing was found.' },
  filtered: { zh: '当前筛选下没有', en: 'Nothing with this filter' },
})
const PAGE_SIZE = 50

/** Search, page and filter of a part of a report, from the address: the query to the server. */
export function partQuery(id: string, params: URLSearchParams) {
  const page = Number(params.get('page') ?? 1)
  const at = Number.isInteger(page) && page >= 1 && page <= 2000 ? page : 1
  return { id, search: (params.get('find') ?? '').slice(0, 100), offset: (at - 1) * PAGE_SIZE, limit: PAGE_SIZE }
}

/** One part of a report as a table: search and `show` in the address, a row opens its details. */
export function PartTable<Row extends RowData, Show extends string = never>({
  label,
  columns,
  answer,
  rowKey,
  address,
  shows,
  show,
  note,
  detail,
  titleOf,
}: {
  label: string
  columns: readonly Column<Row>[]
  answer: UseQueryResult<{ data: Row[]; total: number }, ApiError>
  rowKey: (row: Row) => string
  address: Address
  /** Choices that narrow the rows, the first of them all. */
  shows?: readonly { id: Show; label: string; note?: ReactNode }[]
  show?: Show
  note?: ReactNode
  detail?: (row: Row) => ReactNode
  titleOf?: (row: Row) => ReactNode
}) {
  const t = useTexts(texts)
  const { params, setParams } = address
  const rows = answer.data?.data ?? []
  const open = rows.find((row) => rowKey(row) === params.get('open'))
  const find = params.get('find') ?? ''
  const page = Math.max(1, Number(params.get('page') ?? 1) || 1)
  return (
    <section aria-label={label}>
      <div className="flex flex-wrap items-center gap-2 py-2">
        {shows && show !== undefined && (
          <span className="max-w-full overflow-x-auto">
            <SegmentedControl
              size="small"
              label={label}
              value={show}
              onChange={(next) => setParams({ show: next === shows[0]?.id ? null : next, page: null, open: null })}
              items={shows}
            />
          </span>
        )}
        {note && <span className="text-12 text-muted">{note}</span>}
        <span className="ml-auto">
          <SearchBox
            value={find}
            label={t('find')}
            onSearch={(words) => setParams({ find: words || null, page: null, open: null }, true)}
          />
        </span>
      </div>
      {answer.error && !answer.data ? (
        <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />
      ) : !answer.data ? (
        <Skeleton lines={8} height="28px" className="py-2" />
      ) : (
        // The column has its padding already: texts align with the column title.
        <div className="[&_:is(td,th):first-child]:pl-0 [&_:is(td,th):last-child]:pr-0">
          <DataTable
            label={label}
            columns={columns}
            rows={rows}
            rowKey={rowKey}
            current={open ? rowKey(open) : null}
            {...(detail && { onOpen: (row: Row) => setParams({ open: rowKey(row) }, true) })}
            empty={
              find ? (
                <EmptyState kind="filtered" title={t('noMatch', { find })} />
              ) : show ? (
                <EmptyState kind="filtered" title={t('filtered')} />
              ) : (
                <EmptyState kind="none" title={t('noRows')} hint={t('noRowsHint')} />
              )
            }
          />
          {answer.data.total > PAGE_SIZE && (
            <TableFoot
              page={page}
              pageSize={PAGE_SIZE}
              total={answer.data.total}
              onPage={(next) => setParams({ page: next > 1 ? String(next) : null, open: null })}
            />
          )}
        </div>
      )}
      <Drawer
        isOpen={open !== undefined}
        onClose={() => setParams({ open: null }, true)}
        title={open && titleOf?.(open)}
      >
        {open && detail && <div className="px-5 py-4">{detail(open)}</div>}
      </Drawer>
    </section>
  )
}
