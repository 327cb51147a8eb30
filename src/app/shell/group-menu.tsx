import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { Link, useNavigate } from 'react-router-dom'
import type { PageGroup } from '#contracts/pages.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { MenuButton } from '#src/shared/ui/menu-button.tsx'
import type { MenuGroup } from '../menu.ts'
import { shellTexts } from './shell-texts.ts'

const DELAY_MS = 200

/** The groups as a horizontal menu, 200 ms after the header (SHELL-01). What does not fit goes into 'More'. */
export function GroupMenu({ groups, current }: { groups: readonly MenuGroup[]; current: PageGroup | undefined }) {
  const t = useTexts(shellTexts)
  const language = useLanguage()
  const navigate = useNavigate()
  const [shown, setShown] = useState(false)
  const box = useRef<HTMLElement>(null)
  const [room, setRoom] = useState(groups.length)
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), DELAY_MS)
    return () => clearTimeout(timer)
  }, [])
  const key = groups.map(({ group }) => group).join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: language and key change the widths
  useLayoutEffect(() => {
    const element = box.current
    if (!element || !shown) return
    // Widths are read once with everything laid out; later only the box changes.
    const links = [...element.querySelectorAll<HTMLElement>('[data-group]')]
    let end = 0
    const ends = links.map((link) => {
      end += link.offsetWidth
      return end
    })
    const measure = () => {
      const width = element.clientWidth
      const all = (ends.at(-1) ?? 0) <= width
      setRoom(all ? links.length : ends.filter((end) => end <= width - 72).length)
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [shown, language, key])
  if (!shown) return <nav className="flex-1" aria-label={t('groups')} />
  const rest = groups.slice(room)
  return (
    <nav ref={box} aria-label={t('groups')} className="relative flex h-14 min-w-0 flex-1 overflow-hidden">
      {groups.map((one, index) => (
        <Link
          key={`${one.group}-${language}`}
          data-group={one.group}
          to={one.pages[0]?.path ?? '/'}
          aria-current={one.group === current ? 'true' : undefined}
          className={`flex items-center px-3 text-14 whitespace-nowrap hover:text-text ${index >= room ? 'invisible absolute' : 'relative'} ${one.group === current ? 'font-semibold text-brand-text after:absolute after:inset-x-3 after:bottom-0 after:h-0.5 after:bg-brand' : 'text-muted'}`}
        >
          {one[language]}
        </Link>
      ))}
      {rest.length > 0 && (
        <span className="flex items-center">
          <MenuButton
            variant="quiet"
            label={rest.find((one) => one.group === current)?.[language] ?? t('more')}
            placement="bottom start"
            items={rest.map((one) => ({
              id: one.group,
              label: one[language],
              onAction: () => void navigate(one.pages[0]?.path ?? '/'),
            }))}
          />
        </span>
      )}
    </nav>
  )
}
