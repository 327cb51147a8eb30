import { List, Map as MapIcon } from 'lucide-react'
import type { AnswerOf, Measure } from '#domain/query.ts'
import { ChinaMap } from '#src/shared/charts/china-map.tsx'
import { FacetBars, type FacetItem } from '#src/shared/charts/facet-bars.tsx'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { CardState } from '#src/shared/query/card-state.tsx'
import { queryTexts } from '#src/shared/query/query-texts.ts'
import { isFiltered } from '#src/shared/query/query-url.ts'
import type { QueryState } from '#src/shared/query/use-query-state.ts'
import type { PartState } from '#src/shared/query/use-statistics.ts'
import { useNameOf } from '#src/shared/query/value-names.ts'
import { Section, type SectionState } from '#src/shared/ui/section.tsx'
import { SegmentedControl } from '#src/shared/ui/segmented-control.tsx'
import { analysisTexts } from './analysis-texts.ts'
import { type OriginRow, originRows } from './origin-rows.ts'

const MAP_ROWS = 6
const LIST_ROWS = 40

/** Where it came from: provinces shaded and ranked, then abroad and no place. A row or province filters, Shift excludes. */
export function OriginSection({
  state,
  measure,
  title,
  additive,
  provinces,
  countries,
  abroad,
  sectionState,
}: {
  state: QueryState
  measure: Measure
  /** Name of what is counted. */
  title: string
  /** Counts events, which add up over places. */
  additive: boolean
  provinces: PartState<'top'>
  countries: PartState<'top'>
  abroad: PartState<'total'>
  sectionState: SectionState
}) {
  const t = useTexts(analysisTexts)
  const asList = state.params.get('origins') === 'list'
  const failed = provinces.kind !== 'ready' ? provinces : countries.kind !== 'ready' ? countries : abroad
  const empty = provinces.kind === 'ready' && provinces.answer.groups.length === 0
  const heading = measure === 'attacks' ? t('attackOrigins') : t('origins', { title })
  return (
    <Section
      plain
      title={heading}
      note={t('originsNote')}
      state={failed.kind === 'loading' ? 'loading' : sectionState}
      actions={
        <SegmentedControl
          size="small"
          iconOnly
          label={t('view')}
          value={asList ? 'list' : 'map'}
          onChange={(next) => state.setParams({ origins: next === 'list' ? 'list' : null }, true)}
          items={[
            { id: 'map', label: t('map'), icon: MapIcon },
            { id: 'list', label: t('list'), icon: List },
          ]}
        />
      }
    >
      <CardState part={failed} state={state} isEmpty={empty} measure={measure} minHeight={220}>
        {provinces.kind === 'ready' && countries.kind === 'ready' && abroad.kind === 'ready' && (
          <Origins
            state={state}
            measure={measure}
            title={heading}
            parts={{ provinces: provinces.answer, countries: countries.answer, abroad: abroad.answer }}
            additive={additive}
            asList={asList}
          />
        )}
      </CardState>
    </Section>
  )
}

function Origins({
  state,
  measure,
  title,
  parts,
  additive,
  asList,
}: {
  state: QueryState
  measure: Measure
  title: string
  parts: { provinces: AnswerOf<'top'>; countries: AnswerOf<'top'>; abroad: AnswerOf<'total'> }
  additive: boolean
  asList: boolean
}) {
  const t = useTexts(analysisTexts)
  const q = useTexts(queryTexts)
  const nameOf = useNameOf()
  const rows = originRows(parts, measure, { shown: asList ? LIST_ROWS : MAP_ROWS, additive })
  const labels: Record<Exclude<OriginRow['kind'], 'province' | 'others'>, string> = {
    unknown: t('noProvince'),
    abroad: q('abroad'),
    none: q('noPlace'),
  }
  const items: FacetItem[] = rows.map((row) => ({
    key: row.kind === 'province' ? row.code : row.kind,
    label:
      row.kind === 'province'
        ? nameOf('province', row.code)
        : row.kind === 'others'
          ? t('otherProvinces', { count: row.provinces })
          : labels[row.kind],
    value: row.value,
    rest: row.kind === 'others',
    aside: row.kind === 'abroad' || row.kind === 'none' || row.kind === 'unknown',
  }))
  const pick = (key: string, exclude: boolean) => {
    if (key === 'none') state.pick('country', '', exclude)
    else if (key === 'abroad') state.pick('country', ['CN', ''], !exclude)
    else if (key === 'unknown')
      state.set({
        filters: [
          ...state.query.filters,
          { field: 'country', op: 'is', values: ['CN'] },
          { field: 'province', op: exclude ? 'not' : 'is', values: [''] },
        ],
      })
    else state.pick('province', key, exclude)
  }
  const list = (
    <FacetBars
      label={title}
      items={items}
      onPick={pick}
      picked={(key) => isFiltered(state.query.filters, 'province', key)}
    />
  )
  if (asList) return <div className="max-h-80 overflow-auto px-4 pb-3">{list}</div>
  const values = new Map(parts.provinces.groups.map((group) => [group.key, group.row[measure] ?? 0]))
  return (
    <div className="grid grid-cols-[minmax(0,1.5fr)_minmax(0,1fr)] gap-3 px-4 pb-2">
      <ChinaMap
        values={values}
        title={title}
        nameOf={(code) => nameOf('province', code)}
        onPick={(code, exclude) => state.pick('province', code, exclude)}
      />
      {list}
    </div>
  )
}
