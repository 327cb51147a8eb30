import {
  ChevronDown,
  CircleHelp,
  Info,
  Keyboard,
  KeyRound,
  Languages,
  LayoutDashboard,
  LogOut,
  Moon,
  Package,
  Palette,
  Scaling,
  ShieldCheck,
  SlidersHorizontal,
  Sun,
  Users,
} from 'lucide-react'
import { Button } from 'react-aria-components'
import { useNavigate } from 'react-router-dom'
import { PAGES } from '#contracts/pages.ts'
import { BUILT_IN_ROLES } from '#contracts/permissions.ts'
import { signOut } from '#src/shared/api/session.ts'
import { cutUsername } from '#src/shared/format/text.ts'
import { type Language, useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { usePlatform } from '#src/shared/session/platform-store.ts'
import { useMay, useSession } from '#src/shared/session/session-store.ts'
import { SIZES, useAppearance } from '#src/shared/theme/appearance.ts'
import { Avatar } from '#src/shared/ui/avatar.tsx'
import { Icon } from '#src/shared/ui/icon.tsx'
import { MenuButton, type MenuGroup } from '#src/shared/ui/menu-button.tsx'
import { chooseFace, chooseLanguage, chooseSize } from './choices.ts'
import type { ShellDialog } from './shell-dialogs.tsx'
import { userMenuTexts } from './user-menu-texts.ts'

/** The avatar menu. Size and colour need room, so mobile layouts leave them out (SHELL-06). */
export function UserMenu({ mobile, open }: { mobile: boolean; open: (dialog: ShellDialog) => void }) {
  const t = useTexts(userMenuTexts)
  const language = useLanguage()
  const navigate = useNavigate()
  const user = useSession((state) => state.user)
  const mayMembers = useMay('platform')
  const { face, size } = useAppearance()
  const fixed = usePlatform((state) => state.forcedLanguage !== null)
  if (!user) return null
  const go = (path: string) => () => void navigate(path)
  const groups: MenuGroup[] = [
    {
      title: `${user.username} · ${roleName(user.role, language)}`,
      items: [
        { id: 'dashboard', label: t('dashboard'), icon: LayoutDashboard, onAction: go(PAGES.home.path) },
        { id: 'assets', label: t('assets'), icon: Package, onAction: go(PAGES.assets.path) },
        ...(mayMembers ? [{ id: 'members', label: t('members'), icon: Users, onAction: go(PAGES.users.path) }] : []),
        ...(user.origin === 'local'
          ? [{ id: 'password', label: t('password'), icon: KeyRound, onAction: () => open('password') }]
          : []),
        {
          id: 'second-factor',
          label: t('secondFactor'),
          icon: ShieldCheck,
          onAction: () => open('second-factor'),
        },
        { id: 'platform', label: t('platform'), icon: SlidersHorizontal, onAction: () => open('platform') },
      ],
    },
    {
      items: [
        ...(fixed
          ? []
          : [
              {
                id: 'language',
                label: language === 'zh' ? 'English' : '中文',
                icon: Languages,
                onAction: () => void chooseLanguage(language === 'zh' ? 'en' : 'zh'),
              },
            ]),
        face === 'light'
          ? { id: 'face', label: t('dark'), icon: Moon, onAction: () => chooseFace('dark') }
          : { id: 'face', label: t('light'), icon: Sun, onAction: () => chooseFace('light') },
      ],
    },
    ...(mobile
      ? []
      : [
          {
            title: t('size'),
            items: [
              ...SIZES.map((one) => ({
                id: `size-${one}`,
                label: t(one),
                icon: Scaling,
                isChosen: size === one,
                onAction: () => chooseSize(one),
              })),
              { id: 'color', label: t('color'), icon: Palette, onAction: () => open('color') },
            ],
          },
        ]),
    {
      items: [
        { id: 'keys', label: t('keys'), icon: Keyboard, hint: '?', onAction: () => open('keys') },
        // A page that is not built leads nowhere.
        ...(PAGES.help.built
          ? [{ id: 'help', label: t('help'), icon: CircleHelp, onAction: go(PAGES.help.path) }]
          : []),
        { id: 'about', label: t('about'), icon: Info, onAction: go(PAGES.about.path) },
      ],
    },
    { items: [{ id: 'logout', label: t('logout'), icon: LogOut, onAction: () => void signOut() }] },
  ]
  return (
    <MenuButton
      label={t('menu')}
      items={groups}
      trigger={
        <Button
          aria-label={`${t('menu')} ${user.username}`}
          className="flex h-9 flex-none items-center gap-2 rounded pr-1 pl-1.5 hover:bg-hover"
        >
          <Avatar name={user.username} />
          <span className="whitespace-nowrap max-[1400px]:hidden" title={user.username}>
            {cutUsername(user.username)}
          </span>
          <Icon of={ChevronDown} size={14} className="text-muted max-lg:hidden" />
        </Button>
      }
    />
  )
}

/** A built-in role in words; a custom one is its own word. */
function roleName(role: string, language: Language): string {
  return BUILT_IN_ROLES.find((one) => one.key === role)?.[language] ?? role
}
