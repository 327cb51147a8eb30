import { CheckCheck, SlidersHorizontal } from 'lucide-react'
import { useMemo, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import {
  deleteNotifications,
  type Notification,
  notificationSettings,
  notifications,
  readNotifications,
} from '#contracts/http/notifications.ts'
import { PAGES } from '#contracts/pages.ts'
import { NOTIFICATION_KIND_NAMES, NOTIFICATION_KINDS, type NotificationKind } from '#domain/notifications.ts'
import { startOfDay } from '#domain/time-range.ts'
import { useAction } from '#src/shared/api/use-action.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { usePlatform } from '#src/shared/session/platform-store.ts'
import { useAddress } from '#src/shared/table/use-address.ts'
import { type Action, useActions } from '#src/shared/ui/actions.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { confirmDeletion, deleted } from '#src/shared/ui/deletion.ts'
import { EmptyState } from '#src/shared/ui/empty-state.tsx'
import { ErrorState } from '#src/shared/ui/error-state.tsx'
import { PageTitle } from '#src/shared/ui/page-title.tsx'
import { SegmentedControl } from '#src/shared/ui/segmented-control.tsx'
import { Skeleton } from '#src/shared/ui/skeleton.tsx'
import { NotificationDetail } from './notification-detail.tsx'
import { NotificationLine } from './notification-line.tsx'
import { notificationTexts } from './notification-texts.ts'
import { clockOf, SettingsDialog } from './settings-dialog.tsx'

const PAGE_SIZE = 50
const MOST = 100

/** The notification centre: what this account was notified of, by day; the chosen one beside it, on a phone below its line. */
export default function NotificationsPage() {
  const t = useTexts(notificationTexts)
  const language = useLanguage()
  const navigate = useNavigate()
  const zone = usePlatform((state) => state.zone)
  const { params, setParams } = useAddress()
  const [limit, setLimit] = useState(PAGE_SIZE)
  const [isSetting, setSetting] = useState(false)
  const kind = NOTIFICATION_KIND_NAMES.find((one) => one === params.get('kind')) ?? ('' as const)
  const isUnread = params.get('kind') === 'unread'
  const cursor = params.get('before') ?? ''
  const query = { kind, unread: isUnread ? ('yes' as const) : ('' as const), cursor: cursor.replace(/\D/g, ''), limit }
  const answer = useEndpoint(notifications, { query }, { placeholderData: (before) => before })
  const settings = useEndpoint(notificationSettings)
  const read = useAction(readNotifications, { refreshes: [notifications] })
  const remove = useAction(deleteNotifications, { refreshes: [notifications], onSuccess: () => deleted() })
  const list = answer.data?.data ?? []
  const open = list.find(({ id }) => id === params.get('open'))
  const unread = answer.data?.unread ?? 0

  const mark = (one: Notification, isRead: boolean) => read.mutate({ body: { ids: [one.id], kind: '', read: isRead } })
  const ask = async (one: Notification) => {
    const question = { title: t('removeTitle'), text: one.title[language], action: t('remove') }
    if (await confirmDeletion(question)) remove.mutate({ body: { ids: [one.id] } })
  }
  const choose = (one: Notification) => {
    if (one.read_at === null) mark(one, true)
    setParams({ open: one.id }, true)
  }
  const keys = useMemo<readonly Action[]>(() => {
    const at = list.findIndex(({ id }) => id === open?.id)
    const group = t('kinds')
    const go = (index: number) => {
      const next = list[Math.max(0, Math.min(list.length - 1, index))]
      if (next) setParams({ open: next.id }, true)
    }
    return [
      { id: 'notifications.next', label: `${t('move')} ↓`, group, keys: 'j', run: () => go(at + 1) },
      { id: 'notifications.before', label: `${t('move')} ↑`, group, keys: 'k', run: () => go(at - 1) },
      ...(open
        ? [
            {
              id: 'notifications.read',
              label: open.read_at === null ? t('read') : t('unreadOne'),
              group,
              keys: 'e',
              run: () => read.mutate({ body: { ids: [open.id], kind: '', read: open.read_at === null } }),
            },
          ]
        : []),
    ]
  }, [list, open, setParams, read.mutate, t])
  useActions(keys)

  const minute = settings.data?.data.digest_minute
  const segments = [
    { id: 'all', label: t('all') },
    { id: 'unread', label: `${t('onlyUnread')} ${unread || ''}`.trim() },
    ...(answer.data?.kinds ?? [])
      .toSorted((a, b) => NOTIFICATION_KIND_NAMES.indexOf(a.kind) - NOTIFICATION_KIND_NAMES.indexOf(b.kind))
      .map((one) => ({ id: one.kind as string, label: `${NOTIFICATION_KINDS[one.kind][language]} ${one.all}` })),
  ]
  if (kind !== '' && !segments.some(({ id }) => id === kind))
    segments.push({ id: kind, label: NOTIFICATION_KINDS[kind as NotificationKind][language] })
  return (
    <div className="flex h-full min-h-0 flex-col">
      <PageTitle
        title={PAGES.notifications[language]}
        note={answer.data && t('unread', { count: unread })}
        actions={
          <>
            <span className="text-12 text-muted max-sm:hidden">
              {settings.data && (minute == null ? t('digestOff') : t('digestAt', { time: clockOf(minute) }))}
            </span>
            <Button
              icon={CheckCheck}
              isDisabled={unread === 0 || read.isPending}
              onPress={() => read.mutate({ body: { ids: [], kind, read: true } })}
            >
              {t('readAll')}
            </Button>
            <Button icon={SlidersHorizontal} isDisabled={!settings.data} onPress={() => setSetting(true)}>
              {t('settings')}
            </Button>
          </>
        }
      />
      <div className="flex-none overflow-x-auto border-b px-5 pb-3 max-lg:px-4">
        <SegmentedControl
          label={t('kinds')}
          items={segments}
          value={isUnread ? 'unread' : kind === '' ? 'all' : kind}
          onChange={(id) => setParams({ kind: id === 'all' ? null : id, open: null, before: null })}
        />
      </div>
      <div className="grid min-h-0 flex-1 grid-cols-[minmax(320px,2fr)_minmax(0,3fr)] max-lg:grid-cols-1">
        <div className="min-h-0 overflow-auto border-r max-lg:border-r-0">
          {answer.error && !answer.data ? (
            <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />
          ) : !answer.data ? (
            <Skeleton lines={8} height="40px" className="px-5 py-3" />
          ) : list.length === 0 ? (
            <EmptyState
              kind="none"
              title={isUnread ? t('noneUnread') : t('none')}
              hint={isUnread ? t('noneUnreadHint') : t('noneHint')}
            />
          ) : (
            byDay(list, Date.now(), zone).map(({ day, rows }) => (
              <section key={day} aria-label={t(day)}>
                <h2 className="px-4 pt-3 pb-1 text-12 text-muted">{t(day)}</h2>
                <ul>
                  {rows.map((one) => (
                    <li key={one.id} className="border-b">
                      <button
                        type="button"
                        aria-current={one === open}
                        onClick={() => choose(one)}
                        onDoubleClick={() =>
                          one.to.startsWith('/') && !one.to.startsWith('/api/') && void navigate(one.to)
                        }
                        className={`block w-full px-4 text-left ${one === open ? 'bg-selected' : 'hover:bg-hover'}`}
                      >
                        <NotificationLine one={one} />
                      </button>
                      {one === open && (
                        <div className="lg:hidden">
                          <NotificationDetail one={one} isShort onMark={mark} onRemove={() => void ask(one)} />
                        </div>
                      )}
                    </li>
                  ))}
                </ul>
              </section>
            ))
          )}
          {answer.data?.next_cursor && (
            <div className="flex justify-center p-3">
              <Button
                onPress={() =>
                  limit < MOST ? setLimit(MOST) : setParams({ before: answer.data?.next_cursor ?? null, open: null })
                }
              >
                {t('more')}
              </Button>
            </div>
          )}
        </div>
        <div className="min-h-0 overflow-auto max-lg:hidden">
          {open ? (
            <NotificationDetail one={open} onMark={mark} onRemove={() => void ask(open)} />
          ) : (
            list.length > 0 && <EmptyState kind="none" title={t('choose')} hint={t('chooseHint')} />
          )}
        </div>
      </div>
      {isSetting && settings.data && <SettingsDialog stored={settings.data} onClose={() => setSetting(false)} />}
    </div>
  )
}

/** The lines under today, yesterday and earlier, of the platform's days. */
function byDay(list: readonly Notification[], now: number, zone: string) {
  const today = startOfDay(now, zone)
  const yesterday = startOfDay(today - 1, zone)
  const dayOf = ({ created_at }: Notification) =>
    created_at >= today ? 'today' : created_at >= yesterday ? 'yesterday' : 'earlier'
  return (['today', 'yesterday', 'earlier'] as const)
    .map((day) => ({ day, rows: list.filter((one) => dayOf(one) === day) }))
    .filter(({ rows }) => rows.length > 0)
}
