import { ChevronsUpDown, Layers, Maximize, Menu, Minimize, ScrollText, Search } from 'lucide-react'
import { Link } from 'react-router-dom'
import { PAGES, type PageGroup } from '#contracts/pages.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { useCurrentApplication } from '#src/shared/session/application-store.ts'
import { useErrorLog } from '#src/shared/session/error-log.ts'
import { useMay } from '#src/shared/session/session-store.ts'
import { Avatar } from '#src/shared/ui/avatar.tsx'
import { Brand } from '#src/shared/ui/brand.tsx'
import { Icon } from '#src/shared/ui/icon.tsx'
import { IconButton } from '#src/shared/ui/icon-button.tsx'
import { actionTexts } from '../actions/action-texts.ts'
import { KeyHint } from '../actions/key-hint.tsx'
import type { MenuGroup } from '../menu.ts'
import { toggleFullScreen, useFullScreen } from './full-screen.ts'
import { GroupMenu } from './group-menu.tsx'
import { Notifications } from './notifications.tsx'
import type { ShellDialog } from './shell-dialogs.tsx'
import { shellTexts } from './shell-texts.ts'
import { UserMenu } from './user-menu.tsx'

/** 56 px: brand, application quick-select, groups, search, navbar items. Below 1024 px the groups move into the drawer. */
export function Header({
  groups,
  group,
  mobile,
  open,
  openApplications,
  openMenu,
}: {
  groups: readonly MenuGroup[]
  group: PageGroup | undefined
  mobile: boolean
  open: (dialog: ShellDialog) => void
  openApplications: () => void
  openMenu: () => void
}) {
  const t = useTexts(shellTexts)
  const a = useTexts(actionTexts)
  const full = useFullScreen()
  const errors = useErrorLog((state) => state.entries.length)
  const mayChoose = useMay('construction')
  return (
    <header className="col-span-full flex items-center gap-1 border-b bg-surface pr-4 max-lg:pr-2 max-lg:pl-1">
      {mobile ? (
        <IconButton icon={Menu} label={t('menu')} onPress={openMenu} />
      ) : (
        <Link to={PAGES.home.path} className="w-52 flex-none rounded py-1 pr-3 pl-5">
          <Brand />
        </Link>
      )}
      {mayChoose && <ApplicationButton onPress={openApplications} mobile={mobile} />}
      {mobile ? <span className="flex-1" /> : <GroupMenu groups={groups} current={group} />}
      {mobile ? (
        <IconButton icon={Search} label={t('search')} onPress={() => open('palette')} />
      ) : (
        <button
          type="button"
          onClick={() => open('palette')}
          className="mr-1 ml-2 flex h-8 w-[184px] flex-none items-center gap-2 rounded border bg-canvas pr-1.5 pl-2.5 text-muted hover:border-line-strong max-xl:w-36"
        >
          <Icon of={Search} />
          <span className="text-clip-line flex-1 text-left">{a('palette')}</span>
          <KeyHint keys="Mod+k" />
        </button>
      )}
      {!mobile && (
        <>
          <IconButton icon={ScrollText} label={a('errors')} badge={errors} onPress={() => open('errors')} />
          <IconButton
            icon={full ? Minimize : Maximize}
            label={full ? t('exitFullScreen') : t('fullScreen')}
            hint="F"
            onPress={() => void toggleFullScreen()}
          />
        </>
      )}
      <Notifications />
      <span aria-hidden className="mx-1 h-6 border-l max-lg:hidden" />
      <UserMenu mobile={mobile} open={open} />
    </header>
  )
}

function ApplicationButton({ onPress, mobile }: { onPress: () => void; mobile: boolean }) {
  const t = useTexts(shellTexts)
  const application = useCurrentApplication()
  const name = application?.name ?? t('allApplications')
  return (
    <button
      type="button"
      onClick={onPress}
      aria-label={`${t('chooseApplication')}: ${name}`}
      className={`mr-3 flex h-9 min-w-0 items-center gap-2 rounded pr-2 pl-1.5 hover:bg-hover ${mobile ? 'shrink text-14 font-semibold' : 'max-w-56 flex-none border border-line-strong'}`}
    >
      {application ? (
        <Avatar name={name} shape="square" size={24} />
      ) : (
        <span className="flex size-6 flex-none items-center justify-center text-muted">
          <Icon of={Layers} />
        </span>
      )}
      <span className="text-clip-line">{name}</span>
      <Icon of={ChevronsUpDown} size={14} className="text-muted" />
    </button>
  )
}
