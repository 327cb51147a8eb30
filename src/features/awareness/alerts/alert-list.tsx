import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useMemo, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { alerts } from '#contracts/http/alerts.ts'
import { exportList } from '#contracts/http/exports.ts'
import { groupSiblings } from '#domain/alert-groups.ts'
import type { Alert } from '#domain/alerts.ts'
import { ALERT_STATES } from '#domain/alerts.ts'
import { alertTitle, togetherText } from '#src/shared/alerts/alert-words.ts'
import { call } from '#src/shared/api/call.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { formatExact } from '#src/shared/format/number.ts'
import { formatDuration } from '#src/shared/format/time.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { KEPT } from '#src/shared/query/kept.ts'
import { useNameOf } from '#src/shared/query/value-names.ts'
import { useMay } from '#src/shared/session/session-store.ts'
import { type Column, DataTable } from '#src/shared/table/data-table.tsx'
import { ExportListMenu } from '#src/shared/table/export-menu.tsx'
import { Button } from '#src/shared/ui/button.tsx'
import { Chip } from '#src/shared/ui/chip.tsx'
import { EmptyState } from '#src/shared/ui/empty-state.tsx'
import { ErrorState } from '#src/shared/ui/error-state.tsx'
import { IconButton } from '#src/shared/ui/icon-button.tsx'
import { LevelMark } from '#src/shared/ui/level-mark.tsx'
import { Num } from '#src/shared/ui/num.tsx'
import { RelativeTime } from '#src/shared/ui/relative-time.tsx'
import { SegmentedControl } from '#src/shared/ui/segmented-control.tsx'
import { Skeleton } from '#src/shared/ui/skeleton.tsx'
import { AlertDrawer } from './alert-drawer.tsx'
import { alertTexts } from './alert-texts.ts'

const PAGE_SIZE = 50
/** What the list may be narrowed to: a state, or those that wait for somebody (the bell counts them). */
const CHOICES = ['unacknowledged', ...ALERT_STATES] as const
type Choice = (typeof CHOICES)[number]
const TONES = { firing: 'bad', acknowledged: 'warn', resolved: 'good' } as const

