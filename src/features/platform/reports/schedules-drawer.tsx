import { Pencil, Play, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { STORED_FORMATS } from '#contracts/http/reports/make-report.ts'
import {
  deleteSchedule,
  enableSchedule,
  type ReportSchedule,
  reportSchedules,
  runSchedule,
  SCHEDULE_PAUSES,
} from '#contracts/http/reports/schedules.ts'
import { storedReports } from '#contracts/http/reports/stored-reports.ts'
import { useAction } from '#src/shared/api/use-action.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { formatDateTime } from '#src/shared/format/time.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { confirmDeletion, deleted } from '#src/shared/ui/deletion.ts'
import { Drawer } from '#src/shared/ui/drawer.tsx'
import { EmptyState } from '#src/shared/ui/empty-state.tsx'
import { ErrorState } from '#src/shared/ui/error-state.tsx'
import { IconButton } from '#src/shared/ui/icon-button.tsx'
import { Skeleton } from '#src/shared/ui/skeleton.tsx'
import { Switch } from '#src/shared/ui/switch.tsx'
import { toast } from '#src/shared/ui/toast.ts'
import { ScheduleDialog } from './schedule-dialog.tsx'
import { scheduleTexts } from './schedule-texts.ts'

/** The schedules beside the list: when each runs next, what came of it, and its switch. */
export function SchedulesDrawer({ onClose }: { onClose: () => void }) {
  const t = useTexts(scheduleTexts)
  /** What is edited; null: a new one. */
  const [edited, setEdited] = useState<ReportSchedule | null | undefined>(undefined)
  const answer = useEndpoint(reportSchedules, {}, { refetchInterval: 30_000 })
  const schedules = answer.data?.data
  return (
    <Drawer
      isOpen
      takeFocus
      onClose={onClose}
      title={t('schedules')}
      width="clamp(420px, 40vw, 640px)"
      footer={
        <Button variant="primary" icon={Plus} className="ml-auto" onPress={() => setEdited(null)}>
          {t('create')}
        </Button>
      }
    >
      {schedules ? (
        schedules.length === 0 ? (
          <EmptyState kind="none" title={t('none')} hint={t('noneHint')} />
        ) : (
          <ul className="divide-y">
            {schedules.map((schedule) => (
              <ScheduleLine key={schedule.id} schedule={schedule} onEdit={() => setEdited(schedule)} />
            ))}
          </ul>
        )
      ) : answer.error ? (
        <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />
      ) : (
        <Skeleton lines={8} height="24px" className="p-5" />
      )}
      {edited !== undefined && <ScheduleDialog schedule={edited} onClose={() => setEdited(undefined)} />}
    </Drawer>
  )
}

function ScheduleLine({ schedule, onEdit }: { schedule: ReportSchedule; onEdit: () => void }) {
  const t = useTexts(scheduleTexts)
  const language = useLanguage()
  const { id, name, cron, zone, enabled, pause, next_at, results, addresses } = schedule
  const enable = useAction(enableSchedule, { refreshes: [reportSchedules] })
  const run = useAction(runSchedule, {
    refreshes: [reportSchedules, storedReports],
    onSuccess: ({ data }) => {
      const [last] = data.results
      if (last?.problem) toast.error(last.problem)
      else toast.success(t('ran', { count: last?.reports ?? 0 }))
    },
  })
  const remove = useAction(deleteSchedule, { refreshes: [reportSchedules], onSuccess: () => deleted() })
  const askDelete = async () => {
    const question = { title: t('deleteTitle', { name }), text: t('deleteText'), action: t('delete') }
    if (await confirmDeletion(question)) remove.mutate({ body: { id } })
  }
  const [last] = results
  const when = (at: number) => formatDateTime(at, zone, 'minute')
  const what = [STORED_FORMATS[schedule.format], schedule.app_names.join(language === 'zh' ? '、' : ', ')]
  if (addresses.length > 0) what.push(t('mailTo', { count: addresses.length }))
  if (!schedule.own) what.push(schedule.by)
  return (
    <li className="px-5 py-3">
      <div className="flex items-center gap-2">
        <h3 className="text-clip-line min-w-0 flex-1 font-semibold" title={name}>
          {name}
        </h3>
        <IconButton
          size="small"
          label={`${t('run')} ${name}`}
          icon={Play}
          isDisabled={run.isPending}
          onPress={() => run.mutate({ body: { id } })}
        />
        {schedule.own && <IconButton size="small" label={`${t('change')} ${name}`} icon={Pencil} onPress={onEdit} />}
        <IconButton size="small" label={`${t('delete')} ${name}`} icon={Trash2} onPress={() => void askDelete()} />
        <Switch
          label={t('enabled', { name })}
          isSelected={enabled}
          isDisabled={enable.isPending}
          onChange={(on) => enable.mutate({ body: { id, enabled: on } })}
        />
      </div>
      <p className="text-clip-line text-12 text-muted" title={what.join(' · ')}>
        {what.join(' · ')}
      </p>
      <p className={`mt-1 ${pause ? 'text-warn-text' : ''}`}>
        <code className="mr-2 font-mono text-12">{cron}</code>
        {next_at !== null
          ? t('nextAt', { at: when(next_at), zone })
          : pause
            ? t('pausedFor', { why: SCHEDULE_PAUSES[pause][language] })
            : t('paused')}
      </p>
      <p className="text-12 text-muted">
        {last ? t('lastRun', { at: when(last.at), count: last.reports }) : t('never')}
        {last?.problem && <span className="ml-2 text-bad-text">{last.problem}</span>}
      </p>
    </li>
  )
}
