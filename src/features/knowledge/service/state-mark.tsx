import { CircleCheck, CircleDashed, CircleDot, LoaderCircle, TriangleAlert } from 'lucide-react'
import type { ServiceRequest } from '#contracts/http/service.ts'
import type { ServiceState } from '#domain/service-requests.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { Icon, type IconType } from '#src/shared/ui/icon.tsx'
import { stateWord } from './request-words.ts'
import { serviceTexts } from './service-texts.ts'

const ICONS: Record<ServiceState, { of: IconType; tone: string }> = {
  submitted: { of: CircleDashed, tone: 'text-muted' },
  accepted: { of: CircleDot, tone: 'text-brand-text' },
  progress: { of: LoaderCircle, tone: 'text-brand-text' },
  waiting: { of: TriangleAlert, tone: 'text-warn-text' },
  solved: { of: CircleCheck, tone: 'text-good-text' },
  closed: { of: CircleCheck, tone: 'text-muted' },
}

/** State of a request with its icon; what waits for the reader is emphasised. */
export function StateMark({ one }: { one: Pick<ServiceRequest, 'state' | 'own'> }) {
  const t = useTexts(serviceTexts)
  const language = useLanguage()
  const { of, tone } = ICONS[one.state]
  const isAsked = one.own && (one.state === 'waiting' || one.state === 'solved')
  return (
    <span className="inline-flex min-w-0 items-center gap-1.5">
      <Icon of={of} size={14} className={tone} />
      <span className={isAsked ? `font-semibold ${tone}` : 'text-muted'}>{stateWord(one, t, language)}</span>
    </span>
  )
}
