import type { ReactNode } from 'react'
import type { AnswerOf, Measure } from '#domain/query.ts'
import type { Span } from '#domain/time-range.ts'
import { Delta } from '#src/shared/charts/delta.tsx'
import { Sparkline } from '#src/shared/charts/sparkline.tsx'
import { isPartial, layOut } from '#src/shared/charts/time-series.ts'
import { formatExact, formatPercent } from '#src/shared/format/number.ts'
import { usePlatform } from '#src/shared/session/platform-store.ts'
import { Num } from '#src/shared/ui/num.tsx'
import { Skeleton } from '#src/shared/ui/skeleton.tsx'

export type Figure<Key extends string = string> = {
  key: Key
  label: string
  value: number
  /** Of the earlier period; absent where nothing is compared. */
  before?: number | undefined
  /** Growth is bad news. */
  bad?: boolean
  /** A share between 0 and 1, or a rate with two decimals; else a count. */
  as?: 'share' | 'rate'
  sub: ReactNode
  course?: ReactNode
}

/** Columns by number of figures; a phone has two, a tablet three or four. */
const COLUMNS: Record<number, string> = {
  4: 'grid-cols-4 max-lg:grid-cols-4 max-sm:grid-cols-2',
  5: 'grid-cols-5 max-lg:grid-cols-3 max-sm:grid-cols-2',
  6: 'grid-cols-6 max-lg:grid-cols-3 max-sm:grid-cols-2',
  8: 'grid-cols-8 max-xl:grid-cols-4 max-sm:grid-cols-2',
}

/** Figures with the earlier period and their course; choosing one switches the page to it. */
export function FigureRow<Key extends string>({
  label,
  figures,
  selected,
  onSelect,
  stale,
  error,
}: {
  label: string
  /** Absent values (undefined list) show as skeletons of `count`. */
  figures: readonly Figure<Key>[] | { count: number }
  selected: Key | null
  onSelect: (key: Key) => void
  stale: boolean
  error?: Error | undefined
}) {
  const count = 'count' in figures ? figures.count : figures.length
  return (
    <div
      role="radiogroup"
      aria-label={label}
      className={`grid flex-none overflow-hidden border-b ${COLUMNS[count] ?? COLUMNS[6]} ${stale ? 'stale' : ''}`}
    >
      {'count' in figures
        ? Array.from({ length: count }, (_, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: empty placeholders
            <div key={index} className={`${CELL} pt-3`}>
              {error ? (
                index === 0 && <span className="text-12 text-bad-text">{error.message}</span>
              ) : (
                <Skeleton lines={3} height="16px" width="60%" />
              )}
            </div>
          ))
        : figures.map((figure) => (
            <FigureCell
              key={figure.key}
              figure={figure}
              isSelected={figure.key === selected}
              onSelect={() => onSelect(figure.key)}
              crowded={count > 6}
            />
          ))}
    </div>
  )
}

const CELL =
  'relative min-h-24 min-w-0 border-r border-b pr-3 pb-2 pl-4 -mb-px -mr-px text-left lg:first:pl-5 max-sm:min-h-20'

function FigureCell({
  figure,
  isSelected,
  onSelect,
  crowded,
}: {
  figure: Figure
  isSelected: boolean
  onSelect: () => void
  /** Too many beside each other for courses, where the window is not wide. */
  crowded: boolean
}) {
  const { key, label, value, before, bad = false, as, sub, course } = figure
  return (
    // biome-ignore lint/a11y/useSemanticElements: a figure is chosen, not filled in
    <button
      type="button"
      role="radio"
      aria-checked={isSelected}
      onClick={onSelect}
      className={`group ${CELL} flex flex-col justify-start pt-3 -outline-offset-2 hover:bg-hover`}
    >
      <span className="block text-12 text-muted group-aria-checked:font-semibold group-aria-checked:text-brand-text">
        {label}
      </span>
      <span className={`absolute top-3 right-3 max-xl:scale-90 max-sm:scale-75 ${crowded ? 'max-2xl:hidden' : ''}`}>
        {course}
      </span>
      <span className="flex flex-wrap items-baseline gap-x-2">
        <span data-testid={`kpi-${key}`} data-value={value} className="text-28/8 tracking-[-0.01em] max-sm:text-20/7">
          {as === 'share' ? formatPercent(value) : as === 'rate' ? rateText(value) : <Num value={value} />}
        </span>
        {before !== undefined && <Delta now={value} before={before} bad={bad} />}
      </span>
      <span
        className="text-clip-line -mr-2.5 block self-stretch text-12 text-muted"
        {...(typeof sub === 'string' && { title: sub })}
      >
        {sub}
      </span>
      <span
        aria-hidden
        className="absolute inset-x-0 bottom-0 h-0.5 bg-brand opacity-0 group-aria-checked:opacity-100"
      />
    </button>
  )
}

/** A rate for people: two decimals below 10, one below 100. */
export function rateText(value: number): string {
  if (!Number.isFinite(value)) return '–'
  return value < 100 ? value.toFixed(value < 10 ? 2 : 1) : formatExact(Math.round(value))
}

/** Per 1,000 of something; 0 of nothing. */
export function perThousand(count: number | undefined, of: number | undefined): number {
  return of ? ((count ?? 0) * 1000) / of : 0
}

/** The course of one measure in a series, small. */
export function Course({
  answer,
  measure,
  span,
  previous,
}: {
  answer: AnswerOf<'series'>
  measure: Measure
  span: Span
  previous: Span | null
}) {
  const zone = usePlatform((state) => state.zone)
  const series = layOut(answer, measure, span, previous, zone)
  // Partial buckets at the ends would look like a fall.
  const whole = (_: number, slot: number) => !isPartial(series, slot)
  return <Sparkline values={series.totals.filter(whole)} previous={series.previous?.filter(whole) ?? null} />
}
