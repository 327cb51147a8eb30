import { useState } from 'react'
import { Link } from 'react-router-dom'
import { acknowledgeAlert, alertDetail, alerts } from '#contracts/http/alerts.ts'
import { PAGES } from '#contracts/pages.ts'
import type { Alert, AlertStep } from '#domain/alerts.ts'
import { absoluteRange } from '#domain/time-range.ts'
import {
  againstText,
  alertTitle,
  conditionText,
  copiesOfAlert,
  lastWindowText,
  rowsOfAlert,
  windowOfAlert,
} from '#src/shared/alerts/alert-words.ts'
import { useAction } from '#src/shared/api/use-action.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { formatExact } from '#src/shared/format/number.ts'
import { formatDateTime, formatDuration } from '#src/shared/format/time.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { carryQuery } from '#src/shared/query/query-url.ts'
import { useNameOf } from '#src/shared/query/value-names.ts'
import { usePlatform } from '#src/shared/session/platform-store.ts'
import { useMay } from '#src/shared/session/session-store.ts'
import { useActions } from '#src/shared/ui/actions.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { Drawer } from '#src/shared/ui/drawer.tsx'
import { ErrorState } from '#src/shared/ui/error-state.tsx'
import { LevelMark } from '#src/shared/ui/level-mark.tsx'
import { Skeleton } from '#src/shared/ui/skeleton.tsx'
import { TextField } from '#src/shared/ui/text-field.tsx'
import { toast } from '#src/shared/ui/toast.ts'
import { alertTexts } from './alert-texts.ts'
import { SilenceDialog } from './silence-dialog.tsx'

/** One alert: what it found, the windows behind it, what happened, and what to do now. */
export function AlertDrawer({ id, onClose }: { id: string; onClose: () => void }) {
  const t = useTexts(alertTexts)
  const nameOf = useNameOf()
  const mayAcknowledge = useMay('alert.acknowledge')
  const answer = useEndpoint(alertDetail, { query: { id } }, { refetchInterval: 30_000 })
  const [note, setNote] = useState('')
  const [silencing, setSilencing] = useState(false)
  const acknowledge = useAction(acknowledgeAlert, {
    refreshes: [alerts, alertDetail],
    onSuccess: () => {
      setNote('')
      toast.success(t('acknowledgedDone'))
    },
  })
  const alert = answer.data?.data
  const open = alert?.acknowledged === null && mayAcknowledge
  const run = () => acknowledge.mutate({ body: { id, note } })
  useActions([
    { id: 'alert.acknowledge', label: t('acknowledge'), group: t('group'), keys: 'a', isDisabled: !open, run },
    {
      id: 'alert.silence',
      label: t('silence'),
      group: t('group'),
      keys: 's',
      isDisabled: !alert || !mayAcknowledge,
      run: () => setSilencing(true),
    },
  ])
  const title = alert && alertTitle(alert, nameOf)
  return (
    <Drawer
      isOpen
      onClose={onClose}
      title={
        title ? (
          <span className="flex min-w-0 items-center gap-2">
            <LevelMark level={alert.severity} word={false} />
            <span className="text-clip-line">{[title.what, title.value].filter(Boolean).join(' · ')}</span>
          </span>
        ) : (
          t('alert')
        )
      }
      footer={
        alert &&
        mayAcknowledge && (
          <span className="flex items-center gap-2">
            {open && (
              <Button variant="primary" isDisabled={acknowledge.isPending} onPress={run}>
                {t('acknowledge')}
              </Button>
            )}
            <Button onPress={() => setSilencing(true)}>{t('silence')}</Button>
          </span>
        )
      }
    >
      {answer.error && !alert ? (
        <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />
      ) : !answer.data || !alert ? (
        <Skeleton lines={8} height="20px" className="p-5" />
      ) : (
        <>
          <Facts alert={alert} />
          {open && (
            <div className="border-b px-5 py-3">
              <TextField label={t('acknowledgeNote')} value={note} onChange={setNote} rows={2} maxLength={500} />
            </div>
          )}
          <Windows alert={alert} windows={answer.data.windows} />
          <Steps steps={answer.data.steps} />
          {silencing && (
            <SilenceDialog rule={alert.rule} by={alert.by} value={alert.key} onClose={() => setSilencing(false)} />
          )}
        </>
      )}
    </Drawer>
  )
}

