import { ChartColumn, Download, Rows4, Table2 } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useMemo, useRef } from 'react'
import type { Query } from '#domain/query.ts'
import type { Span } from '#domain/time-range.ts'
import { savePng } from '#src/features/statistics/parts/save-png.ts'
import { TimeTable } from '#src/features/statistics/parts/time-table.tsx'
import { BarsSkeleton } from '#src/shared/charts/bars-skeleton.tsx'
import { chartTexts } from '#src/shared/charts/chart-texts.ts'
import type { SlotPick, TimeMark } from '#src/shared/charts/time-chart.tsx'
import { foldLayers, layOut, REMAINDER_KEY } from '#src/shared/charts/time-series.ts'
import { useDecal } from '#src/shared/charts/use-decal.ts'
import { formatExact } from '#src/shared/format/number.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { CardState } from '#src/shared/query/card-state.tsx'
import { behind } from '#src/shared/query/drill.ts'
import { rangeLabel, spanLabel } from '#src/shared/query/range-text.ts'
import type { QueryState } from '#src/shared/query/use-query-state.ts'
import type { PartState } from '#src/shared/query/use-statistics.ts'
import { useFilterText } from '#src/shared/query/value-names.ts'
import { usePlatform } from '#src/shared/session/platform-store.ts'
import { IconButton } from '#src/shared/ui/icon-button.tsx'
import { Section, type SectionState } from '#src/shared/ui/section.tsx'
import { analysisTexts } from './analysis-texts.ts'
import type { Trend } from './trend.ts'
import { TrendLegend } from './trend-legend.tsx'

const TimeChart = lazy(() => import('#src/shared/charts/time-chart.tsx'))

/** A measure over time: bars with the earlier period dashed, a table twin and a picture. Its view is kept in the address under `param`. */
export function TrendCard({
  state,
  trend,
  part,
  span,
  previous,
  sectionState,
  height,
  marks,
  param = 'trend',
  actions,
  onRows,
}: {
  state: QueryState
  trend: Trend
  part: PartState<'series'>
  span: Span | undefined
  previous: Span | null
  sectionState: SectionState
  height: number
  marks?: readonly TimeMark[]
  param?: string
  actions?: ReactNode
  onRows: (query: Query) => void
}) {
  const t = useTexts(analysisTexts)
  const c = useTexts(chartTexts)
  const language = useLanguage()
  const zone = usePlatform((platform) => platform.zone)
  const filterText = useFilterText()
  const decal = useDecal()
  const body = useRef<HTMLDivElement>(null)
  const asTable = state.params.get(param) === 'table'
  const { title, measure, and = [], by, layers, additive } = trend
  const series = useMemo(() => {
    if (part.kind !== 'ready' || !span) return null
    const laid = layOut(part.answer, measure, span, previous, zone)
    return by
      ? foldLayers(
          laid,
          layers.map((layer) => layer.key),
        )
      : laid
  }, [part, span, previous, zone, measure, by, layers])
  const note = series ? c(additive ? series.bucket : `each_${series.bucket}`) : ''
  const all = series?.totals.reduce((a, b) => a + b, 0) ?? 0

  const pick = ({ span: slot, layer, exclude }: SlotPick) => {
    const value = by && layer !== null && layer !== REMAINDER_KEY ? { by, key: layer } : null
    if (exclude && value) state.pick(value.by, value.key, true)
    else onRows(behind(state.query, measure, { and, slot, ...value }))
  }
  const png = () => {
    const canvas = body.current?.querySelector('canvas')
    if (!canvas || !span || !series) return
    const total = (key: string) => series.stacks.get(key)?.reduce((a, b) => a + b, 0) ?? 0
    savePng(canvas, {
      title: `${title}  ${note}`,
      legend: by
        ? layers.map((layer) => `${layer.label} ${formatExact(total(layer.key))}`).join('   ')
        : formatExact(all),
      footer: [
        `${rangeLabel(state.query.range, language, zone)} (${spanLabel(span, language, zone)}, ${zone})`,
        ...state.query.filters.map(filterText),
      ].join('   '),
      file: `${measure}-${new Date(span.to).toISOString().slice(0, 16).replace(':', '')}`,
    })
  }
  const legend = (className: string) =>
    series && <TrendLegend state={state} series={series} trend={trend} className={className} />
  return (
    <div className="@container">
      <Section
        plain
        title={title}
        note={note}
        state={part.kind === 'loading' ? 'loading' : sectionState}
        skeleton={<BarsSkeleton height={height} />}
        actions={
          <>
            {/* Beside the title where there is room, else on a line of its own. */}
            {legend('hidden @min-[850px]:flex')}
            {actions}
            <span className="inline-flex">
              {additive && all > 0 && (
                <IconButton
                  size="small"
                  label={t('openEvents', { count: all })}
                  icon={Rows4}
                  onPress={() => onRows(behind(state.query, measure, { and }))}
                />
              )}
              {by && !asTable && (
                <IconButton
                  size="small"
                  label={c('patterns')}
                  icon={ChartColumn}
                  isSelected={decal.on}
                  onPress={decal.toggle}
                />
              )}
              <IconButton
                size="small"
                label={c(asTable ? 'asChart' : 'asTable')}
                icon={Table2}
                isSelected={asTable}
                onPress={() => state.setParams({ [param]: asTable ? null : 'table' }, true)}
              />
              <IconButton size="small" label={c('png')} icon={Download} isDisabled={asTable || !series} onPress={png} />
            </span>
          </>
        }
      >
        <CardState part={part} state={state} isEmpty={all === 0} measure={measure} and={and} minHeight={height}>
          {legend('flex px-5 pb-1 @min-[850px]:hidden')}
          {series && asTable && <TimeTable series={series} layers={layers} title={title} maxHeight={height} />}
          {series && !asTable && (
            <div ref={body} className="pl-2">
              <Suspense fallback={<BarsSkeleton height={height} />}>
                <TimeChart
                  series={series}
                  layers={layers}
                  title={title}
                  height={height}
                  {...(marks && { marks })}
                  onPick={pick}
                  onRange={(brushed) => state.set({ range: `${brushed.from}~${brushed.to}` })}
                />
              </Suspense>
            </div>
          )}
        </CardState>
      </Section>
    </div>
  )
}
