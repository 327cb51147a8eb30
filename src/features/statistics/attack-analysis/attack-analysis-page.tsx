import { useMemo } from 'react'
import { LEVELS, LEVELS_BY_SEVERITY } from '#domain/vocabulary.ts'
import { HeatCard } from '#src/features/statistics/attack-analysis/heat-card.tsx'
import { FacetDrawer } from '#src/features/statistics/parts/facet-drawer.tsx'
import { FacetSection, type Facets } from '#src/features/statistics/parts/facet-section.tsx'
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
import { useStatistics } from '#src/shared/query/use-statistics.ts'
import { ExportMenu } from '#src/shared/table/export-menu.tsx'
import { PageTitle } from '#src/shared/ui/page-title.tsx'
import { ATTACK_FACETS, ATTACK_PARTS, type AttackFacet, MEASURE, RISKS } from './attack-parts.ts'
import { attackTexts } from './attack-texts.ts'
import { PeriodsCard } from './periods-card.tsx'
import { ReleaseCard } from './release-card.tsx'
import { releaseMarks } from './releases.ts'
import { useReleases } from './use-releases.ts'

const DEFAULTS = { range: '-7d', compare: 'previous' } as const
const MARKS = 3

/** Attacks cut every way: by level over time, by weekday and hour, by what they were and where they hit; two periods; a release. */
export default function AttackAnalysisPage() {
  const t = useTexts(attackTexts)
  const state = useQueryState(DEFAULTS)
  const language = useLanguage()
  const open = useOpenEvents(state)
  const { chart } = useHeights()
  const result = useStatistics(state.query, ATTACK_PARTS, { paused: state.paused })
  const releases = useReleases(state.query, result.now)
  const totals = result.part('totals')
  const total = totals.kind === 'ready' ? (totals.answer.row.attacks ?? 0) : 0
  const facets: Facets<AttackFacet> = {
    dimensions: ATTACK_FACETS,
    label: t,
    measure: MEASURE,
    and: RISKS,
    total,
    additive: true,
    show: state.query.compare === 'none' ? 'share' : 'change',
  }
  const { span } = result
  const marks = span
    ? releaseMarks(releases.list, span, MARKS).map(({ versions, at }) => ({
        at,
        label: t('releaseMark', { version: versions.join(language === 'zh' ? '、' : ', ') }),
      }))
    : []
  return (
    <div className="flex min-h-full flex-col bg-surface">
      <PageTitle
        title={t('title')}
        note={<BasisSelect state={state} />}
        actions={
          <>
            <CopyLink state={state} />
            <SavedViews state={state} page="attack_analysis" />
            <ExportMenu
              primary
              query={behind(pinned(state.query, span), MEASURE)}
              part={{ kind: 'rows' }}
              title={t('title')}
              total={total}
            />
          </>
        }
      />
      <QueryBar state={state} dataAt={result.dataAt} span={span} stale={result.state === 'stale'} />
      <div className="grid grid-cols-[minmax(0,2fr)_minmax(0,1fr)] max-lg:grid-cols-1">
        <div className="flex min-w-0 flex-col border-r max-lg:border-r-0">
          <TrendCard
            state={state}
            trend={useTrend()}
            part={result.part('levels')}
            span={span}
            previous={result.previous}
            sectionState={result.state}
            height={chart}
            marks={marks}
            onRows={open.openRows}
          />
          <PhoneAccordion title={t('heat')} className="border-t">
            <HeatCard
              state={state}
              title={t('heat')}
              measure={MEASURE}
              and={RISKS}
              part={result.part('heat')}
              span={span}
              sectionState={result.state}
              onRows={open.openRows}
            />
          </PhoneAccordion>
        </div>
        <div className="flex min-w-0 flex-col max-lg:border-t">
          <PhoneAccordion title={t('releaseNone')}>
            <ReleaseCard state={state} releases={releases} now={result.now} onRows={open.openRows} />
          </PhoneAccordion>
          <PhoneAccordion title={t('periods')} className="flex flex-1 flex-col border-t">
            <PeriodsCard
              state={state}
              totals={totals}
              span={span}
              previous={result.previous}
              now={result.now}
              sectionState={result.state}
              onRows={open.openRows}
            />
          </PhoneAccordion>
        </div>
      </div>
      <PhoneAccordion title={t('facets')} className="flex flex-1 flex-col">
        <FacetSection
          state={state}
          facets={facets}
          parts={(facet) => result.part(facet)}
          className="grid-cols-5 overflow-hidden max-xl:grid-cols-3 max-md:grid-cols-2 max-[479px]:grid-cols-1"
        />
      </PhoneAccordion>
      <FacetDrawer state={state} facets={facets} now={result.now} />
      <EventDrawers state={state} now={result.now} />
    </div>
  )
}

function useTrend(): Trend {
  const t = useTexts(attackTexts)
  const language = useLanguage()
  return useMemo(
    (): Trend => ({
      title: t('byLevel'),
      measure: MEASURE,
      and: RISKS,
      by: 'level',
      layers: LEVELS_BY_SEVERITY.map((key) => ({ key, label: LEVELS[key][language], token: `stack-${key}` })),
      additive: true,
    }),
    [t, language],
  )
}
