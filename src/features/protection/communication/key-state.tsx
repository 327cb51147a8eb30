import { CircleCheck, CircleSlash, CircleX, RefreshCw, TriangleAlert } from 'lucide-react'
import type { CommunicationKey } from '#contracts/http/communication.ts'
import { KEY_STATES, KEY_WARNING_DAYS } from '#domain/communication.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { Icon, type IconType } from '#src/shared/ui/icon.tsx'
import { communicationTexts } from './communication-texts.ts'

const DAY_MS = 86_400_000

/** Whole days until then, rounded up; 0 within the day. */
export function daysUntil(at: number, now: number): number {
  return Math.max(0, Math.ceil((at - now) / DAY_MS) - (at - now < DAY_MS ? 1 : 0))
}

/** State of a key as shape, colour and words; an active one that ends soon says so. */
export function KeyStateMark({ item, now }: { item: CommunicationKey; now: number }) {
  const t = useTexts(communicationTexts)
  const language = useLanguage()
  const word = KEY_STATES[item.state][language]
  if (item.state === 'retiring') return <Mark icon={RefreshCw} tone="text-brand-text" text={t('both')} />
  if (item.state === 'active') {
    const days = daysUntil(item.expires_at, now)
    if (days <= KEY_WARNING_DAYS)
      return <Mark icon={TriangleAlert} tone="text-warn-text" text={t('expiresIn', { count: days })} isTinted />
    return <Mark icon={CircleCheck} tone="text-good-text" text={word} />
  }
  return <Mark icon={item.state === 'revoked' ? CircleX : CircleSlash} tone="text-muted" text={word} isTinted />
}

function Mark({
  icon,
  tone,
  text,
  isTinted = false,
}: {
  icon: IconType
  tone: string
  text: string
  isTinted?: boolean
}) {
  return (
    <span className="inline-flex items-center gap-1.5 whitespace-nowrap">
      <Icon of={icon} size={14} className={tone} />
      <span className={isTinted ? tone : ''}>{text}</span>
    </span>
  )
}
