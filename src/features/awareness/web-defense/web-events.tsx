import type { EventRow } from '#domain/query.ts'
import { actionText, eventLevel, eventParam, eventTitle } from '#src/shared/events/event-words.ts'
import type { EventRows } from '#src/shared/events/use-event-rows.ts'
import type { OpenEvents } from '#src/shared/events/use-open-events.ts'
import { formatExact } from '#src/shared/format/number.ts'
import { formatDateTime } from '#src/shared/format/time.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { narrowed, pinned } from '#src/shared/query/drill.ts'
import type { QueryState } from '#src/shared/query/use-query-state.ts'
import { shortHash } from '#src/shared/query/value-names.ts'
import { usePlatform } from '#src/shared/session/platform-store.ts'
import { type Column, DataTable } from '#src/shared/table/data-table.tsx'
import { ExportMenu } from '#src/shared/table/export-menu.tsx'
import { useTableState } from '#src/shared/table/table-state.ts'
import { TableTools } from '#src/shared/table/table-tools.tsx'
import { Button } from '#src/shared/ui/button.tsx'
import { ErrorState } from '#src/shared/ui/error-state.tsx'
import { LevelMark } from '#src/shared/ui/level-mark.tsx'
import { Section } from '#src/shared/ui/section.tsx'
import { Skeleton } from '#src/shared/ui/skeleton.tsx'
import { WEB } from './web-parts.ts'
import { webTexts } from './web-texts.ts'

/** The events themselves, newest first, page by page; one opens in the drawer. */
export function WebEvents({ state, list, open }: { state: QueryState; list: EventRows; open: OpenEvents }) {
  const t = useTexts(webTexts)
  const columns = useWebColumns()
  const [table, setTable] = useTableState(state, { sorts: [], columns: columns.map((column) => column.id) })
  return (
    <Section
      plain
      title={t('list')}
      note={list.total !== undefined && formatExact(list.total)}
      state={list.isLoading ? 'loading' : 'ready'}
      skeleton={<Skeleton lines={8} height="20px" className="px-5 py-3" />}
      actions={
        <>
          <TableTools columns={columns} state={table} onChange={setTable} />
          <ExportMenu
            query={pinned(narrowed(state.query, [WEB]), undefined)}
            part={{ kind: 'rows' }}
            title={t('title')}
            total={list.total ?? 0}
          />
        </>
      }
    >
      {list.error && list.rows.length === 0 ? (
        <ErrorState error={list.error} onRetry={list.retry} />
      ) : (
        <>
          <DataTable
            label={t('list')}
            columns={columns}
            rows={list.rows}
            rowKey={eventParam}
            hidden={table.hidden}
            density={table.density}
            current={open.event}
            onOpen={open.openEvent}
          />
          {list.hasMore && (
            <div className="flex justify-center py-2">
              <Button variant="quiet" isDisabled={list.isLoadingMore} onPress={list.loadMore}>
                {t('older')}
              </Button>
            </div>
          )}
        </>
      )}
    </Section>
  )
}

function useWebColumns(): Column<EventRow>[] {
  const t = useTexts(webTexts)
  const language = useLanguage()
  const zone = usePlatform((platform) => platform.zone)
  return [
    {
      id: 'time',
      header: t('time'),
      fixed: true,
      cell: (row) => formatDateTime(row.occurredAt, zone, 'second', Date.now()),
    },
    {
      id: 'level',
      header: t('level'),
      cell: (row) => {
        const level = eventLevel(row)
        return level ? <LevelMark level={level} /> : '–'
      },
    },
    { id: 'what', header: t('what'), cell: (row) => eventTitle(row, language) },
    { id: 'kind', header: t('kind'), cell: (row) => kindOf(row) || '–' },
    {
      id: 'path',
      header: t('path'),
      cell: (row) => <span className="text-clip-line block max-w-56">{textIn(row, 'page') || '–'}</span>,
    },
    { id: 'browser', header: t('browser'), cell: (row) => row.model || '–' },
    { id: 'system', header: t('system'), cell: (row) => row.os || '–' },
    { id: 'action', header: t('action'), cell: (row) => (row.type === 'risk' ? actionText(row, language) : '–') },
    {
      id: 'device',
      header: t('device'),
      fixed: true,
      cell: (row) => <code className="text-12">{shortHash('device', row.device)}</code>,
    },
  ]
}

/** The kind that a web event names, and what a risk of a page was seen by. */
function kindOf(row: EventRow): string {
  return row.type === 'web' || row.type === 'risk' ? textIn(row, 'kind') : ''
}

function textIn({ extra }: EventRow, field: 'kind' | 'page'): string {
  const detail = extra['detail']
  const value = typeof detail === 'object' && detail !== null ? (detail as Record<string, unknown>)[field] : undefined
  return typeof value === 'string' ? value : ''
}
