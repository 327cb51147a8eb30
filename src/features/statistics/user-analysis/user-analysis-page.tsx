import { lazy, Suspense, useMemo } from 'react'
import { useNoEventYet } from '#src/features/protection/parts/use-no-event-yet.ts'
import { EntityList } from '#src/features/statistics/parts/entity-list.tsx'
import { entityPart, LIST_OF_MEASURE } from '#src/features/statistics/parts/entity-lists.ts'
import type { Facets } from '#src/features/statistics/parts/facet-section.tsx'
import { MeasureFigures } from '#src/features/statistics/parts/measure-figures.tsx'
import { DEVICE_FACETS } from '#src/features/statistics/parts/measure-parts.ts'
import { OriginsAndFacets } from '#src/features/statistics/parts/origins-and-facets.tsx'
import { PhoneAccordion } from '#src/features/statistics/parts/phone-accordion.tsx'
import { StatisticsPage, TwoColumns } from '#src/features/statistics/parts/statistics-page.tsx'
import { levelTrend, measureTrend, type Trend } from '#src/features/statistics/parts/trend.ts'
import { TrendCard } from '#src/features/statistics/parts/trend-card.tsx'
import { useHeights } from '#src/features/statistics/parts/use-heights.ts'
import { useOpenEvents } from '#src/shared/events/use-open-events.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { behind } from '#src/shared/query/drill.ts'
import { useQueryState } from '#src/shared/query/use-query-state.ts'
import { useStatistics } from '#src/shared/query/use-statistics.ts'
import { SegmentedControl } from '#src/shared/ui/segmented-control.tsx'
import { type Kpi, kpiFigure, kpiOf, SPARK_MEASURES, userParts } from './kpis.ts'
import { userAnalysisTexts } from './user-analysis-texts.ts'

const FirstSteps = lazy(() => import('#src/features/protection/parts/first-steps.tsx'))
const DEFAULTS = { range: '-24h', compare: 'previous' } as const

/** Six figures, one of them in detail: its course, where it came from, what it ran on, and who it was. All against one `now`. */
export default function UserAnalysisPage() {
  const t = useTexts(userAnalysisTexts)
  const state = useQueryState(DEFAULTS)
  const open = useOpenEvents(state)
  const kpi = kpiOf(state.params)
  const { chart, rows } = useHeights()
  const result = useStatistics(state.query, userParts(kpi), { paused: state.paused })
  const totals = result.part('totals')
  const total = totals.kind === 'ready' ? (totals.answer.row[kpi.key] ?? 0) : 0
  const list = state.params.get('list') === 'device' ? 'activeDevices' : 'attackedUsers'
  const additive = kpi.unit === 'events'
  const facets: Facets<(typeof DEVICE_FACETS)[number]> = {
    dimensions: DEVICE_FACETS,
    label: t,
    measure: kpi.key,
    total,
    additive,
  }
  const listBehind = LIST_OF_MEASURE[kpi.key]
  const noEvent = useNoEventYet(totals.kind === 'ready' && (totals.answer.row.devices ?? 0) === 0)
  const trend = useTrend(kpi)
  if (noEvent)
    return (
      <Suspense>
        <FirstSteps title={t('title')} {...noEvent} />
      </Suspense>
    )
  return (
    <StatisticsPage
      page="user_analysis"
      title={t('title')}
      state={state}
      answer={result}
      exported={{
        query: listBehind ? state.query : behind(state.query, kpi.key),
        part: listBehind ? entityPart(listBehind, 'attacks', 200, 0) : { kind: 'rows' },
        title: `${t('title')} ${t(kpi.key)}`,
        total,
      }}
      facets={facets}
    >
      <MeasureFigures
        label={t('kpis')}
        measures={SPARK_MEASURES}
        selected={kpi.key}
        initial="attacks"
        state={state}
        answer={result}
        totals={totals}
        series={result.part('sparks')}
        figureOf={(key, row) => kpiFigure(key, row, t)}
      />
      <TwoColumns
        grow
        left={
          <>
            <TrendCard
              state={state}
              trend={trend}
              part={kpi.key === 'attacks' ? result.part('levels') : result.part('sparks')}
              span={result.span}
              previous={result.previous}
              sectionState={result.state}
              height={chart}
              onRows={open.openRows}
            />
            <PhoneAccordion title={t(list)} className="mt-2 flex flex-1 flex-col border-t">
              <EntityList
                state={state}
                list={list}
                open={open}
                now={result.now}
                pageSize={rows}
                heading={
                  <SegmentedControl
                    size="small"
                    label={t('table')}
                    value={list}
                    onChange={(next) =>
                      state.setParams({ list: next === 'activeDevices' ? 'device' : null, page: null, sort: null })
                    }
                    items={[
                      { id: 'attackedUsers', label: t('attackedUsers') },
                      { id: 'activeDevices', label: t('activeDevices') },
                    ]}
                  />
                }
              />
            </PhoneAccordion>
          </>
        }
        right={
          <OriginsAndFacets
            grow
            state={state}
            name={t(kpi.key)}
            facets={facets}
            source={result}
            sectionState={result.state}
            titles={{ origins: t('origins', { title: t(kpi.key) }), facets: t('facets') }}
          />
        }
      />
    </StatisticsPage>
  )
}

function useTrend(kpi: Kpi): Trend {
  const t = useTexts(userAnalysisTexts)
  const language = useLanguage()
  return useMemo(
    () =>
      kpi.key === 'attacks'
        ? levelTrend(t('byLevel', { title: t('attacks') }), kpi.key, language)
        : measureTrend(t(kpi.key), kpi.key, kpi.unit === 'events'),
    [kpi, t, language],
  )
}
