import { PERMISSION_ITEMS, type PermissionItem } from '#contracts/permissions.ts'
import { defineTexts, useLanguage, useTexts } from '../i18n/texts.ts'
import { EmptyState } from './empty-state.tsx'

const texts = defineTexts('ui-forbidden', {
  title: { zh: '缺少权限：{{permission}}', en: 'Permission missing: {{permission}}' },
  hint: { zh: '由平台管理员在角色设置中授予。', en: 'A platform administrator grants it in the role settings.' },
})

/** Part of a page that the account may not see: which permission is missing and who grants it. */
export function ForbiddenState({ permission }: { permission: PermissionItem }) {
  const t = useTexts(texts)
  const language = useLanguage()
  return (
    <EmptyState
      kind="permission"
      title={t('title', { permission: PERMISSION_ITEMS[permission][language] })}
      hint={t('hint')}
      code={permission}
    />
  )
}
