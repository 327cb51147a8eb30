import type { AnswerOf, Dimension, Filter, Measure } from '#domain/query.ts'
import { LEVELS, type Level } from '#domain/vocabulary.ts'
import { chartTexts } from '#src/shared/charts/chart-texts.ts'
import { FacetBars, type FacetItem } from '#src/shared/charts/facet-bars.tsx'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { isFiltered } from '#src/shared/query/query-url.ts'
import type { QueryState } from '#src/shared/query/use-query-state.ts'
import type { PartState } from '#src/shared/query/use-statistics.ts'
import { type NameOf, useNameOf } from '#src/shared/query/value-names.ts'
import { LevelMark } from '#src/shared/ui/level-mark.tsx'
import { Skeleton } from '#src/shared/ui/skeleton.tsx'
import { analysisTexts } from './analysis-texts.ts'
import { ChangeText } from './change-text.tsx'

/** Ranked lists of one figure, a dimension each: shares, or changes where an earlier period is compared. */
export type Facets<D extends Dimension = Dimension> = {
  dimensions: readonly D[]
  /** Names of the lists. */
  label: (facet: D) => string
  measure: Measure
  /** The parts' own filters, for the list of all values. */
  and?: readonly Filter[]
  /** What the shares are of. */
  total: number
  /** Counts events; users and devices may stand in several lines. */
  additive: boolean
  /** Shares, or the change of each value. */
  show?: 'share' | 'change'
}

export function FacetSection<D extends Dimension>({
  state,
  facets,
  parts,
  className,
}: {
  state: QueryState
  facets: Facets<D>
  parts: (facet: D) => PartState<'top'>
  /** Grid columns. */
  className: string
}) {
  const t = useTexts(analysisTexts)
  return (
    <div title={facets.additive ? undefined : t('countOnce')} className={`grid flex-1 border-t ${className}`}>
      {facets.dimensions.map((facet) => (
        <FacetCard key={facet} facet={facet} state={state} facets={facets} part={parts(facet)} />
      ))}
    </div>
  )
}

function FacetCard<D extends Dimension>({
  facet,
  state,
  facets,
  part,
}: {
  facet: D
  state: QueryState
  facets: Facets<D>
  part: PartState<'top'>
}) {
  const c = useTexts(chartTexts)
  const nameOf = useNameOf()
  const title = facets.label(facet)
  return (
    <section className="min-w-0 border-r border-b px-4 pt-2 pb-2 -mr-px -mb-px">
      <h2 className="mb-0.5 flex justify-between px-1.5 text-13/6 font-semibold">
        {title}
        {part.kind === 'ready' && part.answer.groupCount > part.answer.groups.length && (
          <button
            type="button"
            className="text-12 font-normal text-brand-text hover:underline"
            onClick={() => state.setParams({ facet })}
          >
            {c('all', { count: part.answer.groupCount })}
          </button>
        )}
      </h2>
      {part.kind === 'ready' ? (
        part.answer.groups.length > 0 ? (
          <FacetBars
            label={title}
            items={facetItems(facet, part.answer, facets, nameOf, (count) => c('others', { count }))}
            onPick={(key, exclude) => state.pick(facet, key, exclude)}
            picked={(key) => isFiltered(state.query.filters, facet, key)}
          />
        ) : (
          <p className="px-1.5 py-2 text-12 text-muted">{c('nothing')}</p>
        )
      ) : part.kind === 'error' ? (
        <p className="px-1.5 py-2 text-12 text-bad-text">{part.error.message}</p>
      ) : (
        <Skeleton lines={5} height="18px" className="px-1.5" />
      )}
    </section>
  )
}

/** Rows of a ranked list with shares or changes; the rest as a line with a number where the measure adds up. */
export function facetItems(
  facet: Dimension,
  answer: AnswerOf<'top'>,
  { measure, total, show = 'share' }: Pick<Facets, 'measure' | 'total' | 'show'>,
  nameOf: NameOf,
  others: (count: number) => string,
): FacetItem[] {
  const beside = (value: number) => (show === 'share' ? { share: total > 0 ? value / total : 0 } : {})
  const items: FacetItem[] = answer.groups.map(({ key, row, previous }) => ({
    key,
    label: nameOf(facet, key),
    ...(facet === 'level' && key in LEVELS && { mark: <LevelMark level={key as Level} word={false} /> }),
    value: row[measure] ?? 0,
    ...beside(row[measure] ?? 0),
    ...(show === 'change' && {
      note: previous && <ChangeText now={row[measure] ?? 0} before={previous[measure] ?? 0} />,
    }),
  }))
  const rest = answer.others[measure]
  const left = answer.groupCount - answer.groups.length
  if (left > 0)
    items.push({
      key: ' rest',
      label: others(left),
      value: rest ?? null,
      ...(rest !== undefined && beside(rest)),
      ...(show === 'change' && { note: null }),
      rest: true,
    })
  return items
}
