import { Lock, Plus, UserCog } from 'lucide-react'
import type { Role } from '#contracts/http/roles.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { Icon } from '#src/shared/ui/icon.tsx'
import { IconButton } from '#src/shared/ui/icon-button.tsx'
import { rolesTexts } from './roles-texts.ts'

/** Built-in and custom roles with the number of their accounts and permissions. */
export function RoleList({
  roles,
  current,
  onOpen,
  onCreate,
}: {
  roles: readonly Role[]
  /** Key of the open role; undefined while a new one is edited. */
  current: string | undefined
  onOpen: (key: string) => void
  onCreate: () => void
}) {
  const t = useTexts(rolesTexts)
  const language = useLanguage()
  const custom = roles.filter((role) => !role.built_in)
  const rows = (list: readonly Role[]) => (
    <ul>
      {list.map((role) => (
        <li key={role.key}>
          <button
            type="button"
            aria-current={role.key === current}
            onClick={() => onOpen(role.key)}
            className="flex h-8 w-full items-center gap-2 border-l-2 border-transparent pr-4 pl-4 text-left hover:bg-hover aria-current:border-brand-fill aria-current:bg-selected aria-current:font-semibold aria-current:text-brand-text"
          >
            <Icon of={role.built_in ? Lock : UserCog} size={14} className="text-muted" />
            <span className="text-clip-line min-w-0 flex-1">{role.name[language]}</span>
            <span className="text-12 font-normal text-muted tabular-nums">{t('users', { count: role.users })}</span>
            <span className="w-6 text-right text-12 font-normal text-muted tabular-nums">{role.auth.length}</span>
          </button>
        </li>
      ))}
    </ul>
  )
  return (
    <nav
      aria-label={t('list')}
      className="flex min-h-0 flex-col border-r max-lg:max-h-56 max-lg:border-r-0 max-lg:border-b"
    >
      <header className="flex h-11 flex-none items-center justify-between pr-2 pl-5">
        <h2 className="font-semibold">
          {t('list')} <span className="tabular-nums">{roles.length}</span>
        </h2>
        <IconButton icon={Plus} label={t('create')} hint="C" onPress={onCreate} />
      </header>
      <div className="min-h-0 flex-1 overflow-y-auto pb-3">
        <h3 className="px-5 py-1 text-12 text-muted">{t('builtIn')}</h3>
        {rows(roles.filter((role) => role.built_in))}
        <h3 className="px-5 pt-3 pb-1 text-12 text-muted">{t('custom')}</h3>
        {custom.length > 0 ? rows(custom) : <p className="px-5 py-1 text-12 text-muted">{t('noCustom')}</p>}
      </div>
      <footer className="flex-none border-t px-5 py-2 text-12 text-muted max-lg:hidden">{t('listNote')}</footer>
    </nav>
  )
}
