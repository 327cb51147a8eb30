import { ArrowUp } from 'lucide-react'
import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import { EventDrawers } from '#src/shared/events/event-drawers.tsx'
import { eventParam } from '#src/shared/events/event-words.ts'
import { useOpenEvents } from '#src/shared/events/use-open-events.ts'
import { formatExact } from '#src/shared/format/number.ts'
import { formatDateTime } from '#src/shared/format/time.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { pageConnection } from '#src/shared/live/page-connection.ts'
import { useConnection, useStream } from '#src/shared/live/use-live.ts'
import { CopyLink } from '#src/shared/query/copy-link.tsx'
import { FilterChips } from '#src/shared/query/filter-chips.tsx'
import { LiveControl } from '#src/shared/query/live-control.tsx'
import { ApplicationSelect } from '#src/shared/query/query-selects.tsx'
import { SavedViews } from '#src/shared/query/saved-views.tsx'
import { useQueryState } from '#src/shared/query/use-query-state.ts'
import { useNameOf } from '#src/shared/query/value-names.ts'
import { usePlatform } from '#src/shared/session/platform-store.ts'
import { DataTable, type DataTableHandle } from '#src/shared/table/data-table.tsx'
import { useTableState } from '#src/shared/table/table-state.ts'
import { TableTools } from '#src/shared/table/table-tools.tsx'
import { Button } from '#src/shared/ui/button.tsx'
import { EmptyState } from '#src/shared/ui/empty-state.tsx'
import { ErrorState } from '#src/shared/ui/error-state.tsx'
import { PageTitle } from '#src/shared/ui/page-title.tsx'
import { ConnectionLine } from './connection-line.tsx'
import { MinuteBars } from './minute-bars.tsx'
import { realtimeTexts } from './realtime-texts.ts'
import { streamColumns } from './stream-columns.tsx'
import { useHistory } from './use-history.ts'

/** Rows that the stream keeps (shared/live/stream-feed.ts). */
const ROWS_KEPT = 2000
const DEFAULTS = { range: '-15m', timeBasis: 'received' } as const
const NARROW = '(max-width: 639px)'

/** Every event as it arrives. Pausing, scrolling down or opening one holds the list; what comes meanwhile is counted and kept. */
export default function RealtimePage() {
  const t = useTexts(realtimeTexts)
  const language = useLanguage()
  const zone = usePlatform((platform) => platform.zone)
  const nameOf = useNameOf()
  const narrow = useSyncExternalStore(onNarrow, () => matchMedia(NARROW).matches)
  const connection = pageConnection()
  const state = useQueryState(DEFAULTS)
  const open = useOpenEvents(state)
  const { feed, view } = useStream(connection, state.query.filters)
  const [scrolled, setScrolled] = useState(false)
  const table = useRef<DataTableHandle>(null)
  const connected = useConnection(connection, (all) => all.state === 'live')
  const clockOffset = useConnection(connection, (all) => all.clockOffset)

  const held = state.paused || scrolled || open.event !== null
  useEffect(() => {
    if (held) feed.pause()
    else feed.resume()
  }, [held, feed])
  const full = view.rows.length >= ROWS_KEPT
  const { rows, history } = useHistory(view.rows, state.query.filters, { ready: connected, clockOffset, full, held })

  const columns = useMemo(
    () => streamColumns({ t, nameOf, language, zone, narrow }),
    [t, nameOf, language, zone, narrow],
  )
  const [shape, setShape] = useTableState(state, { sorts: [], columns: columns.map((column) => column.id) })
  const waiting = view.paused?.counted ?? 0
  const resume = () => {
    if (state.paused || open.event) state.setParams({ paused: null, event: null }, true)
    table.current?.toTop()
    setScrolled(false)
  }
  return (
    <div className="flex h-full min-h-0 flex-col bg-surface">
      <PageTitle
        title={t('title')}
        note={t('note')}
        actions={
          <>
            <ConnectionLine connection={connection} />
            <CopyLink state={state} />
            <SavedViews state={state} page="realtime" />
          </>
        }
      />
      <div className="flex min-h-11 flex-none flex-wrap items-center gap-2 border-b px-5 pb-3 max-lg:px-4">
        <LiveControl
          paused={state.paused}
          onChange={(paused) => (paused ? state.setParams({ paused: '1' }, true) : resume())}
          dataAt={undefined}
          connected={connected}
          extra={waiting > 0 ? `+${formatExact(waiting)}` : undefined}
        />
        <ApplicationSelect state={state} />
        <FilterChips state={state} />
        <span className="ml-auto flex items-center gap-1 text-12 text-muted">
          <span data-testid="stream-shown">
            {t('shown', { shown: formatExact(view.rows.length), counted: formatExact(view.counted) })}
          </span>
          <TableTools columns={columns} state={shape} onChange={setShape} />
        </span>
      </div>
      <MinuteBars state={state} minuteCount={view.minuteCount} onRows={open.openRows} />
      {view.missed && (
        <p
          role="status"
          className="flex flex-none items-center gap-2 border-b bg-warn-soft px-5 py-1.5 text-12 text-warn-text"
        >
          {t('missed', {
            from: formatDateTime(view.missed.from, zone, 'time'),
            to: formatDateTime(view.missed.to, zone, 'time'),
          })}
          <Button
            size="small"
            variant="quiet"
            onPress={() =>
              view.missed && open.openRows({ ...state.query, range: `${view.missed.from}~${view.missed.to}` })
            }
          >
            {t('openMissed')}
          </Button>
        </p>
      )}
      <div className="relative min-h-0 flex-1">
        {held && (
          <div className="absolute inset-x-0 top-10 z-20 flex justify-center">
            <span
              className="pop inline-flex items-center gap-2 rounded-full bg-raised py-1 pr-1 pl-3 text-12 shadow-raised"
              role="status"
            >
              {waiting > 0 ? t('more', { count: waiting }) : t('held')}
              {view.paused?.overflow && <span className="text-warn-text">{t('overflow')}</span>}
              <Button size="small" variant="quiet" icon={ArrowUp} onPress={resume}>
                {t('jump')}
              </Button>
            </span>
          </div>
        )}
        {view.refused ? (
          <ErrorState
            title={t('refused')}
            error={new Error(view.refused.message)}
            onRetry={() => connection.reconnect()}
          />
        ) : (
          <DataTable
            label={t('stream')}
            columns={columns}
            rows={rows}
            rowKey={eventParam}
            hidden={shape.hidden}
            density={narrow ? 'normal' : 'dense'}
            current={open.event}
            onOpen={open.openEvent}
            maxHeight="100%"
            handle={table}
            onScroll={(top, nearEnd) => {
              setScrolled(top > 8)
              if (nearEnd && history.hasMore && !history.isLoadingMore) history.loadMore()
            }}
            empty={<EmptyState kind="range" title={t('waiting')} hint={t('waitingHint')} />}
          />
        )}
      </div>
      {full && <p className="flex-none border-t px-5 py-1.5 text-12 text-muted">{t('bound')}</p>}
      <EventDrawers state={state} navigator={{ rows, total: undefined }} />
    </div>
  )
}

function onNarrow(changed: () => void): () => void {
  const query = matchMedia(NARROW)
  query.addEventListener('change', changed)
  return () => query.removeEventListener('change', changed)
}