function Facts({ alert }: { alert: Alert }) {
  const t = useTexts(alertTexts)
  const language = useLanguage()
  const zone = usePlatform((state) => state.zone)
  const mayRead = useMay('maps')
  const mayMonitor = useMay('monitor.view')
  const copies = copiesOfAlert(alert)
  const time = (at: number) => formatDateTime(at, zone, 'second', Date.now())
  const rows: [string, string][] = [
    [t('rule'), conditionText(alert.condition, alert.measure, windowOfAlert(alert), language)],
    [t('value'), `${formatExact(alert.value)} (${lastWindowText(alert, language)}, ${againstText(alert)})`],
    [t('peak'), formatExact(alert.peak)],
    [t('since'), time(alert.from)],
    [t('lasted'), formatDuration(Math.min(alert.to, Date.now()) - alert.from)],
    ...(alert.resolved_at ? [[t('resolved'), time(alert.resolved_at)] as [string, string]] : []),
    ...(alert.acknowledged
      ? [
          [
            t('acknowledged'),
            [time(alert.acknowledged.at), alert.acknowledged.by, alert.acknowledged.note].filter(Boolean).join(' · '),
          ] as [string, string],
        ]
      : []),
  ]
  const span = absoluteRange({ from: alert.from, to: Math.min(alert.to, Date.now()) })
  return (
    <div className="border-b px-5 py-3">
      <dl className="grid grid-cols-[88px_minmax(0,1fr)] gap-x-3 gap-y-1.5">
        {rows.map(([term, text]) => (
          <div key={term} className="contents">
            <dt className="text-muted">{term}</dt>
            <dd className="break-words">{text}</dd>
          </div>
        ))}
      </dl>
      {copies && mayMonitor && (
        <p className="mt-3">
          <Link className="text-brand-text hover:underline" to={copies}>
            {t('openCopies', { count: alert.total })}
          </Link>
        </p>
      )}
      {mayRead && !copies && (
        <p className="mt-3 flex flex-wrap gap-4">
          <Link
            className="text-brand-text hover:underline"
            to={`${PAGES.realtime.path}?${carryQuery(rowsOfAlert(alert))}`}
          >
            {t('openRows', { count: alert.total })}
          </Link>
          {Date.now() - alert.from < 30 * 86_400_000 && alert.to - alert.from <= 3_600_000 && (
            <Link
              className="text-brand-text hover:underline"
              to={`${PAGES.observatory.path}?mode=replay&window=${span}`}
            >
              {t('openMap')}
            </Link>
          )}
        </p>
      )}
    </div>
  )
}

/** Each window as a bar; the limit is the line. A bar opens the events of its window. */
function Windows({
  alert,
  windows,
}: {
  alert: Alert
  windows: readonly { end: number; value: number; expected: number }[]
}) {
  const t = useTexts(alertTexts)
  const zone = usePlatform((state) => state.zone)
  const copies = copiesOfAlert(alert)
  const mayRead = useMay(copies ? 'monitor.view' : 'maps')
  const shown = windows.slice(-60)
  const top = Math.max(1, ...shown.map(({ value, expected }) => Math.max(value, expected)))
  const limit = shown.at(-1)?.expected ?? 0
  return (
    <section className="border-b px-5 py-3">
      <h3 className="mb-2 text-12 font-semibold">
        {t('windows')}{' '}
        <span className="font-normal text-muted">{mayRead && t(copies ? 'windowsNoteRun' : 'windowsNote')}</span>
      </h3>
      <div className="relative flex h-20 items-end gap-px border-b">
        {shown.map(({ end, value }) => {
          const label = t('windowAt', {
            end: formatDateTime(end, zone, 'minute', Date.now()),
            value: formatExact(value),
          })
          const rows = () => carryQuery(rowsOfAlert(alert, { from: end - alert.window_ms, to: end }))
          const style = { height: `${Math.max(3, (value / top) * 100)}%`, background: `var(--level-${alert.severity})` }
          return mayRead ? (
            <Link
              key={end}
              to={copies ?? `${PAGES.realtime.path}?${rows()}`}
              aria-label={label}
              title={label}
              className="max-w-6 min-w-0.5 flex-1 opacity-80 hover:opacity-100"
              style={style}
            />
          ) : (
            <span key={end} title={label} className="max-w-6 min-w-0.5 flex-1 opacity-80" style={style} />
          )
        })}
        <i
          aria-hidden
          className="pointer-events-none absolute inset-x-0 border-t border-dashed border-text"
          style={{ bottom: `${(limit / top) * 100}%` }}
        />
      </div>
    </section>
  )
}

function Steps({ steps }: { steps: readonly AlertStep[] }) {
  const t = useTexts(alertTexts)
  const zone = usePlatform((state) => state.zone)
  return (
    <section className="px-5 py-3">
      <h3 className="mb-2 text-12 font-semibold">{t('steps')}</h3>
      <ol className="space-y-1.5">
        {steps.map((step, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: steps are only appended
          <li key={index} className="grid grid-cols-[112px_minmax(0,1fr)] gap-x-3">
            <time className="text-12/5 text-muted">{formatDateTime(step.at, zone, 'second', Date.now())}</time>
            <span className="break-words">{t(`step_${step.step}`, { by: step.by, note: step.note })}</span>
          </li>
        ))}
      </ol>
    </section>
  )
}
