import { useSearchParams } from 'react-router-dom'
import { alerts } from '#contracts/http/alerts.ts'
import { PAGES } from '#contracts/pages.ts'
import { useAlertNews } from '#src/shared/alerts/use-alerts.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { pageConnection } from '#src/shared/live/page-connection.ts'
import { useMay } from '#src/shared/session/session-store.ts'
import { PageTitle } from '#src/shared/ui/page-title.tsx'
import { Tabs } from '#src/shared/ui/tabs.tsx'
import { AlertList } from './alert-list.tsx'
import { alertTexts } from './alert-texts.ts'
import { ChannelList } from './channel-list.tsx'
import { RuleList } from './rule-list.tsx'

const TABS = ['alerts', 'rules', 'channels'] as const
type TabName = (typeof TABS)[number]

/** Alerts, the rules that raise them, the channels that deliver them; the open tab is kept in the address. */
export default function AlertsPage() {
  const t = useTexts(alertTexts)
  const language = useLanguage()
  const [params, setParams] = useSearchParams()
  const mayEdit = useMay('alert.edit')
  useAlertNews(pageConnection())
  const numbers = useEndpoint(alerts, { query: { state: 'open', limit: 1 } }).data
  const names = TABS.filter((name) => name !== 'channels' || mayEdit)
  const asked = params.get('tab') as TabName | null
  const value: TabName = asked && names.includes(asked) ? asked : 'alerts'
  return (
    <div className="flex h-full min-h-0 flex-col bg-surface">
      <PageTitle
        title={PAGES.alerts[language]}
        note={numbers && t('note', { firing: numbers.firing, unacknowledged: numbers.unacknowledged })}
      />
      <Tabs
        label={t('tabs')}
        value={value}
        onChange={(tab) => setParams(tab === 'alerts' ? {} : { tab }, { replace: true })}
        items={names.map((id) => ({
          id,
          label: t(id),
          content: id === 'alerts' ? <AlertList /> : id === 'rules' ? <RuleList /> : <ChannelList />,
        }))}
      />
    </div>
  )
}
