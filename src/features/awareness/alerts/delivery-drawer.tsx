import { RotateCw } from 'lucide-react'
import { Link } from 'react-router-dom'
import { alertDeliveries, redeliverAlert } from '#contracts/http/alerts.ts'
import { PAGES } from '#contracts/pages.ts'
import type { Channel } from '#domain/alerts.ts'
import { useAction } from '#src/shared/api/use-action.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { formatDateTime } from '#src/shared/format/time.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { usePlatform } from '#src/shared/session/platform-store.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { Chip } from '#src/shared/ui/chip.tsx'
import { Drawer } from '#src/shared/ui/drawer.tsx'
import { EmptyState } from '#src/shared/ui/empty-state.tsx'
import { ErrorState } from '#src/shared/ui/error-state.tsx'
import { RelativeTime } from '#src/shared/ui/relative-time.tsx'
import { Skeleton } from '#src/shared/ui/skeleton.tsx'
import { toast } from '#src/shared/ui/toast.ts'
import { alertTexts } from './alert-texts.ts'

const TONES = { waiting: 'warn', sent: 'good', failed: 'bad' } as const

/** What a channel was given to carry: state, attempts, what the other side said. */
export function DeliveryDrawer({ channel, onClose }: { channel: Channel; onClose: () => void }) {
  const t = useTexts(alertTexts)
  const zone = usePlatform((state) => state.zone)
  const answer = useEndpoint(
    alertDeliveries,
    { query: { channel: channel.id, limit: 100 } },
    { refetchInterval: 10_000 },
  )
  const list = answer.data?.data
  const again = useAction(redeliverAlert, {
    refreshes: [alertDeliveries],
    onSuccess: () => toast.success(t('againDone')),
  })
  return (
    <Drawer isOpen onClose={onClose} title={`${t('log')} · ${channel.name}`} takeFocus>
      {answer.error && !list ? (
        <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />
      ) : !list ? (
        <Skeleton lines={6} height="24px" className="p-5" />
      ) : list.length === 0 ? (
        <EmptyState kind="none" title={t('logNone')} />
      ) : (
        <ul>
          {list.map((one) => (
            <li key={one.id} className="border-b px-5 py-2.5">
              <div className="flex items-center gap-2">
                <Chip tone={TONES[one.state]}>{t(one.state)}</Chip>
                <Link
                  className="text-clip-line min-w-0 flex-1 font-semibold hover:underline"
                  to={one.path || PAGES.notifications.path}
                >
                  {one.rule} · {t(one.event)}
                </Link>
                {channel.mine && one.state !== 'waiting' && (
                  <Button
                    size="small"
                    variant="quiet"
                    icon={RotateCw}
                    isDisabled={again.isPending}
                    onPress={() => again.mutate({ body: { id: one.id } })}
                  >
                    {t('again')}
                  </Button>
                )}
                <span className="text-12 text-muted">
                  <RelativeTime at={one.created_at} />
                </span>
              </div>
              <p className="mt-0.5 text-12 break-words text-muted">
                {[
                  t('attempts', { count: one.attempts }),
                  one.status,
                  one.answer,
                  one.state === 'waiting' &&
                    one.next_at !== null &&
                    t('nextAt', { time: formatDateTime(one.next_at, zone, 'second', Date.now()) }),
                ]
                  .filter(Boolean)
                  .join(' · ')}
              </p>
            </li>
          ))}
        </ul>
      )}
    </Drawer>
  )
}
