import { useState } from 'react'
import {
  auditLog,
  auditState,
  auditSummary,
  deleteLogs,
  networkLog,
  networkSummary,
  PROTECTED_LOG_DAYS,
} from '#contracts/http/audit-log.ts'
import { startOfDay } from '#domain/time-range.ts'
import { useAction } from '#src/shared/api/use-action.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { formatDateTime } from '#src/shared/format/time.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { startOfDate } from '#src/shared/query/range-text.ts'
import { usePlatform } from '#src/shared/session/platform-store.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { deleted, notDeleted } from '#src/shared/ui/deletion.ts'
import { Dialog } from '#src/shared/ui/dialog.tsx'
import { TextField } from '#src/shared/ui/text-field.tsx'
import { logTexts } from './log-texts.ts'
import type { LogState } from './log-types.ts'

/** Asks up to which day a log is deleted, and says what that does before it is done. */
export function DeleteLogsDialog({
  log,
  state,
  onClose,
}: {
  log: 'audit' | 'network'
  state: LogState
  onClose: () => void
}) {
  const t = useTexts(logTexts)
  const zone = usePlatform((platform) => platform.zone)
  const latest = startOfDay(state.deletable_before, zone)
  const [day, setDay] = useState(() => formatDateTime(latest, zone, 'day'))
  const before = startOfDate(day, zone)
  const isLate = before !== null && before > latest
  const count = useEndpoint(
    log === 'audit' ? auditSummary : networkSummary,
    { query: { to: before ?? 0 } },
    { enabled: before !== null && !isLate },
  ).data?.data.total
  const remove = useAction(deleteLogs, {
    refreshes: [auditState, auditLog, auditSummary, networkLog, networkSummary],
    onSuccess: () => {
      deleted()
      onClose()
    },
  })
  const cancel = () => {
    notDeleted()
    onClose()
  }
  const isReady = before !== null && !isLate && count !== undefined && count > 0
  const shown = isReady ? count : 0
  return (
    <Dialog
      role="alertdialog"
      title={t(log === 'audit' ? 'deleteAudit' : 'deleteNetwork')}
      isOpen
      onOpenChange={cancel}
      footer={
        <>
          <Button autoFocus onPress={cancel}>
            {t('cancel')}
          </Button>
          <Button
            variant="dangerFilled"
            isDisabled={!isReady || remove.isPending}
            onPress={() => before !== null && remove.mutate({ body: { log, before } })}
          >
            {t('deleteRun', { count: shown })}
          </Button>
        </>
      }
    >
      <p className="mb-4">{t('deleteRule', { days: PROTECTED_LOG_DAYS, count: state.deletable[log] })}</p>
      <TextField
        type="date"
        label={t('before')}
        value={day}
        onChange={setDay}
        note={t('beforeNote', { day: formatDateTime(latest, zone, 'day') })}
        error={
          before === null
            ? t('beforeEmpty')
            : isLate
              ? t('beforeLate', { day: formatDateTime(latest, zone, 'day') })
              : undefined
        }
        className="w-56"
      />
      {before !== null && !isLate && count !== undefined && (
        <p className="mt-4 rounded bg-bad-soft px-3 py-2" role="status">
          <b className="font-semibold text-bad-text">{t('deleteCount', { count })}</b>{' '}
          {t(log === 'audit' ? 'deleteChain' : 'deleteRecorded')}
        </p>
      )}
    </Dialog>
  )
}
