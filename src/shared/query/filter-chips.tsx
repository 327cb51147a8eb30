import type { ReactNode } from 'react'
import { useTexts } from '../i18n/texts.ts'
import { useActions } from '../ui/actions.ts'
import { Chip } from '../ui/chip.tsx'
import { AddFilter } from './add-filter.tsx'
import { queryTexts } from './query-texts.ts'
import type { QueryState } from './use-query-state.ts'
import { useFilterText } from './value-names.ts'

/** Every filter that is on, each removable, with 'clear all' and Ctrl+Z; the single application has its own control. */
export function FilterChips({ state, children }: { state: QueryState; children?: ReactNode }) {
  const t = useTexts(queryTexts)
  const filterText = useFilterText()
  const { filters } = state.query
  const shown = filters
    .map((filter, index) => ({ filter, index }))
    .filter(({ filter }) => filter.field !== 'app' || filter.op === 'not' || filter.values.length > 1)
  useActions([
    {
      id: 'query.undo',
      label: t('undo'),
      group: t('group'),
      keys: 'Mod+z',
      isDisabled: !state.undo,
      run: () => state.undo?.(),
    },
    {
      id: 'query.clear',
      label: t('clear'),
      group: t('group'),
      isDisabled: shown.length === 0,
      run: state.clearFilters,
    },
  ])
  return (
    <>
      {shown.map(({ filter, index }) => (
        <Chip key={JSON.stringify(filter)} onRemove={() => state.removeFilter(index)}>
          {filterText(filter)}
        </Chip>
      ))}
      {children}
      <AddFilter state={state} />
      {shown.length > 1 && (
        <button
          type="button"
          className="h-7 rounded-small px-1.5 text-12 text-brand-text hover:bg-hover"
          onClick={state.clearFilters}
        >
          {t('clear')}
        </button>
      )}
    </>
  )
}
