import { useMemo } from 'react'
import { useNavigate } from 'react-router-dom'
import { COUNT_MEASURES, DIMENSIONS, type Filter, MEASURES, type Measure } from '#domain/query.ts'
import { absoluteRange } from '#domain/time-range.ts'
import { LIST_OF_MEASURE, listPath } from '#src/features/statistics/parts/entity-lists.ts'
import { FigureRow } from '#src/features/statistics/parts/figure-row.tsx'
import type { Trend } from '#src/features/statistics/parts/trend.ts'
import { TrendCard } from '#src/features/statistics/parts/trend-card.tsx'
import { EventDrawers } from '#src/shared/events/event-drawers.tsx'
import { useOpenEvents } from '#src/shared/events/use-open-events.ts'
import { formatPercent } from '#src/shared/format/number.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { CardState } from '#src/shared/query/card-state.tsx'
import { CopyLink } from '#src/shared/query/copy-link.tsx'
import { behind, narrowed, pinned } from '#src/shared/query/drill.ts'
import { QueryBar } from '#src/shared/query/query-bar.tsx'
import { BasisSelect } from '#src/shared/query/query-selects.tsx'
import { SavedViews } from '#src/shared/query/saved-views.tsx'
import { useQueryState } from '#src/shared/query/use-query-state.ts'
import { type PartState, useStatistics } from '#src/shared/query/use-statistics.ts'
import { useNameOf } from '#src/shared/query/value-names.ts'
import { usePlatform } from '#src/shared/session/platform-store.ts'
import { DataTable } from '#src/shared/table/data-table.tsx'
import { ExportMenu } from '#src/shared/table/export-menu.tsx'
import { useTableState } from '#src/shared/table/table-state.ts'
import { TableTools } from '#src/shared/table/table-tools.tsx'
import { PageTitle } from '#src/shared/ui/page-title.tsx'
import { Section } from '#src/shared/ui/section.tsx'
import { Select } from '#src/shared/ui/select.tsx'
import { Skeleton } from '#src/shared/ui/skeleton.tsx'
import { groupColumns } from './group-columns.tsx'
import { type GroupList, groupListParts, measuresOf } from './group-list.ts'
import { type GroupRow, groupRows } from './group-rows.ts'
import { listTexts } from './list-texts.ts'

const DEFAULTS = { range: '-7d', compare: 'previous' } as const
const isCount = (measure: Measure) => COUNT_MEASURES.some((one) => one === measure)

