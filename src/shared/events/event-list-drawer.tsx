import { useVirtualizer } from '@tanstack/react-virtual'
import { useCallback, useEffect, useRef } from 'react'
import type { EventRow, Query } from '#domain/query.ts'
import { absoluteRange, resolveRange } from '#domain/time-range.ts'
import { formatDateTime } from '../format/time.ts'
import { useLanguage, useTexts } from '../i18n/texts.ts'
import { spanLabel } from '../query/range-text.ts'
import { placeText, shortHash, useFilterText, useNameOf } from '../query/value-names.ts'
import { usePlatform } from '../session/platform-store.ts'
import { ExportMenu } from '../table/export-menu.tsx'
import { useActions } from '../ui/actions.ts'
import { Chip } from '../ui/chip.tsx'
import { Drawer } from '../ui/drawer.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { LevelMark } from '../ui/level-mark.tsx'
import { Num } from '../ui/num.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { eventTexts } from './event-texts.ts'
import { actionText, eventLevel, eventParam, eventTitle } from './event-words.ts'
import { RowsActions } from './rows-actions.tsx'
import type { EventRows } from './use-event-rows.ts'

const ROW = 52

/** The events behind a figure: as many as it says, newest first, page by page; j and k move, Enter or a click opens one. */
export function EventListDrawer({
  query,
  list,
  current,
  onOpen,
  onZoom,
  onClose,
}: {
  query: Query
  list: EventRows
  /** `<appid>:<id>` of the open one. */
  current: string | null
  onOpen: (row: EventRow) => void
  /** Makes the list's span the range of the page. */
  onZoom?: (() => void) | undefined
  onClose: () => void
}) {
  const t = useTexts(eventTexts)
  const language = useLanguage()
  const zone = usePlatform((state) => state.zone)
  const filterText = useFilterText()
  const span = resolveRange(query.range, list.now ?? Date.now(), zone)
  const scroller = useRef<HTMLDivElement>(null)
  const { rows, hasMore, isLoadingMore, loadMore } = list
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW,
    overscan: 6,
    getItemKey: (index) => eventParam(rows[index] as EventRow),
  })
  const items = virtualizer.getVirtualItems()
  const lastShown = items.at(-1)?.index ?? 0
  useEffect(() => {
    if (hasMore && !isLoadingMore && lastShown >= rows.length - 10) loadMore()
  }, [hasMore, isLoadingMore, lastShown, rows.length, loadMore])

  const at = rows.findIndex((row) => eventParam(row) === current)
  const move = useCallback(
    (step: 1 | -1) => {
      const next = Math.min(rows.length - 1, Math.max(0, at < 0 ? 0 : at + step))
      const row = rows[next]
      if (!row) return
      virtualizer.scrollToIndex(next)
      onOpen(row)
    },
    [rows, at, virtualizer, onOpen],
  )
  useActions([
    { id: 'events.next', label: t('after'), group: t('group'), keys: 'j', run: () => move(1) },
    { id: 'events.previous', label: t('before'), group: t('group'), keys: 'k', run: () => move(-1) },
  ])

  return (
    <Drawer
      isOpen
      onClose={onClose}
      title={
        <>
          {t('rows')}{' '}
          {list.total !== undefined && (
            <span data-testid="event-count" className="text-12 font-normal text-muted">
              <Num value={list.total} />
            </span>
          )}
        </>
      }
      actions={
        <ExportMenu
          query={{ ...query, range: absoluteRange(span) }}
          part={{ kind: 'rows' }}
          title={t('rows')}
          total={list.total ?? 0}
        />
      }
    >
      <div className="flex h-full flex-col">
        <div className="flex flex-none flex-wrap items-center gap-1.5 border-b px-5 py-2 text-12 text-muted">
          <span>{spanLabel(span, language, zone)}</span>
          {query.filters.map((filter) => (
            <Chip key={JSON.stringify(filter)} tone="neutral">
              {filterText(filter)}
            </Chip>
          ))}
        </div>
        {rows.length > 0 && <RowsActions query={query} span={span} now={list.now} onZoom={onZoom} />}
        <div ref={scroller} className="min-h-0 flex-1 overflow-auto">
          {list.error && rows.length === 0 ? (
            <ErrorState error={list.error} onRetry={list.retry} />
          ) : list.isLoading ? (
            <Skeleton lines={8} height="36px" className="p-5" />
          ) : rows.length === 0 ? (
            <EmptyState kind="range" title={t('none')} hint={t('noneHint')} />
          ) : (
            <ul aria-label={t('rows')} className="relative" style={{ height: virtualizer.getTotalSize() }}>
              {items.map((item) => {
                const row = rows[item.index] as EventRow
                return (
                  <li
                    key={item.key}
                    className="absolute inset-x-0 border-b"
                    style={{ top: item.start, height: item.size }}
                  >
                    <EventLine row={row} isCurrent={item.index === at} onOpen={onOpen} />
                  </li>
                )
              })}
            </ul>
          )}
          {rows.length > 0 && (
            <p className="py-3 text-center text-12 text-muted" role="status">
              {isLoadingMore ? t('loadingMore') : hasMore ? '' : t('end')}
            </p>
          )}
        </div>
      </div>
    </Drawer>
  )
}

function EventLine({ row, isCurrent, onOpen }: { row: EventRow; isCurrent: boolean; onOpen: (row: EventRow) => void }) {
  const language = useLanguage()
  const zone = usePlatform((state) => state.zone)
  const nameOf = useNameOf()
  const level = eventLevel(row)
  return (
    <button
      type="button"
      aria-current={isCurrent ? 'true' : undefined}
      onClick={() => onOpen(row)}
      className="flex h-full w-full flex-col justify-center px-5 text-left -outline-offset-2 hover:bg-hover aria-[current]:bg-selected aria-[current]:shadow-[inset_2px_0_var(--brand)]"
    >
      <span className="flex w-full items-center gap-2">
        {level && <LevelMark level={level} />}
        <span className="text-clip-line min-w-0 flex-1">{eventTitle(row, language)}</span>
        <span className="flex-none text-12 text-muted">
          {formatDateTime(row.occurredAt, zone, 'second', Date.now())}
        </span>
      </span>
      <span className="flex w-full items-center gap-2 text-12 text-muted">
        <span className="text-clip-line min-w-0 flex-1">
          {[placeText(row, nameOf, language), row.model, row.version]
            .filter(Boolean)
            .join(language === 'zh' ? '，' : ', ')}
        </span>
        <code className="flex-none">{row.user ? shortHash('user', row.user) : shortHash('device', row.device)}</code>
        <span className="w-12 flex-none text-right">{actionText(row, language)}</span>
      </span>
    </button>
  )
}
