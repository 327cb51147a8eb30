import { Construction } from 'lucide-react'
import { Link, matchPath, useLocation } from 'react-router-dom'
import { PAGE_NAMES, PAGES } from '#contracts/pages.ts'
import { defineTexts, useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { buttonClass } from '#src/shared/ui/button-class.ts'
import { EmptyState } from '#src/shared/ui/empty-state.tsx'
import { PageTitle } from '#src/shared/ui/page-title.tsx'
import { PLANNED_CONTENT } from './planned-content.ts'

const texts = defineTexts('not-built', {
  title: { zh: '该功能尚未提供', en: 'Not built yet' },
  hint: { zh: '这里将提供：{{what}}', en: 'This page will hold: {{what}}' },
  home: { zh: '返回首页', en: 'Back to the dashboard' },
})

/** A page of the table that does not exist yet: says so, and what it will hold. */
export default function NotBuiltPage() {
  const t = useTexts(texts)
  const language = useLanguage()
  const { pathname } = useLocation()
  const name = PAGE_NAMES.find((one) => matchPath(PAGES[one].path, pathname)) ?? 'not_found'
  const what = PLANNED_CONTENT[name]?.[language]
  return (
    <div className="flex min-h-full flex-col">
      <PageTitle title={PAGES[name][language]} />
      <EmptyState
        kind="missing"
        icon={Construction}
        title={t('title')}
        hint={what && t('hint', { what })}
        action={
          <Link to={PAGES.home.path} className={buttonClass('plain')}>
            {t('home')}
          </Link>
        }
      />
    </div>
  )
}
