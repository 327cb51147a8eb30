import { Link, useNavigate } from 'react-router-dom'
import { PAGES } from '#contracts/pages.ts'
import type { AnswerOf, Measure, Query } from '#domain/query.ts'
import { absoluteRange, type Span } from '#domain/time-range.ts'
import { ChangeText } from '#src/features/statistics/parts/change-text.tsx'
import { LIST_OF_MEASURE, listPath } from '#src/features/statistics/parts/entity-lists.ts'
import { perThousand, rateText } from '#src/features/statistics/parts/figure-row.tsx'
import { formatDateTime } from '#src/shared/format/time.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { CardState } from '#src/shared/query/card-state.tsx'
import { behind, narrowed } from '#src/shared/query/drill.ts'
import { carryQuery } from '#src/shared/query/query-url.ts'
import type { QueryState } from '#src/shared/query/use-query-state.ts'
import type { PartState } from '#src/shared/query/use-statistics.ts'
import { usePlatform } from '#src/shared/session/platform-store.ts'
import { Num } from '#src/shared/ui/num.tsx'
import { Section, type SectionState } from '#src/shared/ui/section.tsx'
import { SegmentedControl } from '#src/shared/ui/segmented-control.tsx'
import { COMPARED } from './attack-parts.ts'
import { attackTexts } from './attack-texts.ts'
import { CausesTable } from './causes-table.tsx'

export const CELL = 'h-9 border-b px-2 text-right first:pl-5 first:text-left last:pr-5'

/** Two periods side by side: their figures, or the values that explain the difference. Each number opens what it counts. */
export function PeriodsCard({
  state,
  totals,
  span,
  previous,
  now,
  sectionState,
  onRows,
}: {
  state: QueryState
  totals: PartState<'total'>
  span: Span | undefined
  previous: Span | null
  now: number | undefined
  sectionState: SectionState
  onRows: (query: Query) => void
}) {
  const t = useTexts(attackTexts)
  const shown = state.params.get('periods') === 'causes' ? 'causes' : 'figures'
  return (
    <Section
      plain
      title={t('periods')}
      state={totals.kind === 'loading' ? 'loading' : sectionState}
      actions={
        <>
          <Link
            to={`${PAGES.risk_triggers.path}?${carryQuery(narrowed(state.query, []))}`}
            className="pr-2 text-12 text-brand-text hover:underline"
          >
            {t('allTriggers')}
          </Link>
          <SegmentedControl
            size="small"
            label={t('shownAs')}
            value={shown}
            onChange={(next) => state.setParams({ periods: next === 'causes' ? next : null }, true)}
            items={[
              { id: 'figures', label: t('figures') },
              { id: 'causes', label: t('causes') },
            ]}
          />
        </>
      }
    >
      <CardState part={totals} state={state} isEmpty={false} minHeight={200}>
        {shown === 'causes' ? (
          <CausesTable state={state} now={now} />
        ) : (
          totals.kind === 'ready' &&
          span && <Figures query={state.query} totals={totals.answer} span={span} previous={previous} onRows={onRows} />
        )}
      </CardState>
    </Section>
  )
}

function Figures({
  query,
  totals: { row, previous: earlier },
  span,
  previous,
  onRows,
}: {
  query: Query
  totals: AnswerOf<'total'>
  span: Span
  previous: Span | null
  onRows: (query: Query) => void
}) {
  const t = useTexts(attackTexts)
  const zone = usePlatform((platform) => platform.zone)
  const navigate = useNavigate()
  const day = (at: number) => formatDateTime(at, zone, 'day', Date.now())
  const label = (one: Span) => `${day(one.from)} ~ ${day(one.to)}`
  const figure = (measure: Measure, value: number, within: Span) => {
    const rows = { ...query, range: absoluteRange(within) }
    const list = LIST_OF_MEASURE[measure]
    return (
      <button
        type="button"
        className="rounded-small hover:text-brand-text hover:underline"
        onClick={() =>
          list ? void navigate(listPath(list, { ...rows, compare: 'none' })) : onRows(behind(rows, measure))
        }
      >
        <Num value={value} />
      </button>
    )
  }
  const rate = perThousand(row.attacks, row.starts)
  const rateBefore = earlier && perThousand(earlier.attacks, earlier.starts)
  const head = 'h-8 border-b px-2 text-right text-12 font-normal text-muted first:pl-5 first:text-left last:pr-5'
  return (
    <table aria-label={t('periods')} className="w-full border-collapse">
      <thead>
        <tr>
          <th scope="col" className={head}>
            {t('figures')}
          </th>
          <th scope="col" className={head}>
            {label(span)}
          </th>
          {previous && (
            <>
              <th scope="col" className={head}>
                {label(previous)}
              </th>
              <th scope="col" className={head}>
                {t('change')}
              </th>
            </>
          )}
        </tr>
      </thead>
      <tbody>
        {COMPARED.map((measure) => (
          <tr key={measure} data-measure={measure}>
            <td className={CELL}>{t(measure)}</td>
            <td className={CELL}>{figure(measure, row[measure] ?? 0, span)}</td>
            {earlier && previous && (
              <>
                <td className={`${CELL} text-muted`}>{figure(measure, earlier[measure] ?? 0, previous)}</td>
                <td className={CELL}>
                  <ChangeText now={row[measure] ?? 0} before={earlier[measure] ?? 0} />
                </td>
              </>
            )}
          </tr>
        ))}
        <tr>
          <td className={CELL}>{t('perStarts')}</td>
          <td className={CELL}>{row.starts ? rateText(rate) : '–'}</td>
          {earlier && (
            <>
              <td className={`${CELL} text-muted`}>{earlier.starts ? rateText(rateBefore ?? 0) : '–'}</td>
              <td className={CELL}>
                <ChangeText now={rate} before={rateBefore ?? 0} />
              </td>
            </>
          )}
        </tr>
      </tbody>
    </table>
  )
}
