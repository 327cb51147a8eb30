import { CircleCheck, Radio } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import type { ResponseOf } from '#contracts/http/endpoint.ts'
import type { accessGuide } from '#contracts/http/sdk.ts'
import { EVENT_TYPES, PLATFORMS, type Platform } from '#domain/vocabulary.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { Icon } from '#src/shared/ui/icon.tsx'
import { RelativeTime } from '#src/shared/ui/relative-time.tsx'
import { guideTexts } from './guide-texts.ts'

type Guide = ResponseOf<typeof accessGuide>['data']

/** Turns green when an event of the application arrives after the page was opened. `appid`: whose check this is. */
export function LiveCheck({ appid, guide, endpoint }: { appid: string; guide: Guide; endpoint: string }) {
  const t = useTexts(guideTexts)
  const language = useLanguage()
  /** What was there when the page was opened, by the server's clock. */
  const [first] = useState(guide)
  const { newest } = guide
  const green = newest !== null && newest.id !== first.newest?.id
  const title = green ? t(first.newest ? 'fresh' : 'arrived') : newest ? t('before') : t('waiting')
  return (
    <section aria-label={t('live')} className="rounded border bg-surface">
      <div
        aria-live="polite"
        className={`flex items-start gap-3 rounded-t px-4 py-3 ${green ? 'bg-good-soft text-good-text' : 'bg-canvas'}`}
      >
        <Icon of={green ? CircleCheck : Radio} size={20} className={green ? '' : 'animate-pulse text-muted'} />
        <div className="min-w-0">
          <div className="font-semibold">{title}</div>
          {!green && <div className="text-12 text-muted">{t('waitingHint')}</div>}
        </div>
      </div>
      {newest && (
        <dl className="grid grid-cols-[72px_minmax(0,1fr)] gap-x-3 gap-y-1 border-t px-4 py-3">
          <dt className="text-muted">{t('kind')}</dt>
          <dd>{EVENT_TYPES[newest.type][language]}</dd>
          <dt className="text-muted">{t('platform')}</dt>
          <dd>{PLATFORMS[newest.platform as Platform]?.[language] ?? '-'}</dd>
          <dt className="text-muted">{t('sdkVersion')}</dt>
          <dd className="text-clip-line">{newest.sdk || '-'}</dd>
          <dt className="text-muted">{t('when')}</dt>
          <dd>
            <RelativeTime at={newest.received_at} />
          </dd>
          <dt className="text-muted">{t('device')}</dt>
          <dd>
            <Link
              className="text-clip-line block text-brand-text hover:underline"
              to={`/statistics/user_check/${newest.device}/?appid=${appid}`}
            >
              <code className="text-12">{newest.device}</code>
            </Link>
          </dd>
        </dl>
      )}
      {!newest && (
        <div className="border-t px-4 py-3 text-12 text-muted">
          <div className="mb-1 font-semibold">{t('trouble')}</div>
          <ul className="list-disc pl-4">
            <li>{t('trouble1', { origin: endpoint })}</li>
            <li>{t('trouble2')}</li>
            <li>{t('trouble3')}</li>
            <li>{t('trouble4')}</li>
          </ul>
        </div>
      )}
    </section>
  )
}
