import { CircleCheck, CircleDashed, Plus, TriangleAlert } from 'lucide-react'
import { useMemo } from 'react'
import {
  MARKET_KIND_NAMES,
  MARKET_KINDS,
  MARKET_PROBLEMS,
  MARKET_REGIONS,
  type Market,
  type MarketKind,
  type MarketRegion,
  markets,
} from '#contracts/http/monitoring/markets.ts'
import { PAGES } from '#contracts/pages.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { type Language, type Translate, useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { useMay } from '#src/shared/session/session-store.ts'
import type { Column } from '#src/shared/table/data-table.tsx'
import { PagedTable } from '#src/shared/table/paged-table.tsx'
import { SearchBox } from '#src/shared/table/search-box.tsx'
import { useListState } from '#src/shared/table/use-list-state.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { Chip } from '#src/shared/ui/chip.tsx'
import { ForbiddenState } from '#src/shared/ui/forbidden-state.tsx'
import { Icon } from '#src/shared/ui/icon.tsx'
import { PageTitle } from '#src/shared/ui/page-title.tsx'
import { RelativeTime } from '#src/shared/ui/relative-time.tsx'
import { Select } from '#src/shared/ui/select.tsx'
import { MarketEditor } from './market-editor.tsx'
import { marketsTexts } from './markets-texts.ts'

const ALL = 'all'
const ROWS = 50
const NEW = 'new'
const REGIONS = Object.keys(MARKET_REGIONS) as MarketRegion[]
const WAYS = ['connector', 'untried', 'manual', 'closed'] as const

/** /monitor/markets: the channels that are asked, and how; those who manage channels open the editor. */
export default function MonitorMarketsPage() {
  const language = useLanguage()
  const mayManage = useMay('channel.manage')
  const mayView = useMay('monitor.view')
  const mayMonitor = useMay('asset.monitor')
  if (mayManage || mayView || mayMonitor) return <Markets mayManage={mayManage} />
  return (
    <>
      <PageTitle title={PAGES.monitor_markets[language]} />
      <ForbiddenState permission="channel.manage" />
    </>
  )
}

function Markets({ mayManage }: { mayManage: boolean }) {
  const t = useTexts(marketsTexts)
  const language = useLanguage()
  const columns = useMemo(() => columnsOf(t, language), [t, language])
  const list = useListState({
    name: 'market',
    filters: ['find', 'kind', 'region', 'asked'] as const,
    sorts: [],
    columns,
    searchLabel: t('find'),
    actionGroup: t('group'),
  })
  const { params, setParams, filter, table, setTable, isFiltered, clear } = list
  const chosen = <Id extends string>(name: string, ids: readonly Id[]): Id | '' =>
    ids.find((one) => one === params.get(name)) ?? ''
  const kind: MarketKind | '' = chosen('kind', MARKET_KIND_NAMES)
  const region = chosen('region', REGIONS)
  const asked = chosen('asked', WAYS)
  const answer = useEndpoint(
    markets,
    {
      query: {
        search: (params.get('find') ?? '').slice(0, 100),
        kind,
        region,
        asked,
        offset: (table.page - 1) * ROWS,
        limit: ROWS,
      },
    },
    { placeholderData: (before) => before },
  )
  const { data } = answer
  const open = params.get('id')
  const choice = (
    label: string,
    name: 'kind' | 'region' | 'asked',
    value: string,
    items: { id: string; label: string; note?: string }[],
  ) => (
    <Select
      prefix
      size="small"
      label={label}
      value={value || ALL}
      onChange={(id) => filter(name, id === ALL ? null : id)}
      items={[{ id: ALL, label: t('all') }, ...items]}
      className="w-40"
    />
  )
  return (
    <div className="flex min-h-full flex-col bg-surface">
      <PageTitle
        title={PAGES.monitor_markets[language]}
        note={data && t('count', { ...data.counts })}
        actions={
          mayManage && (
            <Button variant="primary" icon={Plus} onPress={() => setParams({ id: NEW }, true)}>
              {t('create')}
            </Button>
          )
        }
      />
      {data && data.simulated.length > 0 && (
        <p
          className="text-clip-line border-t bg-warn-soft px-5 py-2 text-12 text-warn-text"
          title={data.simulated.join(' ')}
        >
          {t('simulated', { origins: data.simulated.join(' ') })}
        </p>
      )}
      <div className="flex flex-wrap items-center gap-2 border-t px-5 py-2 max-lg:px-4">
        <SearchBox
          id={list.searchId}
          label={t('find')}
          value={params.get('find') ?? ''}
          onSearch={(words) => filter('find', words || null)}
          className="w-52"
        />
        {choice(
          t('kind'),
          'kind',
          kind,
          MARKET_KIND_NAMES.map((id) => ({ id, label: MARKET_KINDS[id][language] })),
        )}
        {choice(
          t('region'),
          'region',
          region,
          REGIONS.map((id) => ({ id, label: MARKET_REGIONS[id][language] })),
        )}
        {choice(
          t('asked'),
          'asked',
          asked,
          WAYS.map((id) => ({ id, label: t(id), note: data ? String(data.counts[id]) : '' })),
        )}
        {isFiltered && (
          <Button size="small" variant="quiet" onPress={clear}>
            {t('clear')}
          </Button>
        )}
      </div>
      <PagedTable
        label={PAGES.monitor_markets[language]}
        answer={answer}
        columns={columns}
        rowKey={({ id }) => id}
        current={open}
        {...(mayManage && { onOpen: ({ id }: Market) => setParams({ id }, true) })}
        page={table.page}
        pageSize={ROWS}
        onPage={(page) => setTable({ page })}
        filtered={isFiltered && { title: t('noMatch'), clear: t('clear'), onClear: clear }}
        note={t('foot')}
      />
      {mayManage && open && (
        <MarketEditor key={open} id={open === NEW ? '' : open} onClose={() => setParams({ id: null }, true)} />
      )}
    </div>
  )
}

