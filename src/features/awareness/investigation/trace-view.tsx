import { Pin, X } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { ALL_TIME } from '#domain/time-range.ts'
import type { Subject, Trail, TrailStop } from '#domain/trail.ts'
import { EventDrawers } from '#src/shared/events/event-drawers.tsx'
import { useOpenEvents } from '#src/shared/events/use-open-events.ts'
import { phoneName } from '#src/shared/format/phone-name.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { QueryBar } from '#src/shared/query/query-bar.tsx'
import type { QueryState } from '#src/shared/query/use-query-state.ts'
import { shortHash } from '#src/shared/query/value-names.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { CopyText } from '#src/shared/ui/copy-text.tsx'
import { EmptyState } from '#src/shared/ui/empty-state.tsx'
import { ErrorState } from '#src/shared/ui/error-state.tsx'
import { Icon } from '#src/shared/ui/icon.tsx'
import { IconButton } from '#src/shared/ui/icon-button.tsx'
import { Skeleton } from '#src/shared/ui/skeleton.tsx'
import { CasePanel } from './case-panel.tsx'
import { LINK_ICONS } from './link-graph.tsx'
import { LinksColumn } from './links-column.tsx'
import { MovementColumn } from './movement-column.tsx'
import { rememberTrace } from './recent-traces.ts'
import { SubjectCard } from './subject-card.tsx'
import { caseTexts, traceTexts } from './trace-texts.ts'
import { TrailColumn } from './trail-column.tsx'
import { type CaseInUse, makePins } from './use-case.ts'
import { eventsQuery, forgetTrace, stepFilters, useTrail } from './use-trace.ts'

/** Trail, movement and links of one subject, all against the trail's `now`. */
export function TraceView({ state, subject, inUse }: { state: QueryState; subject: Subject; inUse: CaseInUse }) {
  const t = useTexts(traceTexts)
  const { data, error, isPlaceholderData, refetch } = useTrail(state, subject)
  const open = useOpenEvents(state)
  useRemembered(subject)
  useAllApplications(state)
  const trail = data?.data
  const now = isPlaceholderData ? undefined : data?.now
  const pins = makePins(inUse, subject, { query: state.query, now: data?.now ?? 0 })
  const current = stopParam(state, trail)
  const choose = (number: number) => state.setParams({ stop: number === current ? null : String(number) }, true)
  const stopEvents = (stop: TrailStop) => open.openRows(eventsQuery(state.query, subject, stop))
  return (
    <>
      <div className="flex flex-none flex-wrap items-center gap-2 px-5 pb-2 max-lg:px-4">
        <SubjectField state={state} subject={subject} trail={trail} />
        <PinSubject pinned={pins.subject !== undefined} may={pins.may} onPress={pins.toggleSubject} />
      </div>
      <QueryBar
        state={state}
        dataAt={data && data.now - data.lag_seconds * 1000}
        span={data?.span}
        compare={false}
        stale={error !== null && data !== undefined}
      />
      {error && !data ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : !trail ? (
        <TraceSkeleton />
      ) : trail.events === 0 ? (
        <EmptyState
          kind={state.query.filters.length > 0 ? 'filtered' : 'range'}
          title={t('empty')}
          hint={t('emptyHint')}
          action={<Button onPress={() => state.set({ range: ALL_TIME, filters: [] })}>{t('allTime')}</Button>}
        />
      ) : (
        <div className="grid min-h-0 flex-1 grid-cols-[minmax(352px,0.68fr)_minmax(0,1.2fr)_minmax(352px,0.85fr)] max-xl:grid-cols-[minmax(300px,340px)_minmax(0,1fr)] max-lg:grid-cols-1 lg:[&>*]:border-r">
          <TrailColumn
            trail={trail}
            subject={subject}
            current={current}
            pins={pins}
            pinnedOnly={state.params.get('pins') === '1'}
            onPinnedOnly={() => state.setParams({ pins: state.params.get('pins') === '1' ? null : '1' }, true)}
            onStop={choose}
            onStopEvents={stopEvents}
            onStep={(_stop, step) =>
              step.count === 1
                ? open.openEvent({ app: step.app, id: step.first })
                : open.openRows(eventsQuery(state.query, subject, step, stepFilters(step)))
            }
          />
          <MovementColumn
            trail={trail}
            current={current}
            tableOnly={state.params.get('map') === 'table'}
            onTableOnly={() => state.setParams({ map: state.params.get('map') === 'table' ? null : 'table' }, true)}
            onStop={(number) => state.setParams({ stop: String(number) }, true)}
          />
          <div className="flex min-h-0 min-w-0 flex-col overflow-auto max-xl:col-span-2 max-xl:border-t max-lg:col-span-1 max-lg:overflow-visible [&>*+*]:border-t">
            <LinksColumn state={state} subject={subject} now={now} />
            <SubjectCard
              state={state}
              subject={subject}
              impossible={trail.stops.filter(({ move }) => move?.impossible).length}
            />
            <CasePanel inUse={inUse} onOpen={(params) => state.setParams({ ...forgetTrace, ...params })} />
          </div>
        </div>
      )}
      <EventDrawers state={state} now={now} />
    </>
  )
}

