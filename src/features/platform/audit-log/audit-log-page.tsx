import { auditState } from '#contracts/http/audit-log.ts'
import { PAGES } from '#contracts/pages.ts'
import { PermittedPage } from '#src/shared/account/permitted-page.tsx'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { formatDateTime } from '#src/shared/format/time.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { usePlatform } from '#src/shared/session/platform-store.ts'
import { PageTitle } from '#src/shared/ui/page-title.tsx'
import { Tabs } from '#src/shared/ui/tabs.tsx'
import { AuditTab } from './audit-tab.tsx'
import {
  AUDIT_PARAMS,
  LOG_TABS,
  type LogTab,
  NETWORK_PARAMS,
  readAuditFilters,
  readNetworkFilters,
  readTab,
} from './log-filters.ts'
import { logTexts } from './log-texts.ts'
import { LogVerbs } from './log-verbs.tsx'
import { NetworkTab } from './network-tab.tsx'
import { OutputsTab } from './outputs-tab.tsx'
import { useLogView } from './use-log-list.ts'

/** /platform/logs: audit trail, network log, and where copies go; tab, filters and open entry are kept in the address. */
export default function LogsPage() {
  return (
    <PermittedPage page="audit_log" permission="log.view">
      <Logs />
    </PermittedPage>
  )
}

function Logs() {
  const t = useTexts(logTexts)
  const language = useLanguage()
  const zone = usePlatform((platform) => platform.zone)
  const answer = useEndpoint(auditState, {}, { refetchInterval: 30_000 })
  const state = answer.data?.data ?? (answer.error ? null : undefined)
  const view = useLogView([...new Set([...AUDIT_PARAMS, ...NETWORK_PARAMS])])
  const { params, setParams, times } = view
  const tab = readTab(params)
  const open = (next: LogTab) => {
    const left = [...params.keys()].filter((name) => name !== 'range')
    setParams({ ...Object.fromEntries(left.map((name) => [name, null])), tab: next === 'audit' ? null : next }, true)
  }
  const contents = {
    audit: () => <AuditTab view={view} state={state} />,
    network: () => <NetworkTab view={view} state={state} />,
    outputs: () => <OutputsTab />,
  }
  return (
    <div className="flex min-h-full flex-col bg-surface">
      <PageTitle
        title={PAGES.audit_log[language]}
        note={
          tab === 'audit' &&
          state &&
          (state.first_at === null
            ? t('noteNone')
            : t('note', { count: state.entries, day: formatDateTime(state.first_at, zone, 'day') }))
        }
        actions={
          tab !== 'outputs' && (
            <LogVerbs
              state={state}
              chosen={
                tab === 'audit'
                  ? { log: 'audit', filters: readAuditFilters(params, times) }
                  : { log: 'network', filters: readNetworkFilters(params, times) }
              }
            />
          )
        }
      />
      <Tabs
        label={t('tabs')}
        value={tab}
        onChange={open}
        items={LOG_TABS.map((id) => ({ id, label: t(id), content: id === tab && contents[id]() }))}
      />
    </div>
  )
}
