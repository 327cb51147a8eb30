import type { ServiceRequest } from '#contracts/http/service.ts'
import { limitStates, SERVICE_URGENCIES } from '#domain/service-requests.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { RelativeTime } from '#src/shared/ui/relative-time.tsx'
import { requestName } from './request-words.ts'
import { serviceTexts } from './service-texts.ts'
import { StateMark } from './state-mark.tsx'

/** Requests, one in two lines: number and subject; state, urgency and when it last changed. */
export function RequestList({
  rows,
  open,
  now,
  onOpen,
}: {
  rows: readonly ServiceRequest[]
  open: string | null
  now: number
  onOpen: (id: string) => void
}) {
  const t = useTexts(serviceTexts)
  const language = useLanguage()
  return (
    <ul aria-label={t('list')}>
      {rows.map((one) => {
        const { reply, solve } = limitStates(one, now)
        const isLate = reply === 'late' || solve === 'late'
        const isClosed = one.state === 'closed'
        const isOpen = one.id === open
        return (
          <li key={one.id} className="border-b">
            <button
              type="button"
              aria-current={isOpen}
              onClick={() => onOpen(one.id)}
              className={`block w-full border-l-2 px-4 py-2.5 text-left ${isOpen ? 'border-l-brand bg-selected' : 'border-l-transparent hover:bg-hover'}`}
            >
              <span className="flex min-w-0 items-baseline gap-2">
                <span className="num flex-none text-12 text-muted">{requestName(one.id)}</span>
                <span
                  className={`text-clip-line min-w-0 ${isClosed ? 'text-muted' : isOpen ? 'font-semibold' : ''}`}
                  title={one.subject}
                >
                  {one.subject}
                </span>
              </span>
              <span className="mt-0.5 flex min-w-0 flex-wrap items-center gap-x-2 text-12">
                <StateMark one={one} />
                {isLate && <span className="flex-none text-bad-text">{t('missedOne')}</span>}
                <span className="ml-auto flex-none text-muted">
                  <span className={one.urgency === 'urgent' && !isClosed ? 'font-semibold text-text' : ''}>
                    {SERVICE_URGENCIES[one.urgency][language]}
                  </span>
                  {language === 'zh' ? '，' : ', '}
                  <RelativeTime at={one.updated_at} />
                </span>
              </span>
            </button>
          </li>
        )
      })}
    </ul>
  )
}
