import { CircleAlert, CircleCheck, CircleX, Info, TriangleAlert } from 'lucide-react'
import type { Notification } from '#contracts/http/notifications.ts'
import { NOTIFICATION_KINDS, type NotificationState } from '#domain/notifications.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { Icon, type IconType } from '#src/shared/ui/icon.tsx'
import { RelativeTime } from '#src/shared/ui/relative-time.tsx'
import { notificationTexts } from './notification-texts.ts'

const MARKS: Record<NotificationState, { icon: IconType; tone: string }> = {
  good: { icon: CircleCheck, tone: 'text-good-text' },
  info: { icon: Info, tone: 'text-muted' },
  warn: { icon: TriangleAlert, tone: 'text-warn-text' },
  bad: { icon: CircleX, tone: 'text-bad-text' },
}

export function StateMark({ one }: { one: Pick<Notification, 'state' | 'kind'> }) {
  const t = useTexts(notificationTexts)
  const { icon, tone } = MARKS[one.state]
  const isAlert = one.kind === 'alert' && one.state === 'bad'
  return (
    <span title={t(one.state)}>
      <Icon of={isAlert ? CircleAlert : icon} className={tone} />
    </span>
  )
}

/** Unread dot, state, what, about what, when and of which kind. */
export function NotificationLine({ one }: { one: Notification }) {
  const t = useTexts(notificationTexts)
  const language = useLanguage()
  const unread = one.read_at === null
  return (
    <span className="flex min-h-13 w-full items-start gap-2.5 py-2">
      <span className="flex w-2 flex-none pt-1.5">
        {unread && (
          <span className="size-2 rounded-full bg-brand">
            <span className="sr-only">{t('isUnread')}</span>
          </span>
        )}
      </span>
      <span className="flex-none pt-0.5">
        <StateMark one={one} />
      </span>
      <span className="min-w-0 flex-1">
        <span className={`text-clip-line block ${unread ? 'font-semibold' : ''}`}>{one.title[language]}</span>
        <span className="text-clip-line block text-12 text-muted">{one.note[language]}</span>
      </span>
      <span className="flex-none text-right text-12 text-muted">
        <span className="block">
          <RelativeTime at={one.created_at} />
        </span>
        <span className="block">{NOTIFICATION_KINDS[one.kind][language]}</span>
      </span>
    </span>
  )
}
