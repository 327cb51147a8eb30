import { Link } from 'react-router-dom'
import type { ResponseOf } from '#contracts/http/endpoint.ts'
import type { serviceContact, serviceRequest } from '#contracts/http/service.ts'
import { PAGES } from '#contracts/pages.ts'
import { SERVICE_KINDS } from '#domain/service-requests.ts'
import { taskPath } from '#src/features/detection/parts/task-path.ts'
import { shortAccount } from '#src/shared/format/text.ts'
import { formatDateTime } from '#src/shared/format/time.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { usePlatform } from '#src/shared/session/platform-store.ts'
import { useMay } from '#src/shared/session/session-store.ts'
import { Fact } from '#src/shared/ui/fact.tsx'
import { HelpfulArticles } from './helpful-articles.tsx'
import { serviceTexts } from './service-texts.ts'
import { TimeLimits } from './time-limits.tsx'

const FACTS = 'grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1.5'
const MAIL_TEXTS = { waiting: 'mailWaiting', sent: 'mailSent', failed: 'mailFailed' } as const

/** Limits of a request, what it is about, and articles that may help. */
export function RequestFacts({ shown, now }: { shown: ResponseOf<typeof serviceRequest>; now: number }) {
  const t = useTexts(serviceTexts)
  const language = useLanguage()
  const zone = usePlatform((state) => state.zone)
  const { data, task, mail } = shown
  return (
    <>
      <TimeLimits of={data} now={now} />
      <section className="border-b px-5 py-4" aria-label={t('about')}>
        <h2 className="mb-2 font-semibold">{t('about')}</h2>
        <dl className={FACTS}>
          <Fact name={t('kind')}>{SERVICE_KINDS[data.kind][language]}</Fact>
          <Fact name={t('application')}>{data.app_name || t('noApplication')}</Fact>
          {task && (
            <Fact name={t('task')}>
              <Link to={taskPath(task.id)} className="text-brand-text hover:underline">
                {task.name}
              </Link>
            </Fact>
          )}
          <Fact name={t('author')}>
            <span title={data.author}>{shortAccount(data.author)}</span>
          </Fact>
          <Fact name={t('created')}>
            <span className="num">{formatDateTime(data.created_at, zone, 'minute')}</span>
          </Fact>
          <Fact name={t('handler')}>
            {data.handler ? <span title={data.handler}>{shortAccount(data.handler)}</span> : t('notYet')}
          </Fact>
          {mail && (
            <Fact name={t('mail')}>
              <span className={mail.state === 'failed' ? 'text-bad-text' : ''}>{t(MAIL_TEXTS[mail.state])}</span>
            </Fact>
          )}
        </dl>
      </section>
      <HelpfulArticles subject={data.subject} />
    </>
  )
}

/** How the service side is reached, and who it is; honest where nothing is set. */
export function ContactFacts({ contact }: { contact: ResponseOf<typeof serviceContact> }) {
  const t = useTexts(serviceTexts)
  const maySet = useMay('platform.settings')
  const { phone, mail, hours, mails } = contact
  const isSet = phone !== '' || mail !== '' || hours !== ''
  return (
    <section className="px-5 py-4" aria-label={t('contact')}>
      <h2 className="mb-2 font-semibold">{t('contact')}</h2>
      {isSet ? (
        <dl className={FACTS}>
          {phone && (
            <Fact name={t('phone')}>
              <a href={`tel:${phone.replace(/[^\d+]/g, '')}`} className="num text-brand-text hover:underline">
                {phone}
              </a>
            </Fact>
          )}
          {mail && (
            <Fact name={t('mailbox')}>
              <a href={`mailto:${mail}`} className="text-brand-text hover:underline">
                {mail}
              </a>
            </Fact>
          )}
          {hours && <Fact name={t('hours')}>{hours}</Fact>}
        </dl>
      ) : (
        <p className="text-muted">{t('noContact')}</p>
      )}
      <p className="mt-2 text-12 text-muted">
        {mail !== '' ? t(mails ? 'outsideSide' : 'outsideUnsent') : isSet && t('adminSide')}{' '}
        {(mail === '' || mails) && t('offline')}
      </p>
      {maySet && (
        <Link
          to={`${PAGES.settings.path}?tab=platform`}
          className="mt-2 inline-block text-12 text-brand-text hover:underline"
        >
          {t('setContact')}
        </Link>
      )}
    </section>
  )
}
