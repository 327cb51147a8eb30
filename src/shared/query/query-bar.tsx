import { ListFilter } from 'lucide-react'
import { useState } from 'react'
import type { Span } from '#domain/time-range.ts'
import { useLanguage, useTexts } from '../i18n/texts.ts'
import { usePlatform } from '../session/platform-store.ts'
import { Button } from '../ui/button.tsx'
import { FilterChips } from './filter-chips.tsx'
import { ageText, LiveControl, useSecond } from './live-control.tsx'
import { ApplicationSelect, CompareSelect } from './query-selects.tsx'
import { queryTexts } from './query-texts.ts'
import { reachesNow, spanLabel } from './range-text.ts'
import { TimeRangeControl } from './time-range-control.tsx'
import type { QueryState } from './use-query-state.ts'

/**
 * The bar under a page's title: live or paused, time, application, comparison, filters, the exact span. On a phone the range is shown
 * beside one button that unfolds the rest.
 */
export function QueryBar({
  state,
  dataAt,
  span,
  stale = false,
  compare = true,
}: {
  state: QueryState
  dataAt: number | undefined
  span: Span | undefined
  stale?: boolean
  /** False where nothing shows an earlier period. */
  compare?: boolean
}) {
  const t = useTexts(queryTexts)
  const language = useLanguage()
  const zone = usePlatform((platform) => platform.zone)
  const [unfolded, setUnfolded] = useState(false)
  const count = state.query.filters.filter((one) => one.field !== 'app' || one.op === 'not').length
  return (
    <div className="flex min-h-11 flex-none flex-wrap items-center gap-2 border-b px-5 pb-3 max-lg:px-4">
      {reachesNow(state.query.range) && (
        <span className={unfolded ? '' : 'max-sm:hidden'}>
          <LiveControl
            paused={state.paused}
            onChange={(paused) => state.setParams({ paused: paused ? '1' : null }, true)}
            dataAt={dataAt}
            connected={!stale}
          />
        </span>
      )}
      <TimeRangeControl range={state.query.range} onChange={(range) => state.set({ range })} />
      <span className="sm:hidden">
        <Button icon={ListFilter} onPress={() => setUnfolded(!unfolded)}>
          {t('filter')}{' '}
          {count > 0 && <span className="ml-1 rounded-[3px] bg-selected px-1 text-brand-text">{count}</span>}
        </Button>
      </span>
      <div className={`flex min-w-0 flex-wrap items-center gap-2 ${unfolded ? '' : 'max-sm:hidden'}`}>
        <ApplicationSelect state={state} />
        {compare && <CompareSelect state={state} />}
        <FilterChips state={state} />
      </div>
      {stale && dataAt !== undefined && <StaleMark at={dataAt} />}
      <span className={`@container min-w-0 flex-1 text-right text-12 text-muted ${unfolded ? '' : 'max-sm:hidden'}`}>
        {span && (
          <span className="hidden whitespace-nowrap @min-[13rem]:inline">{spanLabel(span, language, zone)}</span>
        )}
      </span>
    </div>
  )
}

function StaleMark({ at }: { at: number }) {
  const t = useTexts(queryTexts)
  const now = useSecond()
  return <span className="text-warn-text">{t('stale', { age: ageText(now - at) })}</span>
}
