import { CircleCheck, CircleX } from 'lucide-react'
import type { ReactNode } from 'react'
import type { LicenceAnswer } from '#contracts/http/licence.ts'
import { REMIND_DAYS } from '#domain/licence.ts'
import { formatDateTime } from '#src/shared/format/time.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { usePlatform } from '#src/shared/session/platform-store.ts'
import { CopyText } from '#src/shared/ui/copy-text.tsx'
import { Fact } from '#src/shared/ui/fact.tsx'
import { Icon } from '#src/shared/ui/icon.tsx'
import { licenceTexts, STATE_TEXTS } from './licence-texts.ts'

const SIGN_SHOWN = 16

/** Days that are left, and for whom, which machine and until when. */
export function LicenceFacts({ licence }: { licence: LicenceAnswer }) {
  const t = useTexts(licenceTexts)
  const language = useLanguage()
  const zone = usePlatform((state) => state.zone)
  const { kind, terms, macs, clock, signer, code, deadline, days_remaining } = licence
  return (
    <div className="grid grid-cols-[220px_minmax(0,1fr)] max-sm:grid-cols-1">
      <DaysLeft licence={licence} />
      <dl className="grid grid-cols-[max-content_minmax(0,1fr)] content-start gap-x-6 gap-y-2 border-l px-5 py-4 max-sm:border-t max-sm:border-l-0">
        <Fact name={t('state')}>
          <Mark isGood={kind === 'trial' || kind === 'licensed'}>{STATE_TEXTS[kind][language]}</Mark>
        </Fact>
        {terms && <Fact name={t('customer')}>{terms.customer}</Fact>}
        <Fact name={t('productCode')}>
          <CopyText value={licence.product_code} />
        </Fact>
        <Fact name={t('mac')}>
          <span className="flex flex-wrap items-center gap-x-3">
            {macs.length === 0 ? t('noMac') : macs.map((mac) => <CopyText key={mac} value={mac.toUpperCase()} />)}
            {terms && (
              <Mark isGood={terms.macs.some((mac) => macs.includes(mac))}>
                {t(terms.macs.some((mac) => macs.includes(mac)) ? 'macMatches' : 'macDiffers')}
              </Mark>
            )}
          </span>
        </Fact>
        <Fact name={t('deadline')}>
          <span className="tabular-nums" data-testid="deadline" data-value={days_remaining}>
            {formatDateTime(deadline, zone)}
          </span>
        </Fact>
        <Fact name={t('signature')}>
          {signer ? <Mark isGood>{t('signed', { signer: signer.slice(0, SIGN_SHOWN) })}</Mark> : t('unsigned')}
        </Fact>
        {code !== null && (
          <Fact name={t('code')}>
            <CopyText value={code} short />
          </Fact>
        )}
        <Fact name={t('clock')}>
          <Mark isGood={!clock.back}>{t(clock.back ? 'clockBack' : 'clockRight')}</Mark>
        </Fact>
      </dl>
    </div>
  )
}

function DaysLeft({ licence }: { licence: LicenceAnswer }) {
  const t = useTexts(licenceTexts)
  const zone = usePlatform((state) => state.zone)
  const { begin, deadline, days_remaining, problem, clock } = licence
  const share = Math.min(1, Math.max(0, (clock.now - begin) / Math.max(1, deadline - begin)))
  const tone = problem !== null ? 'bg-bad' : days_remaining <= REMIND_DAYS ? 'bg-warn' : 'bg-brand'
  const day = (at: number) => formatDateTime(at, zone, 'day')
  return (
    <div className="px-5 py-4">
      <div className="text-muted">{t('daysLeft')}</div>
      <div className="mt-1 flex items-baseline gap-2">
        <span className="text-40/12 font-normal tabular-nums" data-testid="days-remaining">
          {days_remaining}
        </span>
        <span className="text-muted">{t('days')}</span>
      </div>
      <div className="mt-3">
        <Bar share={share} tone={tone} label={t('elapsed')} />
      </div>
      <div className="mt-1.5 flex justify-between text-12 text-muted tabular-nums">
        <span>{day(begin)}</span>
        <span>{day(deadline)}</span>
      </div>
    </div>
  )
}

/** A share from 0 to 1 as a thin bar. */
export function Bar({ share, tone, label }: { share: number; tone: string; label: string }) {
  const percent = Math.round(Math.min(1, share) * 100)
  return (
    // biome-ignore lint/a11y/useSemanticElements: browsers draw a <meter> in their own colours
    <div
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
      className="h-1.5 w-full overflow-hidden rounded-full bg-neutral"
    >
      <div className={`h-full rounded-full ${tone}`} style={{ width: `${percent}%` }} />
    </div>
  )
}

/** A word with the sign of good or bad, so that colour is not alone. */
export function Mark({ isGood, children }: { isGood: boolean; children: ReactNode }) {
  return (
    <span className={`inline-flex items-center gap-1.5 ${isGood ? '' : 'text-bad-text'}`}>
      <Icon of={isGood ? CircleCheck : CircleX} size={14} className={isGood ? 'text-good-text' : 'text-bad-text'} />
      {children}
    </span>
  )
}
