import { keepPreviousData } from '@tanstack/react-query'
import { RotateCw } from 'lucide-react'
import { useMemo } from 'react'
import {
  NETWORK_KINDS,
  NETWORK_RESULTS,
  type NetworkLine,
  networkLog,
  networkSummary,
} from '#contracts/http/audit-log.ts'
import { call } from '#src/shared/api/call.ts'
import { endpointKey, useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { TimeRangeControl } from '#src/shared/query/time-range-control.tsx'
import { usePlatform } from '#src/shared/session/platform-store.ts'
import { SearchBox } from '#src/shared/table/search-box.tsx'
import { useTableState } from '#src/shared/table/table-state.ts'
import { TableTools } from '#src/shared/table/table-tools.tsx'
import { IconButton } from '#src/shared/ui/icon-button.tsx'
import { Select } from '#src/shared/ui/select.tsx'
import { FIND_ID, FilterLine } from './filter-line.tsx'
import { readNetworkFilters } from './log-filters.ts'
import { LogHistogram } from './log-histogram.tsx'
import { LogFoot, LogRows } from './log-rows.tsx'
import { logTexts } from './log-texts.ts'
import type { LogState } from './log-types.ts'
import { ProtectedNote } from './log-verbs.tsx'
import { networkColumns } from './network-columns.tsx'
import { type LogView, useLogList } from './use-log-list.ts'

const ALL = 'all'

/** Requests: sign-ins, console, tokens, displays, and a line for each batch of events. */
export function NetworkTab({ view, state }: { view: LogView; state: LogState | null | undefined }) {
  const t = useTexts(logTexts)
  const zone = usePlatform((platform) => platform.zone)
  const { params, setParams, filter } = view
  const filters = useMemo(() => readNetworkFilters(params, view.times), [params, view.times])
  const counted = useEndpoint(
    networkSummary,
    { query: filters },
    { placeholderData: keepPreviousData, refetchInterval: 30_000 },
  )
  const summary = counted.data?.data
  const list = useLogList<NetworkLine>(endpointKey(networkLog, { query: filters }), (paging, signal) =>
    call(networkLog, { query: { ...filters, ...paging }, signal }, { quiet: true }),
  )
  const columns = networkColumns(t, zone, filter)
  const [table, setTable] = useTableState(view, { sorts: ['time'], columns: columns.map((one) => one.id) })
  const all = { id: ALL, label: t('all') }
  const choose = (name: string) => (id: string) => filter(name, id === ALL ? null : id)
  return (
    <div className="flex flex-col">
      <FilterLine
        view={view}
        tools={
          <>
            <IconButton size="small" icon={RotateCw} label={t('refresh')} onPress={view.refresh} />
            <TableTools columns={columns} state={table} onChange={setTable} />
          </>
        }
      >
        <span className="flex max-sm:w-full">
          <TimeRangeControl size="small" range={view.range} onChange={(range) => setParams({ range })} />
        </span>
        <SearchBox
          id={FIND_ID}
          label={t('findNetwork')}
          value={filters.search ?? ''}
          onSearch={(words) => filter('find', words, true)}
          className="w-48"
        />
        <Select
          prefix
          size="small"
          label={t('kindFilter')}
          value={filters.kind ?? ALL}
          onChange={choose('kind')}
          items={[all, ...NETWORK_KINDS.map((id) => ({ id, label: t(`kind_${id}`) }))]}
          className="w-36 max-sm:w-auto max-sm:flex-1"
        />
        <SearchBox
          label={t('accountWhole')}
          value={filters.account ?? ''}
          onSearch={(value) => filter('account', value, true)}
          className="w-40 max-sm:w-auto max-sm:flex-1"
        />
        <SearchBox
          label={t('addressFilter')}
          value={filters.address ?? ''}
          onSearch={(value) => filter('address', value, true)}
          className="w-36 max-sm:w-auto max-sm:flex-1"
        />
        <Select
          prefix
          size="small"
          label={t('resultFilter')}
          value={filters.result ?? ALL}
          onChange={choose('result')}
          items={[all, ...NETWORK_RESULTS.map((id) => ({ id, label: t(id) }))]}
          className="w-32"
        />
      </FilterLine>
      <LogHistogram
        histogram={summary?.histogram ?? (counted.error ? null : undefined)}
        span={view.span}
        title={t('linesOverTime')}
        onRange={(range) => setParams({ range })}
      />
      <LogRows
        list={list}
        view={view}
        label={t('network')}
        columns={columns}
        rowKey={({ id }) => String(id)}
        hidden={table.hidden}
        density={table.density}
      />
      <LogFoot list={list} total={summary?.total} note={<ProtectedNote count={state?.deletable.network} />} />
    </div>
  )
}
