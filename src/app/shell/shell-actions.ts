import {
  CircleHelp,
  Keyboard,
  KeyRound,
  Languages,
  Layers,
  LogOut,
  Maximize,
  Moon,
  Palette,
  Plus,
  Scaling,
  ScrollText,
  Search,
  Sun,
} from 'lucide-react'
import { useMemo } from 'react'
import { useNavigate } from 'react-router-dom'
import { PAGES, type PageName } from '#contracts/pages.ts'
import { signOut } from '#src/shared/api/session.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { setCurrentApplication, useApplications } from '#src/shared/session/application-store.ts'
import { usePlatform } from '#src/shared/session/platform-store.ts'
import { useAuthList } from '#src/shared/session/session-store.ts'
import { SIZES } from '#src/shared/theme/appearance.ts'
import { type Action, useActions } from '#src/shared/ui/actions.ts'
import { actionTexts } from '../actions/action-texts.ts'
import { menuFor } from '../menu.ts'
import { pageIcon } from '../page-icons.ts'
import { chooseFace, chooseLanguage, chooseSize } from './choices.ts'
import { toggleFullScreen } from './full-screen.ts'
import type { ShellDialog } from './shell-dialogs.tsx'

/** `g` and a letter. */
const PAGE_KEYS: Partial<Record<PageName, string>> = {
  home: 'g h',
  observatory: 'g o',
  realtime: 'g r',
  user_analysis: 'g s',
  audit_log: 'g l',
  settings: 'g p',
}

export type ShellOpeners = { dialog: (dialog: ShellDialog) => void; create: () => void; list: () => void }

/** What can be done everywhere: pages, applications, look, account. */
export function useShellActions(open: ShellOpeners): void {
  const t = useTexts(actionTexts)
  const language = useLanguage()
  const navigate = useNavigate()
  const auth = useAuthList()
  const applications = useApplications((state) => state.list)
  const fixed = usePlatform((state) => state.forcedLanguage !== null)
  const actions = useMemo<readonly Action[]>(() => {
    const may = (authority: string) => auth.includes(authority)
    const pages: Action[] = menuFor(auth).flatMap((group) =>
      group.pages.map((page) => ({
        id: `page.${page.name}`,
        label: page[language],
        words: `${page.zh} ${page.en} ${page.path}`,
        group: t('pages'),
        icon: pageIcon(page.icon),
        ...(PAGE_KEYS[page.name] && { keys: PAGE_KEYS[page.name] as string }),
        run: () => void navigate(page.path),
      })),
    )
    const choose = may('construction')
      ? [{ id: 'all', name: t('allApplications'), uuid: '' }, ...(applications ?? []).slice(0, 100)].map((one) => ({
          id: `application.${one.id}`,
          label: one.name,
          words: one.uuid,
          group: t('applications'),
          icon: Layers,
          run: () => setCurrentApplication(one.id),
        }))
      : []
    const look: Action[] = [
      { id: 'look.light', label: t('light'), words: 'theme light', icon: Sun, run: () => chooseFace('light') },
      { id: 'look.dark', label: t('dark'), words: 'theme dark', icon: Moon, run: () => chooseFace('dark') },
      { id: 'look.color', label: t('color'), words: 'theme color', icon: Palette, run: () => open.dialog('color') },
      ...SIZES.map((size) => ({
        id: `look.${size}`,
        label: t('size', { size: size[0]?.toUpperCase() + size.slice(1) }),
        icon: Scaling,
        run: () => chooseSize(size),
      })),
      ...(fixed
        ? []
        : (['zh', 'en'] as const).map((one) => ({
            id: `look.${one}`,
            label: one === 'zh' ? '中文' : 'English',
            words: 'language 语言',
            icon: Languages,
            run: () => void chooseLanguage(one),
          }))),
    ].map((one) => ({ ...one, group: t('look') }))
    const general: Action[] = [
      { id: 'shell.palette', label: t('palette'), keys: 'Mod+k', icon: Search, run: () => open.dialog('palette') },
      { id: 'shell.search', label: t('palette'), keys: '/', icon: Search, run: () => open.dialog('palette') },
      { id: 'shell.keys', label: t('sheet'), keys: '?', icon: Keyboard, run: () => open.dialog('keys') },
      { id: 'shell.help', label: t('help'), keys: 'F1', icon: CircleHelp, run: () => open.dialog('help') },
      {
        id: 'shell.list',
        label: t('list'),
        keys: 'g a',
        icon: Layers,
        run: open.list,
        isDisabled: !may('construction'),
      },
      { id: 'shell.create', label: t('create'), icon: Plus, run: open.create, isDisabled: !may('createapp') },
      {
        id: 'shell.ingest',
        label: t('keysOfApplication'),
        icon: KeyRound,
        run: () => void navigate(`${PAGES.settings.path}?tab=keys`),
        isDisabled: !may('ingest.keys'),
      },
      { id: 'shell.full', label: t('fullScreen'), keys: 'f', icon: Maximize, run: () => void toggleFullScreen() },
      { id: 'shell.errors', label: t('errors'), icon: ScrollText, run: () => open.dialog('errors') },
      { id: 'shell.password', label: t('password'), icon: KeyRound, run: () => open.dialog('password') },
      { id: 'shell.logout', label: t('logout'), icon: LogOut, run: () => void signOut() },
    ].map((one) => ({ ...one, group: t('general') }))
    return [...pages, ...choose, ...general, ...look]
  }, [t, language, navigate, auth, applications, fixed, open])
  useActions(actions)
}
