import { useCallback, useMemo } from 'react'
import { detectionTexts } from '#src/features/detection/parts/detection-texts.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { useActions } from '#src/shared/ui/actions.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { EmptyState } from '#src/shared/ui/empty-state.tsx'
import { ErrorState } from '#src/shared/ui/error-state.tsx'
import { Skeleton } from '#src/shared/ui/skeleton.tsx'
import { ItemFilters, NO_ITEM_FILTERS } from './item-filters.tsx'
import { ItemList } from './item-list.tsx'
import { ItemPanel } from './item-panel.tsx'
import { matches, readReportFilter, sortedItems } from './report-items.ts'
import type { PartProps } from './report-part.ts'
import { reportTexts } from './report-texts.ts'
import { useReportItems } from './use-report-items.ts'

const FIND_ID = 'detection-find'

/** The items at the left, the evidence of the chosen one at the right; a phone shows one of the two. j and k move, / searches. */
export function ItemsTab(props: PartProps) {
  const t = useTexts(reportTexts)
  const d = useTexts(detectionTexts)
  const { answer, summary, address } = props
  const filter = useMemo(() => readReportFilter(address.params), [address.params])
  const { items, isLoading, isStale, error, retry } = useReportItems(props, filter.find)
  const shown = useMemo(() => sortedItems(items.filter((one) => matches(one, filter))), [items, filter])
  const named = address.params.get('item')
  const current = items.find((one) => one.item.id === named) ?? shown[0]
  const { setParams } = address
  const choose = useCallback((id: string | null) => setParams({ item: id, finding: null }, true), [setParams])
  const move = (step: 1 | -1) => {
    const at = shown.findIndex((one) => one.item.id === current?.item.id)
    const next = shown[Math.min(shown.length - 1, Math.max(0, at + step))]
    if (!next) return
    choose(next.item.id)
    document.getElementById(`item-${next.item.id}`)?.scrollIntoView({ block: 'nearest' })
  }
  useActions([
    { id: 'report.next', label: t('next'), group: t('group'), keys: 'j', run: () => move(1) },
    { id: 'report.previous', label: t('previous'), group: t('group'), keys: 'k', run: () => move(-1) },
    {
      id: 'report.find',
      label: t('focusFind'),
      group: t('group'),
      keys: '/',
      run: () => document.getElementById(FIND_ID)?.focus(),
    },
  ])
  if (error && items.length === 0) return <ErrorState error={error} onRetry={retry} />
  if (isLoading) return <Skeleton lines={12} height="32px" className="py-4" />
  return (
    <>
      <div className={named ? 'max-lg:hidden' : ''}>
        <ItemFilters {...props} items={items} filter={filter} findId={FIND_ID} isStale={isStale} />
      </div>
      <div className="grid grid-cols-[minmax(0,0.9fr)_minmax(0,1.1fr)] items-start max-lg:grid-cols-1">
        <div className={named ? 'max-lg:hidden' : ''}>
          {shown.length > 0 ? (
            <ItemList items={shown} current={current?.item.id} onChoose={choose} />
          ) : filter.verdict === 'fail' && items.every((one) => one.verdict !== 'fail') && filter.find === '' ? (
            <EmptyState
              kind="none"
              title={t('noFailTitle')}
              hint={t('noFailHint', { pass: summary.verdicts.pass ?? 0, not: summary.verdicts.not_assessed ?? 0 })}
            />
          ) : (
            <EmptyState
              kind="filtered"
              title={t('noneTitle')}
              hint={filter.find === '' ? t('noneHint', { count: items.length }) : undefined}
              action={<Button onPress={() => address.setParams(NO_ITEM_FILTERS)}>{d('clear')}</Button>}
            />
          )}
        </div>
        {current && (
          <div
            className={`sticky top-0 min-w-0 border-l max-lg:static max-lg:border-l-0 ${named ? '' : 'max-lg:hidden'}`}
          >
            <ItemPanel
              key={current.item.id}
              task={answer.data}
              shown={current}
              address={address}
              onBack={() => choose(null)}
            />
          </div>
        )}
      </div>
    </>
  )
}
