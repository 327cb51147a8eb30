import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useMemo, useRef } from 'react'
import type { EventRow, Query } from '#domain/query.ts'
import { EVENT_TYPES, type EventType } from '#domain/vocabulary.ts'
import { actionText, eventLevel, eventParam, eventTitle } from '#src/shared/events/event-words.ts'
import type { EventRows } from '#src/shared/events/use-event-rows.ts'
import type { OpenEvents } from '#src/shared/events/use-open-events.ts'
import { formatDateTime, formatDuration } from '#src/shared/format/time.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { placeText, shortHash, useNameOf } from '#src/shared/query/value-names.ts'
import { usePlatform } from '#src/shared/session/platform-store.ts'
import { EmptyState } from '#src/shared/ui/empty-state.tsx'
import { ErrorState } from '#src/shared/ui/error-state.tsx'
import { LevelMark } from '#src/shared/ui/level-mark.tsx'
import { Num } from '#src/shared/ui/num.tsx'
import { Skeleton } from '#src/shared/ui/skeleton.tsx'
import { deviceTexts } from './device-texts.ts'
import { type TimelineItem, timelineItems } from './timeline-items.ts'

const HEIGHTS = { day: 36, session: 32, event: 32 } as const
export const FAILURES = ['crash', 'anr', 'exception'] as const

/** The page's query narrowed to one type of event, or to all failures. */
export function ofTypes(query: Query, types: readonly string[]): Query {
  return types.length === 0
    ? query
    : { ...query, filters: [...query.filters, { field: 'type', op: 'is', values: [...types] }] }
}

/** Every event in order, by day and session; only lines in sight are drawn. */
export function TimelineTab({
  list,
  open,
  type,
  onType,
  types,
}: {
  list: EventRows
  open: OpenEvents
  /** The type that is shown alone, '' for all. */
  type: string
  onType: (type: string) => void
  types: readonly EventType[]
}) {
  const t = useTexts(deviceTexts)
  const language = useLanguage()
  const zone = usePlatform((platform) => platform.zone)
  const scroller = useRef<HTMLDivElement>(null)
  const { rows, hasMore, isLoadingMore, loadMore } = list
  const items = useMemo(() => timelineItems(rows, zone), [rows, zone])
  const virtualizer = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => HEIGHTS[items[index]?.kind ?? 'event'],
    overscan: 10,
    getItemKey: (index) => items[index]?.key ?? index,
  })
  const drawn = virtualizer.getVirtualItems()
  const lastShown = drawn.at(-1)?.index ?? 0
  useEffect(() => {
    if (hasMore && !isLoadingMore && lastShown >= items.length - 20) loadMore()
  }, [hasMore, isLoadingMore, lastShown, items.length, loadMore])
  return (
    <section aria-label={t('timeline')} className="flex min-h-0 flex-col">
      <div className="flex flex-wrap items-center gap-1.5 px-5 py-2.5">
        {['', ...types].map((one) => (
          <button
            key={one}
            type="button"
            aria-pressed={one === type}
            onClick={() => onType(one)}
            className="h-6 rounded-small border px-2 text-12 text-muted hover:bg-hover aria-pressed:border-brand aria-pressed:bg-selected aria-pressed:font-semibold aria-pressed:text-brand-text"
          >
            {one === '' ? t('filterAll') : EVENT_TYPES[one as EventType][language]}
          </button>
        ))}
        {list.total !== undefined && (
          <span className="ml-auto text-12 text-muted" data-testid="timeline-total" data-value={list.total}>
            {t('eventCount', { count: list.total })}
          </span>
        )}
      </div>
      <div ref={scroller} className="h-[calc(100vh-340px)] min-h-80 overflow-auto border-t">
        {list.error && rows.length === 0 ? (
          <ErrorState error={list.error} onRetry={list.retry} />
        ) : list.isLoading ? (
          <Skeleton lines={10} height="20px" className="p-5" />
        ) : rows.length === 0 ? (
          <EmptyState kind="range" title={t('none')} hint={t('noneHint')} />
        ) : (
          <ul aria-label={t('timeline')} className="relative" style={{ height: virtualizer.getTotalSize() }}>
            {drawn.map((item) => (
              <li key={item.key} className="absolute inset-x-0" style={{ top: item.start, height: item.size }}>
                <Line item={items[item.index] as TimelineItem} open={open} />
              </li>
            ))}
          </ul>
        )}
        {rows.length > 0 && (
          <p className="py-3 text-center text-12 text-muted" role="status">
            {isLoadingMore ? t('loadingMore') : hasMore ? '' : t('end')}
          </p>
        )}
      </div>
    </section>
  )
}

function Line({ item, open }: { item: TimelineItem; open: OpenEvents }) {
  const t = useTexts(deviceTexts)
  const language = useLanguage()
  const zone = usePlatform((platform) => platform.zone)
  const nameOf = useNameOf()
  if (item.kind === 'day')
    return (
      <div className="flex h-full items-center gap-3 border-b bg-canvas px-5 text-12">
        <b className="font-semibold">{formatDateTime(item.at, zone, 'day')}</b>
        <span className="text-muted">{t('eventCount', { count: item.events })}</span>
      </div>
    )
  if (item.kind === 'session')
    return (
      <div className="flex h-full items-center gap-3 border-b px-5 text-12 text-muted">
        <span className="text-text">
          {t('sessionLine', { app: nameOf('app', item.row.app), version: item.row.version })}
        </span>
        <span>
          {formatDateTime(item.from, zone, 'time')} – {formatDateTime(item.to, zone, 'time')}
        </span>
        {item.to > item.from && <span>{formatDuration(item.to - item.from, language)}</span>}
        <span className="ml-auto">
          <Num value={item.events} />
          {item.attacks > 0 && ` · ${t('attackColumn')} ${item.attacks}`}
        </span>
      </div>
    )
  return <EventButton row={item.row} open={open} />
}

function EventButton({ row, open }: { row: EventRow; open: OpenEvents }) {
  const language = useLanguage()
  const zone = usePlatform((platform) => platform.zone)
  const nameOf = useNameOf()
  const level = eventLevel(row)
  const reason =
    typeof row.extra['detail'] === 'object' ? (row.extra['detail'] as Record<string, unknown> | null) : null
  const said = [reason?.['reason'], reason?.['evidence'], reason?.['message']].find((one) => typeof one === 'string')
  return (
    <button
      type="button"
      aria-current={open.event === eventParam(row) ? 'true' : undefined}
      onClick={() => open.openEvent(row)}
      className="flex h-full w-full items-center gap-3 border-b pr-5 pl-10 text-left text-13 -outline-offset-2 hover:bg-hover aria-[current]:bg-selected aria-[current]:shadow-[inset_2px_0_var(--brand)] max-sm:pl-5"
    >
      <span className="w-16 flex-none text-12 text-muted">{formatDateTime(row.occurredAt, zone, 'time')}</span>
      <span className="w-14 flex-none max-sm:w-4">{level && <LevelMark level={level} />}</span>
      <span className="text-clip-line min-w-0 flex-1">
        <span className={level ? 'font-semibold' : ''}>{eventTitle(row, language)}</span>
        {typeof said === 'string' && <span className="text-muted"> {said}</span>}
      </span>
      <span className="text-clip-line w-40 flex-none text-12 text-muted max-md:hidden">
        {placeText(row, nameOf, language)}
      </span>
      <code className="w-24 flex-none text-12 text-muted max-lg:hidden">{row.user && shortHash('user', row.user)}</code>
      <span className="w-12 flex-none text-right text-12 text-muted">{actionText(row, language)}</span>
    </button>
  )
}
