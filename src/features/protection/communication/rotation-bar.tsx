import { CircleOff, Clock3 } from 'lucide-react'
import { type CommunicationKey, closeCommunicationKey, communicationOverview } from '#contracts/http/communication.ts'
import { keyExtension, keyName } from '#domain/communication.ts'
import { useAction } from '#src/shared/api/use-action.ts'
import { formatPercent } from '#src/shared/format/number.ts'
import { formatDateTime } from '#src/shared/format/time.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { usePlatform } from '#src/shared/session/platform-store.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { confirm } from '#src/shared/ui/confirm.tsx'
import { toast } from '#src/shared/ui/toast.ts'
import { communicationTexts } from './communication-texts.ts'

/** Who still uses the key that is being replaced, before it is closed. `next`: the key that replaces it. */
export function RotationBar({ old, next, now }: { old: CommunicationKey; next: CommunicationKey; now: number }) {
  const t = useTexts(communicationTexts)
  const zone = usePlatform((state) => state.zone)
  const close = useAction(closeCommunicationKey, { refreshes: [communicationOverview] })
  const all = old.requests + next.requests
  const share = all === 0 ? 0 : old.requests / all
  const key = keyName(old.kid)
  const { days, more } = keyExtension(old, now)

  async function askClose(): Promise<void> {
    const yes = await confirm({
      title: t('closeTitle', { key }),
      text: old.requests > 0 ? t('closeText', { count: old.requests, share: formatPercent(share) }) : t('closeUnused'),
      action: t('close'),
      danger: old.requests > 0,
    })
    if (yes) close.mutate({ body: { kid: old.kid, days: 0 } }, { onSuccess: () => toast.success(t('closed', { key })) })
  }

  return (
    <section
      aria-label={t('rotation', names(old, next))}
      className="flex-none border-t bg-canvas px-5 py-3 max-lg:px-4"
    >
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <h3 className="font-semibold">{t('rotation', names(old, next))}</h3>
        <span className="text-12 text-muted">
          {t('rotationNote', { date: formatDateTime(next.created_at, zone, 'day') })}
        </span>
        <span className="ml-auto text-12 text-muted max-sm:ml-0" data-testid="rotation-left">
          {old.requests === 0
            ? t('rotationNone')
            : t('rotationLeft', { share: formatPercent(share) }) +
              (old.versions[0] ? t('rotationMostly', { sdk: old.versions[0].sdk }) : '')}
        </span>
        {old.manageable && (
          <div className="flex gap-2">
            {more > 0 && (
              <Button
                size="small"
                icon={Clock3}
                isDisabled={close.isPending}
                onPress={() =>
                  close.mutate(
                    { body: { kid: old.kid, days } },
                    { onSuccess: () => toast.success(t('extended', { key, count: more })) },
                  )
                }
              >
                {t('extend', { count: more })}
              </Button>
            )}
            <Button size="small" icon={CircleOff} isDisabled={close.isPending} onPress={() => void askClose()}>
              {t('closeNow')}
            </Button>
          </div>
        )}
      </div>
      <div aria-hidden className="mt-2 flex h-2 overflow-hidden rounded-small bg-neutral">
        <div className="bg-brand" style={{ width: `${all === 0 ? 0 : (1 - share) * 100}%` }} />
        {old.requests > 0 && <div className="ml-0.5 flex-1 bg-line-strong" />}
      </div>
    </section>
  )
}

function names(old: CommunicationKey, next: CommunicationKey) {
  return { app: old.application, old: keyName(old.kid), key: keyName(next.kid) }
}
