import { Send } from 'lucide-react'
import { useState } from 'react'
import { alertChannels, deleteAlertChannel, testAlertChannel } from '#contracts/http/alerts.ts'
import type { Channel } from '#domain/alerts.ts'
import { useAction } from '#src/shared/api/use-action.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import type { Column } from '#src/shared/table/data-table.tsx'
import { ManagedList } from '#src/shared/table/managed-list.tsx'
import { Button } from '#src/shared/ui/button.tsx'
import { Chip } from '#src/shared/ui/chip.tsx'
import { confirmDeletion, deleted } from '#src/shared/ui/deletion.ts'
import { RelativeTime } from '#src/shared/ui/relative-time.tsx'
import { toast } from '#src/shared/ui/toast.ts'
import { alertTexts } from './alert-texts.ts'
import { ChannelDialog } from './channel-dialog.tsx'
import { DeliveryDrawer } from './delivery-drawer.tsx'

const TONES = { waiting: 'warn', sent: 'good', failed: 'bad' } as const

/** Webhooks and mail lists, each with its newest delivery, a test and the log. */
export function ChannelList() {
  const t = useTexts(alertTexts)
  const answer = useEndpoint(alertChannels, {}, { refetchInterval: 30_000 })
  const [editing, setEditing] = useState<Channel | 'new' | null>(null)
  const [opened, setOpened] = useState<Channel | null>(null)
  const remove = useAction(deleteAlertChannel, {
    refreshes: [alertChannels],
    onSuccess: () => deleted(),
  })
  const test = useAction(testAlertChannel, {
    onSuccess: ({ data }) => {
      const detail = [data.status, data.answer].filter(Boolean).join(' ')
      if (data.sent) toast.success(t('testSent', { ms: data.milliseconds }), { detail })
      else toast.error(t('testFailed'), { detail })
    },
  })
  const columns: readonly Column<Channel>[] = [
    { id: 'name', header: t('name'), fixed: true, cell: (one) => <b className="font-semibold">{one.name}</b> },
    { id: 'kind', header: t('type'), cell: (one) => t(one.kind), width: '96px' },
    {
      id: 'target',
      header: t('target'),
      cell: (one) => <span className="text-clip-line block max-w-[48ch] font-mono text-12">{one.target}</span>,
    },
    { id: 'owner', header: t('owner'), cell: (one) => one.created_by },
    {
      id: 'last',
      header: t('last'),
      cell: (one) =>
        one.last ? (
          <span className="inline-flex items-center gap-2">
            <Chip tone={TONES[one.last.state]}>{t(one.last.state)}</Chip>
            <RelativeTime at={one.last.at} />
          </span>
        ) : (
          <span className="text-muted">{t('never')}</span>
        ),
    },
    {
      id: 'actions',
      header: '',
      fixed: true,
      numeric: true,
      cell: (one) => (
        <span className="inline-flex gap-1">
          {one.mine && (
            <Button
              size="small"
              variant="quiet"
              icon={Send}
              isDisabled={test.isPending}
              onPress={() => test.mutate({ body: { id: one.id } })}
            >
              {t('test')}
            </Button>
          )}
          {one.manageable && (
            <>
              <Button size="small" variant="quiet" onPress={() => setOpened(one)}>
                {t('log')}
              </Button>
              <Button size="small" variant="quiet" onPress={() => setEditing(one)}>
                {t('edit')}
              </Button>
              <Button
                size="small"
                variant="quiet"
                onPress={async () => {
                  const text = t('removeChannel', { name: one.name })
                  if (await confirmDeletion({ title: t('remove'), text, action: t('remove') }))
                    remove.mutate({ body: { id: one.id } })
                }}
              >
                {t('remove')}
              </Button>
            </>
          )}
        </span>
      ),
    },
  ]
  return (
    <>
      <ManagedList
        answer={answer}
        label={t('channels')}
        columns={columns}
        create={{ label: t('newChannel'), onPress: () => setEditing('new') }}
        note={answer.data?.mail === false && <span className="flex-1 text-12 text-warn-text">{t('noMail')}</span>}
        none={{ title: t('channelNone'), hint: t('channelNoneHint') }}
        lines={4}
      />
      {editing && <ChannelDialog channel={editing === 'new' ? null : editing} onClose={() => setEditing(null)} />}
      {opened && <DeliveryDrawer channel={opened} onClose={() => setOpened(null)} />}
    </>
  )
}
