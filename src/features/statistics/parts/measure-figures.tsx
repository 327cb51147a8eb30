import type { Measure, Measures } from '#domain/query.ts'
import type { QueryState } from '#src/shared/query/use-query-state.ts'
import type { PartState } from '#src/shared/query/use-statistics.ts'
import { Course, type Figure, FigureRow } from './figure-row.tsx'
import type { PageAnswer } from './statistics-frame.tsx'

/** A figure but for what follows from its measure: key, sparkline, value and earlier value where they are plain counts. */
type FigureParts<K extends Measure> = Omit<Figure<K>, 'key' | 'course' | 'value' | 'before'> &
  Partial<Pick<Figure<K>, 'value' | 'before'>>

/** The figures of a page, one a measure, each with its sparkline; `kpi` in the address names the selected one. */
export function MeasureFigures<K extends Measure>({
  label,
  measures,
  selected,
  initial,
  state,
  answer,
  totals,
  series,
  figureOf,
}: {
  label: string
  measures: readonly K[]
  selected: K
  /** Selected while the address names none. */
  initial: K
  state: QueryState
  answer: PageAnswer
  totals: PartState<'total'>
  series: PartState<'series'>
  figureOf: (measure: K, row: Measures, before: Measures | undefined) => FigureParts<K>
}) {
  const { span, previous } = answer
  // A series without a measure has no sparkline for it; one without any point has flat ones.
  const hasSeries = (measure: K) =>
    series.kind === 'ready' &&
    (series.answer.points.length === 0 || series.answer.points.some(({ row }) => row[measure] !== undefined))
  const figures = (row: Measures, before: Measures | undefined) =>
    measures.map(
      (key): Figure<K> => ({
        key,
        value: row[key] ?? 0,
        before: before?.[key],
        ...figureOf(key, row, before),
        course: series.kind === 'ready' && span && hasSeries(key) && (
          <Course answer={series.answer} measure={key} span={span} previous={previous} />
        ),
      }),
    )
  return (
    <FigureRow
      label={label}
      figures={
        totals.kind === 'ready' ? figures(totals.answer.row, totals.answer.previous) : { count: measures.length }
      }
      selected={selected}
      onSelect={(key) => state.setParams({ kpi: key === initial ? null : key })}
      stale={answer.state === 'stale'}
      error={totals.kind === 'error' ? totals.error : undefined}
    />
  )
}
