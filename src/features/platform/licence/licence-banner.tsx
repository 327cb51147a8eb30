import { Clock3, Info, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import type { LicenceAnswer } from '#contracts/http/licence.ts'
import { GRACE_DAYS, REMIND_DAYS, TRIAL_DAYS } from '#domain/licence.ts'
import { formatDateTime } from '#src/shared/format/time.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { usePlatform } from '#src/shared/session/platform-store.ts'
import { Icon, type IconType } from '#src/shared/ui/icon.tsx'
import { licenceTexts, PROBLEM_TEXTS } from './licence-texts.ts'

/** Id of the field that a renewal begins with. */
export const CODE_FIELD = 'licence-code'

/** What matters now: the end that comes, what ended, a clock that was set back. A good licence has none. */
export function LicenceBanner({ licence }: { licence: LicenceAnswer }) {
  const t = useTexts(licenceTexts)
  const language = useLanguage()
  const zone = usePlatform((state) => state.zone)
  const day = (at: number) => formatDateTime(at, zone, 'day')
  const { kind, problem, deadline, grace_until, days_remaining, clock, message } = licence
  const isSoon = problem === null && days_remaining <= REMIND_DAYS
  return (
    <>
      {problem !== null && (
        <Banner tone={kind === 'ended' ? 'bad' : 'warn'} icon={TriangleAlert} title={message} isRenewable>
          {PROBLEM_TEXTS[problem][language]}
          {language === 'zh' ? '。' : '. '}
          {t(kind === 'grace' ? 'inGrace' : 'ended', { date: day(grace_until) })}
        </Banner>
      )}
      {isSoon && (
        <Banner tone="warn" icon={TriangleAlert} title={t('warning')} isRenewable>
          <span className="text-text">{t('expiresIn', { days: days_remaining })}</span>{' '}
          {t('graceAfter', { date: day(deadline), days: GRACE_DAYS })}
        </Banner>
      )}
      {kind === 'trial' && !isSoon && (
        <Banner tone="info" icon={Info} title="">
          {t('trialNotice', { days: TRIAL_DAYS, date: day(deadline) })}
        </Banner>
      )}
      {clock.back && (
        <Banner tone="warn" icon={Clock3} title={t('clockBack')}>
          {t('clockBackText', { now: formatDateTime(clock.now, zone), highest: formatDateTime(clock.highest, zone) })}
        </Banner>
      )}
    </>
  )
}

const TONES = {
  warn: { box: 'bg-warn-soft', text: 'text-warn-text' },
  bad: { box: 'bg-bad-soft', text: 'text-bad-text' },
  info: { box: 'bg-canvas', text: 'text-brand-text' },
} as const

function Banner({
  tone,
  icon,
  title,
  isRenewable = false,
  children,
}: {
  tone: keyof typeof TONES
  icon: IconType
  title: string
  isRenewable?: boolean
  children: ReactNode
}) {
  const t = useTexts(licenceTexts)
  const { box, text } = TONES[tone]
  return (
    <div
      role="status"
      className={`flex flex-none items-start gap-2 border-t px-5 py-2 max-lg:px-4 max-sm:flex-wrap ${box}`}
    >
      <Icon of={icon} className={`mt-0.5 ${text}`} />
      <p className="min-w-0 flex-1 text-muted">
        {title && <strong className={`mr-2 font-semibold ${text}`}>{title}</strong>}
        {children}
      </p>
      {isRenewable && (
        <button
          type="button"
          className={`flex-none font-semibold hover:underline ${text}`}
          onClick={() => document.getElementById(CODE_FIELD)?.querySelector('textarea')?.focus()}
        >
          {t('renewNow')}
        </button>
      )}
    </div>
  )
}
