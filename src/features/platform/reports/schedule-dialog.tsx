import { useDeferredValue, useState } from 'react'
import { REPORT_KINDS, STORED_FORMATS } from '#contracts/http/reports/make-report.ts'
import {
  type ReportSchedule,
  reportSchedules,
  SCHEDULE_FORMATS,
  SCHEDULE_KINDS,
  SCHEDULE_LIMITS,
  SCHEDULE_RANGES,
  saveSchedule,
  scheduleRuns,
} from '#contracts/http/reports/schedules.ts'
import { REPORT_READERS, type ReportReader } from '#contracts/http/reports/task-reports.ts'
import { useAction } from '#src/shared/api/use-action.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { formatDateTime } from '#src/shared/format/time.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { useApplications } from '#src/shared/session/application-store.ts'
import { usePlatform } from '#src/shared/session/platform-store.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { Checkbox } from '#src/shared/ui/checkbox.tsx'
import { FIELD_ERROR, FIELD_LABEL, FIELD_NOTE } from '#src/shared/ui/field.ts'
import { FormDialog } from '#src/shared/ui/form-dialog.tsx'
import { Select } from '#src/shared/ui/select.tsx'
import { TextField } from '#src/shared/ui/text-field.tsx'
import { toast } from '#src/shared/ui/toast.ts'
import { scheduleTexts } from './schedule-texts.ts'

const PRESETS = { daily: '0 8 * * *', weekly: '0 8 * * 1', monthly: '0 8 1 * *' } as const
const READERS = Object.keys(REPORT_READERS) as ReportReader[]

/** Creates or changes a schedule; the next runs are shown as the server computes them, in its zone and in the platform's. */
export function ScheduleDialog({ schedule, onClose }: { schedule: ReportSchedule | null; onClose: () => void }) {
  const t = useTexts(scheduleTexts)
  const language = useLanguage()
  const platformZone = usePlatform((state) => state.zone)
  const applications = useApplications((state) => state.list) ?? []
  const [form, setForm] = useState({
    name: schedule?.name ?? '',
    of: schedule?.of ?? ('detection' as const),
    range: schedule?.range ?? ('-7d' as const),
    cron: schedule?.cron ?? PRESETS.weekly,
    zone: schedule?.zone ?? platformZone,
    appids: schedule?.appids ?? [],
    format: schedule?.format ?? ('pdf' as const),
    reader: schedule?.reader ?? ('manager' as const),
    language: schedule?.language ?? language,
    addresses: schedule?.addresses.join(', ') ?? '',
  })
  const set = (change: Partial<typeof form>) => setForm((before) => ({ ...before, ...change }))
  const save = useAction(saveSchedule, {
    refreshes: [reportSchedules],
    onSuccess: () => {
      toast.success(t('saved'))
      onClose()
    },
  })
  const isDetection = form.of === 'detection'
  const hasReader = isDetection && (form.format === 'pdf' || form.format === 'docx')
  const isFull = form.appids.length >= SCHEDULE_LIMITS.applications
  return (
    <FormDialog
      title={t(schedule ? 'edit' : 'create')}
      submitLabel={t('save')}
      width={640}
      isDisabled={form.name.trim() === '' || form.appids.length === 0 || save.isPending}
      onSubmit={() =>
        save.mutate({ body: { ...form, ...(schedule && { id: schedule.id }), enabled: schedule?.enabled ?? true } })
      }
      onClose={onClose}
    >
      <TextField
        label={t('name')}
        value={form.name}
        onChange={(name) => set({ name })}
        maxLength={100}
        isRequired
        autoFocus
      />
      <div>
        <div className="grid grid-cols-2 gap-4 max-sm:grid-cols-1">
          <TextField mono label={t('cron')} value={form.cron} onChange={(cron) => set({ cron })} maxLength={100} />
          <TextField label={t('zone')} value={form.zone} onChange={(zone) => set({ zone })} maxLength={64} />
        </div>
        <span className="mt-1.5 flex flex-wrap gap-1.5">
          {(Object.keys(PRESETS) as (keyof typeof PRESETS)[]).map((id) => (
            <Button key={id} size="small" variant="quiet" onPress={() => set({ cron: PRESETS[id] })}>
              {t(id)}
            </Button>
          ))}
        </span>
        <NextRuns cron={form.cron} zone={form.zone} platformZone={platformZone} />
      </div>
      <div className="grid grid-cols-2 gap-4 max-sm:grid-cols-1">
        <Select
          label={t('of')}
          value={form.of}
          onChange={(of) =>
            set({ of, ...(of !== 'detection' && form.format !== 'docx' && { format: 'pdf' as const }) })
          }
          items={SCHEDULE_KINDS.map((id) => ({ id, label: REPORT_KINDS[id][language] }))}
        />
        {form.of === 'statistics' && (
          <Select
            label={t('range')}
            value={form.range}
            onChange={(range) => set({ range })}
            items={SCHEDULE_RANGES.map((id) => ({ id, label: t(`range${id}`) }))}
          />
        )}
      </div>
      <fieldset>
        <legend className={FIELD_LABEL}>{t('applications')}</legend>
        <div className="grid max-h-36 grid-cols-2 gap-x-4 gap-y-1.5 overflow-y-auto rounded border px-3 py-2 max-sm:grid-cols-1">
          {applications.map(({ id, name }) => (
            <Checkbox
              key={id}
              isSelected={form.appids.includes(id)}
              isDisabled={isFull && !form.appids.includes(id)}
              onChange={(on) => set({ appids: on ? [...form.appids, id] : form.appids.filter((one) => one !== id) })}
            >
              <span className="text-clip-line">{name}</span>
            </Checkbox>
          ))}
        </div>
        <span className={FIELD_NOTE}>{t(isDetection ? 'applicationsNote' : 'eachNote')}</span>
      </fieldset>
      <div className="grid grid-cols-3 gap-4 max-sm:grid-cols-1">
        <Select
          label={t('format')}
          value={form.format}
          onChange={(format) => set({ format })}
          items={SCHEDULE_FORMATS.filter((id) => isDetection || id === 'pdf' || id === 'docx').map((id) => ({
            id,
            label: STORED_FORMATS[id],
          }))}
        />
        <Select
          label={t('reader')}
          value={form.reader}
          onChange={(reader) => set({ reader })}
          isDisabled={!hasReader}
          items={READERS.map((id) => ({ id, label: REPORT_READERS[id][language] }))}
        />
        <Select
          label={t('language')}
          value={form.language}
          onChange={(next) => set({ language: next })}
          items={(['zh', 'en'] as const).map((id) => ({ id, label: t(id) }))}
        />
      </div>
      <TextField
        label={t('addresses')}
        rows={2}
        value={form.addresses}
        onChange={(addresses) => set({ addresses })}
        maxLength={4000}
        note={t('addressesNote')}
      />
    </FormDialog>
  )
}

