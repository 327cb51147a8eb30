import { EventDrawers } from '#src/shared/events/event-drawers.tsx'
import { useOpenEvents } from '#src/shared/events/use-open-events.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { CopyLink } from '#src/shared/query/copy-link.tsx'
import { QueryBar } from '#src/shared/query/query-bar.tsx'
import { BasisSelect } from '#src/shared/query/query-selects.tsx'
import { SavedViews } from '#src/shared/query/saved-views.tsx'
import { useQueryState } from '#src/shared/query/use-query-state.ts'
import { useStatistics } from '#src/shared/query/use-statistics.ts'
import { PageTitle } from '#src/shared/ui/page-title.tsx'
import { analysisTexts } from './analysis-texts.ts'
import type { Entity } from './entity-columns.tsx'
import { EntityList } from './entity-list.tsx'

const PAGE_SIZE = 100

/** The whole list behind a figure of user analysis, with the same query. */
export function EntityPage({ entity }: { entity: Entity }) {
  const t = useTexts(analysisTexts)
  const state = useQueryState({ range: '-24h' })
  const open = useOpenEvents(state)
  // The count fixes the `now` that all pages of the list share until the next refresh.
  const result = useStatistics(
    { ...state.query, compare: 'none' },
    { totals: { kind: 'total', measures: [entity === 'user' ? 'attackedUsers' : 'devices'] } },
    { paused: state.paused || state.params.has('rows') },
  )
  return (
    <div className="flex h-full min-h-0 flex-col bg-surface">
      <PageTitle
        title={t(entity === 'user' ? 'attackedUsers' : 'activeDevices')}
        note={<BasisSelect state={state} />}
        actions={
          <>
            <CopyLink state={state} />
            <SavedViews state={state} page={entity === 'user' ? 'user_num' : 'analyzer_system'} />
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
        entity={entity}
        open={open}
        now={result.now}
        pageSize={PAGE_SIZE}
        wide
        maxHeight="calc(100vh - 296px)"
      />
      <EventDrawers state={state} now={result.now} />
    </div>
  )
}
