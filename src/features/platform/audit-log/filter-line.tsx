import type { ReactNode } from 'react'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { useActions } from '#src/shared/ui/actions.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { logTexts } from './log-texts.ts'
import type { LogView } from './use-log-list.ts'

/** DOM id of the search box that `/` focuses. */
export const FIND_ID = 'log-find'

/** The filters of a log, what takes them away while any is set, and the tools of its table at the end. */
export function FilterLine({ view, tools, children }: { view: LogView; tools: ReactNode; children: ReactNode }) {
  const t = useTexts(logTexts)
  useActions([
    {
      id: 'logs.find',
      label: t('find'),
      group: t('tabs'),
      keys: '/',
      run: () => document.getElementById(FIND_ID)?.focus(),
    },
    { id: 'logs.refresh', label: t('refresh'), group: t('tabs'), keys: 'r', run: view.refresh },
  ])
  return (
    <div className="flex flex-wrap items-center gap-2 px-5 py-2.5 max-lg:px-4">
      {children}
      {view.isFiltered && (
        <Button size="small" variant="quiet" onPress={view.clear}>
          {t('clear')}
        </Button>
      )}
      <span className="ml-auto flex items-center">{tools}</span>
    </div>
  )
}
