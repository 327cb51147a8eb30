import { LEVELS, type Level } from '#domain/vocabulary.ts'
import { chartTexts } from '#src/shared/charts/chart-texts.ts'
import type { TimeSeries } from '#src/shared/charts/time-series.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import type { QueryState } from '#src/shared/query/use-query-state.ts'
import { LevelMark } from '#src/shared/ui/level-mark.tsx'
import { Num } from '#src/shared/ui/num.tsx'
import type { Trend } from './trend.ts'

/** The layers, most severe first, each with its sum: a click filters by it, Shift excludes it; then the earlier period. */
export function TrendLegend({
  state,
  series,
  trend,
  className,
}: {
  state: QueryState
  series: TimeSeries
  trend: Trend
  className: string
}) {
  const c = useTexts(chartTexts)
  const { by, layers, additive } = trend
  const before = series.previous?.reduce((a, b) => a + b, 0)
  const total = (key: string) => series.stacks.get(key)?.reduce((a, b) => a + b, 0) ?? 0
  return (
    <ul className={`flex-wrap gap-x-2.5 gap-y-1 text-12 text-muted ${className}`}>
      {by &&
        layers.map((layer) => {
          const mark =
            by === 'level' && layer.key in LEVELS ? (
              <LevelMark level={layer.key as Level} />
            ) : (
              <>
                <span
                  aria-hidden
                  className="size-2.5 flex-none rounded-[2px]"
                  style={{ background: `var(--${layer.token})` }}
                />
                {layer.label}
              </>
            )
          const number = (
            <span className="text-text" data-layer={layer.key} {...(by === 'level' && { 'data-level': layer.key })}>
              <Num value={total(layer.key)} />
            </span>
          )
          return (
            <li key={layer.key}>
              {layer.rest ? (
                <span className="inline-flex items-center gap-1">
                  {mark}
                  {additive && number}
                </span>
              ) : (
                <button
                  type="button"
                  title={c('pickHint')}
                  className="inline-flex items-center gap-1 rounded-small hover:text-text"
                  onClick={(event) => state.pick(by, layer.key, event.shiftKey)}
                >
                  {mark}
                  {additive && number}
                </button>
              )}
            </li>
          )
        })}
      {before !== undefined && additive && (
        <li className="inline-flex items-center gap-1">
          <svg width="18" height="2" aria-hidden="true">
            <path d="M0 1H18" className="stroke-text" strokeWidth="1.4" strokeDasharray="4 3" />
          </svg>
          {c('previous')}
          <span className="text-text">
            <Num value={before} />
          </span>
        </li>
      )}
    </ul>
  )
}