/** Totals, the course of the chosen one, and a line a value of the chosen field; every number opens what it counts. */
export function GroupListPage({ list }: { list: GroupList }) {
  const t = useTexts(listTexts)
  const language = useLanguage()
  const zone = usePlatform((platform) => platform.zone)
  const nameOf = useNameOf()
  const navigate = useNavigate()
  const state = useQueryState(DEFAULTS)
  const open = useOpenEvents(state)
  const { query } = state
  const field =
    list.fields.find((one) => one === state.params.get('by')) ?? (list.fields[0] as GroupList['fields'][number])
  const [table, setTable] = useTableState(state, {
    sorts: measuresOf(list, field),
    columns: [...list.measures, 'change', 'first'],
  })
  const sort = table.sort as Measure
  const result = useStatistics(query, groupListParts(list, field, sort), { paused: state.paused })
  const [totals, groups] = [result.part('totals'), result.part('groups') as PartState<'top' | 'series'>]
  const { span } = result

  const openFigure = (measure: Measure, row?: GroupRow) => {
    const and: Filter[] = [...list.and]
    if (row && field !== 'day') and.push({ field, op: 'is', values: [row.key] })
    const within = row?.slot ? { ...query, range: absoluteRange(row.slot) } : query
    const entities = LIST_OF_MEASURE[measure]
    if (entities) void navigate(listPath(entities, narrowed(within, and)))
    else open.openRows(behind(within, measure, { and }))
  }
  const columns = groupColumns({
    field,
    measures: measuresOf(list, field),
    compares: query.compare !== 'none',
    t,
    nameOf,
    language,
    zone,
    onPick: (row, exclude) =>
      row.slot ? state.set({ range: absoluteRange(row.slot) }) : field !== 'day' && state.pick(field, row.key, exclude),
    onOpen: (row, measure) => openFigure(measure, row),
  })
  const rows = groups.kind === 'ready' && span ? groupRows(groups.answer, span) : []
  const count = groups.kind === 'ready' && groups.answer.kind === 'top' ? groups.answer.groupCount : rows.length
  const sortName = MEASURES[sort][language]
  const main = list.measures[0] as Measure
  const all = totals.kind === 'ready' ? (totals.answer.row[main] ?? 0) : 0
  const trend = useMemo(
    (): Trend => ({
      title: MEASURES[sort][language],
      measure: sort,
      and: list.and,
      layers: [{ key: '', label: MEASURES[sort][language], token: 'scale-4' }],
      additive: isCount(sort),
    }),
    [sort, language, list],
  )
  return (
    <div className="flex min-h-full flex-col bg-surface">
      <PageTitle
        title={t(list.title)}
        note={<BasisSelect state={state} />}
        actions={
          <>
            <CopyLink state={state} />
            <SavedViews state={state} page={list.page} />
            <ExportMenu
              primary
              query={behind(pinned(query, span), main, { and: list.and })}
              part={{ kind: 'rows' }}
              title={t(list.title)}
              total={all}
            />
          </>
        }
      />
      <QueryBar state={state} dataAt={result.dataAt} span={span} stale={result.state === 'stale'} />
      <FigureRow
        label={t('figures')}
        figures={
          totals.kind === 'ready'
            ? list.measures.map((measure) => ({
                key: measure,
                label: MEASURES[measure][language],
                value: totals.answer.row[measure] ?? 0,
                before: totals.answer.previous?.[measure],
                bad: list.page !== 'starts',
                sub:
                  measure !== main && isCount(measure) && all > 0
                    ? t('ofAll', { share: formatPercent((totals.answer.row[measure] ?? 0) / all) })
                    : '\u00a0',
              }))
            : { count: list.measures.length }
        }
        selected={sort}
        onSelect={(measure) => (measure === sort ? openFigure(measure) : setTable({ sort: measure }))}
        stale={result.state === 'stale'}
        error={totals.kind === 'error' ? totals.error : undefined}
      />
      <TrendCard
        state={state}
        trend={trend}
        part={result.part('trend')}
        span={span}
        previous={result.previous}
        sectionState={result.state}
        height={180}
        onRows={open.openRows}
      />
      <Section
        plain
        className="border-t"
        title={
          <Select
            label={t('groupedBy')}
            hideLabel
            size="small"
            value={field}
            onChange={(next) => state.setParams({ by: next === list.fields[0] ? null : next })}
            items={list.fields.map((id) => ({
              id,
              label: id === 'day' ? t('day') : DIMENSIONS[id][language],
            }))}
            className="w-32"
          />
        }
        note={
          groups.kind === 'ready' && (
            <span data-testid="group-count" data-value={count}>
              {field === 'day'
                ? t('days', { count })
                : t(count > rows.length ? 'someGroups' : 'groups', {
                    shown: rows.length,
                    count,
                    sort: sortName,
                  })}
            </span>
          )
        }
        state={groups.kind === 'loading' ? 'loading' : result.state}
        skeleton={<Skeleton lines={8} height="20px" className="px-5 py-3" />}
        actions={
          <>
            <TableTools columns={columns} state={table} onChange={setTable} />
            <ExportMenu
              query={pinned(query, span)}
              part={groupListParts(list, field, sort).groups}
              title={t(list.title)}
              total={count}
            />
          </>
        }
      >
        <CardState
          part={groups}
          state={state}
          isEmpty={rows.length === 0}
          measure={main}
          and={list.and}
          minHeight={220}
        >
          <DataTable
            label={t(list.title)}
            columns={columns}
            rows={rows}
            rowKey={(row) => row.key}
            hidden={table.hidden}
            density={table.density}
            sort={field === 'day' ? '' : sort}
            onSort={(key) => setTable({ sort: key })}
            onOpen={(row) => openFigure(main, row)}
          />
        </CardState>
      </Section>
      <EventDrawers state={state} now={result.now} />
    </div>
  )
}