/** Alerts, newest first; state and open alert stand in the address. */
export function AlertList() {
  const t = useTexts(alertTexts)
  const nameOf = useNameOf()
  const language = useLanguage()
  const [params, setParams] = useSearchParams()
  const [cursors, setCursors] = useState<readonly string[]>([])
  const asked = params.get('state') as Choice | null
  const state = asked && CHOICES.includes(asked) ? asked : 'all'
  const cursor = cursors.at(-1)
  const answer = useEndpoint(
    alerts,
    { query: { limit: PAGE_SIZE, ...(state !== 'all' && { state }), ...(cursor && { cursor }) } },
    { refetchInterval: 30_000, placeholderData: (before) => before, meta: KEPT },
  )
  const mayExport = useMay('events.export')
  const open = params.get('alert')
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set())
  const groups = useMemo(() => groupSiblings(answer.data?.data ?? []), [answer.data])
  // The alert that is looked at is never hidden.
  const isUnfolded = ([first, ...others]: Alert[]) =>
    first !== undefined && (opened.has(first.id) || others.some(({ id }) => id === open))
  const set = (values: Record<string, string | null>) => {
    const next = new URLSearchParams(params)
    for (const [name, value] of Object.entries(values))
      if (value === null) next.delete(name)
      else next.set(name, value)
    setParams(next, { replace: true })
  }
  const columns: readonly Column<Alert>[] = [
    { id: 'level', header: t('level'), cell: (one) => <LevelMark level={one.severity} />, width: '76px', fixed: true },
    { id: 'state', header: t('state'), cell: (one) => <State alert={one} />, width: '128px' },
    {
      id: 'alert',
      header: t('alert'),
      fixed: true,
      cell: (one) => {
        const { what, value } = alertTitle(one, nameOf)
        const group = groups.find((all) => all[0]?.id === one.id)
        const count = group?.length ?? 0
        const isOpen = group !== undefined && isUnfolded(group)
        return (
          <span className="flex items-center gap-2">
            <span className="text-clip-line block max-w-[46ch]">
              <b className="font-semibold">{what}</b>
              {(value && (count < 2 || isOpen) && <span className="ml-2">{value}</span>) || null}
            </span>
            {one.by && count > 1 && (
              <Button
                size="small"
                title={t(isOpen ? 'foldGroup' : 'unfoldGroup')}
                onPress={() => {
                  const next = new Set(opened)
                  if (isOpen) next.delete(one.id)
                  else next.add(one.id)
                  setOpened(next)
                  if (isOpen && open !== one.id && group?.some(({ id }) => id === open)) set({ alert: null })
                }}
              >
                {togetherText(one.by, count, language)}
              </Button>
            )}
          </span>
        )
      },
    },
    { id: 'value', header: t('value'), numeric: true, wide: true, cell: (one) => <Num value={one.value} /> },
    {
      id: 'expected',
      header: t('expected'),
      numeric: true,
      wide: true,
      cell: (one) => formatExact(Math.round(one.expected * 10) / 10),
    },
    { id: 'peak', header: t('peak'), numeric: true, wide: true, cell: (one) => <Num value={one.peak} /> },
    { id: 'total', header: t('total'), numeric: true, wide: true, cell: (one) => <Num value={one.total} /> },
    { id: 'since', header: t('since'), wide: true, cell: (one) => <RelativeTime at={one.from} /> },
    {
      id: 'lasted',
      header: t('lasted'),
      numeric: true,
      wide: true,
      cell: (one) => formatDuration(Math.min(one.to, Date.now()) - one.from),
    },
    {
      id: 'by',
      header: t('by'),
      wide: true,
      cell: (one) => <span className="text-clip-line block max-w-[20ch] text-muted">{one.acknowledged?.by ?? ''}</span>,
    },
  ]
  const list = answer.data?.data
  // One row for alerts that tell one thing, until it is opened.
  const rows = groups.flatMap((group) => (isUnfolded(group) ? group : group.slice(0, 1)))
  return (
    <>
      <div className="flex items-center gap-2 px-5 py-2">
        <SegmentedControl
          label={t('state')}
          value={state}
          onChange={(next) => {
            setCursors([])
            set({ state: next === 'all' ? null : next, alert: null })
          }}
          items={(['all', ...CHOICES] as const).map((id) => ({ id, label: t(id) }))}
        />
        <span className="flex-1" />
        <ExportListMenu
          start={(file) =>
            call(
              exportList,
              { body: { list: { of: 'alerts', ...(state !== 'all' && { state }) }, ...file } },
              { quiet: true },
            )
          }
          mayExport={mayExport}
          title={t('alerts')}
          total={answer.data?.total ?? 0}
        />
      </div>
      {answer.error && !list ? (
        <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />
      ) : !list ? (
        <Skeleton lines={8} height="24px" className="p-5" />
      ) : (
        <>
          <DataTable
            label={t('alerts')}
            columns={columns}
            rows={rows}
            rowKey={(one) => one.id}
            current={open}
            onOpen={(one) => set({ alert: one.id })}
            empty={
              state === 'all' ? (
                <EmptyState kind="none" title={t('none')} hint={t('noneHint')} />
              ) : (
                <EmptyState
                  kind="filtered"
                  title={t('noneOfState', { state: t(state) })}
                  action={<Button onPress={() => set({ state: null })}>{t('showAll')}</Button>}
                />
              )
            }
          />
          {(answer.data?.next_cursor || cursors.length > 0) && (
            <footer className="flex h-9 items-center justify-end gap-2 px-4 text-12 text-muted">
              {t('page', { count: list.length, total: formatExact(answer.data?.total ?? 0) })}
              <IconButton
                label={t('before')}
                icon={ChevronLeft}
                size="small"
                isDisabled={cursors.length === 0}
                onPress={() => setCursors(cursors.slice(0, -1))}
              />
              <IconButton
                label={t('after')}
                icon={ChevronRight}
                size="small"
                isDisabled={!answer.data?.next_cursor}
                onPress={() => answer.data?.next_cursor && setCursors([...cursors, answer.data.next_cursor])}
              />
            </footer>
          )}
        </>
      )}
      {open && <AlertDrawer id={open} onClose={() => set({ alert: null })} />}
    </>
  )
}

function State({ alert }: { alert: Alert }) {
  const t = useTexts(alertTexts)
  return (
    <span className="inline-flex gap-1">
      <Chip tone={TONES[alert.state]}>{t(alert.state)}</Chip>
      {alert.silenced && <Chip tone="neutral">{t('silenced')}</Chip>}
      {alert.late && <Chip tone="neutral">{t('late')}</Chip>}
    </span>
  )
}
