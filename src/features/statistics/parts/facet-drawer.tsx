import { useState } from 'react'
import type { Dimension } from '#domain/query.ts'
import { chartTexts } from '#src/shared/charts/chart-texts.ts'
import { FacetBars } from '#src/shared/charts/facet-bars.tsx'
import { formatExact } from '#src/shared/format/number.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { isFiltered } from '#src/shared/query/query-url.ts'
import type { QueryState } from '#src/shared/query/use-query-state.ts'
import { useStatistics } from '#src/shared/query/use-statistics.ts'
import { useNameOf } from '#src/shared/query/value-names.ts'
import { Drawer } from '#src/shared/ui/drawer.tsx'
import { ErrorState } from '#src/shared/ui/error-state.tsx'
import { Skeleton } from '#src/shared/ui/skeleton.tsx'
import { TextField } from '#src/shared/ui/text-field.tsx'
import { analysisTexts } from './analysis-texts.ts'
import { type Facets, facetItems } from './facet-section.tsx'

const ALL_ROWS = 200

/** All values of the facet that the address names (the 200 most frequent), found by typing; picking one filters the page. */
export function FacetDrawer<D extends Dimension>({
  state,
  facets,
  now,
}: {
  state: QueryState
  facets: Facets<D>
  now: number | undefined
}) {
  const t = useTexts(analysisTexts)
  const c = useTexts(chartTexts)
  const nameOf = useNameOf()
  const [text, setText] = useState('')
  const facet = facets.dimensions.find((one) => one === state.params.get('facet'))
  const { measure, and = [] } = facets
  const query = facets.show === 'change' ? state.query : { ...state.query, compare: 'none' as const }
  const result = useStatistics(
    query,
    { all: { kind: 'top', by: facet ?? 'version', measures: [measure], limit: ALL_ROWS, and: [...and] } },
    { now, enabled: facet !== undefined },
  )
  const part = result.part('all')
  if (!facet) return null
  const typed = text.trim().toLowerCase()
  const items =
    part.kind === 'ready' ? facetItems(facet, part.answer, facets, nameOf, (count) => c('others', { count })) : []
  return (
    <Drawer
      isOpen
      onClose={() => state.setParams({ facet: null })}
      title={
        <>
          {facets.label(facet)}{' '}
          {part.kind === 'ready' && (
            <span className="text-12 font-normal text-muted">
              {part.answer.groupCount > ALL_ROWS
                ? t('firstOf', { shown: ALL_ROWS, count: part.answer.groupCount })
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
            label={facets.label(facet)}
            items={items.filter((item) => !typed || item.label.toLowerCase().includes(typed))}
            onPick={(key, exclude) => state.pick(facet, key, exclude)}
            picked={(key) => isFiltered(state.query.filters, facet, key)}
          />
        )}
      </div>
    </Drawer>
  )
}
