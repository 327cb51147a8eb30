import { defineTexts, useTexts } from '../../../shared/i18n/texts.ts'
import {
  setCurrentApplication,
  useApplications,
  useCurrentApplication,
} from '../../../shared/session/application-store.ts'
import { Button } from '../../../shared/ui/button.tsx'
import { EmptyState } from '../../../shared/ui/empty-state.tsx'

const texts = defineTexts('application-filter', {
  title: { zh: '应用“{{name}}”下没有内容', en: 'Nothing of application {{name}}' },
  hint: { zh: '列表只显示当前应用。', en: 'The list shows the current application alone.' },
  all: { zh: '查看全部应用', en: 'Show all applications' },
})

/**
 * To which application lists of packages and detections are narrowed; '' to none. The only application narrows nothing: it became current
 * without anybody choosing, and what belongs to none would be gone.
 */
export function useApplicationFilter(): string {
  return useApplications(narrowedTo)
}

export function narrowedTo({ list, current }: ReturnType<typeof useApplications.getState>): string {
  return current === 'all' || list?.length === 1 ? '' : current
}

/** Shown in an empty list that is filtered by application: the others may have rows. */
export function NothingOfApplication() {
  const t = useTexts(texts)
  const name = useCurrentApplication()?.name ?? ''
  return (
    <EmptyState
      kind="filtered"
      title={t('title', { name })}
      hint={t('hint')}
      action={<Button onPress={() => setCurrentApplication('all')}>{t('all')}</Button>}
    />
  )
}
