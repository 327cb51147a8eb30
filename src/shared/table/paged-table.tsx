import type { UseQueryResult } from '@tanstack/react-query'
import type { RowData } from '@tanstack/react-table'
import type { ComponentProps, ReactNode } from 'react'
import { useTexts } from '../i18n/texts.ts'
import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { DataTable } from './data-table.tsx'
import { tableTexts } from './table-texts.ts'
import { TableFoot } from './table-tools.tsx'

type Answer<Row> = { data: readonly Row[]; total: number }

/** What fills a list page below its filters: the page's rows and its foot, else why there are none. */
export function PagedTable<Row extends RowData>({
  answer,
  page,
  pageSize,
  onPage,
  filtered,
  none,
  note,
  ...table
}: Omit<ComponentProps<typeof DataTable<Row>>, 'rows' | 'empty'> & {
  answer: Pick<UseQueryResult<Answer<Row>>, 'data' | 'error' | 'refetch'>
  page: number
  pageSize: number
  onPage: (page: number) => void
  /** Where filters are set: that nothing meets them, and what takes them back. */
  filtered: { title: string; clear: string; onClear: () => void } | false
  /** Shown when the list is empty. */
  none?: ReactNode
  /** In the foot, about all rows. */
  note?: ReactNode
}) {
  const t = useTexts(tableTexts)
  const { data, error } = answer
  if (error && !data) return <ErrorState error={error} onRetry={() => void answer.refetch()} />
  if (!data) return <Skeleton lines={12} height="32px" className="px-5 py-3" />
  const empty =
    data.total > 0 ? (
      <EmptyState
        kind="missing"
        title={t('pastEnd')}
        action={<Button onPress={() => onPage(1)}>{t('firstPage')}</Button>}
      />
    ) : filtered ? (
      <EmptyState
        kind="filtered"
        title={filtered.title}
        action={<Button onPress={filtered.onClear}>{filtered.clear}</Button>}
      />
    ) : (
      none
    )
  return (
    <>
      <DataTable {...table} rows={data.data} empty={empty} />
      {data.total > 0 && <TableFoot page={page} pageSize={pageSize} total={data.total} onPage={onPage} note={note} />}
    </>
  )
}
