import { FileCode2 } from 'lucide-react'
import { useMemo, useState } from 'react'
import type { ExceptionKind } from '#domain/exceptions.ts'
import type { Dimension, PartInput } from '#domain/query.ts'
import { DIMENSIONS } from '#domain/query.ts'
import { FacetDrawer } from '#src/features/statistics/parts/facet-drawer.tsx'
import { FacetSection, type Facets } from '#src/features/statistics/parts/facet-section.tsx'
import { TrendCard } from '#src/features/statistics/parts/trend-card.tsx'
import { EventDrawers } from '#src/shared/events/event-drawers.tsx'
import { useOpenEvents } from '#src/shared/events/use-open-events.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { CopyLink } from '#src/shared/query/copy-link.tsx'
import { narrowed } from '#src/shared/query/drill.ts'
import { QueryBar } from '#src/shared/query/query-bar.tsx'
import type { QueryState } from '#src/shared/query/use-query-state.ts'
import { useStatistics } from '#src/shared/query/use-statistics.ts'
import { CopyText } from '#src/shared/ui/copy-text.tsx'
import { EmptyState } from '#src/shared/ui/empty-state.tsx'
import { IconButton } from '#src/shared/ui/icon-button.tsx'
import { usePageSubject } from '#src/shared/ui/page-subject.ts'
import { PageTitle } from '#src/shared/ui/page-title.tsx'
import { AffectedCard } from './affected-card.tsx'
import { EventNavigator } from './event-navigator.tsx'
import { exceptionTexts } from './exception-texts.ts'
import { type GroupFacts, GroupFigures, GroupHead } from './group-head.tsx'
import { HistoryCard } from './history-card.tsx'
import { MEASURE_OF, ofGroup, ofKind, shortType } from './kinds.ts'
import { StackCard } from './stack-card.tsx'
import { SymbolsDialog } from './symbols-dialog.tsx'
import { TrailCard } from './trail-card.tsx'
import { TriageMenus } from './triage-menus.tsx'
import { useGroupEvent } from './use-group-event.ts'
import { VersionsCard } from './versions-card.tsx'

const FACETS = ['os', 'model', 'channel', 'version', 'province', 'network'] as const satisfies readonly Dimension[]
const FACET_ROWS = 4

/** One group: how often, whom, where, what it looked like, and what is done about it. All figures against one `now`. */
export function GroupBody({ kind, facts, state }: { kind: ExceptionKind; facts: GroupFacts; state: QueryState }) {
  const t = useTexts(exceptionTexts)
  const language = useLanguage()
  usePageSubject(shortType(facts.type) || facts.group.slice(0, 8))
  const [symbols, setSymbols] = useState(false)
  const open = useOpenEvents(state)
  const measure = MEASURE_OF[kind]
  const query = useMemo(() => ({ ...state.query, compare: 'none' as const }), [state.query])
  const and = useMemo(() => [ofKind(kind), ofGroup(facts.group)], [kind, facts.group])
  const top = (by: Dimension) =>
    ({ kind: 'top', by, measures: [measure], limit: FACET_ROWS, and }) as const satisfies PartInput
  const result = useStatistics(
    query,
    {
      here: { kind: 'total', measures: [measure, 'devices', 'users'], and },
      all: { kind: 'total', measures: [measure, 'devices', 'users'] },
      trend: { kind: 'series', measures: [measure], and },
      versions: { kind: 'series', measures: [measure], by: 'version', and },
      devices: { kind: 'entities', entity: 'device', sort: 'events', limit: 5, and },
      os: top('os'),
      model: top('model'),
      channel: top('channel'),
      version: top('version'),
      province: top('province'),
      network: top('network'),
    },
    { paused: state.paused || state.params.has('at') || state.params.has('rows') },
  )
  const here = result.part('here')
  const all = result.part('all')
  const total = here.kind === 'ready' ? (here.answer.row[measure] ?? 0) : 0
  const event = useGroupEvent(state, query, and, { now: result.now, span: result.span, total })
  const newest = facts.versions[0]?.version ?? ''
  const firstAt = Math.min(...facts.versions.map((version) => version.first_at))
  const facets: Facets<(typeof FACETS)[number]> = {
    dimensions: FACETS,
    label: (facet) => DIMENSIONS[facet][language],
    measure,
    and,
    total,
    additive: true,
  }
  const detail = (event.row?.extra['detail'] ?? {}) as Record<string, unknown>
  return (
    <div className="flex min-h-full flex-col bg-surface">
      <PageTitle
        title={t(`${kind}Group`)}
        note={<CopyText value={facts.group} />}
        actions={
          <>
            <CopyLink state={state} />
            <IconButton label={t('symbols')} icon={FileCode2} onPress={() => setSymbols(true)} />
            <TriageMenus groups={[{ ...facts, newest }]} />
          </>
        }
      />
      <GroupHead
        kind={kind}
        facts={facts}
        message={typeof detail['message'] === 'string' ? detail['message'] : ''}
        isNew={result.span !== undefined && firstAt >= result.span.from}
      />
      <QueryBar
        state={state}
        dataAt={result.dataAt}
        span={result.span}
        stale={result.state === 'stale'}
        compare={false}
      />
      <GroupFigures
        kind={kind}
        facts={facts}
        here={here.kind === 'ready' ? here.answer.row : {}}
        all={all.kind === 'ready' ? all.answer.row : {}}
      />
      <div className="grid flex-1 grid-cols-[minmax(0,1fr)_minmax(360px,31%)] max-lg:grid-cols-1">
        <div className="flex min-w-0 flex-col border-r max-lg:border-r-0">
          <EventNavigator event={event} query={query} onDetails={() => event.row && open.openEvent(event.row)} />
          {event.row ? (
            <>
              <StackCard row={event.row} state={state} />
              <TrailCard row={event.row} type={facts.type} />
            </>
          ) : (
            !event.isLoading && total === 0 && here.kind === 'ready' && <EmptyState kind="range" title={t('none')} />
          )}
          <div className="grid grid-cols-2 divide-x border-t border-b max-xl:grid-cols-1 max-xl:divide-x-0 max-xl:divide-y">
            <AffectedCard part={result.part('devices')} query={query} narrowed={narrowed(query, and)} />
            <HistoryCard appid={facts.appid} group={facts.group} lines={facts.history} triage={facts.triage} />
          </div>
        </div>
        <div className="flex min-w-0 flex-col max-lg:border-t">
          <TrendCard
            state={state}
            trend={{
              title: t('trend'),
              measure,
              and,
              layers: [{ key: '', label: t(kind), token: 'scale-4' }],
              additive: true,
            }}
            part={result.part('trend')}
            span={result.span}
            previous={null}
            sectionState={result.state}
            height={120}
            onRows={open.openRows}
          />
          <VersionsCard
            state={state}
            part={result.part('versions')}
            measure={measure}
            span={result.span}
            total={total}
            sectionState={result.state}
          />
          <FacetSection
            state={state}
            facets={facets}
            parts={(facet) => result.part(facet)}
            className="flex-none! grid-cols-2"
          />
        </div>
      </div>
      <FacetDrawer state={state} facets={facets} now={result.now} />
      <SymbolsDialog state={state} isOpen={symbols} onOpenChange={setSymbols} />
      <EventDrawers state={state} now={result.now} />
    </div>
  )
}
