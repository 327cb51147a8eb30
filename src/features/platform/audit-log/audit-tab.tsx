import { keepPreviousData } from '@tanstack/react-query'
import { RotateCw } from 'lucide-react'
import { useMemo, useRef } from 'react'
import { actionName } from '#contracts/audit-actions.ts'
import { AUDIT_RESULTS, type AuditEntry, auditLog, auditSummary } from '#contracts/http/audit-log.ts'
import { call } from '#src/shared/api/call.ts'
import { endpointKey, useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { TimeRangeControl } from '#src/shared/query/time-range-control.tsx'
import { usePlatform } from '#src/shared/session/platform-store.ts'
import type { DataTableHandle } from '#src/shared/table/data-table.tsx'
import { SearchBox } from '#src/shared/table/search-box.tsx'
import { useTableState } from '#src/shared/table/table-state.ts'
import { TableTools } from '#src/shared/table/table-tools.tsx'
import { IconButton } from '#src/shared/ui/icon-button.tsx'
import { SearchSelect } from '#src/shared/ui/search-select.tsx'
import { Select } from '#src/shared/ui/select.tsx'
import { auditColumns, BESIDE_DRAWER } from './audit-columns.tsx'
import { ChainState, ChainUnknown } from './chain-state.tsx'
import { EntryDrawer } from './entry-drawer.tsx'
import { FIND_ID, FilterLine } from './filter-line.tsx'
import { readAuditFilters, readEntry } from './log-filters.ts'
import { LogHistogram } from './log-histogram.tsx'
import { LogFoot, LogRows } from './log-rows.tsx'
import { logTexts } from './log-texts.ts'
import type { LogState } from './log-types.ts'
import { ProtectedNote } from './log-verbs.tsx'
import { type LogView, useLogList } from './use-log-list.ts'

const ALL = 'all'

/** Who changed what: state of the chain, course, entries, and the open entry beside them. */
export function AuditTab({ view, state }: { view: LogView; state: LogState | null | undefined }) {
  const t = useTexts(logTexts)
  const language = useLanguage()
  const zone = usePlatform((platform) => platform.zone)
  const { params, setParams, filter } = view
  const filters = useMemo(() => readAuditFilters(params, view.times), [params, view.times])
  const counted = useEndpoint(
    auditSummary,
    { query: filters },
    { placeholderData: keepPreviousData, refetchInterval: 30_000 },
  )
  const summary = counted.data?.data
  const list = useLogList<AuditEntry>(endpointKey(auditLog, { query: filters }), (paging, signal) =>
    call(auditLog, { query: { ...filters, ...paging }, signal }, { quiet: true }),
  )
  const open = readEntry(params)
  const isOpen = open !== null
  const columns = useMemo(() => auditColumns(t, language, zone, isOpen), [t, language, zone, isOpen])
  const [table, setTable] = useTableState(view, { sorts: ['time'], columns: columns.map((one) => one.id) })
  const rows = useRef<DataTableHandle>(null)
  const show = (id: number | null) => setParams({ entry: id === null ? null : String(id) }, true)
  const isListed = list.rows?.some(({ id }) => id === open) ?? false
  const actions = useMemo(
    () =>
      (summary?.actions ?? [])
        .map((id) => ({ id, label: actionName(id)[language], words: Object.values(actionName(id)).join(' ') }))
        .sort((x, y) => x.label.localeCompare(y.label, language)),
    [summary, language],
  )
  const all = { id: ALL, label: t('all') }
  const choose = (name: string) => (id: string) => filter(name, id === ALL ? null : id)
  const listed = (value: string | undefined, items: readonly { id: string; label: string; words?: string }[]) =>
    value && !items.some(({ id }) => id === value) ? [all, { id: value, label: value }, ...items] : [all, ...items]
  return (
    <div className={`flex flex-col ${isOpen ? 'xl:mr-[456px]' : ''}`}>
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
          <TimeRangeControl size="small" range={view.range} onChange={(range) => setParams({ range, entry: null })} />
        </span>
        <SearchBox
          id={FIND_ID}
          label={t('findAudit')}
          value={filters.search ?? ''}
          onSearch={(words) => filter('find', words, true)}
        />
        <SearchSelect
          label={t('accountFilter')}
          value={filters.account ?? ALL}
          onChange={choose('account')}
          items={listed(
            filters.account,
            (summary?.accounts ?? []).map((id) => ({ id, label: id })),
          )}
          placeholder={t('findChoice')}
          none={t('noChoice')}
          className="w-44 max-sm:w-auto max-sm:flex-1"
        />
        <SearchSelect
          label={t('actionFilter')}
          value={filters.action ?? ALL}
          onChange={choose('action')}
          items={listed(filters.action, actions)}
          placeholder={t('findChoice')}
          none={t('noChoice')}
          className="w-44 max-sm:w-auto max-sm:flex-1"
        />
        <Select
          prefix
          size="small"
          label={t('resultFilter')}
          value={filters.result ?? ALL}
          onChange={choose('result')}
          items={[all, ...AUDIT_RESULTS.map((id) => ({ id, label: t(id) }))]}
          className="w-32"
        />
      </FilterLine>
      {state ? <ChainState state={state} /> : <ChainUnknown isLoading={state === undefined} />}
      <LogHistogram
        histogram={summary?.histogram ?? (counted.error ? null : undefined)}
        span={view.span}
        title={t('entriesOverTime')}
        onRange={(range) => setParams({ range, entry: null })}
      />
      <LogRows
        list={list}
        view={view}
        handle={rows}
        label={t('audit')}
        columns={columns}
        rowKey={({ id }) => String(id)}
        hidden={isOpen ? [...table.hidden, ...BESIDE_DRAWER] : table.hidden}
        density={table.density}
        current={open === null ? null : String(open)}
        onOpen={({ id }) => show(id)}
      />
      <LogFoot list={list} total={summary?.total} note={<ProtectedNote count={state?.deletable.audit} />} />
      {open !== null && (
        <EntryDrawer id={open} onOpen={show} onClose={() => show(null)} {...(isListed && { rows: rows.current })} />
      )}
    </div>
  )
}
