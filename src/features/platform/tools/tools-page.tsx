import { PAGES } from '#contracts/pages.ts'
import { PermittedPage } from '#src/shared/account/permitted-page.tsx'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { useAddress } from '#src/shared/table/use-address.ts'
import { PageTitle } from '#src/shared/ui/page-title.tsx'
import { Tabs } from '#src/shared/ui/tabs.tsx'
import { CompareTab } from './compare-tab.tsx'
import { HashTab } from './hash-tab.tsx'
import { InspectorTab } from './inspector-tab.tsx'
import { PatternTab } from './pattern-tab.tsx'
import { PhoneTab } from './phone-tab.tsx'
import { SignatureTab } from './signature-tab.tsx'
import { toolsTexts } from './tools-texts.ts'

const TABS = {
  package: InspectorTab,
  signature: SignatureTab,
  compare: CompareTab,
  hash: HashTab,
  phone: PhoneTab,
  pattern: PatternTab,
} as const
type TabName = keyof typeof TABS

/** /platform/tools: looks at files, phones and expressions; nothing that they are given is kept. */
export default function ToolsPage() {
  return (
    <PermittedPage page="tools" permission="tool.use">
      <Tools />
    </PermittedPage>
  )
}

function Tools() {
  const t = useTexts(toolsTexts)
  const language = useLanguage()
  const { params, setParams } = useAddress()
  const names = Object.keys(TABS) as TabName[]
  const value = names.find((name) => name === params.get('tool')) ?? 'package'
  return (
    <div className="flex min-h-full flex-col bg-surface">
      <PageTitle title={PAGES.tools[language]} note={t('note')} />
      <Tabs
        label={t('tabs')}
        value={value}
        onChange={(tool) => setParams({ tool: tool === 'package' ? null : tool, find: null, page: null })}
        items={names.map((id) => {
          const Tab = TABS[id]
          return { id, label: t(id), content: <Tab /> }
        })}
      />
    </div>
  )
}
