import { useState } from 'react'
import {
  CLEANED_LOGS,
  type CleanedLog,
  cleanLogs,
  maintenanceLogs,
  previewLogCleaning,
} from '#contracts/http/maintenance/logs.ts'
import { useAction } from '#src/shared/api/use-action.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { formatBytes } from '#src/shared/format/number.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { Checkbox } from '#src/shared/ui/checkbox.tsx'
import { notDeleted } from '#src/shared/ui/deletion.ts'
import { Dialog } from '#src/shared/ui/dialog.tsx'
import { ErrorState } from '#src/shared/ui/error-state.tsx'
import { TextField } from '#src/shared/ui/text-field.tsx'
import { toast } from '#src/shared/ui/toast.ts'
import { maintenanceTexts } from './maintenance-texts.ts'

/** Which logs are removed from which age on; says how much that is before it is done. */
export function CleanDialog({ onClose }: { onClose: () => void }) {
  const t = useTexts(maintenanceTexts)
  const [days, setDays] = useState('30')
  const [logs, setLogs] = useState<ReadonlySet<CleanedLog>>(new Set(['process']))
  const count = /^\d{1,4}$/.test(days.trim()) ? Number(days) : 0
  const isDays = count >= 1 && count <= 3650
  const preview = useEndpoint(
    previewLogCleaning,
    { query: { days: count } },
    { enabled: isDays, placeholderData: (before) => before },
  )
  const shown = isDays ? preview.data?.data : undefined
  const clean = useAction(cleanLogs, {
    refreshes: [maintenanceLogs],
    onSuccess: ({ data }) => {
      toast.success(t('cleaned', { files: data.files, lines: data.lines }))
      onClose()
    },
  })
  const cancel = () => {
    notDeleted()
    onClose()
  }
  const chosen = CLEANED_LOGS.filter((one) => logs.has(one))
  const bytes = shown ? chosen.reduce((sum, one) => sum + shown[one].bytes, 0) : 0
  const hasSome =
    shown !== undefined && chosen.some((one) => (one === 'jobs' ? shown.jobs.lines : shown.process.files.length) > 0)
  const isReady = hasSome && !preview.isPlaceholderData && !clean.isPending
  return (
    <Dialog
      role="alertdialog"
      title={t('clean')}
      isOpen
      onOpenChange={cancel}
      footer={
        <>
          <Button autoFocus onPress={cancel}>
            {t('cancel')}
          </Button>
          <Button
            variant="dangerFilled"
            isDisabled={!isReady}
            onPress={() => shown && clean.mutate({ body: { logs: chosen, before: shown.before } })}
          >
            {t('cleanRun')}
          </Button>
        </>
      }
    >
      <TextField
        label={t('olderThan')}
        value={days}
        onChange={setDays}
        maxLength={4}
        note={t('daysRange')}
        error={isDays ? undefined : t('daysRange')}
        className="mb-4 w-40"
      />
      {preview.error ? (
        <ErrorState error={preview.error} onRetry={() => void preview.refetch()} />
      ) : (
        <ul className="border-t">
          {CLEANED_LOGS.map((one) => (
            <li key={one} className="border-b py-2">
              <Checkbox
                isSelected={logs.has(one)}
                onChange={(on) =>
                  setLogs((before) => new Set(on ? [...before, one] : [...before].filter((x) => x !== one)))
                }
              >
                <span className="font-semibold">{t(one === 'process' ? 'processLogs' : 'jobLogs')}</span>
              </Checkbox>
              <p className="pl-6 text-12 text-muted">
                {shown
                  ? one === 'process'
                    ? t('processWhat', { count: shown.process.files.length, size: formatBytes(shown.process.bytes) })
                    : t('jobWhat', { count: shown.jobs.lines, size: formatBytes(shown.jobs.bytes) })
                  : '–'}
              </p>
            </li>
          ))}
        </ul>
      )}
      {shown && (
        <p
          className={`mt-4 rounded px-3 py-2 ${hasSome ? 'bg-bad-soft text-bad-text' : 'bg-canvas text-muted'}`}
          role="status"
        >
          {hasSome ? t('willFree', { size: formatBytes(bytes) }) : t('nothingOld')}
        </p>
      )}
    </Dialog>
  )
}
