import { useSearchParams } from 'react-router-dom'
import { PAGES } from '#contracts/pages.ts'
import type { PermissionItem } from '#contracts/permissions.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { useMay } from '#src/shared/session/session-store.ts'
import { ForbiddenState } from '#src/shared/ui/forbidden-state.tsx'
import { PageTitle } from '#src/shared/ui/page-title.tsx'
import { Tabs } from '#src/shared/ui/tabs.tsx'
import { AccessTokensTab } from './access-tokens-tab.tsx'
import { DisplayTokensTab } from './display-tokens-tab.tsx'
import { IngestKeysTab } from './ingest-keys-tab.tsx'
import { PlatformTab } from './platform-tab.tsx'
import { QuarantineTab } from './quarantine-tab.tsx'
import { settingsTexts } from './settings-texts.ts'
import { SitesTab } from './sites-tab.tsx'

const TABS = {
  platform: { item: 'platform.settings', content: PlatformTab },
  sites: { item: 'platform.settings', content: SitesTab },
  keys: { item: 'ingest.keys', content: IngestKeysTab },
  quarantine: { item: 'ingest.quarantine', content: QuarantineTab },
  tokens: { item: 'token.create', content: AccessTokensTab },
  walls: { item: 'wall.manage', content: DisplayTokensTab },
} as const satisfies Record<string, { item: PermissionItem; content: () => React.ReactNode }>
type TabName = keyof typeof TABS

/** Settings of the platform; the tab stands in the address. */
export default function SettingsPage() {
  const t = useTexts(settingsTexts)
  const language = useLanguage()
  const [params, setParams] = useSearchParams()
  const asked = params.get('tab')
  const value: TabName = asked && asked in TABS ? (asked as TabName) : 'platform'
  return (
    <>
      <PageTitle title={PAGES.settings[language]} />
      <Tabs
        label={t('tabs')}
        value={value}
        onChange={(tab) => setParams({ tab }, { replace: true })}
        items={(Object.keys(TABS) as TabName[]).map((id) => ({ id, label: t(id), content: <Content tab={id} /> }))}
      />
    </>
  )
}

function Content({ tab }: { tab: TabName }) {
  const { item, content: Tab } = TABS[tab]
  return useMay(item) ? <Tab /> : <ForbiddenState permission={item} />
}
