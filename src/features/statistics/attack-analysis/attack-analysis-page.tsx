import { useMemo } from 'react'
import { HeatCard } from '#src/features/statistics/attack-analysis/heat-card.tsx'
import { FacetSection, type Facets } from '#src/features/statistics/parts/facet-section.tsx'
import { PhoneAccordion } from '#src/features/statistics/parts/phone-accordion.tsx'
import { StatisticsPage, TwoColumns } from '#src/features/statistics/parts/statistics-page.tsx'
import { levelTrend, type Trend } from '#src/features/statistics/parts/trend.ts'
import { TrendCard } from '#src/features/statistics/parts/trend-card.tsx'
import { useHeights } from '#src/features/statistics/parts/use-heights.ts'
import { useOpenEvents } from '#src/shared/events/use-open-events.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { behind } from '#src/shared/query/drill.ts'
import { useQueryState } from '#src/shared/query/use-query-state.ts'
import { useStatistics } from '#src/shared/query/use-statistics.ts'
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
    <StatisticsPage
      page="attack_analysis"
      title={t('title')}
      state={state}
      answer={result}
      exported={{ query: behind(state.query, MEASURE), part: { kind: 'rows' }, title: t('title'), total }}
      facets={facets}
    >
      <TwoColumns
        left={
          <>
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
          </>
        }
        right={
          <>
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
          </>
        }
      />
      <PhoneAccordion title={t('facets')} className="flex flex-1 flex-col">
        <FacetSection
          state={state}
          facets={facets}
          parts={(facet) => result.part(facet)}
          className="grid-cols-5 overflow-hidden max-xl:grid-cols-3 max-md:grid-cols-2 max-[479px]:grid-cols-1"
        />
      </PhoneAccordion>
    </StatisticsPage>
  )
}

function useTrend(): Trend {
  const t = useTexts(attackTexts)
  const language = useLanguage()
  return useMemo((): Trend => ({ ...levelTrend(t('byLevel'), MEASURE, language), and: RISKS }), [t, language])
}
