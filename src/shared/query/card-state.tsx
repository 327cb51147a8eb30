import type { ReactNode } from 'react'
import { errorKeyOf } from '#contracts/errors.ts'
import type { Filter, Measure, PartInput, Query } from '#domain/query.ts'
import { ALL_TIME, absoluteRange, resolveRange } from '#domain/time-range.ts'
import { formatExact } from '../format/number.ts'
import { formatDateTime } from '../format/time.ts'
import { defineTexts, useLanguage, useTexts } from '../i18n/texts.ts'
import { usePlatform } from '../session/platform-store.ts'
import { Button } from '../ui/button.tsx'
import { Chip } from '../ui/chip.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { spanLabel } from './range-text.ts'
import type { QueryState } from './use-query-state.ts'
import { type PartState, useStatistics } from './use-statistics.ts'
import { useFilterText } from './value-names.ts'

const texts = defineTexts('card-state', {
  never: { zh: '还没有收到过事件', en: 'No event has ever come in' },
  neverHint: {
    zh: '应用接入 SDK 或服务器上报后，数秒内会出现在这里',
    en: 'Events show here seconds after an app or server sends them',
  },
  range: { zh: '{{span}} 没有事件', en: 'No events from {{span}}' },
  lastAt: { zh: '上一次是 {{time}}', en: 'The last one was {{time}}' },
  wider: { zh: '扩大到最近 7 天', en: 'Widen to the last 7 days' },
  jump: { zh: '跳到上一次', en: 'Jump to the last one' },
  filtered: {
    zh: '{{count}} 个条件排除了全部 {{events}} 条',
    en: '{{count}} filters exclude all {{events}} events',
    one: '{{count}} filter excludes all {{events}} events',
  },
  filteredHint: { zh: '去掉“{{filter}}”后有 {{events}} 条', en: 'Without “{{filter}}” there are {{events}}' },
  removeOne: { zh: '去掉这一条', en: 'Remove this one' },
  clear: { zh: '全部清除', en: 'Clear all' },
  storeDown: { zh: '统计存储正在恢复', en: 'The event store is recovering' },
  storeDownHint: {
    zh: '事件照常接收，不会丢失；恢复后自动显示',
    en: 'Events are still taken in and none is lost; numbers return by themselves',
  },
  retry: { zh: '重试', en: 'Retry' },
})

/**
 * A card's content or the reason why it has no content: the error with retry, or the kind of emptiness with its next step. `measure` is what
 * the card counts; the reason is looked up only when the card is empty.
 */
export function CardState({
  part,
  state,
  isEmpty,
  measure = 'events',
  and = [],
  minHeight,
  children,
}: {
  part: PartState
  state: QueryState
  isEmpty: boolean
  measure?: Measure
  /** The card's own filters, which no chip shows. */
  and?: readonly Filter[]
  minHeight?: number
  children: ReactNode
}) {
  const t = useTexts(texts)
  if (part.kind === 'loading') return null
  if (part.kind === 'ready' && !isEmpty) return <>{children}</>
  return (
    <div className="flex flex-col" style={{ minHeight }}>
      {part.kind === 'ready' ? (
        <EmptyReason state={state} measure={measure} own={and} />
      ) : isStoreDown(part.error) ? (
        <EmptyState
          kind="offline"
          title={t('storeDown')}
          hint={t('storeDownHint')}
          action={<Button onPress={part.retry}>{t('retry')}</Button>}
        />
      ) : (
        <ErrorState error={part.error} onRetry={part.retry} />
      )}
    </div>
  )
}

function isStoreDown(error: Error): boolean {
  return 'code' in error && typeof error.code === 'number' && errorKeyOf(error.code) === 'server.store_down'
}

/** Which dimension narrowed it to nothing, or that the range holds nothing, or that nothing ever came. */
function EmptyReason({ state, measure, own }: { state: QueryState; measure: Measure; own: readonly Filter[] }) {
  const t = useTexts(texts)
  const language = useLanguage()
  const zone = usePlatform((platform) => platform.zone)
  const filterText = useFilterText()
  const { query } = state
  const fixed = query.filters.filter((filter) => filter.field === 'app')
  const chips = query.filters.filter((filter) => filter.field !== 'app')
  const unfiltered: Query = { ...query, compare: 'none', filters: fixed }
  const total = (and: readonly Filter[]): PartInput => ({
    kind: 'total',
    measures: [measure],
    and: [...own, ...and].slice(0, 10),
  })
  const parts: Record<string, PartInput> = { all: total([]) }
  for (const [index] of chips.slice(0, 10).entries())
    parts[`without_${index}`] = total(chips.filter((_, at) => at !== index))
  const range = useStatistics(unfiltered, parts, { paused: true })
  const all = measured(range.part('all'), measure)
  const ever = useStatistics(
    { ...unfiltered, range: ALL_TIME },
    { last: { kind: 'rows', limit: 1, and: [...own] } },
    { paused: true, enabled: all === 0 },
  ).part('last')
  const last = ever.kind === 'ready' ? ever.answer.rows[0] : undefined
  if (all === undefined || (all === 0 && ever.kind === 'loading')) return null

  if (all > 0 && chips.length > 0) {
    const gains = chips
      .slice(0, 10)
      .map((filter, index) => ({ filter, events: measured(range.part(`without_${index}`), measure) ?? 0 }))
    const best = gains.reduce((a, b) => (b.events > a.events ? b : a))
    return (
      <EmptyState
        kind="filtered"
        title={t('filtered', { count: chips.length, events: formatExact(all) })}
        hint={
          best.events > 0 && t('filteredHint', { filter: filterText(best.filter), events: formatExact(best.events) })
        }
        action={
          <>
            {chips.map((filter) => (
              <Chip key={JSON.stringify(filter)} onRemove={() => state.removeFilter(query.filters.indexOf(filter))}>
                {filterText(filter)}
              </Chip>
            ))}
            <span className="flex w-full justify-center gap-2">
              {best.events > 0 && (
                <Button onPress={() => state.removeFilter(query.filters.indexOf(best.filter))}>{t('removeOne')}</Button>
              )}
              <Button variant="quiet" onPress={state.clearFilters}>
                {t('clear')}
              </Button>
            </span>
          </>
        }
      />
    )
  }
  if (!last) return <EmptyState kind="none" title={t('never')} hint={t('neverHint')} />
  const span = resolveRange(query.range, Date.now(), zone)
  const at = query.timeBasis === 'received' ? last.receivedAt : last.occurredAt
  const length = span.to - span.from
  return (
    <EmptyState
      kind="range"
      title={t('range', { span: spanLabel(span, language, zone) })}
      hint={t('lastAt', { time: formatDateTime(at, zone, 'minute', Date.now()) })}
      action={
        <>
          {length < 7 * 86_400_000 && <Button onPress={() => state.set({ range: '-7d' })}>{t('wider')}</Button>}
          <Button
            variant="quiet"
            onPress={() => state.set({ range: absoluteRange({ from: at - length / 2, to: at + length / 2 }) })}
          >
            {t('jump')}
          </Button>
        </>
      }
    />
  )
}

function measured(part: PartState, measure: Measure): number | undefined {
  return part.kind === 'ready' && part.answer.kind === 'total' ? (part.answer.row[measure] ?? 0) : undefined
}
