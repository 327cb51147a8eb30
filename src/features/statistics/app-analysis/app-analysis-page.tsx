import { ArrowUpRight } from 'lucide-react'
import { useMemo } from 'react'
import { Link } from 'react-router-dom'
import { PAGES } from '#contracts/pages.ts'
import { COUNT_MEASURES, type Query } from '#domain/query.ts'
import { listPath } from '#src/features/statistics/parts/entity-lists.ts'
import type { Facets } from '#src/features/statistics/parts/facet-section.tsx'
import { MeasureFigures } from '#src/features/statistics/parts/measure-figures.tsx'
import { DEVICE_FACETS } from '#src/features/statistics/parts/measure-parts.ts'
import { OriginsAndFacets } from '#src/features/statistics/parts/origins-and-facets.tsx'
import { PhoneAccordion } from '#src/features/statistics/parts/phone-accordion.tsx'
import { StatisticsPage, TwoColumns } from '#src/features/statistics/parts/statistics-page.tsx'
import { measureTrend, type Trend } from '#src/features/statistics/parts/trend.ts'
import { TrendCard } from '#src/features/statistics/parts/trend-card.tsx'
import { useHeights } from '#src/features/statistics/parts/use-heights.ts'
import { REMAINDER_KEY } from '#src/shared/charts/time-series.ts'
import { useOpenEvents } from '#src/shared/events/use-open-events.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { behind } from '#src/shared/query/drill.ts'
import { carryQuery } from '#src/shared/query/query-url.ts'
import { useQueryState } from '#src/shared/query/use-query-state.ts'
import { type PartState, useStatistics } from '#src/shared/query/use-statistics.ts'
import { Icon } from '#src/shared/ui/icon.tsx'
import { appFigure } from './app-figures.ts'
import { APP_FIGURES, type AppFigure, appParts, appSlices, courseBucket, QUALITY_FIELDS } from './app-parts.ts'
import { appTexts } from './app-texts.ts'
import { QualityCard } from './quality-card.tsx'

const DEFAULTS = { range: '-7d', compare: 'previous' } as const

/** How an application is used and how well it holds: figures, one of them in detail, versions taking over, quality side by side. */
export default function AppAnalysisPage() {
  const t = useTexts(appTexts)
  const state = useQueryState(DEFAULTS)
  const open = useOpenEvents(state)
  const { query } = state
  const { chart } = useHeights()
  const figure = APP_FIGURES.find((one) => one === state.params.get('kpi')) ?? 'starts'
  const field = QUALITY_FIELDS.find((one) => one === state.params.get('quality')) ?? 'version'
  const bucket = useMemo(() => courseBucket(query, Date.now()), [query])
  const result = useStatistics(query, appParts(figure, field, bucket), { paused: state.paused })
  const slices = useStatistics({ ...query, compare: 'none' }, appSlices(figure, bucket), {
    now: result.now,
    enabled: result.now !== undefined,
  })
  const totals = result.part('totals')
  const row = totals.kind === 'ready' ? totals.answer.row : {}
  const additive = COUNT_MEASURES.some((one) => one === figure)
  const name = useNames()[figure]
  const facets: Facets<(typeof DEVICE_FACETS)[number]> = {
    dimensions: DEVICE_FACETS,
    label: t,
    measure: figure,
    total: row[figure] ?? 0,
    additive,
  }
  const link = (to: string, text: string) => (
    <Link to={to} className="inline-flex items-center gap-0.5 px-1 text-12 text-brand-text hover:underline">
      {text}
      <Icon of={ArrowUpRight} size={12} />
    </Link>
  )
  return (
    <StatisticsPage
      page="app_analysis"
      title={t('title')}
      state={state}
      answer={result}
      exported={{
        query: behind(query, figure),
        part: { kind: 'rows' },
        title: `${t('title')} ${name}`,
        total: row[figure] ?? 0,
      }}
      facets={facets}
    >
      <MeasureFigures
        label={t('kpis')}
        measures={APP_FIGURES}
        selected={figure}
        initial="starts"
        state={state}
        answer={result}
        totals={totals}
        series={result.part('courses')}
        figureOf={(key, current, before) => appFigure(key, current, before, t)}
      />
      <TwoColumns
        grow
        left={
          <>
            <TrendCard
              state={state}
              trend={useMemo(() => measureTrend(name, figure, additive), [name, figure, additive])}
              part={result.part('courses')}
              span={result.span}
              previous={result.previous}
              sectionState={result.state}
              height={chart - 40}
              actions={
                <>
                  {link(detailPath(figure, query), t('detail'))}
                  {link(listPath('abnormalDevices', query), t('abnormalDevices'))}
                  {link(`${PAGES.attack_analysis.path}?${carryQuery(query)}`, t('attackAnalysis'))}
                </>
              }
              onRows={open.openRows}
            />
            <PhoneAccordion title={t('adoption')} className="border-t">
              <TrendCard
                state={state}
                trend={useAdoption(slices.part('adopted'))}
                part={slices.part('adoption')}
                span={result.span}
                previous={null}
                sectionState={result.state}
                height={chart - 40}
                param="adoption"
                onRows={open.openRows}
              />
            </PhoneAccordion>
            <PhoneAccordion title={t('quality')} className="flex-1 border-t">
              <QualityCard
                state={state}
                field={field}
                part={result.part('quality')}
                starts={row.starts ?? 0}
                span={result.span}
                sectionState={result.state}
                onRows={open.openRows}
              />
            </PhoneAccordion>
          </>
        }
        right={
          <OriginsAndFacets
            state={state}
            name={name}
            facets={facets}
            source={slices}
            sectionState={result.state}
            titles={{ origins: t('origins', { title: name }), facets: t('facets') }}
          />
        }
      />
    </StatisticsPage>
  )
}

/** What a figure counts, where its own name is that of a rate. */
function useNames(): Record<AppFigure, string> {
  const t = useTexts(appTexts)
  return {
    starts: t('starts'),
    users: t('users'),
    devices: t('devices'),
    newDevices: t('newDevices'),
    crashes: t('crashCount'),
    anrs: t('anrCount'),
    exceptions: t('exceptionCount'),
    attackedDevices: t('attackedCount'),
  }
}

/** The page that lists what a figure counts. */
function detailPath(figure: AppFigure, query: Query): string {
  if (figure === 'starts') return `${PAGES.starts.path}?${carryQuery(query)}`
  if (figure === 'users') return listPath('activeUsers', query)
  if (figure === 'devices') return listPath('activeDevices', query)
  if (figure === 'newDevices') return listPath('newDevices', query)
  if (figure === 'attackedDevices') return listPath('attackedDevices', query)
  return `${PAGES.abnormal_triggers.path}?${carryQuery(behind(query, figure))}`
}

/** The most used versions stacked, the rest of them together on top. */
function useAdoption(adopted: PartState<'top'>): Trend {
  const t = useTexts(appTexts)
  return useMemo((): Trend => {
    const groups = adopted.kind === 'ready' ? adopted.answer.groups : []
    const layers = groups.map(({ key }, index) => ({ key, label: key || '–', token: `series-${index + 1}` }))
    const rest = { key: REMAINDER_KEY, label: t('others'), token: 'line-strong', rest: true } as const
    const more = adopted.kind === 'ready' && adopted.answer.groupCount > groups.length
    return {
      title: t('adoption'),
      measure: 'starts',
      by: 'version',
      layers: more || layers.length === 0 ? [...layers, rest] : layers,
      additive: true,
    }
  }, [adopted, t])
}
