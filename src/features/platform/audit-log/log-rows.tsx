import type { RowData } from '@tanstack/react-table'
import type { ComponentProps, ReactNode } from 'react'
import { formatDateTime } from '#src/shared/format/time.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { usePlatform } from '#src/shared/session/platform-store.ts'
import { DataTable } from '#src/shared/table/data-table.tsx'
import { Button } from '#src/shared/ui/button.tsx'
import { EmptyState } from '#src/shared/ui/empty-state.tsx'
import { ErrorState, errorMessage } from '#src/shared/ui/error-state.tsx'
import { Skeleton } from '#src/shared/ui/skeleton.tsx'
import { logTexts } from './log-texts.ts'
import type { LogList, LogView } from './use-log-list.ts'

/** The rows of a log with what leads to earlier ones, else why there are none; above them that a refresh failed. */
export function LogRows<Row extends RowData>({
  list,
  view,
  ...table
}: { list: LogList<Row>; view: LogView } & Omit<ComponentProps<typeof DataTable<Row>>, 'rows' | 'empty'>) {
  const { rows, error } = list
  if (error && !rows) return <ErrorState error={error} onRetry={() => void list.refetch()} />
  if (!rows) return <Skeleton lines={12} height="28px" className="px-5 py-3" />
  return (
    <div className="relative" aria-busy={list.isFetching}>
      {list.isPlaceholderData && (
        <span aria-hidden className="absolute inset-x-0 top-0 z-20 h-0.5 overflow-hidden">
          <span className="refreshing block h-full w-2/5 bg-brand" />
        </span>
      )}
      {error && <StaleLine error={error} at={list.dataUpdatedAt} onRetry={() => void list.refetch()} />}
      <DataTable {...table} rows={rows} empty={<NoRows view={view} />} />
    </div>
  )
}

function StaleLine({ error, at, onRetry }: { error: unknown; at: number; onRetry: () => void }) {
  const t = useTexts(logTexts)
  const zone = usePlatform((state) => state.zone)
  return (
    <div role="status" className="flex items-center gap-3 border-b bg-warn-soft px-5 py-1 text-12 text-warn-text">
      {t('stale', { error: errorMessage(error), time: formatDateTime(at, zone, 'time') })}
      <Button size="small" onPress={onRetry}>
        {t('retry')}
      </Button>
    </div>
  )
}

function NoRows({ view }: { view: LogView }) {
  const t = useTexts(logTexts)
  if (view.isFiltered)
    return (
      <EmptyState kind="filtered" title={t('noMatch')} action={<Button onPress={view.clear}>{t('clear')}</Button>} />
    )
  return (
    <EmptyState
      kind="range"
      title={t('noneInRange')}
      hint={t('noneInRangeHint')}
      action={<Button onPress={() => view.setParams({ range: '-90d' })}>{t('wider')}</Button>}
    />
  )
}

/** In sight while the list scrolls: what may be deleted at the left, how much is shown and the way to earlier rows at the right. */
export function LogFoot<Row>({
  list,
  total,
  note,
}: {
  list: LogList<Row>
  total: number | undefined
  note: ReactNode
}) {
  const t = useTexts(logTexts)
  const shown = list.rows?.length ?? 0
  return (
    <footer className="sticky bottom-0 z-10 flex min-h-10 flex-none flex-wrap items-center gap-x-3 gap-y-1 border-t bg-surface px-5 py-1 text-12 text-muted">
      <span>{note}</span>
      <span className="ml-auto" data-testid="log-count">
        {total !== undefined && t('shown', { shown: shown.toLocaleString('en-US'), count: Math.max(total, shown) })}
      </span>
      {list.hasNextPage && (
        <Button size="small" isDisabled={list.isFetchingNextPage} onPress={() => void list.fetchNextPage()}>
          {t('earlier')}
        </Button>
      )}
    </footer>
  )
}
