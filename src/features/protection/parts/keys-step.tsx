import { KeyRound, RefreshCw } from 'lucide-react'
import { Link } from 'react-router-dom'
import type { Application } from '#contracts/http/applications.ts'
import type { ResponseOf } from '#contracts/http/endpoint.ts'
import { createIngestKey, ingestKeys, revokeIngestKey } from '#contracts/http/ingest.ts'
import { PAGES } from '#contracts/pages.ts'
import { useAction } from '#src/shared/api/use-action.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { useMay } from '#src/shared/session/session-store.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { buttonClass } from '#src/shared/ui/button-class.ts'
import { confirm } from '#src/shared/ui/confirm.tsx'
import { CopyText } from '#src/shared/ui/copy-text.tsx'
import { ErrorState } from '#src/shared/ui/error-state.tsx'
import { ForbiddenState } from '#src/shared/ui/forbidden-state.tsx'
import { RelativeTime } from '#src/shared/ui/relative-time.tsx'
import { Skeleton } from '#src/shared/ui/skeleton.tsx'
import { constructionTexts } from './construction-texts.ts'
import { rememberServerKey, useServerKey } from './server-key-store.ts'
import { SiteLine, useAssumeSite } from './site-line.tsx'

type Key = ResponseOf<typeof ingestKeys>['data'][number]
type Kind = Key['kind']

/** Both kinds of keys: made, rotated (the old one stays until it is revoked) and revoked. */
export function KeysStep({ application, onNext }: { application: Application; onNext: () => void }) {
  const t = useTexts(constructionTexts)
  const mayKeys = useMay('ingest.keys')
  const { id: appid } = application
  const answer = useEndpoint(ingestKeys, { query: { appid } }, { enabled: mayKeys })
  const create = useAction(createIngestKey, { refreshes: [ingestKeys] })
  const revoke = useAction(revokeIngestKey, { refreshes: [ingestKeys] })
  const serverKey = useServerKey(appid)
  const assume = useAssumeSite(application)
  if (!mayKeys) return <ForbiddenState permission="ingest.keys" />
  if (answer.error && !answer.data) return <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />
  if (!answer.data) return <Skeleton lines={4} className="px-5 pb-5" />
  const valid = answer.data.data.filter((one) => one.revoked_at === null)

  async function make(kind: Kind, rotates: boolean): Promise<void> {
    if (rotates && !(await confirm({ title: t('rotate'), text: t('rotateText'), action: t('rotate') }))) return
    const { key } = await create.mutateAsync({ body: { appid, kind, name: t('keyName'), scopes: ['events'] } })
    if (kind === 'server') rememberServerKey(appid, key)
    assume()
  }
  async function take(one: Key): Promise<void> {
    if (await confirm({ title: t('revoke'), text: t('revokeText'), action: t('revoke'), danger: true }))
      revoke.mutate({ body: { id: one.id } })
  }

  return (
    <div className="max-w-3xl space-y-4 px-5 pb-6">
      <p className="text-muted">{t('keysText')}</p>
      {(['enrolment', 'server'] as const).map((kind) => {
        const keys = valid.filter((one) => one.kind === kind)
        return (
          <div key={kind} className="rounded border">
            <div className="flex min-h-10 items-center gap-2 px-4">
              <h3 className="font-semibold">{t(kind)}</h3>
              <span className="ml-auto" />
              {application.manageable ? (
                <Button
                  size="small"
                  icon={keys.length ? RefreshCw : KeyRound}
                  isDisabled={create.isPending}
                  onPress={() => void make(kind, keys.length > 0)}
                >
                  {t(keys.length ? 'rotate' : 'make')}
                </Button>
              ) : (
                <span className="text-12 text-muted">{t('forbidden')}</span>
              )}
            </div>
            {kind === 'server' && serverKey && (
              <div className="mx-4 mb-2 rounded bg-warn-soft px-3 py-2 text-12">
                <p className="text-warn-text">{t('shownOnce')}</p>
                <CopyText value={serverKey} />
              </div>
            )}
            <ul aria-label={t(kind)}>
              {keys.length === 0 && <li className="border-t px-4 py-2 text-12 text-muted">{t('noKey')}</li>}
              {keys.map((one) => (
                <li key={one.id} className="flex min-h-9 flex-wrap items-center gap-x-3 border-t px-4 text-12">
                  <span className="font-semibold">{one.name}</span>
                  <span className="min-w-0">
                    {one.text ? <CopyText value={one.text} short /> : <code>{one.hint}…</code>}
                  </span>
                  <span className="ml-auto text-muted">
                    {one.last_used_at === null ? (
                      t('neverUsed')
                    ) : (
                      <>
                        {t('usedAt')} <RelativeTime at={one.last_used_at} />
                      </>
                    )}
                  </span>
                  {application.manageable && (
                    <Button size="small" variant="quiet" onPress={() => void take(one)}>
                      {t('revoke')}
                    </Button>
                  )}
                </li>
              ))}
            </ul>
          </div>
        )
      })}
      <SiteLine application={application} />
      <div className="flex items-center gap-2">
        <Button variant="primary" isDisabled={valid.length === 0} onPress={onNext}>
          {t('next')}
        </Button>
        <Link to={`${PAGES.settings.path}?tab=keys`} className={buttonClass('quiet')}>
          {t('allKeys')}
        </Link>
      </div>
    </div>
  )
}
