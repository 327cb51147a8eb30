import { ChartColumn, Download, Rows4, Table2 } from 'lucide-react'
import { lazy, Suspense, useMemo, useRef } from 'react'
import type { Measure, Query } from '#contracts/query.ts'
import type { Span } from '#contracts/time-range.ts'
import { LEVELS, LEVELS_BY_SEVERITY, type Level } from '#contracts/vocabulary.ts'
import { BarsSkeleton } from '#src/shared/charts/bars-skeleton.tsx'
import { chartTexts } from '#src/shared/charts/chart-texts.ts'
import { savePng } from '#src/shared/charts/save-png.ts'
import type { SlotPick } from '#src/shared/charts/time-chart.tsx'
import type { TokenLayer } from '#src/shared/charts/time-option.ts'
import { layOut } from '#src/shared/charts/time-series.ts'
import { TimeTable } from '#src/shared/charts/time-table.tsx'
import { useDecal } from '#src/shared/charts/use-decal.ts'
import { formatExact } from '#src/shared/format/number.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { CardState } from '#src/shared/query/card-state.tsx'
import { rangeLabel, spanLabel } from '#src/shared/query/range-text.ts'
import type { QueryState } from '#src/shared/query/use-query-state.ts'
import type { PartState } from '#src/shared/query/use-statistics.ts'
import { useFilterText } from '#src/shared/query/value-names.ts'
import { usePlatform } from '#src/shared/session/platform-store.ts'
import { IconButton } from '#src/shared/ui/icon-button.tsx'
import { LevelMark } from '#src/shared/ui/level-mark.tsx'
import { Num } from '#src/shared/ui/num.tsx'
import { Section } from '#src/shared/ui/section.tsx'
import { analysisTexts } from './analysis-texts.ts'
import { type Kpi, narrowed } from './kpis.ts'

const TimeChart = lazy(() => import('#src/shared/charts/time-chart.tsx'))
const LEVEL_LAYERS: readonly Level[] = LEVELS_BY_SEVERITY

/** The course of the selected figure: attacks stacked by level, others as plain bars; the earlier period dashed. */
export function TrendSection({
  state,
  kpi,
  part,
  span,
  previous,
  sectionState,
  height,
  onRows,
}: {
  state: QueryState
  kpi: Kpi
  part: PartState<'series'>
  span: Span | undefined
  previous: Span | null
  sectionState: 'loading' | 'refreshing' | 'ready' | 'stale'
  height: number
  onRows: (query: Query) => void
}) {
  const t = useTexts(analysisTexts)
  const c = useTexts(chartTexts)
  const language = useLanguage()
  const zone = usePlatform((platform) => platform.zone)
  const filterText = useFilterText()
  const decal = useDecal()
  const body = useRef<HTMLDivElement>(null)
  const asTable = state.params.get('trend') === 'table'
  const byLevel = kpi.key === 'attacks'
  const measure: Measure = kpi.key
  const series = useMemo(
    () => (part.kind === 'ready' && span ? layOut(part.answer, measure, span, previous, zone) : null),
    [part, span, previous, zone, measure],
  )
  const layers: readonly TokenLayer[] = useMemo(
    () =>
      byLevel
        ? LEVEL_LAYERS.map((key) => ({ key, label: LEVELS[key][language], token: `stack-${key}` }))
        : [{ key: '', label: t(kpi.key), token: 'scale-4' }],
    [byLevel, kpi.key, language, t],
  )
  const title = byLevel ? t('byLevel', { title: t('attacks') }) : t(kpi.key)
  const note = series ? c(kpi.unit === 'events' ? series.bucket : `each_${series.bucket}`) : ''
  const total = (key: string) => series?.stacks.get(key)?.reduce((a, b) => a + b, 0) ?? 0
  const all = series?.totals.reduce((a, b) => a + b, 0) ?? 0
  const before = series?.previous?.reduce((a, b) => a + b, 0)

  const pick = ({ span: slot, layer, exclude }: SlotPick) => {
    if (exclude && layer) state.pick('level', layer, true)
    else
      onRows({
        ...narrowed(state.query, [
          ...kpi.and,
          ...(layer ? [{ field: 'level' as const, op: 'is' as const, values: [layer] }] : []),
        ]),
        range: `${slot.from}~${slot.to}`,
      })
  }
  const png = () => {
    const canvas = body.current?.querySelector('canvas')
    if (!canvas || !span) return
    savePng(canvas, {
      title: `${title}  ${note}`,
      legend: byLevel
        ? layers.map((layer) => `${layer.label} ${formatExact(total(layer.key))}`).join('   ')
        : formatExact(all),
      footer: [
        `${rangeLabel(state.query.range, language, zone)} (${spanLabel(span, language, zone)}, ${zone})`,
        ...state.query.filters.map(filterText),
      ].join('   '),
      file: `${kpi.key}-${new Date(span.to).toISOString().slice(0, 16).replace(':', '')}`,
    })
  }
  // Beside the title where there is room, else on a line of its own.
  const legend = (className: string) =>
    series && (
      <ul className={`flex-wrap gap-x-2.5 gap-y-1 text-12 text-muted ${className}`}>
        {byLevel &&
          LEVEL_LAYERS.map((level) => (
            <li key={level}>
              <button
                type="button"
                title={c('pickHint')}
                className="inline-flex items-center gap-1 rounded-small hover:text-text"
                onClick={(event) => state.pick('level', level, event.shiftKey)}
              >
                <LevelMark level={level} />
                <span className="text-text" data-level={level}>
                  <Num value={total(level)} />
                </span>
              </button>
            </li>
          ))}
        {before !== undefined && kpi.unit === 'events' && (
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
            {legend('hidden @min-[850px]:flex')}
            <span className="inline-flex">
              {kpi.unit === 'events' && all > 0 && (
                <IconButton
                  size="small"
                  label={t('openEvents', { count: formatExact(all) as never })}
                  icon={Rows4}
                  onPress={() => onRows(narrowed(state.query, kpi.and))}
                />
              )}
              {byLevel && !asTable && (
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
                onPress={() => state.setParams({ trend: asTable ? null : 'table' }, true)}
              />
              <IconButton size="small" label={c('png')} icon={Download} isDisabled={asTable || !series} onPress={png} />
            </span>
          </>
        }
      >
        <CardState part={part} state={state} isEmpty={all === 0} measure={kpi.key} minHeight={height}>
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
