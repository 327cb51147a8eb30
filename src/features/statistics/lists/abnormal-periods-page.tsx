import { Link } from 'react-router-dom'
import { MEASURES, type PartInput, PERIOD_GAP_MINUTES, type PeriodRow } from '#domain/query.ts'
import { LEVELS, type Level } from '#domain/vocabulary.ts'
import { storyPath } from '#src/features/statistics/parts/entity-columns.tsx'
import { ABNORMAL } from '#src/features/statistics/parts/entity-lists.ts'
import { EventDrawers } from '#src/shared/events/event-drawers.tsx'
import { useOpenEvents } from '#src/shared/events/use-open-events.ts'
import { formatDateTime, formatDuration } from '#src/shared/format/time.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { CardState } from '#src/shared/query/card-state.tsx'
import { CopyLink } from '#src/shared/query/copy-link.tsx'
import { behindPeriod, pinned } from '#src/shared/query/drill.ts'
import { QueryBar } from '#src/shared/query/query-bar.tsx'
import { BasisSelect } from '#src/shared/query/query-selects.tsx'
import { SavedViews } from '#src/shared/query/saved-views.tsx'
import { type QueryState, useQueryState } from '#src/shared/query/use-query-state.ts'
import { useStatistics } from '#src/shared/query/use-statistics.ts'
import { shortHash } from '#src/shared/query/value-names.ts'
import { usePlatform } from '#src/shared/session/platform-store.ts'
import { type Column, DataTable } from '#src/shared/table/data-table.tsx'
import { ExportMenu } from '#src/shared/table/export-menu.tsx'
import { useTableState } from '#src/shared/table/table-state.ts'
import { TableFoot, TableTools } from '#src/shared/table/table-tools.tsx'
import { LevelMark } from '#src/shared/ui/level-mark.tsx'
import { Num } from '#src/shared/ui/num.tsx'
import { PageTitle } from '#src/shared/ui/page-title.tsx'
import { Section } from '#src/shared/ui/section.tsx'
import { Select } from '#src/shared/ui/select.tsx'
import { Skeleton } from '#src/shared/ui/skeleton.tsx'
import { listTexts } from './list-texts.ts'

const PAGE_SIZE = 100
const GAPS = [5, 15, PERIOD_GAP_MINUTES, 60, 120] as const
const SORTS = ['last', 'events', 'length'] as const
type Sort = (typeof SORTS)[number]

function periodsPart(gapMinutes: number, sort: Sort, offset: number) {
  return { kind: 'periods', gapMinutes, sort, limit: PAGE_SIZE, offset, and: [ABNORMAL] } satisfies PartInput
}

/** /statistics/user_moredata: when devices were in trouble, a line a contiguous period; a line opens its events. */
export default function AbnormalPeriodsPage() {
  const t = useTexts(listTexts)
  const state = useQueryState({ range: '-24h' })
  const open = useOpenEvents(state)
  const { query } = state
  const gap = GAPS.find((one) => String(one) === state.params.get('gap')) ?? PERIOD_GAP_MINUTES
  const columns = usePeriodColumns(state)
  const [table, setTable] = useTableState(state, { sorts: SORTS, columns: columns.map((column) => column.id) })
  const part = periodsPart(gap, table.sort as Sort, (table.page - 1) * PAGE_SIZE)
  const result = useStatistics(
    { ...query, compare: 'none' },
    { list: part },
    {
      paused: state.paused || state.params.has('rows'),
    },
  )
  const list = result.part('list')
  const total = list.kind === 'ready' ? list.answer.total : 0
  const openPeriod = (row: PeriodRow) => open.openRows(behindPeriod(query, row, [ABNORMAL]))
  return (
    <div className="flex h-full min-h-0 flex-col bg-surface">
      <PageTitle
        title={t('periodTitle')}
        note={<BasisSelect state={state} />}
        actions={
          <>
            <CopyLink state={state} />
            <SavedViews state={state} page="abnormal_periods" />
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
      <Section
        plain
        title={
          <span data-testid="period-total" data-value={total}>
            {t('found', { count: total })}
          </span>
        }
        note={t('rule', { count: gap })}
        state={list.kind === 'loading' ? 'loading' : result.state}
        skeleton={<Skeleton lines={10} height="20px" className="px-5 py-3" />}
        actions={
          <>
            <Select
              label={t('gap')}
              prefix
              size="small"
              value={String(gap)}
              onChange={(next) =>
                state.setParams({ gap: next === String(PERIOD_GAP_MINUTES) ? null : next, page: null })
              }
              items={GAPS.map((count) => ({ id: String(count), label: t('minutes', { count }) }))}
              className="w-40"
            />
            <TableTools columns={columns} state={table} onChange={setTable} />
            <ExportMenu query={pinned(query, result.span)} part={part} title={t('periodTitle')} total={total} />
          </>
        }
      >
        <CardState part={list} state={state} isEmpty={total === 0} and={[ABNORMAL]} minHeight={220}>
          {list.kind === 'ready' && (
            <>
              <DataTable
                label={t('periodTitle')}
                columns={columns}
                rows={list.answer.rows}
                rowKey={(row) => `${row.device} ${row.from}`}
                hidden={table.hidden}
                density={table.density}
                sort={table.sort}
                onSort={(key) => setTable({ sort: key })}
                onOpen={openPeriod}
                maxHeight="calc(100vh - 296px)"
              />
              <TableFoot page={table.page} pageSize={PAGE_SIZE} total={total} onPage={(page) => setTable({ page })} />
            </>
          )}
        </CardState>
      </Section>
      <EventDrawers state={state} now={result.now} />
    </div>
  )
}

function usePeriodColumns({ query }: QueryState): Column<PeriodRow>[] {
  const t = useTexts(listTexts)
  const language = useLanguage()
  const zone = usePlatform((platform) => platform.zone)
  const count = (measure: 'events' | 'attacks' | 'crashes' | 'anrs' | 'exceptions'): Column<PeriodRow> => ({
    id: measure,
    header: MEASURES[measure][language],
    numeric: true,
    ...(measure === 'events' ? { sort: 'events' } : { wide: true }),
    cell: (row) => <Num value={row[measure]} />,
  })
  return [
    {
      id: 'device',
      header: t('device'),
      fixed: true,
      cell: (row) => (
        <Link
          to={storyPath('device', row.device, query)}
          className="text-brand-text hover:underline"
          title={row.device}
        >
          <code className="text-12">{shortHash('device', row.device)}</code>
        </Link>
      ),
    },
    {
      id: 'level',
      header: t('level'),
      wide: true,
      cell: (row) => (row.level in LEVELS ? <LevelMark level={row.level as Level} /> : '–'),
    },
    { id: 'from', header: t('from'), wide: true, cell: (row) => formatDateTime(row.from, zone, 'second', Date.now()) },
    { id: 'to', header: t('to'), sort: 'last', cell: (row) => formatDateTime(row.to, zone, 'second', Date.now()) },
    {
      id: 'length',
      header: t('length'),
      numeric: true,
      sort: 'length',
      cell: (row) => formatDuration(row.to - row.from, language),
    },
    count('attacks'),
    count('crashes'),
    count('anrs'),
    count('exceptions'),
    { ...count('events'), fixed: true },
  ]
}
