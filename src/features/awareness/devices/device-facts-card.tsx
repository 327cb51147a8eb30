import { Smartphone } from 'lucide-react'
import type { ReactNode } from 'react'
import { PLATFORMS, type Platform } from '#domain/vocabulary.ts'
import { phoneName } from '#src/shared/format/phone-name.ts'
import { formatDateTime } from '#src/shared/format/time.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { placeText, shortHash, useNameOf } from '#src/shared/query/value-names.ts'
import { usePlatform } from '#src/shared/session/platform-store.ts'
import { CopyText } from '#src/shared/ui/copy-text.tsx'
import { Icon } from '#src/shared/ui/icon.tsx'
import { RelativeTime } from '#src/shared/ui/relative-time.tsx'
import { deviceTexts } from './device-texts.ts'
import type { DeviceAnswer } from './use-device.ts'

/** What the device is and when it was here. */
export function DeviceFactsCard({ device, answer }: { device: string; answer: DeviceAnswer }) {
  const t = useTexts(deviceTexts)
  const language = useLanguage()
  const zone = usePlatform((platform) => platform.zone)
  const nameOf = useNameOf()
  const { facts, enrolments } = answer
  const platform = facts ? (PLATFORMS[facts.platform as Platform]?.[language] ?? '') : ''
  const comma = language === 'zh' ? '，' : ', '
  const day = (at: number) => formatDateTime(at, zone, 'minute', answer.now)
  return (
    <section aria-label={t('detail')} className="min-w-0 px-5 py-3">
      <div className="flex items-center gap-3">
        <span className="flex size-10 flex-none items-center justify-center rounded border bg-canvas text-muted">
          <Icon of={Smartphone} size={20} />
        </span>
        <div className="min-w-0">
          <h2 className="text-clip-line text-16/6 font-semibold">
            {phoneName(facts?.brand ?? '', facts?.model ?? '') || t('noModel')}
          </h2>
          <span className="flex items-center font-mono text-12 text-muted" title={device}>
            {shortHash('device', device)}
            <span className="[&_code]:sr-only">
              <CopyText value={device} />
            </span>
          </span>
        </div>
      </div>
      {facts && (
        <dl className="mt-2.5 grid grid-cols-[max-content_minmax(0,1fr)] gap-x-5 gap-y-1 text-13">
          <Line word={t('system')}>{[platform, facts.os].filter(Boolean).join(comma) || '–'}</Line>
          <Line word={t('apps')}>
            {facts.apps.map(({ appid, version }) => `${nameOf('app', appid)} ${version}`.trim()).join(comma)}
          </Line>
          <Line word={t('sdk')}>{facts.sdk || '–'}</Line>
          <Line word={t('network')}>{facts.network || '–'}</Line>
          <Line word={t('place')}>{placeText(facts, nameOf, language)}</Line>
          <Line word={t('usersWord')}>
            {facts.users.length === 0
              ? '–'
              : facts.users
                  .slice(0, 3)
                  .map(({ user }) => shortHash('user', user))
                  .join(comma) + (facts.counts.users > 3 ? ` (${facts.counts.users})` : '')}
          </Line>
          <Line word={t('first')}>{day(facts.first_at)}</Line>
          <Line word={t('last')}>
            <RelativeTime at={facts.last_at} />
            {comma}
            {day(facts.last_at)}
          </Line>
          <Line word={t('enrolment')}>
            {enrolments.length === 0
              ? t('notEnrolled')
              : enrolments
                  .map(({ appid, enrolled_at, revoked_at }) =>
                    t(revoked_at === null ? 'enrolled' : 'revoked', {
                      app: nameOf('app', appid),
                      date: formatDateTime(enrolled_at, zone, 'minute', answer.now),
                    }),
                  )
                  .slice(0, 3)
                  .join(comma)}
          </Line>
        </dl>
      )}
    </section>
  )
}

function Line({ word, children }: { word: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-muted">{word}</dt>
      <dd className="min-w-0 break-words">{children}</dd>
    </>
  )
}