function NextRuns({ cron, zone, platformZone }: { cron: string; zone: string; platformZone: string }) {
  const t = useTexts(scheduleTexts)
  const asked = useDeferredValue(`${zone}\n${cron}`)
  const [askedZone = '', askedCron = ''] = asked.split('\n')
  const answer = useEndpoint(
    scheduleRuns,
    { body: { cron: askedCron, zone: askedZone } },
    { enabled: askedZone !== '', retry: false, placeholderData: (before) => before },
  )
  if (answer.error) return <p className={FIELD_ERROR}>{answer.error.message}</p>
  const runs = answer.data?.data ?? []
  if (runs.length === 0) return null
  const zones = askedZone === platformZone ? [askedZone] : [askedZone, platformZone]
  return (
    <table aria-label={t('next')} className="mt-2 w-full border-collapse text-12">
      <thead>
        <tr>
          <th scope="col" className="border-b py-1 pr-3 text-left font-semibold">
            {t('next')}
          </th>
          {zones.map((one) => (
            <th key={one} scope="col" className="border-b py-1 pr-3 text-left font-normal text-muted">
              {one}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {runs.map((at, index) => (
          <tr key={at}>
            <td className="py-0.5 pr-3 text-muted tabular-nums">{index + 1}</td>
            {zones.map((one) => (
              <td key={one} className="py-0.5 pr-3 tabular-nums">
                {inZone(at, one)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** The zone is one that the server knows; a browser that does not shows UTC. */
function inZone(at: number, zone: string): string {
  try {
    return formatDateTime(at, zone, 'minute')
  } catch {
    return `${formatDateTime(at, 'UTC', 'minute')} UTC`
  }
}
