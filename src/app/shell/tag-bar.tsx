import { ChevronDown, RotateCw, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Popover } from 'react-aria-components'
import { Link, useNavigate } from 'react-router-dom'
import { PAGES } from '#contracts/pages.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { Icon } from '#src/shared/ui/icon.tsx'
import { MenuButton, MenuList } from '#src/shared/ui/menu-button.tsx'
import { MENU_BOX } from '#src/shared/ui/menu-class.ts'
import { useSubjects } from '#src/shared/ui/page-subject.ts'
import { shellTexts } from './shell-texts.ts'
import { closeTags, type Tag, useTags } from './tag-store.ts'

/** Visited pages. The menu of a tag (right click, or the button at the end for the active one): refresh, close, close others, close all. */
export function TagBar({ path }: { path: string }) {
  const t = useTexts(shellTexts)
  const language = useLanguage()
  const navigate = useNavigate()
  const tags = useTags((state) => state.tags)
  const subjects = useSubjects()
  const anchor = useRef<HTMLElement | null>(null)
  const list = useRef<HTMLUListElement>(null)
  const [asked, setAsked] = useState<Tag | null>(null)
  const active = tags.find((tag) => tag.path === path)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new path is a new active tag
  useEffect(() => {
    list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [path])

  const close = (goes: (tag: Tag) => boolean) => {
    const to = closeTags(path, goes)
    if (to) void navigate(to)
  }
  const entries = (tag: Tag) => [
    {
      id: 'refresh',
      label: t('refresh'),
      icon: RotateCw,
      onAction: () => void navigate(`/redirect${tag.path}${tag.search}`),
    },
    {
      id: 'close',
      label: t('close'),
      icon: X,
      isDisabled: tag.page === 'home',
      onAction: () => close((one) => one === tag),
    },
    {
      id: 'others',
      label: t('closeOthers'),
      onAction: () => {
        close((one) => one !== tag)
        if (tag.path !== path) void navigate(tag.path + tag.search)
      },
    },
    { id: 'all', label: t('closeAll'), onAction: () => close(() => true) },
  ]

  return (
    <nav
      aria-label={t('tags')}
      className="col-span-full flex items-center gap-1 border-b bg-surface pr-4 pl-3 text-12 max-lg:hidden"
    >
      <ul ref={list} className="flex min-w-0 flex-1 items-center gap-1 overflow-hidden">
        {tags.map((tag) => {
          const title = `${PAGES[tag.page][language]} ${subjects[tag.path] ?? ''}`.trim()
          const here = tag.path === path
          return (
            <li
              key={tag.path}
              className={`flex h-6 flex-none items-center rounded-small ${here ? 'bg-selected text-brand-text' : 'text-muted hover:bg-hover hover:text-text'}`}
              onContextMenu={(event) => {
                event.preventDefault()
                anchor.current = event.currentTarget
                setAsked(tag)
              }}
            >
              <Link
                to={tag.path + tag.search}
                aria-current={here ? 'page' : undefined}
                className={`flex h-6 items-center rounded-small pl-2 ${tag.page === 'home' ? 'pr-2' : 'pr-1'}`}
                onAuxClick={(event) => {
                  if (event.button !== 1 || tag.page === 'home') return
                  event.preventDefault()
                  close((one) => one === tag)
                }}
              >
                {title}
              </Link>
              {tag.page !== 'home' && (
                <button
                  type="button"
                  aria-label={t('closeTag', { title })}
                  onClick={() => close((one) => one === tag)}
                  className="flex size-6 items-center justify-center rounded-small hover:bg-bar-hover"
                >
                  <Icon of={X} size={12} />
                </button>
              )}
            </li>
          )
        })}
      </ul>
      {active && <MenuButton iconOnly icon={ChevronDown} label={t('tagMenu')} items={entries(active)} />}
      <Popover
        triggerRef={anchor}
        isOpen={asked !== null}
        onOpenChange={(open) => !open && setAsked(null)}
        placement="bottom start"
        offset={4}
        className={MENU_BOX}
      >
        {asked && <MenuList label={t('tagMenu')} items={entries(asked)} onClose={() => setAsked(null)} />}
      </Popover>
    </nav>
  )
}
