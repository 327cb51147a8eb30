import { useMemo } from 'react'
import { useNavigate } from 'react-router-dom'
import {
  approveSuppression,
  exportSuppressions,
  SUPPRESSION_STATES,
  type Suppression,
  suppressions,
  withdrawSuppression,
} from '#contracts/http/detection/result.ts'
import { PAGES } from '#contracts/pages.ts'
import { NothingOfApplication, useApplicationFilter } from '#src/features/detection/parts/application-filter.tsx'
import { SUPPRESSION_REFRESHES } from '#src/features/detection/parts/suppression-refreshes.ts'
import { taskPath } from '#src/features/detection/parts/task-path.ts'
import { PermittedPage } from '#src/shared/account/permitted-page.tsx'
import { call } from '#src/shared/api/call.ts'
import { useAction } from '#src/shared/api/use-action.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { formatExact } from '#src/shared/format/number.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { usePlatform } from '#src/shared/session/platform-store.ts'
import { useMay, useSession } from '#src/shared/session/session-store.ts'
import { ExportListMenu } from '#src/shared/table/export-menu.tsx'
import { ListPage } from '#src/shared/table/list-page.tsx'
import { PagedTable } from '#src/shared/table/paged-table.tsx'
import { SearchBox } from '#src/shared/table/search-box.tsx'
import { useTableState } from '#src/shared/table/table-state.ts'
import { TableTools } from '#src/shared/table/table-tools.tsx'
import { useAddress } from '#src/shared/table/use-address.ts'
import { useActions } from '#src/shared/ui/actions.ts'
import { confirm } from '#src/shared/ui/confirm.tsx'
import { EmptyState } from '#src/shared/ui/empty-state.tsx'
import { SegmentedControl } from '#src/shared/ui/segmented-control.tsx'
import { toast } from '#src/shared/ui/toast.ts'
import { suppressionColumns } from './suppression-columns.tsx'
import { suppressionsTexts } from './suppressions-texts.ts'

const PAGE_SIZE = 20
const FIND_ID = 'suppression-find'
const FILTERS = ['find', 'state'] as const

/** /detection/suppressions: every finding that somebody declared not to count, of all applications that the account sees. */
export default function SuppressionsPage() {
  return (
    <PermittedPage page="suppressions" permission="detect.view">
      <Suppressions />
    </PermittedPage>
  )
}

function Suppressions() {
  const t = useTexts(suppressionsTexts)
  const language = useLanguage()
  const navigate = useNavigate()
  const zone = usePlatform((state) => state.zone)
  const me = useSession((state) => state.user?.username)
  const mayApprove = useMay('rule.edit')
  const appid = useApplicationFilter()
  const address = useAddress()
  const { params, setParams } = address
  const approve = useAction(approveSuppression, {
    refreshes: SUPPRESSION_REFRESHES,
    onSuccess: () => void toast.success(t('approved')),
  })
  const withdraw = useAction(withdrawSuppression, {
    refreshes: SUPPRESSION_REFRESHES,
    onSuccess: () => void toast.success(t('lifted')),
  })
  const { mutate: sendApprove } = approve
  const { mutate: sendWithdraw } = withdraw
  const columns = useMemo(() => {
    const lift = async (one: Suppression) => {
      const title = t('liftTitle', { name: one.item_name[language] })
      const question = { title, text: t('liftText', { package: one.package_id }), action: t('lift'), danger: true }
      if (await confirm(question)) sendWithdraw({ body: { id: one.id } })
      else toast.info(t('kept'))
    }
    return suppressionColumns({
      t,
      language,
      zone,
      mayApprove,
      me,
      onOpen: (one) => openReport(one, navigate),
      onApprove: (one) => sendApprove({ body: { id: one.id } }),
      onLift: (one) => void lift(one),
    })
  }, [t, language, zone, mayApprove, me, navigate, sendApprove, sendWithdraw])
  const [table, setTable] = useTableState(address, { sorts: ['created'], columns: columns.map((one) => one.id) })
  const filters = {
    search: (params.get('find') ?? '').slice(0, 100),
    state: SUPPRESSION_STATES.find((one) => one === params.get('state')) ?? ('' as const),
    appid,
  }
  const answer = useEndpoint(
    suppressions,
    { query: { ...filters, offset: (table.page - 1) * PAGE_SIZE, limit: PAGE_SIZE } },
    { placeholderData: (before) => before },
  )
  const data = answer.data
  const all = data ? SUPPRESSION_STATES.reduce((sum, state) => sum + (data.states[state] ?? 0), 0) : undefined
  const isFiltered = FILTERS.some((name) => params.has(name))
  const clear = () => setParams({ find: null, state: null, page: null })
  useActions([
    {
      id: 'suppressions.find',
      label: t('find'),
      group: t('list'),
      keys: '/',
      run: () => document.getElementById(FIND_ID)?.focus(),
    },
  ])
  return (
    <ListPage
      title={PAGES.suppressions[language]}
      note={
        data && (
          <span data-testid="suppression-total" data-value={data.total}>
            {t('note', { count: data.total })}
          </span>
        )
      }
      actions={
        <ExportListMenu
          named
          start={(file) => call(exportSuppressions, { body: { list: filters, ...file } }, { quiet: true })}
          mayExport
          title={PAGES.suppressions[language]}
          total={data?.total ?? 0}
        />
      }
      filters={
        <>
          <SearchBox
            id={FIND_ID}
            label={t('find')}
            value={params.get('find') ?? ''}
            onSearch={(words) => setParams({ find: words || null, page: null }, true)}
          />
          <span className="max-w-full overflow-x-auto">
            <SegmentedControl
              size="small"
              label={t('states')}
              value={filters.state}
              onChange={(state) => setParams({ state: state || null, page: null })}
              items={[
                { id: '' as const, label: t('all'), note: all === undefined ? undefined : formatExact(all) },
                ...SUPPRESSION_STATES.map((id) => ({
                  id,
                  label: t(id),
                  note: data && formatExact(data.states[id] ?? 0),
                })),
              ]}
            />
          </span>
        </>
      }
      clear={isFiltered && { label: t('clear'), onPress: clear }}
      tools={<TableTools columns={columns} state={table} onChange={setTable} />}
    >
      <PagedTable
        label={t('list')}
        answer={answer}
        columns={columns}
        rowKey={(one) => one.id}
        hidden={table.hidden}
        density={table.density}
        openMark={false}
        onOpen={(one) => openReport(one, navigate)}
        page={table.page}
        pageSize={PAGE_SIZE}
        onPage={(page) => setTable({ page })}
        filtered={isFiltered && { title: t('filtered'), clear: t('clear'), onClear: clear }}
        none={appid ? <NothingOfApplication /> : <EmptyState kind="none" title={t('none')} hint={t('noneHint')} />}
      />
    </ListPage>
  )
}

/** The report that it was asked for in, at the item. */
function openReport(one: Suppression, navigate: (path: string) => unknown): void {
  if (one.task !== null) void navigate(`${taskPath(one.task)}?verdict=all&item=${encodeURIComponent(one.item)}`)
}
