import { useSearchParams } from 'react-router-dom'
import { PAGES } from '#contracts/pages.ts'
import type { PermissionItem } from '#contracts/permissions.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { useAuthList } from '#src/shared/session/session-store.ts'
import { CentredPage } from '#src/shared/ui/centred-page.tsx'
import { ForbiddenState } from '#src/shared/ui/forbidden-state.tsx'
import { PageTitle } from '#src/shared/ui/page-title.tsx'
import { Tabs } from '#src/shared/ui/tabs.tsx'
import { AccessTokensTab } from './access-tokens-tab.tsx'
import { DisplayTokensTab } from './display-tokens-tab.tsx'
import { IngestKeysTab } from './ingest-keys-tab.tsx'
import { PlatformTab } from './platform-tab.tsx'
import { QuarantineTab } from './quarantine-tab.tsx'
import { ReportsTab } from './reports-tab.tsx'
import { settingsTexts } from './settings-texts.ts'
import { SignInTab } from './sign-in-tab.tsx'
import { SitesTab } from './sites-tab.tsx'

const TABS = {
  platform: { item: 'platform.settings', content: PlatformTab },
  signin: { item: 'platform.settings', content: SignInTab },
  reports: { item: 'platform.settings', content: ReportsTab },
  sites: { item: 'platform.settings', content: SitesTab },
  keys: { item: 'ingest.keys', content: IngestKeysTab },
  quarantine: { item: 'ingest.quarantine', content: QuarantineTab },
  tokens: { item: 'token.create', content: AccessTokensTab },
  walls: { item: 'wall.manage', content: DisplayTokensTab },
} as const satisfies Record<string, { item: PermissionItem; content: () => React.ReactNode }>
type TabName = keyof typeof TABS

/** Settings, keys and tokens; an account sees the tabs of its permissions, and the open one is kept in the address. */
export default function SettingsPage() {
  const t = useTexts(settingsTexts)
  const language = useLanguage()
  const auth = useAuthList()
  const [params, setParams] = useSearchParams()
  const names = (Object.keys(TABS) as TabName[]).filter((name) => auth.includes(TABS[name].item))
  const asked = params.get('tab') as TabName | null
  const missing = asked && asked in TABS && !names.includes(asked) ? TABS[asked].item : undefined
  const value = asked && names.includes(asked) ? asked : (names[0] as TabName)
  return (
    <CentredPage>
      <PageTitle title={PAGES.settings[language]} />
      {missing ? (
        <ForbiddenState permission={missing} />
      ) : (
        <Tabs
          label={t('tabs')}
          value={value}
          onChange={(tab) => setParams({ tab }, { replace: true })}
          items={names.map((id) => {
            const { content: Tab } = TABS[id]
            return { id, label: t(id), content: <Tab /> }
          })}
        />
      )}
    </CentredPage>
  )
}
