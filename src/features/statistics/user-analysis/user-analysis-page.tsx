import { useMemo } from 'react'
import type { AnswerOf } from '#domain/query.ts'
import type { Span } from '#domain/time-range.ts'
import { LEVELS, LEVELS_BY_SEVERITY } from '#domain/vocabulary.ts'
import { EntityList } from '#src/features/statistics/parts/entity-list.tsx'
import { entityPart, LIST_OF_MEASURE } from '#src/features/statistics/parts/entity-lists.ts'
import { FacetDrawer } from '#src/features/statistics/parts/facet-drawer.tsx'
import { FacetSection, type Facets } from '#src/features/statistics/parts/facet-section.tsx'
import { Course, FigureRow } from '#src/features/statistics/parts/figure-row.tsx'
import { OriginSection } from '#src/features/statistics/parts/origin-section.tsx'
import { PhoneAccordion } from '#src/features/statistics/parts/phone-accordion.tsx'
import type { Trend } from '#src/features/statistics/parts/trend.ts'
import { TrendCard } from '#src/features/statistics/parts/trend-card.tsx'
import { useHeights } from '#src/features/statistics/parts/use-heights.ts'
import { EventDrawers } from '#src/shared/events/event-drawers.tsx'
import { useOpenEvents } from '#src/shared/events/use-open-events.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { CopyLink } from '#src/shared/query/copy-link.tsx'
import { behind, pinned } from '#src/shared/query/drill.ts'
import { QueryBar } from '#src/shared/query/query-bar.tsx'
import { BasisSelect } from '#src/shared/query/query-selects.tsx'
import { SavedViews } from '#src/shared/query/saved-views.tsx'
import { useQueryState } from '#src/shared/query/use-query-state.ts'
import { type PartState, useStatistics } from '#src/shared/query/use-statistics.ts'
import { ExportMenu } from '#src/shared/table/export-menu.tsx'
import { PageTitle } from '#src/shared/ui/page-title.tsx'
import { SegmentedControl } from '#src/shared/ui/segmented-control.tsx'
import { KPIS, type Kpi, kpiOf, USER_FACETS, userParts } from './kpis.ts'
import { userAnalysisTexts } from './user-analysis-texts.ts'

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
  const facets: Facets<(typeof USER_FACETS)[number]> = {
    dimensions: USER_FACETS,
    label: t,
    measure: kpi.key,
    total,
    additive,
  }
  const listBehind = LIST_OF_MEASURE[kpi.key]
  return (
    <div className="flex min-h-full flex-col bg-surface">
      <PageTitle
        title={t('title')}
        note={<BasisSelect state={state} />}
        actions={
          <>
            <CopyLink state={state} />
            <SavedViews state={state} page="user_analysis" />
            <ExportMenu
              primary
              query={listBehind ? pinned(state.query, result.span) : behind(pinned(state.query, result.span), kpi.key)}
              part={listBehind ? entityPart(listBehind, 'attacks', 200, 0) : { kind: 'rows' }}
              title={`${t('title')} ${t(kpi.key)}`}
              total={total}
            />
          </>
        }
      />
      <QueryBar state={state} dataAt={result.dataAt} span={result.span} stale={result.state === 'stale'} />
      <UserFigures
        totals={totals}
        sparks={result.part('sparks')}
        span={result.span}
        previous={result.previous}
        selected={kpi.key}
        onSelect={(key) => state.setParams({ kpi: key === 'attacks' ? null : key })}
        stale={result.state === 'stale'}
      />
      <div className="grid flex-1 grid-cols-[minmax(0,2fr)_minmax(0,1fr)] max-lg:grid-cols-1">
        <div className="flex min-w-0 flex-col border-r max-lg:border-r-0">
          <TrendCard
            state={state}
            trend={useTrend(kpi)}
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
        </div>
        <div className="flex min-w-0 flex-col max-lg:border-t">
          <PhoneAccordion title={t('origins', { title: t(kpi.key) })}>
            <OriginSection
              state={state}
              measure={kpi.key}
              title={t(kpi.key)}
              provinces={result.part('provinces')}
              countries={result.part('countries')}
              abroad={result.part('abroad')}
              additive={additive}
              sectionState={result.state}
            />
          </PhoneAccordion>
          <PhoneAccordion title={t('facets')} className="flex flex-1 flex-col">
            <FacetSection
              state={state}
              facets={facets}
              parts={(facet) => result.part(facet)}
              className="grid-cols-2 max-[479px]:grid-cols-1 overflow-hidden"
            />
          </PhoneAccordion>
        </div>
      </div>
      <FacetDrawer state={state} facets={facets} now={result.now} />
      <EventDrawers state={state} now={result.now} />
    </div>
  )
}

/** Attacks stacked by level, others as plain bars. */
function useTrend(kpi: Kpi): Trend {
  const t = useTexts(userAnalysisTexts)
  const language = useLanguage()
  return useMemo((): Trend => {
    const additive = kpi.unit === 'events'
    if (kpi.key !== 'attacks')
      return {
        title: t(kpi.key),
        measure: kpi.key,
        layers: [{ key: '', label: t(kpi.key), token: 'scale-4' }],
        additive,
      }
    const layers = LEVELS_BY_SEVERITY.map((key) => ({ key, label: LEVELS[key][language], token: `stack-${key}` }))
    return { title: t('byLevel', { title: t('attacks') }), measure: kpi.key, by: 'level', layers, additive }
  }, [kpi, t, language])
}

function UserFigures({
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
  selected: Kpi['key']
  onSelect: (key: Kpi['key']) => void
  stale: boolean
}) {
  const t = useTexts(userAnalysisTexts)
  const figuresOf = ({ row, previous: before }: AnswerOf<'total'>) =>
    KPIS.map((kpi) => ({
      key: kpi.key,
      label: t(kpi.key),
      value: row[kpi.key] ?? 0,
      before: before?.[kpi.key],
      bad: kpi.bad ?? false,
      sub: kpi.sub(row, t),
      course: sparks.kind === 'ready' && span && (
        <Course answer={sparks.answer} measure={kpi.key} span={span} previous={previous} />
      ),
    }))
  return (
    <FigureRow
      label={t('kpis')}
      figures={totals.kind === 'ready' ? figuresOf(totals.answer) : { count: KPIS.length }}
      selected={selected}
      onSelect={onSelect}
      stale={stale}
      error={totals.kind === 'error' ? totals.error : undefined}
    />
  )
}
