import { Ban, Download, Ellipsis, RefreshCw } from 'lucide-react'
import { useMemo } from 'react'
import {
  type CommunicationKey,
  communicationOverview,
  exportCommunicationKey,
  revokeCommunicationKey,
} from '#contracts/http/communication.ts'
import { keyEnd, keyName } from '#domain/communication.ts'
import { downloadHref } from '#src/shared/api/download-href.ts'
import { useAction } from '#src/shared/api/use-action.ts'
import { formatPercent } from '#src/shared/format/number.ts'
import { formatDateTime } from '#src/shared/format/time.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { usePlatform } from '#src/shared/session/platform-store.ts'
import { type Column, DataTable } from '#src/shared/table/data-table.tsx'
import { Avatar } from '#src/shared/ui/avatar.tsx'
import { confirm } from '#src/shared/ui/confirm.tsx'
import { MenuButton } from '#src/shared/ui/menu-button.tsx'
import { Num } from '#src/shared/ui/num.tsx'
import { RelativeTime } from '#src/shared/ui/relative-time.tsx'
import { toast } from '#src/shared/ui/toast.ts'
import { communicationTexts } from './communication-texts.ts'
import { daysUntil, KeyStateMark } from './key-state.tsx'

export function isAccepted({ state }: CommunicationKey): boolean {
  return state === 'active' || state === 'retiring'
}

/** Keys with their state and use; the menu of a row has what its state allows. */
export function KeyTable({
  keys,
  now,
  onRotate,
}: {
  keys: readonly CommunicationKey[]
  now: number
  onRotate: (item: CommunicationKey) => void
}) {
  const t = useTexts(communicationTexts)
  const zone = usePlatform((state) => state.zone)
  const revoke = useAction(revokeCommunicationKey, { refreshes: [communicationOverview] })
  const { mutate } = revoke

  const columns = useMemo((): Column<CommunicationKey>[] => {
    const day = (at: number) => formatDateTime(at, zone, 'day')
    const dim = (item: CommunicationKey) => (isAccepted(item) ? '' : 'text-muted')
    async function askRevoke(item: CommunicationKey): Promise<void> {
      const key = keyName(item.kid)
      const yes = await confirm({
        title: t('revokeTitle', { key }),
        text: t('revokeText', { app: item.application }),
        action: t('revoke'),
        danger: true,
        typed: key,
      })
      if (yes) mutate({ body: { kid: item.kid } }, { onSuccess: () => toast.success(t('revoked', { key })) })
    }
    return [
      {
        id: 'application',
        header: t('application'),
        cell: (item) => (
          <span className={`flex min-w-0 items-center gap-2 ${dim(item)}`}>
            <Avatar name={item.application} shape="square" size={20} />
            <span className="text-clip-line">{item.application}</span>
          </span>
        ),
      },
      {
        id: 'key',
        header: t('key'),
        width: '84px',
        cell: (item) => <code className={`text-12 ${dim(item)}`}>{keyName(item.kid)}</code>,
      },
      { id: 'state', header: t('state'), width: '164px', cell: (item) => <KeyStateMark item={item} now={now} /> },
      {
        id: 'since',
        header: t('since_'),
        width: '104px',
        wide: true,
        cell: (item) => <span className={`tabular-nums ${dim(item)}`}>{day(item.created_at)}</span>,
      },
      {
        id: 'until',
        header: t('until'),
        width: '120px',
        wide: true,
        cell: (item) => {
          if (item.state !== 'retiring')
            return <span className={`tabular-nums ${dim(item)}`}>{day(item.revoked_at ?? keyEnd(item))}</span>
          const days = daysUntil(keyEnd(item), now)
          return (
            <strong className="font-semibold">{days === 0 ? t('closesToday') : t('closesIn', { count: days })}</strong>
          )
        },
      },
      {
        id: 'requests',
        header: t('requests'),
        width: '124px',
        numeric: true,
        wide: true,
        cell: (item) => <Num value={item.requests} />,
      },
      {
        id: 'refused',
        header: t('refusedOf'),
        width: '72px',
        numeric: true,
        wide: true,
        cell: (item) => (item.requests === 0 ? '' : formatPercent(item.refused / item.requests, 3)),
      },
      {
        id: 'versions',
        header: t('versions'),
        width: '168px',
        wide: true,
        cell: ({ versions }) => {
          const text = versions.map(({ sdk }) => sdk).join(', ')
          return (
            <span className={`text-clip-line ${text === '' ? 'text-muted' : ''}`} title={text}>
              {text || t('none')}
            </span>
          )
        },
      },
      {
        id: 'seen',
        header: t('seen'),
        width: '104px',
        wide: true,
        cell: ({ last_seen_at: at }) =>
          at === null ? <span className="text-muted">{t('never')}</span> : <RelativeTime at={at} />,
      },
      {
        id: 'actions',
        header: '',
        width: '48px',
        fixed: true,
        cell: (item) => {
          const { kid, manageable, state } = item
          const download = (format: 'pem' | 'hex') =>
            location.assign(downloadHref(exportCommunicationKey, { kid, format }))
          return (
            <MenuButton
              label={t('more', { key: keyName(kid) })}
              icon={Ellipsis}
              iconOnly
              items={[
                ...(manageable && state === 'active'
                  ? [{ id: 'rotate', label: t('rotate'), icon: RefreshCw, onAction: () => onRotate(item) }]
                  : []),
                { id: 'pem', label: t('exportPem'), icon: Download, onAction: () => download('pem') },
                { id: 'hex', label: t('exportHex'), icon: Download, onAction: () => download('hex') },
                ...(manageable && isAccepted(item)
                  ? [
                      {
                        id: 'revoke',
                        label: t('revoke'),
                        icon: Ban,
                        danger: true,
                        onAction: () => void askRevoke(item),
                      },
                    ]
                  : []),
              ]}
            />
          )
        },
      },
    ]
  }, [t, zone, now, onRotate, mutate])

  return (
    <DataTable label={t('keys')} columns={columns} rows={keys} rowKey={({ kid }) => String(kid)} openMark={false} />
  )
}
