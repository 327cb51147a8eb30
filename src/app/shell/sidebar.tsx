import { Link } from 'react-router-dom'
import type { PageName } from '#contracts/pages.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { usePlatform } from '#src/shared/session/platform-store.ts'
import { Icon } from '#src/shared/ui/icon.tsx'
import { type MenuGroup, type MenuPage, parentOf } from '../menu.ts'
import { pageIcon } from '../page-icons.ts'
import { shellTexts } from './shell-texts.ts'

/** The pages of the group under their sections. Always open (208); below 1024 px only the icons stay (64), below 640 px the drawer takes over. */
export function Sidebar({ group, page, narrow }: { group: MenuGroup | undefined; page: PageName; narrow: boolean }) {
  const t = useTexts(shellTexts)
  const version = usePlatform((state) => state.version)
  return (
    <aside className="flex min-h-0 flex-col border-r bg-canvas pt-3 max-sm:hidden" data-collapsed={narrow}>
      <nav aria-label={t('pages')} className="min-h-0 flex-1 overflow-y-auto px-2">
        {group && <PageList pages={group.pages} title={group} page={page} narrow={narrow} />}
      </nav>
      {!narrow && version && (
        <footer className="border-t px-5 py-2.5 text-12 text-muted">{t('version', { version })}</footer>
      )}
    </aside>
  )
}

/** Links to pages, grouped by section; also in the drawer of small screens. */
export function PageList({
  pages,
  title,
  page,
  narrow = false,
}: {
  pages: readonly MenuPage[]
  /** Heading of pages without a section. */
  title: { zh: string; en: string }
  page: PageName
  narrow?: boolean
}) {
  const language = useLanguage()
  const behind = parentOf(page)
  let heading = ''
  return (
    <ul>
      {pages.map((one, index) => {
        const section = (one.section ?? title)[language]
        const isFirst = section !== heading
        heading = section
        const here = one.name === page
        const marked = here || one.name === behind
        return (
          <li key={one.name}>
            {isFirst && !narrow && (
              <h2 className={`px-2.5 pb-1.5 text-12/4 text-muted ${index > 0 ? 'pt-5' : ''}`}>{section}</h2>
            )}
            <Link
              to={one.path}
              aria-current={here ? 'page' : marked ? 'true' : undefined}
              aria-label={narrow ? one[language] : undefined}
              title={narrow ? one[language] : undefined}
              className={`flex h-9 items-center gap-2 rounded px-2.5 whitespace-nowrap ${language === 'en' ? 'text-13' : 'text-14'} ${narrow ? 'justify-center' : ''} ${marked ? 'bg-selected font-semibold text-brand-text' : 'text-text hover:bg-neutral'}`}
            >
              <Icon of={pageIcon(one.icon)} className={marked ? '' : 'text-muted'} />
              {!narrow && <span className="text-clip-line">{one[language]}</span>}
            </Link>
          </li>
        )
      })}
    </ul>
  )
}
