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
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { usePlatform } from '#src/shared/session/platform-store.ts'
import { useMay, useSession } from '#src/shared/session/session-store.ts'
import { ExportListMenu } from '#src/shared/table/export-menu.tsx'
import { SearchBox } from '#src/shared/table/search-box.tsx'
import { CountedChoice, SearchableListPage } from '#src/shared/table/searchable-list-page.tsx'
import { useListState } from '#src/shared/table/use-list-state.ts'
import { confirm } from '#src/shared/ui/confirm.tsx'
import { EmptyState } from '#src/shared/ui/empty-state.tsx'
import { toast } from '#src/shared/ui/toast.ts'
import { suppressionColumns } from './suppression-columns.tsx'
import { suppressionsTexts } from './suppressions-texts.ts'

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
  const list = useListState({
    name: 'suppression',
    filters: FILTERS,
    sorts: ['created'],
    columns,
    searchLabel: t('find'),
    actionGroup: t('list'),
  })
  const { params } = list
  const filters = {
    search: (params.get('find') ?? '').slice(0, 100),
    state: SUPPRESSION_STATES.find((one) => one === params.get('state')) ?? ('' as const),
    appid,
  }
  const answer = useEndpoint(
    suppressions,
    { query: { ...filters, ...list.paging } },
    { placeholderData: (before) => before },
  )
  const data = answer.data
  return (
    <SearchableListPage
      list={list}
      title={PAGES.suppressions[language]}
      count={data && { name: 'suppression', total: data.total, text: t('note', { count: data.total }) }}
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
            id={list.searchId}
            label={t('find')}
            value={params.get('find') ?? ''}
            onSearch={(words) => list.filter('find', words || null)}
          />
          <CountedChoice
            label={t('states')}
            all={t('all')}
            value={filters.state}
            onChange={(state) => list.filter('state', state || null)}
            items={SUPPRESSION_STATES.map((id) => ({ id, label: t(id) }))}
            counts={data?.states}
          />
        </>
      }
      texts={{ clear: t('clear'), filtered: t('filtered') }}
      label={t('list')}
      answer={answer}
      columns={columns}
      rowKey={(one) => one.id}
      openMark={false}
      onOpen={(one) => openReport(one, navigate)}
      none={appid ? <NothingOfApplication /> : <EmptyState kind="none" title={t('none')} hint={t('noneHint')} />}
    />
  )
}

/** The report that it was asked for in, at the item. */
function openReport(one: Suppression, navigate: (path: string) => unknown): void {
  if (one.task !== null) void navigate(`${taskPath(one.task)}?verdict=all&item=${encodeURIComponent(one.item)}`)
}
