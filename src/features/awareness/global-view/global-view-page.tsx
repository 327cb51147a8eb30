import { LayoutGrid, Table2 } from 'lucide-react'
import { useMemo } from 'react'
import { useNavigate } from 'react-router-dom'
import { PAGES } from '#contracts/pages.ts'
import type { Query } from '#domain/query.ts'
import { absoluteRange, type Span } from '#domain/time-range.ts'
import { StatisticsFrame } from '#src/features/statistics/parts/statistics-frame.tsx'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { CardState } from '#src/shared/query/card-state.tsx'
import { carryQuery } from '#src/shared/query/query-url.ts'
import { useQueryState } from '#src/shared/query/use-query-state.ts'
import { useStatistics } from '#src/shared/query/use-statistics.ts'
import { useApplications } from '#src/shared/session/application-store.ts'
import { EmptyState } from '#src/shared/ui/empty-state.tsx'
import { SegmentedControl } from '#src/shared/ui/segmented-control.tsx'
import { Select } from '#src/shared/ui/select.tsx'
import { Skeleton } from '#src/shared/ui/skeleton.tsx'
import { AppCards } from './app-cards.tsx'
import { AppHeat } from './app-heat.tsx'
import { AppTable } from './app-table.tsx'
import { appLines, GLOBAL_PARTS, type GlobalSort, LAST_HOUR_PARTS, lastHour, SORTS } from './global-parts.ts'
import { globalTexts } from './global-texts.ts'

/** Rows of the course: more are read in the table. */
const HEAT_ROWS = 24
const DEFAULTS = { range: '-24h', compare: 'previous' } as const

/** All permitted applications side by side; one leads to its analysis over the same time. */
export default function GlobalViewPage() {
  const t = useTexts(globalTexts)
  const state = useQueryState(DEFAULTS)
  const navigate = useNavigate()
  const all = useApplications((applications) => applications.list)
  // Side by side is the point: the header's current application does not narrow this page, its own filters do.
  const query = useMemo((): Query => withoutImplied(state.query, state.params), [state.query, state.params])
  const chosen = query.filters.filter(({ field, op }) => field === 'app' && op === 'is').flatMap(({ values }) => values)
  const apps = (all ?? []).filter(({ id }) => chosen.length === 0 || chosen.includes(id))
  const sort = SORTS.find((one) => one === state.params.get('sort')) ?? 'attacks'
  const asTable = state.params.get('as') === 'table'
  const result = useStatistics(query, GLOBAL_PARTS, { paused: state.paused })
  const hour = useStatistics(lastHour(query.filters), LAST_HOUR_PARTS, { paused: state.paused })
  const part = result.part('apps')
  const minutes = hour.part('minutes')
  const lines = useMemo(
    () =>
      appLines(
        apps,
        part.kind === 'ready' ? part.answer : undefined,
        minutes.kind === 'ready' && hour.span ? { answer: minutes.answer, now: hour.span.to } : undefined,
        sort,
      ),
    [apps, part, minutes, hour.span, sort],
  )
  const open = (id: string, page: 'app_analysis' | 'attack_analysis', slot?: Span) => {
    const filters = [
      { field: 'app' as const, op: 'is' as const, values: [id] },
      ...query.filters.filter(({ field }) => field !== 'app'),
    ]
    void navigate(
      `${PAGES[page].path}?${carryQuery({ ...query, filters, ...(slot && { range: absoluteRange(slot) }) })}`,
    )
  }
  return (
    <StatisticsFrame
      page="global_view"
      title={t('title')}
      state={state}
      answer={result}
      query={query}
      exported={{
        query,
        part: GLOBAL_PARTS.apps,
        title: t('title'),
        total: part.kind === 'ready' ? part.answer.groupCount : 0,
      }}
    >
      <div className="flex flex-none flex-wrap items-center gap-2 px-5 py-2.5 text-12 text-muted">
        {t('note', { count: apps.length })}
        <span className="ml-auto" />
        {!asTable && (
          <Select
            label={t('sort')}
            prefix
            size="small"
            value={sort}
            onChange={(next: GlobalSort) => state.setParams({ sort: next === 'attacks' ? null : next }, true)}
            items={SORTS.map((id) => ({ id, label: t(id) }))}
            className="w-44"
          />
        )}
        <SegmentedControl
          size="small"
          iconOnly
          label={t('shownAs')}
          value={asTable ? 'table' : 'cards'}
          onChange={(next) => state.setParams({ as: next === 'table' ? next : null }, true)}
          items={[
            { id: 'cards', label: t('cards'), icon: LayoutGrid },
            { id: 'table', label: t('table'), icon: Table2 },
          ]}
        />
      </div>
      {all !== null && all.length === 0 ? (
        <EmptyState kind="none" title={t('none')} hint={t('noneHint')} />
      ) : part.kind === 'loading' || all === null ? (
        <Skeleton lines={12} height="28px" className="px-5" />
      ) : (
        <div className={result.state === 'stale' ? 'stale' : ''}>
          <CardState part={part} state={state} isEmpty={false}>
            {asTable ? (
              <AppTable lines={lines} state={state} sort={sort} onOpen={open} />
            ) : (
              <AppCards lines={lines} compares={query.compare !== 'none'} onOpen={open} />
            )}
          </CardState>
          {!asTable && lines.length > 0 && (
            <AppHeat
              part={result.part('course')}
              span={result.span}
              lines={lines.slice(0, HEAT_ROWS)}
              onOpen={(id, slot) => open(id, 'attack_analysis', slot)}
            />
          )}
        </div>
      )}
    </StatisticsFrame>
  )
}

/** Without the application that only the header names: one in the address counts. */
function withoutImplied(query: Query, params: URLSearchParams): Query {
  const named = params.getAll('f').some((filter) => /^!?app:/.test(filter))
  return named ? query : { ...query, filters: query.filters.filter(({ field }) => field !== 'app') }
}
