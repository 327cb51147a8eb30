import { Link } from 'react-router-dom'
import { PAGES, type PageName } from '#contracts/pages.ts'
import { EventDrawers } from '#src/shared/events/event-drawers.tsx'
import { useOpenEvents } from '#src/shared/events/use-open-events.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { CopyLink } from '#src/shared/query/copy-link.tsx'
import { QueryBar } from '#src/shared/query/query-bar.tsx'
import { BasisSelect } from '#src/shared/query/query-selects.tsx'
import { carryQuery } from '#src/shared/query/query-url.ts'
import { SavedViews } from '#src/shared/query/saved-views.tsx'
import { useQueryState } from '#src/shared/query/use-query-state.ts'
import { useStatistics } from '#src/shared/query/use-statistics.ts'
import { PageTitle } from '#src/shared/ui/page-title.tsx'
import { SegmentedControl } from '#src/shared/ui/segmented-control.tsx'
import { analysisTexts } from './analysis-texts.ts'
import { EntityList } from './entity-list.tsx'
import { ENTITY_LISTS, type EntityListName, PAGE_LISTS } from './entity-lists.ts'

const PAGE_SIZE = 100

/** The whole list behind a figure of the statistics, with the same query; `list` in the address chooses among the page's own. */
export function EntityPage({ page }: { page: PageName & keyof typeof PAGE_LISTS }) {
  const t = useTexts(analysisTexts)
  const state = useQueryState({ range: '-24h' })
  const open = useOpenEvents(state)
  const lists: readonly EntityListName[] = PAGE_LISTS[page]
  const list = lists.find((one) => one === state.params.get('list')) ?? (lists[0] as EntityListName)
  const { measure, and } = ENTITY_LISTS[list]
  // The count fixes the `now` that all pages of the list share until the next refresh.
  const result = useStatistics(
    { ...state.query, compare: 'none' },
    { totals: { kind: 'total', measures: [measure], and: [...and] } },
    { paused: state.paused || state.params.has('rows') },
  )
  return (
    <div className="flex h-full min-h-0 flex-col bg-surface">
      <PageTitle
        title={t(list)}
        note={<BasisSelect state={state} />}
        actions={
          <>
            {page === 'abnormal_devices' && (
              <Link
                to={`${PAGES.abnormal_periods.path}?${carryQuery(state.query)}`}
                className="text-brand-text hover:underline"
              >
                {t('allPeriods')}
              </Link>
            )}
            <CopyLink state={state} />
            <SavedViews state={state} page={page} />
          </>
        }
      />
      <QueryBar
        state={state}
        dataAt={result.dataAt}
        span={result.span}
        stale={result.state === 'stale'}
        compare={false}
      />
      <EntityList
        state={state}
        list={list}
        open={open}
        now={result.now}
        pageSize={PAGE_SIZE}
        wide
        maxHeight="calc(100vh - 296px)"
        {...(lists.length > 1 && {
          heading: (
            <SegmentedControl
              size="small"
              label={t('which')}
              value={list}
              onChange={(next) => state.setParams({ list: next === lists[0] ? null : next, page: null, sort: null })}
              items={lists.map((id) => ({ id, label: t(id) }))}
            />
          ),
        })}
      />
      <EventDrawers state={state} now={result.now} />
    </div>
  )
}