function columnsOf(t: Translate<keyof typeof marketsTexts.entries & string>, language: Language): Column<Market>[] {
  return [
    {
      id: 'name',
      header: t('name'),
      fixed: true,
      cell: ({ name, home, built_in, enabled, untried, closed }) => (
        <span className="flex min-w-0 items-baseline gap-2">
          <span className={`text-clip-line ${enabled && !closed ? '' : 'text-muted'}`} title={name}>
            {name}
          </span>
          {!built_in && <Chip tone="neutral">{t('own')}</Chip>}
          {closed && <Chip tone="neutral">{t('closed')}</Chip>}
          {untried && <Chip tone="warn">{t('isUntried')}</Chip>}
          <span className="text-clip-line min-w-0 text-12 text-muted max-lg:hidden">
            {home.replace(/^https?:\/\//, '').replace(/\/$/, '')}
          </span>
        </span>
      ),
    },
    {
      id: 'kind',
      header: t('kindColumn'),
      width: '104px',
      wide: true,
      cell: ({ kind }) => MARKET_KINDS[kind][language],
    },
    {
      id: 'region',
      header: t('regionColumn'),
      width: '112px',
      wide: true,
      spare: true,
      cell: ({ region }) => MARKET_REGIONS[region][language],
    },
    {
      id: 'way',
      header: t('way'),
      width: '112px',
      wide: true,
      cell: ({ connector_kind }) => t(`way_${connector_kind}`),
    },
    {
      id: 'last',
      header: t('last'),
      width: '208px',
      cell: ({ problem }) => <LastAnswer problem={problem} t={t} language={language} />,
    },
    {
      id: 'time',
      header: t('time'),
      width: '120px',
      wide: true,
      cell: ({ asked_at }) => (asked_at === null ? '—' : <RelativeTime at={asked_at} />),
    },
    {
      id: 'pirated',
      header: t('pirated'),
      width: '88px',
      numeric: true,
      cell: ({ pirated }) =>
        pirated === null ? (
          <span className="text-muted">{t('unknown')}</span>
        ) : (
          <span className={pirated ? 'font-semibold' : ''}>{pirated}</span>
        ),
    },
  ]
}

function LastAnswer({
  problem,
  t,
  language,
}: {
  problem: Market['problem']
  t: Translate<keyof typeof marketsTexts.entries & string>
  language: Language
}) {
  const [icon, color, text] =
    problem === null
      ? ([CircleDashed, 'text-muted', t('never')] as const)
      : problem === ''
        ? ([CircleCheck, 'text-good-text', t('answered')] as const)
        : ([
            problem === 'manual' ? CircleDashed : TriangleAlert,
            problem === 'manual' ? 'text-muted' : 'text-warn-text',
            MARKET_PROBLEMS[problem][language],
          ] as const)
  return (
    <span className="flex min-w-0 items-center gap-1.5">
      <Icon of={icon} size={14} className={`flex-none ${color}`} />
      <span className="text-clip-line" title={text}>
        {text}
      </span>
    </span>
  )
}
