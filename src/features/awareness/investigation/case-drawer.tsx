import { useTexts } from '#src/shared/i18n/texts.ts'
import type { QueryState } from '#src/shared/query/use-query-state.ts'
import { Drawer } from '#src/shared/ui/drawer.tsx'
import { CasePanel } from './case-panel.tsx'
import { caseTexts } from './trace-texts.ts'
import type { CaseInUse } from './use-case.ts'

/** A case beside the search page: what it holds leads to traces and events. */
export function CaseDrawer({ state, inUse }: { state: QueryState; inUse: CaseInUse }) {
  const t = useTexts(caseTexts)
  return (
    <Drawer isOpen onClose={() => inUse.use(null)} title={t('case')} takeFocus>
      <CasePanel inUse={inUse} onOpen={(params) => state.setParams(params)} />
    </Drawer>
  )
}
