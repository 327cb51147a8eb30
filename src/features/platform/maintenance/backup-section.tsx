import { Archive, CircleCheck, CircleDashed, Trash2, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import {
  type Backup,
  type BackupRun,
  backups,
  deleteBackups,
  startBackup,
} from '#contracts/http/maintenance/backups.ts'
import { stopMaintenance } from '#contracts/http/maintenance/checks.ts'
import { useAction } from '#src/shared/api/use-action.ts'
import type { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { formatBytes } from '#src/shared/format/number.ts'
import { formatDateTime } from '#src/shared/format/time.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { usePlatform } from '#src/shared/session/platform-store.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { confirm } from '#src/shared/ui/confirm.tsx'
import { confirmDeletion, deleted } from '#src/shared/ui/deletion.ts'
import { EmptyState } from '#src/shared/ui/empty-state.tsx'
import { ErrorState } from '#src/shared/ui/error-state.tsx'
import { Icon } from '#src/shared/ui/icon.tsx'
import { IconButton } from '#src/shared/ui/icon-button.tsx'
import { ProgressBar } from '#src/shared/ui/progress-bar.tsx'
import { Section } from '#src/shared/ui/section.tsx'
import { maintenanceTexts } from './maintenance-texts.ts'
import { PlanDialog } from './plan-dialog.tsx'

export type BackupsAnswer = ReturnType<typeof useEndpoint<typeof backups>>
export const isRunning = ({ state }: BackupRun) => state === 'waiting' || state === 'running'

/** The daily plan, how the last backup ended, and the backups that there are. */
export function BackupSection({ answer }: { answer: BackupsAnswer }) {
  const t = useTexts(maintenanceTexts)
  const zone = usePlatform((platform) => platform.zone)
  const [editing, setEditing] = useState(false)
  const start = useAction(startBackup, { refreshes: [backups] })
  const data = answer.data?.data
  if (!data && answer.error) return <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />
  const list = data?.backups ?? []
  const [last] = data?.runs ?? []
  const plan = data?.plan
  const ask = async () => {
    if (await confirm({ title: t('backupNow'), text: t('backupAsk'), action: t('backupNow') }))
      start.mutate({ body: { confirmed: true } })
  }
  return (
    <Section
      plain
      title={t('backups')}
      note={
        list.length > 0 &&
        t('backupsNote', { count: list.length, size: formatBytes(list.reduce((sum, one) => sum + one.bytes, 0)) })
      }
      state={data ? 'ready' : 'loading'}
      actions={
        <>
          <Button size="small" isDisabled={!data} onPress={() => setEditing(true)}>
            {t('planEdit')}
          </Button>
          <Button
            size="small"
            icon={Archive}
            isDisabled={!plan || plan.folder === '' || (last !== undefined && isRunning(last)) || start.isPending}
            onPress={() => void ask()}
          >
            {t('backupNow')}
          </Button>
        </>
      }
    >
      {data && plan && (
        <div className="px-5 pb-3 max-lg:px-4">
          <p className="text-muted [overflow-wrap:anywhere]">
            {plan.enabled
              ? t('planOn', { time: plan.time, zone: plan.zone, count: plan.keep_count, days: plan.keep_days })
              : t('planOff')}
            {data.next_at !== null && ` · ${t('planNext', { time: formatDateTime(data.next_at, zone) })}`}
            {data.free !== null && ` · ${t('free', { size: formatBytes(data.free) })}`}
          </p>
          {data.external_database && <Problem text={t('external')} />}
          {data.problem !== '' && <Problem text={t('folderProblem', { reason: data.problem })} />}
          {last && <LastRun run={last} />}
          {list.length === 0 ? (
            <EmptyState kind="none" title={t('noBackups')} {...(plan.folder === '' && { hint: t('noBackupsHint') })} />
          ) : (
            <ul className="mt-2 border-t" data-testid="backups">
              {list.map((one) => (
                <Line key={one.name} backup={one} />
              ))}
            </ul>
          )}
        </div>
      )}
      {editing && plan && <PlanDialog plan={plan} onClose={() => setEditing(false)} />}
    </Section>
  )
}

function LastRun({ run }: { run: BackupRun }) {
  const t = useTexts(maintenanceTexts)
  const stop = useAction(stopMaintenance, { refreshes: [backups] })
  if (isRunning(run)) {
    const step =
      run.step === 'room' || run.step === 'copy' || run.step === 'verify' || run.step === 'delete' ? run.step : null
    return (
      <div className="mt-2" role="status">
        <p className="mb-1 flex items-center gap-3 text-muted">
          {step === null ? t('waiting') : t('backupRunning', { step: t(`step_${step}`) })}
          <Button size="small" isDisabled={stop.isPending} onPress={() => stop.mutate({ body: { id: run.id } })}>
            {t('stop')}
          </Button>
        </p>
        <ProgressBar value={null} label={t('backups')} />
      </div>
    )
  }
  if (run.state === 'failed') return <Problem text={t('lastFailed', { reason: run.error })} />
  return run.state === 'stopped' ? <Problem text={t('lastStopped')} /> : null
}

function Problem({ text }: { text: string }) {
  return (
    <p className="mt-2 flex items-start gap-2 text-bad-text [overflow-wrap:anywhere]" role="status">
      <Icon of={TriangleAlert} size={16} className="mt-0.5 flex-none" />
      {text}
    </p>
  )
}

function Line({ backup }: { backup: Backup }) {
  const t = useTexts(maintenanceTexts)
  const zone = usePlatform((platform) => platform.zone)
  const { name, created_at: at, bytes, files, verified, expires_at: expires } = backup
  const remove = useAction(deleteBackups, { refreshes: [backups], onSuccess: () => deleted() })
  const ask = async () => {
    if (await confirmDeletion({ title: t('delete', { name }), text: t('deleteText'), typed: name }))
      remove.mutate({ body: { name } })
  }
  return (
    <li className="flex min-h-10 flex-wrap items-center gap-x-4 border-b py-1" title={backup.path}>
      <time className="whitespace-nowrap tabular-nums" dateTime={new Date(at).toISOString()}>
        {formatDateTime(at, zone)}
      </time>
      <span className="text-12 text-muted tabular-nums">
        {formatBytes(bytes)} · {t('files', { count: files })}
      </span>
      <span className="inline-flex items-center gap-1 text-12">
        <Icon
          of={verified ? CircleCheck : CircleDashed}
          size={14}
          className={verified ? 'text-good-text' : 'text-muted'}
        />
        {t(verified ? 'hashesGood' : 'hashesUnknown')}
      </span>
      <span className="ml-auto text-12 text-muted tabular-nums">
        {t('expires')} {formatDateTime(expires, zone, 'day')}
      </span>
      <IconButton size="small" icon={Trash2} label={t('delete', { name })} onPress={() => void ask()} />
    </li>
  )
}
