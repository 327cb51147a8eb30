import { ArrowRight, Download, Mail, MailOpen, Trash2 } from 'lucide-react'
import { useNavigate } from 'react-router-dom'
import type { Notification } from '#contracts/http/notifications.ts'
import { NOTIFICATION_KINDS } from '#domain/notifications.ts'
import { formatDateTime } from '#src/shared/format/time.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { usePlatform } from '#src/shared/session/platform-store.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { Fact } from '#src/shared/ui/fact.tsx'
import { StateMark } from './notification-line.tsx'
import { notificationTexts } from './notification-texts.ts'

/** One notification whole, with what can be done. `isShort`: below its line, on a phone. */
export function NotificationDetail({
  one,
  isShort = false,
  onMark,
  onRemove,
}: {
  one: Notification
  isShort?: boolean
  onMark: (one: Notification, isRead: boolean) => void
  onRemove: () => void
}) {
  const t = useTexts(notificationTexts)
  const language = useLanguage()
  const navigate = useNavigate()
  const zone = usePlatform((state) => state.zone)
  const isFile = one.to.startsWith('/api/')
  return (
    <article className={isShort ? 'bg-selected px-4 pb-3 pl-10' : 'p-5'} aria-label={one.title[language]}>
      {!isShort && (
        <header className="mb-3 flex items-start gap-2.5">
          <span className="pt-1">
            <StateMark one={one} />
          </span>
          <h2 className="text-20/7 font-semibold [overflow-wrap:anywhere]">{one.title[language]}</h2>
        </header>
      )}
      {!isShort && <p className="mb-3 [overflow-wrap:anywhere]">{one.note[language]}</p>}
      <div className="mb-4 flex flex-wrap gap-2">
        {one.to !== '' && (
          <Button
            variant={isShort ? 'plain' : 'primary'}
            icon={isFile ? Download : ArrowRight}
            onPress={() => (isFile ? location.assign(one.to) : void navigate(one.to))}
          >
            {isFile ? t('download') : t('open')}
          </Button>
        )}
        <Button icon={one.read_at === null ? MailOpen : Mail} onPress={() => onMark(one, one.read_at === null)}>
          {one.read_at === null ? t('read') : t('unreadOne')}
        </Button>
        <Button icon={Trash2} onPress={onRemove}>
          {t('remove')}
        </Button>
      </div>
      {!isShort && (
        <dl className="grid grid-cols-[88px_minmax(0,1fr)] gap-x-3 gap-y-1.5 border-t pt-3">
          <Fact name={t('when')}>{formatDateTime(one.created_at, zone)}</Fact>
          <Fact name={t('kind')}>{NOTIFICATION_KINDS[one.kind][language]}</Fact>
          <Fact name={t('state')}>{t(one.state)}</Fact>
        </dl>
      )}
    </article>
  )
}
