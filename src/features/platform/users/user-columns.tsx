import { Lock } from 'lucide-react'
import { ACCOUNT_ORIGINS, CUSTOMER_TYPES, type User } from '#contracts/http/users.ts'
import type { Language, Translate } from '#src/shared/i18n/texts.ts'
import type { Column } from '#src/shared/table/data-table.tsx'
import { Avatar } from '#src/shared/ui/avatar.tsx'
import { Checkbox } from '#src/shared/ui/checkbox.tsx'
import { Icon } from '#src/shared/ui/icon.tsx'
import { RelativeTime } from '#src/shared/ui/relative-time.tsx'
import type { usersTexts } from './users-texts.ts'

type UsersText = Translate<keyof typeof usersTexts.entries & string>

/** From so many days on the remaining time is a warning (USER-04: 30 days). */
const WARN_DAYS = 30

export function userColumns({
  t,
  language,
  selected,
  onSelect,
}: {
  t: UsersText
  language: Language
  selected: ReadonlySet<number>
  onSelect: (id: number, on: boolean) => void
}): Column<User>[] {
  return [
    {
      id: 'select',
      header: '',
      width: '36px',
      fixed: true,
      cell: (user) => (
        // biome-ignore lint/a11y/noStaticElementInteractions: keeps a click on the box from opening the row
        // biome-ignore lint/a11y/useKeyWithClickEvents: the box inside takes the keys
        <span className="flex" onClick={(event) => event.stopPropagation()}>
          <Checkbox
            label={t('select', { name: user.username })}
            isSelected={selected.has(user.id)}
            isDisabled={!user.manageable}
            onChange={(on) => onSelect(user.id, on)}
          />
        </span>
      ),
    },
    {
      id: 'username',
      header: t('username'),
      sort: 'username',
      fixed: true,
      cell: (user) => (
        <span className="flex min-w-0 items-center gap-2">
          <Avatar name={user.username} size={20} />
          <span className={`truncate ${user.state === 'disabled' ? 'text-muted' : ''}`}>{user.username}</span>
          {user.super && <Icon of={Lock} size={14} className="text-muted" />}
        </span>
      ),
    },
    {
      id: 'role',
      header: t('role'),
      sort: 'role',
      width: '150px',
      cell: (user) => (user.super ? t('super') : user.role_name[language]),
    },
    {
      id: 'type',
      header: t('type'),
      width: '110px',
      wide: true,
      cell: (user) => CUSTOMER_TYPES[user.customer_type][language],
    },
    {
      id: 'origin',
      header: t('origin'),
      width: '120px',
      wide: true,
      cell: (user) => ACCOUNT_ORIGINS[user.origin][language],
    },
    {
      id: 'check',
      header: t('signInCheck'),
      width: '110px',
      wide: true,
      cell: (user) => (
        <span className={user.second_factor ? '' : 'text-warn-text'}>
          {t(user.second_factor ? 'twoSteps' : 'passwordOnly')}
        </span>
      ),
    },
    {
      id: 'applications',
      header: t('applications'),
      width: '100px',
      numeric: true,
      wide: true,
      cell: (user) => `${user.applications} / ${user.application_quota ?? '∞'}`,
    },
    {
      id: 'last_login_at',
      header: t('lastSignIn'),
      sort: 'last_login_at',
      width: '140px',
      wide: true,
      cell: (user) =>
        user.last_login_at === null ? (
          <span className="text-muted">{t('never')}</span>
        ) : (
          <RelativeTime at={user.last_login_at} />
        ),
    },
    {
      id: 'expires_at',
      header: t('daysLeft'),
      sort: 'expires_at',
      width: '140px',
      wide: true,
      cell: (user) => <DaysLeft user={user} t={t} />,
    },
    {
      id: 'remarks',
      header: t('remarks'),
      spare: true,
      wide: true,
      cell: (user) => <span className="block truncate text-muted">{user.remarks}</span>,
    },
  ]
}

function DaysLeft({ user, t }: { user: User; t: UsersText }) {
  if (user.state === 'disabled') return <span className="text-muted">{t('disabled')}</span>
  if (user.state === 'invited') return <InvitedFor until={user.invited_until} t={t} />
  if (user.state === 'expired') return <span className="text-bad-text">{t('expired')}</span>
  if (user.days_left === null) return t('forever')
  return (
    <span className={user.days_left <= WARN_DAYS ? 'font-semibold text-warn-text' : ''}>
      {user.days_left === 1 ? t('days_one') : t('days', { days: user.days_left })}
    </span>
  )
}

function InvitedFor({ until, t }: { until: number | null; t: UsersText }) {
  const days = until === null ? -1 : Math.floor((until - Date.now()) / 86_400_000)
  if (days < 0) return <span className="text-bad-text">{t('inviteOver')}</span>
  return <span className="text-muted">{days === 0 ? t('inviteToday') : t('inviteDays', { days })}</span>
}
