import { Plus } from 'lucide-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { Link, Outlet, useLocation } from 'react-router-dom'
import { GROUPS, PAGES, type PageGroup, type PageName, pageOf } from '#contracts/pages.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { useApplications } from '#src/shared/session/application-store.ts'
import { useAuthList, useMay } from '#src/shared/session/session-store.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { Drawer } from '#src/shared/ui/drawer.tsx'
import { EmptyState } from '#src/shared/ui/empty-state.tsx'
import { BreadcrumbContext, PageTitle } from '#src/shared/ui/page-title.tsx'
import { isEmpowered } from '../guard.ts'
import { type MenuGroup, menuFor, parentOf } from '../menu.ts'
import { useShellOpeners } from '../signed-in.tsx'
import { Header } from './header.tsx'
import { shellTexts } from './shell-texts.ts'
import { PageList, Sidebar } from './sidebar.tsx'
import { TagBar } from './tag-bar.tsx'
import { visit } from './tag-store.ts'
import { TipsBar } from './tips-bar.tsx'
import { useMobile } from './use-narrow.ts'

/** Pages about what applications report: without any application they show the invitation to create one. */
const NEED_APPLICATION: readonly PageGroup[] = ['start', 'awareness', 'statistics']

/** Everything around a page: header 56, tips 32, tags 32, sidebar 208 or 64, and the page itself, which scrolls by itself. */
export default function Shell() {
  const t = useTexts(shellTexts)
  const { pathname, search } = useLocation()
  const mobile = useMobile()
  const open = useShellOpeners()
  const [menuOpen, setMenuOpen] = useState(false)
  const auth = useAuthList()
  const groups = useMemo(() => menuFor(auth), [auth])
  const page = pageOf(pathname) ?? 'not_found'
  const entry = PAGES[page]
  const group = groups.find((one) => one.group === entry.group)
  const main = useRef<HTMLElement>(null)

  useEffect(() => visit({ page, path: pathname, search }), [page, pathname, search])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new page starts at its top and closes the drawer
  useEffect(() => {
    setMenuOpen(false)
    main.current?.scrollTo(0, 0)
  }, [pathname])

  return (
    <div className="grid h-full grid-cols-[208px_minmax(0,1fr)] grid-rows-[56px_32px_32px_minmax(0,1fr)] max-lg:grid-cols-[64px_minmax(0,1fr)] max-lg:grid-rows-[56px_32px_minmax(0,1fr)] max-sm:grid-cols-1">
      <button
        type="button"
        className="absolute -top-12 left-2 z-50 rounded bg-brand-fill px-3 py-1.5 text-brand-on focus:top-2"
        onClick={() => main.current?.focus()}
      >
        {t('skip')}
      </button>
      <Header
        groups={groups}
        group={entry.group}
        mobile={mobile}
        open={open.dialog}
        openApplications={open.list}
        openMenu={() => setMenuOpen(true)}
      />
      <TipsBar />
      <TagBar path={pathname} />
      <Sidebar group={group} page={page} narrow={mobile} />
      <BreadcrumbContext value={<Breadcrumb page={page} group={group} />}>
        <main ref={main} id="content" tabIndex={-1} className="min-h-0 min-w-0 overflow-auto bg-surface">
          {NEED_APPLICATION.includes(entry.group) && page !== 'notifications' ? (
            <OrCreate onCreate={open.create} page={page} />
          ) : (
            <Outlet />
          )}
        </main>
      </BreadcrumbContext>
      <Drawer
        isOpen={menuOpen && mobile}
        onClose={() => setMenuOpen(false)}
        title={t('menu')}
        side="left"
        width="280px"
        takeFocus
      >
        <nav aria-label={t('groups')} className="p-2">
          {groups.map((one) => (
            <PageList
              key={one.group}
              pages={one.pages.map(({ section: _, ...rest }) => rest)}
              title={one}
              page={page}
            />
          ))}
        </nav>
      </Drawer>
    </div>
  )
}

/** The page, or the empty state (SHELL-03) when an empowered account has no application at all. */
function OrCreate({ onCreate, page }: { onCreate: () => void; page: PageName }) {
  const t = useTexts(shellTexts)
  const none = useApplications((state) => state.list?.length === 0)
  const auth = useAuthList()
  const mayAdd = useMay('createapp')
  const language = useLanguage()
  // What needs no application goes on working.
  if (!none || !isEmpowered(auth) || PAGES[page].roles.length === 0) return <Outlet />
  return (
    <div className="flex min-h-full flex-col pb-20">
      <PageTitle title={PAGES[page][language]} />
      <EmptyState
        kind="none"
        title={t('emptyTitle')}
        hint={t(mayAdd ? 'emptyHint' : 'emptyAsk')}
        action={
          mayAdd && (
            <Button variant="primary" icon={Plus} onPress={onCreate}>
              {t('addApplication')}
            </Button>
          )
        }
      />
    </div>
  )
}

/** The dashboard first, then the group; the page itself is the title. */
function Breadcrumb({ page, group }: { page: PageName; group: MenuGroup | undefined }) {
  const t = useTexts(shellTexts)
  const language = useLanguage()
  if (page === 'home') return null
  const name = GROUPS[PAGES[page].group][language]
  const first = group?.pages[0]
  const behind = parentOf(page)
  const parent = group?.pages.find((one) => one.name === behind)
  return (
    <nav aria-label="breadcrumb" className="flex-none whitespace-nowrap text-muted max-lg:text-12">
      <ol className="flex">
        <li>
          <Link to={PAGES.home.path} className="hover:text-brand-text">
            {t('dashboard')}
          </Link>
          <Slash />
        </li>
        {/* The dashboard is the first step and a group of its own name at once. */}
        <li className={PAGES[page].group === 'start' ? 'hidden' : ''}>
          {first && first.name !== page ? (
            <Link to={first.path} className="hover:text-brand-text">
              {name}
            </Link>
          ) : (
            name
          )}
          <span className={parent ? '' : 'max-lg:hidden'}>
            <Slash />
          </span>
        </li>
        {parent && (
          <li>
            <Link to={parent.path} className="hover:text-brand-text">
              {parent[language]}
            </Link>
            <span className="max-lg:hidden">
              <Slash />
            </span>
          </li>
        )}
      </ol>
    </nav>
  )
}

function Slash() {
  return (
    <span aria-hidden className="px-2 text-faint">
      /
    </span>
  )
}