/** The three columns of a trace: its stops, the map, links and case. */
function TraceSkeleton() {
  return (
    <div
      aria-hidden
      className="grid min-h-0 flex-1 grid-cols-[minmax(352px,0.68fr)_minmax(0,1.2fr)_minmax(352px,0.85fr)] border-t max-xl:grid-cols-[minmax(300px,340px)_minmax(0,1fr)] max-lg:grid-cols-1 lg:[&>*]:border-r"
    >
      <Skeleton lines={9} height="44px" className="p-5" />
      <div className="flex min-h-0 flex-col gap-4 p-5 max-lg:hidden">
        <Skeleton lines={1} height="380px" />
        <Skeleton lines={1} height="72px" />
      </div>
      <div className="flex flex-col gap-4 p-5 max-xl:hidden">
        <Skeleton lines={1} height="260px" />
        <Skeleton lines={5} height="20px" />
      </div>
    </div>
  )
}

function stopParam(state: QueryState, trail: Trail | undefined): number | null {
  const number = Number(state.params.get('stop'))
  return trail && Number.isInteger(number) && number >= 1 && number <= trail.stops.length ? number : null
}

/** Whose trace it is, with the facts of the newest event. */
function SubjectField({ state, subject, trail }: { state: QueryState; subject: Subject; trail: Trail | undefined }) {
  const t = useTexts(traceTexts)
  const { newest } = trail ?? {}
  const facts = newest && subject.kind === 'device' ? [phoneName(newest.brand, newest.model), newest.os] : []
  const leave = () => state.setParams({ ...forgetTrace, subject: null, more: null })
  return (
    <div className="flex h-control min-w-0 items-center gap-2 rounded border border-line-strong bg-surface pr-1 pl-2.5">
      <Icon of={LINK_ICONS[subject.kind]} className="text-muted" />
      <span className="text-muted">{t(subject.kind)}</span>
      <b className="font-mono text-12" data-testid="subject">
        {subject.kind === 'address' ? subject.key : shortHash(subject.kind, subject.key)}
      </b>
      <span className="[&_code]:sr-only">
        <CopyText value={subject.key} />
      </span>
      <span className="text-clip-line min-w-0 text-muted max-sm:hidden">{facts.filter(Boolean).join(', ')}</span>
      <IconButton size="small" label={t('leave')} icon={X} onPress={leave} />
    </div>
  )
}

function PinSubject({ pinned, may, onPress }: { pinned: boolean; may: boolean; onPress: () => void }) {
  const t = useTexts(caseTexts)
  return <IconButton label={t('pinSubject')} icon={Pin} isSelected={pinned} isDisabled={!may} onPress={onPress} />
}

function useRemembered({ kind, key }: Subject): void {
  useEffect(() => rememberTrace({ kind, key }), [kind, key])
}

/** A trace goes across applications: one that is opened without naming any does not follow the header's. */
function useAllApplications(state: QueryState): void {
  const { params, setParams } = state
  const named = params.has('apps') || params.getAll('f').some((one) => /^!?app:/.test(one))
  const first = useRef(true)
  useEffect(() => {
    if (first.current && !named) setParams({ apps: 'all' }, true)
    first.current = false
  }, [named, setParams])
}
