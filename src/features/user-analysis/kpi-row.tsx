import type { AnswerOf, Measure } from '#contracts/query.ts'
import type { Span } from '#contracts/time-range.ts'
import { Delta } from '#src/shared/charts/delta.tsx'
import { Spark } from '#src/shared/charts/spark.tsx'
import { isPartial, layOut } from '#src/shared/charts/time-series.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import type { PartState } from '#src/shared/query/use-statistics.ts'
import { usePlatform } from '#src/shared/session/platform-store.ts'
import { Num } from '#src/shared/ui/num.tsx'
import { Skeleton } from '#src/shared/ui/skeleton.tsx'
import { analysisTexts } from './analysis-texts.ts'
import { KPIS, type Kpi, type KpiKey } from './kpis.ts'

/** Six figures with the earlier period and their course; choosing one switches the page to it. */
export function KpiRow({
  totals,
  sparks,
  span,
  previous,
  selected,
  onSelect,
  stale,
}: {
  totals: PartState<'total'>
  sparks: PartState<'series'>
  span: Span | undefined
  previous: Span | null
  selected: KpiKey
  onSelect: (key: KpiKey) => void
  stale: boolean
}) {
  const t = useTexts(analysisTexts)
  return (
    <div
      role="radiogroup"
      aria-label={t('kpis')}
      className={`grid flex-none grid-cols-6 border-b max-lg:grid-cols-3 max-sm:grid-cols-2 ${stale ? 'opacity-60 grayscale' : ''}`}
    >
      {KPIS.map((kpi) => (
        <Figure
          key={kpi.key}
          kpi={kpi}
          totals={totals}
          sparks={sparks}
          span={span}
          previous={previous}
          isSelected={kpi.key === selected}
          onSelect={() => onSelect(kpi.key)}
        />
      ))}
    </div>
  )
}

function Figure({
  kpi,
  totals,
  sparks,
  span,
  previous,
  isSelected,
  onSelect,
}: {
  kpi: Kpi
  totals: PartState<'total'>
  sparks: PartState<'series'>
  span: Span | undefined
  previous: Span | null
  isSelected: boolean
  onSelect: () => void
}) {
  const t = useTexts(analysisTexts)
  const row = totals.kind === 'ready' ? totals.answer.row : null
  const before = totals.kind === 'ready' ? totals.answer.previous?.[kpi.key] : undefined
  const value = row?.[kpi.key] ?? 0
  return (
    // biome-ignore lint/a11y/useSemanticElements: a figure is chosen, not filled in
    <button
      type="button"
      role="radio"
      aria-checked={isSelected}
      onClick={onSelect}
      className="group relative min-h-24 min-w-0 border-r border-b pt-3 pr-3 pb-2 pl-4 -mb-px text-left -outline-offset-2 lg:first:pl-5 hover:bg-hover nth-6:border-r-0 max-lg:nth-3:border-r-0 max-sm:min-h-20 max-sm:nth-3:border-r max-sm:nth-[2n]:border-r-0"
    >
      <span className="block text-12 text-muted group-aria-checked:font-semibold group-aria-checked:text-brand-text">
        {t(kpi.key)}
      </span>
      <span className="absolute top-3 right-3 max-xl:scale-90 max-sm:scale-75">
        {sparks.kind === 'ready' && span && (
          <Course answer={sparks.answer} measure={kpi.key} span={span} previous={previous} />
        )}
      </span>
      {row ? (
        <>
          <span className="flex flex-wrap items-baseline gap-x-2">
            <span
              data-testid={`kpi-${kpi.key}`}
              data-value={value}
              className="text-28/8 tracking-[-0.01em] max-sm:text-20/7"
            >
              <Num value={value} />
            </span>
            {before !== undefined && <Delta now={value} before={before} bad={kpi.bad ?? false} />}
          </span>
          <span className="text-clip-line -mr-2.5 block text-12 text-muted" title={kpi.sub(row, t)}>
            {kpi.sub(row, t)}
          </span>
        </>
      ) : totals.kind === 'error' ? (
        <span className="block pt-1 text-12 text-bad-text">{totals.error.message}</span>
      ) : (
        <Skeleton lines={2} height="16px" width="60%" className="pt-2" />
      )}
      <span
        aria-hidden
        className="absolute inset-x-0 -bottom-px h-0.5 bg-brand opacity-0 group-aria-checked:opacity-100"
      />
    </button>
  )
}

function Course({
  answer,
  measure,
  span,
  previous,
}: {
  answer: AnswerOf<'series'>
  measure: Measure
  span: Span
  previous: Span | null
}) {
  const zone = usePlatform((state) => state.zone)
  const series = layOut(answer, measure, span, previous, zone)
  // Partial buckets at the ends would look like a fall.
  const whole = (_: number, slot: number) => !isPartial(series, slot)
  return <Spark values={series.totals.filter(whole)} previous={series.previous?.filter(whole) ?? null} />
}
