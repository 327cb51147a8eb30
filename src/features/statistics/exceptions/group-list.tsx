import { Search } from 'lucide-react'
import { useMemo, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { EXCEPTION_MARKS, EXCEPTION_SORTS, exceptionGroups } from '#contracts/http/exceptions.ts'
import { exportList } from '#contracts/http/exports.ts'
import type { ExceptionKind } from '#domain/exceptions.ts'
import { call } from '#src/shared/api/call.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { formatExact } from '#src/shared/format/number.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { pinned } from '#src/shared/query/drill.ts'
import { KEPT } from '#src/shared/query/kept.ts'
import type { QueryState } from '#src/shared/query/use-query-state.ts'
import { useNameOf } from '#src/shared/query/value-names.ts'
import { useMay, useSession } from '#src/shared/session/session-store.ts'
import { DataTable } from '#src/shared/table/data-table.tsx'
import { ExportListMenu } from '#src/shared/table/export-menu.tsx'
import { useTableState } from '#src/shared/table/table-state.ts'
import { TableFoot, TableTools } from '#src/shared/table/table-tools.tsx'
import { Button } from '#src/shared/ui/button.tsx'
import { EmptyState } from '#src/shared/ui/empty-state.tsx'
import { ErrorState } from '#src/shared/ui/error-state.tsx'
import { Icon } from '#src/shared/ui/icon.tsx'
import { Section } from '#src/shared/ui/section.tsx'
import { SegmentedControl } from '#src/shared/ui/segmented-control.tsx'
import { Select } from '#src/shared/ui/select.tsx'
import { Skeleton } from '#src/shared/ui/skeleton.tsx'
import { exceptionTexts } from './exception-texts.ts'
import { groupColumns, groupPath } from './group-columns.tsx'
import { TriageMenus } from './triage-menus.tsx'

const PAGE_SIZE = 50

/** The groups of a kind: state, assignee and search in the address; several at once can be resolved, ignored and assigned. */
export function GroupList({ state, kind, now }: { state: QueryState; kind: ExceptionKind; now: number | undefined }) {
  const t = useTexts(exceptionTexts)
  const nameOf = useNameOf()
  const navigate = useNavigate()
  const me = useSession((session) => session.user?.username ?? '')
  const mayExport = useMay('events.export')
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [words, setWords] = useState(state.params.get('find') ?? '')
  const mark = EXCEPTION_MARKS.find((one) => one === state.params.get('mark')) ?? 'all'
  const whose = state.params.get('whose')
  const query = useMemo(() => ({ ...state.query, compare: 'none' as const }), [state.query])
  const withApp = !query.filters.some(({ field, op, values }) => field === 'app' && op === 'is' && values.length === 1)
  const columns = useMemo(() => {
    const onSelect = (group: string) =>
      setSelected((before) => {
        const next = new Set(before)
        if (!next.delete(group)) next.add(group)
        return next
      })
    return groupColumns({ t, nameOf, kind, query, selected, onSelect, withApp })
  }, [t, nameOf, kind, query, selected, withApp])
  const [table, setTable] = useTableState(state, {
    sorts: EXCEPTION_SORTS,
    columns: columns.map((column) => column.id),
  })
  const sort = EXCEPTION_SORTS.find((one) => one === table.sort) ?? 'events'
  const list = {
    query,
    kind,
    mark,
    ...(whose !== null && { assignee: whose === 'me' ? me : '' }),
    search: state.params.get('find') ?? '',
    sort,
  }
  const result = useEndpoint(
    exceptionGroups,
    {
      body: {
        ...list,
        ...(now !== undefined && { now }),
        limit: PAGE_SIZE,
        offset: (table.page - 1) * PAGE_SIZE,
      },
    },
    { enabled: now !== undefined, placeholderData: (before) => before, meta: KEPT },
  )
  const { data } = result
  const rows = data?.data ?? []
  const chosen = rows.filter((row) => selected.has(row.group))
  const sortName = columns.find((column) => column.sort === sort)?.header ?? ''
  return (
    <Section
      plain
      title={t('groups')}
      note={
        data && (
          <span data-testid="group-total" data-value={data.total}>
            {t('groupsNote', { count: data.total, sort: sortName })}
          </span>
        )
      }
      state={!data && !result.error ? 'loading' : result.isPlaceholderData ? 'refreshing' : 'ready'}
      skeleton={<Skeleton lines={12} height="32px" className="px-5 py-3" />}
      actions={
        <>
          <SegmentedControl
            size="small"
            label={t('mark')}
            value={mark}
            onChange={(next) => state.setParams({ mark: next === 'all' ? null : next, page: null })}
            items={EXCEPTION_MARKS.map((id) => ({ id, label: t(id), note: data && formatExact(data.counts[id]) }))}
          />
          <Select
            size="small"
            label={t('assignee')}
            hideLabel
            value={whose === null ? 'any' : whose === 'me' ? 'me' : 'none'}
            onChange={(next) => state.setParams({ whose: next === 'any' ? null : next, page: null })}
            items={[
              { id: 'any', label: t('anyone') },
              { id: 'me', label: t('mine') },
              { id: 'none', label: t('unassigned') },
            ]}
          />
          <form
            className="relative"
            onSubmit={(event) => {
              event.preventDefault()
              state.setParams({ find: words.trim() || null, page: null })
            }}
          >
            <Icon of={Search} size={14} className="pointer-events-none absolute top-1.5 left-2 text-muted" />
            <input
              type="search"
              aria-label={t('find')}
              placeholder={t('find')}
              value={words}
              maxLength={100}
              onChange={(event) => setWords(event.target.value)}
              className="h-7 w-44 rounded border border-line-strong bg-surface pr-2 pl-7 text-12"
            />
          </form>
          <TableTools columns={columns} state={table} onChange={setTable} />
          <ExportListMenu
            start={(file) =>
              call(
                exportList,
                { body: { list: { of: 'exception_groups', ...list, query: pinned(query, data?.span) }, ...file } },
                { quiet: true },
              )
            }
            mayExport={mayExport}
            title={`${t(kind)} ${t('groups')}`}
            total={data?.total ?? 0}
          />
        </>
      }
    >
      {chosen.length > 0 && (
        <div className="flex flex-wrap items-center gap-2 border-y bg-selected px-5 py-1.5">
          <span className="mr-2 font-semibold">{t('selected', { count: chosen.length })}</span>
          <TriageMenus
            groups={chosen.map((row) => ({ ...row, newest: row.versions[0] ?? '' }))}
            onDone={() => setSelected(new Set())}
          />
          <Button variant="quiet" onPress={() => setSelected(new Set())}>
            {t('clear')}
          </Button>
        </div>
      )}
      {result.error ? (
        <ErrorState error={result.error} onRetry={() => void result.refetch()} />
      ) : (
        <>
          <DataTable
            label={t('groups')}
            columns={columns}
            rows={rows}
            rowKey={(row) => row.group}
            hidden={table.hidden}
            density={table.density}
            sort={sort}
            onSort={(key) => setTable({ sort: key })}
            onOpen={(row) => void navigate(groupPath(kind, row.group, query))}
            empty={<EmptyState kind="filtered" title={t('none')} hint={t('noneHint')} />}
          />
          {data && data.ungrouped > 0 && (
            <p className="px-5 py-2 text-12 text-muted">{t('ungrouped', { count: data.ungrouped })}</p>
          )}
          <TableFoot
            page={table.page}
            pageSize={PAGE_SIZE}
            total={data?.total ?? 0}
            onPage={(page) => setTable({ page })}
          />
        </>
      )}
    </Section>
  )
}
