import { type ReactNode, useEffect, useMemo } from 'react'
import { MARKET_KINDS, type MarketKind } from '#contracts/http/monitoring/markets.ts'
import {
  COPY_VERDICTS,
  type MonitorCopy,
  monitorCopies,
  PIRATED_VERDICTS,
  type Verdict,
} from '#contracts/http/monitoring/tasks.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import type { Column } from '#src/shared/table/data-table.tsx'
import { PagedTable } from '#src/shared/table/paged-table.tsx'
import { SearchBox } from '#src/shared/table/search-box.tsx'
import { PAGE_SIZE, useListState } from '#src/shared/table/use-list-state.ts'
import { Chip } from '#src/shared/ui/chip.tsx'
import { EmptyState } from '#src/shared/ui/empty-state.tsx'
import { Num } from '#src/shared/ui/num.tsx'
import { RelativeTime } from '#src/shared/ui/relative-time.tsx'
import { Section } from '#src/shared/ui/section.tsx'
import { Select } from '#src/shared/ui/select.tsx'
import { monitorTexts } from '../parts/monitor-texts.ts'
import { VerdictTag } from '../parts/verdict-tag.tsx'

const ALL = 'all'
const VERDICTS = Object.keys(COPY_VERDICTS) as Verdict[]

/** Filters of the list of copies in the address. */
export function readCopyFilters(params: URLSearchParams): { verdict: Verdict | 'pirated' | ''; kind: MarketKind | '' } {
  const [verdict, kind] = [params.get('verdict') ?? '', params.get('kind') ?? '']
  return {
    verdict: verdict === 'pirated' || verdict in COPY_VERDICTS ? (verdict as Verdict | 'pirated') : '',
    kind: kind in MARKET_KINDS ? (kind as MarketKind) : '',
  }
}

/** The copies of a task; one opens its evidence. `choice`: between this list and that of takedown requests. */
export function CopyList({ task, isRunning, choice }: { task: string; isRunning: boolean; choice: ReactNode }) {
  const t = useTexts(monitorTexts)
  const language = useLanguage()
  const columns = useMemo<Column<MonitorCopy>[]>(
    () => [
      {
        id: 'verdict',
        header: t('judgement'),
        width: '132px',
        fixed: true,
        cell: ({ verdict, is_manual }) => (
          <span className="inline-flex items-center gap-1.5">
            <VerdictTag verdict={verdict} />
            {is_manual && <span className="text-12 text-muted">{t('manual')}</span>}
          </span>
        ),
      },
      {
        id: 'name',
        header: t('name'),
        fixed: true,
        cell: ({ label, package: id, offer, is_fresh, verdict }) => (
          <span className="flex min-w-0 items-baseline gap-2">
            <span className={`text-clip-line ${offer === 'gone' ? 'text-muted' : ''}`}>{label || id}</span>
            {is_fresh && PIRATED_VERDICTS.includes(verdict) && <Chip tone="bad">{t('isFresh')}</Chip>}
            {offer === 'gone' && <Chip tone="neutral">{t('gone')}</Chip>}
            <span className="text-clip-line min-w-0 font-mono text-12 text-muted max-lg:hidden">{id}</span>
          </span>
        ),
      },
      {
        id: 'confidence',
        header: t('confidence'),
        width: '72px',
        numeric: true,
        wide: true,
        cell: ({ confidence }) => `${confidence}%`,
      },
      {
        id: 'version',
        header: t('version'),
        width: '104px',
        wide: true,
        cell: ({ version }) => <span className="text-clip-line block">{version || '—'}</span>,
      },
      { id: 'markets', header: t('askedMarkets'), width: '72px', numeric: true, cell: ({ markets }) => markets },
      {
        id: 'downloads',
        header: t('downloads'),
        width: '112px',
        numeric: true,
        wide: true,
        spare: true,
        cell: ({ downloads }) => (downloads === null ? t('unknown') : <Num value={downloads} />),
      },
      {
        id: 'seen',
        header: t('firstSeen'),
        width: '120px',
        wide: true,
        cell: ({ first_seen }) => <RelativeTime at={first_seen} />,
      },
    ],
    [t],
  )
  const list = useListState({
    name: 'copy',
    filters: ['find', 'verdict', 'kind'] as const,
    sorts: [],
    columns,
    searchLabel: t('findCopy'),
    actionGroup: t('group'),
  })
  const { params, setParams, filter, table, setTable, isFiltered, clear } = list
  const { verdict, kind } = readCopyFilters(params)
  const answer = useEndpoint(
    monitorCopies,
    { query: { id: task, verdict, kind, search: (params.get('find') ?? '').slice(0, 100), ...list.paging } },
    { placeholderData: (before) => before, refetchInterval: isRunning ? 3000 : 20_000 },
  )
  const { refetch } = answer
  // What the last markets had came after the last look.
  useEffect(() => {
    if (!isRunning) void refetch()
  }, [isRunning, refetch])
  return (
    <Section plain className="border-t" title={t('copies')} note={t('copiesNote')} actions={choice}>
      <div className="flex flex-wrap items-center gap-2 px-5 pb-2">
        <SearchBox
          id={list.searchId}
          label={t('findCopy')}
          value={params.get('find') ?? ''}
          onSearch={(words) => filter('find', words || null)}
          className="w-56"
        />
        <Select
          prefix
          size="small"
          label={t('verdict')}
          value={verdict || ALL}
          onChange={(id) => filter('verdict', id === ALL ? null : id)}
          items={[
            { id: ALL, label: t('all') },
            { id: 'pirated', label: t('anyPirated') },
            ...VERDICTS.map((id) => ({ id, label: COPY_VERDICTS[id][language] })),
          ]}
          className="w-44"
        />
        {kind && <Chip onRemove={() => filter('kind', null)}>{MARKET_KINDS[kind][language]}</Chip>}
      </div>
      <PagedTable
        label={t('copies')}
        answer={answer}
        columns={columns}
        rowKey={({ id }) => id}
        current={params.get('copy')}
        onOpen={({ id }) => setParams({ copy: id }, true)}
        page={table.page}
        pageSize={PAGE_SIZE}
        onPage={(page) => setTable({ page })}
        filtered={isFiltered && { title: t('noCopyMatch'), clear: t('clear'), onClear: clear }}
        none={<EmptyState kind="none" title={t('noCopies')} hint={t('noCopiesHint')} />}
      />
    </Section>
  )
}
