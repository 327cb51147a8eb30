import { useState } from 'react'
import type { Query } from '#domain/query.ts'
import { absoluteRange } from '#domain/time-range.ts'
import { LEVELS_BY_SEVERITY } from '#domain/vocabulary.ts'
import { slotLabel } from '#src/shared/charts/slot-label.ts'
import { isPartial, layOut, spanOfSlots } from '#src/shared/charts/time-series.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { CardState } from '#src/shared/query/card-state.tsx'
import type { QueryState } from '#src/shared/query/use-query-state.ts'
import { useStatistics } from '#src/shared/query/use-statistics.ts'
import { usePlatform } from '#src/shared/session/platform-store.ts'
import { Num } from '#src/shared/ui/num.tsx'
import { realtimeTexts } from './realtime-texts.ts'

const HEIGHT = 56
/** Critical at the base; events that are no attack on top, grey. */
const STACK = [...LEVELS_BY_SEVERITY, ''] as const

/** Arrivals of the last 30 minutes, minute by minute, from the store; a minute opens its events. */
export function MinuteBars({
  state,
  minuteCount,
  onRows,
}: {
  state: QueryState
  minuteCount: number
  onRows: (query: Query) => void
}) {
  const t = useTexts(realtimeTexts)
  const zone = usePlatform((platform) => platform.zone)
  const query: Query = { range: '-30m', timeBasis: 'received', compare: 'none', filters: state.query.filters }
  const result = useStatistics(
    query,
    {
      bars: { kind: 'series', measures: ['events'], bucket: 'minute', by: 'level' },
      totals: { kind: 'total', measures: ['events', 'attacks'] },
    },
    { paused: state.paused },
  )
  const part = result.part('bars')
  const totals = result.part('totals')
  const series = part.kind === 'ready' && result.span ? layOut(part.answer, 'events', result.span, null, zone) : null
  const top = Math.max(1, ...(series?.totals ?? []))
  // Drawing over several minutes opens all of them.
  const [drag, setDrag] = useState<{ from: number; to: number } | null>(null)
  const isDragged = (slot: number) =>
    drag !== null && slot >= Math.min(drag.from, drag.to) && slot <= Math.max(drag.from, drag.to)
  const release = () => {
    setDrag(null)
    if (!drag || !series || drag.from === drag.to) return
    const span = spanOfSlots(series, Math.min(drag.from, drag.to), Math.max(drag.from, drag.to))
    onRows({ ...query, range: absoluteRange(span) })
  }
  return (
    <section
      aria-label={t('perMinute')}
      className={`flex flex-none items-end gap-6 border-b px-5 py-3 max-sm:px-4 ${result.state === 'stale' ? 'stale' : ''}`}
    >
      <Figure label={t('thisMinute')} value={minuteCount} testId="minute-count" />
      <Figure
        label={t('half')}
        value={totals.kind === 'ready' ? (totals.answer.row.events ?? 0) : null}
        testId="half-hour-events"
      />
      <span className="max-sm:hidden">
        <Figure
          label={t('attacks')}
          value={totals.kind === 'ready' ? (totals.answer.row.attacks ?? 0) : null}
          testId="half-hour-attacks"
        />
      </span>
      <div className="min-w-0 flex-1">
        <CardState part={part} state={state} isEmpty={false}>
          {series && (
            <ol
              aria-label={t('perMinute')}
              className="flex items-end gap-[3px] border-b max-sm:gap-px"
              style={{ height: HEIGHT }}
              onPointerUp={release}
              onPointerLeave={() => setDrag(null)}
            >
              {series.starts.map((start, slot) => {
                const count = series.totals[slot] ?? 0
                const span = spanOfSlots(series, slot, slot)
                const label = t('minuteLabel', {
                  time: slotLabel(series, slot, zone),
                  count,
                })
                return (
                  <li
                    key={start}
                    className={`h-full min-w-0 flex-1 select-none ${isDragged(slot) && drag?.from !== drag?.to ? 'bg-ring' : ''}`}
                    onPointerDown={(event) => event.button === 0 && setDrag({ from: slot, to: slot })}
                    onPointerEnter={() => setDrag((before) => before && { ...before, to: slot })}
                  >
                    <button
                      type="button"
                      title={label}
                      aria-label={label}
                      data-count={count}
                      disabled={count === 0}
                      onClick={() => onRows({ ...query, range: absoluteRange(span) })}
                      className={`flex h-full w-full flex-col-reverse gap-px hover:bg-hover ${isPartial(series, slot) ? 'opacity-45' : ''}`}
                    >
                      {STACK.map((key) => {
                        const part = series.stacks.get(key)?.[slot] ?? 0
                        return (
                          part > 0 && (
                            <span
                              key={key}
                              className="block w-full flex-none"
                              style={{
                                height: `${(part / top) * 100}%`,
                                background: key ? `var(--stack-${key})` : 'var(--line-strong)',
                              }}
                            />
                          )
                        )
                      })}
                    </button>
                  </li>
                )
              })}
            </ol>
          )}
        </CardState>
      </div>
    </section>
  )
}

function Figure({ label, value, testId }: { label: string; value: number | null; testId: string }) {
  return (
    <div className="flex-none">
      <div className="text-12 text-muted">{label}</div>
      <div className="min-w-16 text-28/8" data-testid={testId} data-value={value ?? ''}>
        {value === null ? '–' : <Num value={value} />}
      </div>
    </div>
  )
}
