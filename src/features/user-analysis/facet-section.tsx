import { useState } from 'react'
import type { AnswerOf, Dimension, Measure, Query } from '#contracts/query.ts'
import { chartTexts } from '#src/shared/charts/chart-texts.ts'
import { FacetBars, type FacetItem } from '#src/shared/charts/facet-bars.tsx'
import { formatExact } from '#src/shared/format/number.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { isFiltered } from '#src/shared/query/query-url.ts'
import type { QueryState } from '#src/shared/query/use-query-state.ts'
import { type PartState, useStatistics } from '#src/shared/query/use-statistics.ts'
import { type NameOf, useNameOf } from '#src/shared/query/value-names.ts'
import { Drawer } from '#src/shared/ui/drawer.tsx'
import { ErrorState } from '#src/shared/ui/error-state.tsx'
import { Skeleton } from '#src/shared/ui/skeleton.tsx'
import { TextField } from '#src/shared/ui/text-field.tsx'
import { analysisTexts } from './analysis-texts.ts'

export const FACETS = ['version', 'channel', 'os', 'model'] as const satisfies readonly Dimension[]
export type Facet = (typeof FACETS)[number]
export const FACET_ROWS = 4
const ALL_ROWS = 200

/** Four ranked lists of one figure: versions, channels, systems, models. */
export function FacetSection({
  state,
  measure,
  total,
  additive,
  parts,
}: {
  state: QueryState
  measure: Measure
  /** What the shares are of. */
  total: number
  /** Counts events; users and devices may stand in several lines. */
  additive: boolean
  parts: (facet: Facet) => PartState<'top'>
}) {
  const t = useTexts(analysisTexts)
  return (
    <div
      title={additive ? undefined : t('countOnce')}
      className="grid flex-1 grid-cols-2 border-t max-[479px]:grid-cols-1"
    >
      {FACETS.map((facet) => (
        <FacetCard key={facet} facet={facet} state={state} measure={measure} total={total} part={parts(facet)} />
      ))}
    </div>
  )
}

function FacetCard({
  facet,
  state,
  measure,
  total,
  part,
}: {
  facet: Facet
  state: QueryState
  measure: Measure
  total: number
  part: PartState<'top'>
}) {
  const t = useTexts(analysisTexts)
  const c = useTexts(chartTexts)
  const nameOf = useNameOf()
  return (
    <section className="min-w-0 border-r border-b px-4 pt-2 pb-2 -mb-px nth-[2n]:border-r-0">
      <h2 className="mb-0.5 flex justify-between px-1.5 text-13/6 font-semibold">
        {t(facet)}
        {part.kind === 'ready' && part.answer.groupCount > FACET_ROWS && (
          <button
            type="button"
            className="text-12 font-normal text-brand-text hover:underline"
            onClick={() => state.setParams({ facet })}
          >
            {c('all', { count: formatExact(part.answer.groupCount) as never })}
          </button>
        )}
      </h2>
      {part.kind === 'ready' ? (
        part.answer.groups.length > 0 ? (
          <FacetBars
            label={t(facet)}
            items={facetItems(facet, part.answer, measure, total, nameOf, (count) =>
              c('others', { count: formatExact(count) as never }),
            )}
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

/** Rows of a ranked list with shares; the rest as a line with a number where the measure adds up. */
function facetItems(
  facet: Dimension,
  answer: AnswerOf<'top'>,
  measure: Measure,
  total: number,
  nameOf: NameOf,
  others: (count: number) => string,
): FacetItem[] {
  const share = (value: number) => (total > 0 ? value / total : 0)
  const items: FacetItem[] = answer.groups.map(({ key, row }) => ({
    key,
    label: nameOf(facet, key),
    value: row[measure] ?? 0,
    share: share(row[measure] ?? 0),
  }))
  const rest = answer.others[measure]
  const left = answer.groupCount - answer.groups.length
  if (left > 0)
    items.push({
      key: ' rest',
      label: others(left),
      value: rest ?? null,
      ...(rest !== undefined && { share: share(rest) }),
      rest: true,
    })
  return items
}

/** All values of a facet (the 200 most frequent), found by typing; picking one filters the page. */
export function FacetDrawer({
  state,
  query,
  measure,
  total,
  now,
}: {
  state: QueryState
  query: Query
  measure: Measure
  total: number
  now: number | undefined
}) {
  const t = useTexts(analysisTexts)
  const c = useTexts(chartTexts)
  const nameOf = useNameOf()
  const [text, setText] = useState('')
  const facet = FACETS.find((one) => one === state.params.get('facet'))
  const result = useStatistics(
    { ...query, compare: 'none' },
    { all: { kind: 'top', by: facet ?? 'version', measures: [measure], limit: ALL_ROWS } },
    { now, enabled: facet !== undefined },
  )
  const part = result.part('all')
  if (!facet) return null
  const close = () => state.setParams({ facet: null })
  const typed = text.trim().toLowerCase()
  const items =
    part.kind === 'ready'
      ? facetItems(facet, part.answer, measure, total, nameOf, (count) =>
          c('others', { count: formatExact(count) as never }),
        )
      : []
  return (
    <Drawer
      isOpen
      onClose={close}
      title={
        <>
          {t(facet)}{' '}
          {part.kind === 'ready' && (
            <span className="text-12 font-normal text-muted">
              {part.answer.groupCount > ALL_ROWS
                ? t('firstOf', { shown: ALL_ROWS, count: formatExact(part.answer.groupCount) as never })
                : formatExact(part.answer.groupCount)}
            </span>
          )}
        </>
      }
    >
      <div className="flex flex-col gap-3 p-5">
        <TextField
          label={t('find')}
          hideLabel
          placeholder={t('find')}
          value={text}
          onChange={setText}
          autoFocus
          autoComplete="off"
        />
        {part.kind === 'error' ? (
          <ErrorState error={part.error} onRetry={part.retry} />
        ) : part.kind === 'loading' ? (
          <Skeleton lines={10} height="20px" />
        ) : (
          <FacetBars
            label={t(facet)}
            items={items.filter((item) => !typed || item.label.toLowerCase().includes(typed))}
            onPick={(key, exclude) => state.pick(facet, key, exclude)}
            picked={(key) => isFiltered(state.query.filters, facet, key)}
          />
        )}
      </div>
    </Drawer>
  )
}
