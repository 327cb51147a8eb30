import { useMemo } from 'react'
import { Link } from 'react-router-dom'
import { PAGES } from '#contracts/pages.ts'
import { COUNT_MEASURES, type Measures } from '#domain/query.ts'
import { entityPart, LIST_OF_MEASURE } from '#src/features/statistics/parts/entity-lists.ts'
import { FacetSection, type Facets } from '#src/features/statistics/parts/facet-section.tsx'
import { perThousand, rateText } from '#src/features/statistics/parts/figure-row.tsx'
import { MeasureFigures } from '#src/features/statistics/parts/measure-figures.tsx'
import { PhoneAccordion } from '#src/features/statistics/parts/phone-accordion.tsx'
import { StatisticsPage } from '#src/features/statistics/parts/statistics-page.tsx'
import { measureTrend, type Trend } from '#src/features/statistics/parts/trend.ts'
import { TrendCard } from '#src/features/statistics/parts/trend-card.tsx'
import { useHeights } from '#src/features/statistics/parts/use-heights.ts'
import { useEventRows } from '#src/shared/events/use-event-rows.ts'
import { useOpenEvents } from '#src/shared/events/use-open-events.ts'
import { formatNumber, formatPercent } from '#src/shared/format/number.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { behind, narrowed } from '#src/shared/query/drill.ts'
import { useQueryState } from '#src/shared/query/use-query-state.ts'
import { useStatistics } from '#src/shared/query/use-statistics.ts'
import { WebEvents } from './web-events.tsx'
import { pageParts, WEB, type WEB_FACETS, WEB_FIGURES, type WebFigure, webParts } from './web-parts.ts'
import { webTexts } from './web-texts.ts'

const DEFAULTS = { range: '-7d', compare: 'previous' } as const
const FACETS = ['risk', 'group', 'page', 'model', 'os', 'version'] as const satisfies readonly (
  | (typeof WEB_FACETS)[number]
  | 'page'
)[]

/** What pages report: risks, script errors, developer tools and the rest, by kind, page and browser, and the events themselves. */
export default function WebDefensePage() {
  const t = useTexts(webTexts)
  const state = useQueryState(DEFAULTS)
  const open = useOpenEvents(state)
  const { chart } = useHeights()
  const { query } = state
  const figure = WEB_FIGURES.find((one) => one === state.params.get('kpi')) ?? 'attacks'
  const result = useStatistics(query, webParts(figure), { paused: state.paused })
  const pages = useStatistics({ ...query, compare: 'none' }, pageParts(figure), {
    now: result.now,
    enabled: result.now !== undefined,
  })
  const events = useEventRows(narrowed(query, [WEB]), { now: result.now, enabled: result.now !== undefined })
  const totals = result.part('totals')
  const total = totals.kind === 'ready' ? (totals.answer.row[figure] ?? 0) : 0
  const additive = COUNT_MEASURES.some((one) => one === figure)
  const facets: Facets<(typeof FACETS)[number]> = {
    dimensions: FACETS,
    label: t,
    measure: figure,
    and: [WEB],
    total,
    additive,
  }
  const list = LIST_OF_MEASURE[figure]
  return (
    <StatisticsPage
      page="web_defense"
      title={t('title')}
      state={state}
      answer={result}
      links={
        <Link to={PAGES.guide.path} className="text-brand-text hover:underline max-lg:hidden">
          {t('setUp')}
        </Link>
      }
      exported={{
        query: list ? narrowed(query, [WEB]) : behind(query, figure, { and: [WEB] }),
        part: list ? entityPart(list, 'attacks', 200, 0) : { kind: 'rows' },
        title: `${t('title')} ${t(figure)}`,
        total,
      }}
      facets={facets}
      navigator={{ rows: events.rows, total: events.total }}
    >
      <MeasureFigures
        label={t('kpis')}
        measures={WEB_FIGURES}
        selected={figure}
        initial="attacks"
        state={state}
        answer={result}
        totals={totals}
        series={result.part('courses')}
        figureOf={(key, row) => ({
          label: t(key),
          bad: key === 'attacks' || key === 'exceptions' || key === 'attackedDevices',
          sub: subOf(key, row, t),
        })}
      />
      <TrendCard
        state={state}
        trend={useMemo(
          (): Trend => ({ ...measureTrend(t(figure), figure, additive), and: [WEB] }),
          [t, figure, additive],
        )}
        part={result.part('courses')}
        span={result.span}
        previous={result.previous}
        sectionState={result.state}
        height={chart - 20}
        onRows={open.openRows}
      />
      <PhoneAccordion title={t('facets')}>
        <FacetSection
          state={state}
          facets={facets}
          parts={(facet) => (facet === 'page' ? pages.part('page') : result.part(facet))}
          className="grid-cols-[repeat(auto-fit,minmax(15rem,1fr))] overflow-hidden"
        />
        <p className="border-b px-5 py-1.5 text-12 text-muted">{t('pageNote')}</p>
      </PhoneAccordion>
      <WebEvents state={state} list={events} open={open} />
    </StatisticsPage>
  )
}

function subOf(
  key: WebFigure,
  row: Measures,
  t: ReturnType<typeof useTexts<keyof (typeof webTexts)['entries'] & string>>,
): string {
  switch (key) {
    case 'events':
      return t('eventsSub', { count: row.starts ?? 0, number: formatNumber(row.starts ?? 0) })
    case 'attacks':
      return t('attacksSub', { blocked: formatNumber(row.blocked ?? 0), observed: formatNumber(row.observed ?? 0) })
    case 'exceptions':
      return t('exceptionsSub', { rate: row.starts ? rateText(perThousand(row.exceptions, row.starts)) : '–' })
    case 'devices':
      return t('devicesSub', { number: formatNumber(row.newDevices ?? 0) })
    case 'attackedDevices':
      return t('share', { share: formatPercent(row.devices ? (row.attackedDevices ?? 0) / row.devices : 0) })
    case 'users':
      return t('usersSub', { number: formatNumber(row.attackedUsers ?? 0) })
  }
}
