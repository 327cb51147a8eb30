import { CircleCheck, Radio } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router-dom'
import type { Application } from '#contracts/http/applications.ts'
import { PAGES } from '#contracts/pages.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { curlSnippet } from '#src/shared/protection/curl-snippet.ts'
import { shortHash, useNameOf } from '#src/shared/query/value-names.ts'
import { pageAllowed, useAuthList } from '#src/shared/session/session-store.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { buttonClass } from '#src/shared/ui/button-class.ts'
import { copyToClipboard } from '#src/shared/ui/copy-text.tsx'
import { Icon } from '#src/shared/ui/icon.tsx'
import { RelativeTime } from '#src/shared/ui/relative-time.tsx'
import { constructionTexts } from './construction-texts.ts'
import { useServerKey } from './server-key-store.ts'
import type { Progress } from './use-progress.ts'

/** Looks into the store until the first event is there; says what is in the way where nothing comes. */
export function CheckStep({
  application,
  progress,
  after,
}: {
  application: Application
  progress: Progress
  /** Leads on once events arrive. */
  after?: ReactNode
}) {
  const t = useTexts(constructionTexts)
  const nameOf = useNameOf()
  const auth = useAuthList()
  const { newest, events, mayRead, keyUsed } = progress
  if (!mayRead) return <p className="px-5 pb-5 text-muted">{t('mayNotRead')}</p>
  return (
    <div className="max-w-3xl space-y-4 px-5 pb-6">
      <div
        role="status"
        data-testid="live-check"
        data-state={newest ? 'arrived' : 'waiting'}
        className={`flex items-start gap-3 rounded border px-4 py-3 ${newest ? 'border-good bg-good-soft' : 'bg-canvas'}`}
      >
        <Icon
          of={newest ? CircleCheck : Radio}
          size={20}
          className={`mt-0.5 ${newest ? 'text-good-text' : 'animate-pulse text-muted'}`}
        />
        <div className="min-w-0">
          <div className={`font-semibold ${newest ? 'text-good-text' : ''}`}>{t(newest ? 'arrived' : 'waiting')}</div>
          {newest ? (
            <p className="text-12 text-muted">
              {t('arrivedText', { type: nameOf('type', newest.type), device: shortHash('device', newest.device) })}{' '}
              {newest.version} <RelativeTime at={newest.receivedAt} />　{t('count', { count: events })}
            </p>
          ) : (
            <p className="text-12 text-muted">{t(keyUsed ? 'keyUsed' : 'waitingText')}</p>
          )}
        </div>
      </div>
      <div className="flex flex-wrap items-center gap-2">
        {newest && after}
        {newest && pageAllowed(PAGES.observatory, auth) && (
          <Link
            to={`${PAGES.observatory.path}?f=app:${application.id}`}
            className={buttonClass(after ? 'plain' : 'primary')}
          >
            {t('toMap')}
          </Link>
        )}
        {newest && pageAllowed(PAGES.realtime, auth) && (
          <Link to={`${PAGES.realtime.path}?f=app:${application.id}`} className={buttonClass('plain')}>
            {t('toRealtime')}
          </Link>
        )}
        {!newest && keyUsed && auth.includes('ingest.quarantine') && (
          <Link to={`${PAGES.settings.path}?tab=quarantine`} className={buttonClass('plain')}>
            {t('quarantine')}
          </Link>
        )}
      </div>
      {!newest && <TestEvent appid={application.id} />}
    </div>
  )
}

function TestEvent({ appid }: { appid: string }) {
  const t = useTexts(constructionTexts)
  const key = useServerKey(appid)
  // One id: the command may be run twice and still counts once.
  const [id] = useState(() => crypto.randomUUID())
  if (!key) return <p className="text-12 text-muted">{t('sendHint')}</p>
  const text = curlSnippet(key, location.origin, id)
  return (
    <div>
      <div className="mb-1.5 flex items-center justify-between">
        <h3>{t('send')}</h3>
        <Button size="small" onPress={() => void copyToClipboard(text)}>
          {t('copy')}
        </Button>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: must be scrollable by keyboard */}
      <pre tabIndex={0} className="overflow-x-auto rounded border bg-code px-3 py-2 text-12/[18px]">
        {text}
      </pre>
    </div>
  )
}
