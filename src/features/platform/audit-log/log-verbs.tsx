import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import {
  auditSummary,
  type ChosenLog,
  exportLog,
  networkSummary,
  PROTECTED_LOG_DAYS,
} from '#contracts/http/audit-log.ts'
import { call } from '#src/shared/api/call.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { useMay } from '#src/shared/session/session-store.ts'
import { ExportListMenu } from '#src/shared/table/export-menu.tsx'
import { Button } from '#src/shared/ui/button.tsx'
import { DeleteLogsDialog } from './delete-logs-dialog.tsx'
import { logTexts } from './log-texts.ts'
import type { LogState } from './log-types.ts'

/** Download of what the filters leave, and, for the auditor alone, deletion of what is old enough. */
export function LogVerbs({ chosen, state }: { chosen: ChosenLog; state: LogState | null | undefined }) {
  const t = useTexts(logTexts)
  const mayDownload = useMay('log.download')
  const mayDelete = useMay('log.delete')
  const [isOpen, setOpen] = useState(false)
  const summary = useEndpoint(chosen.log === 'audit' ? auditSummary : networkSummary, { query: chosen.filters })
  const deletable = state?.deletable[chosen.log] ?? 0
  return (
    <>
      {mayDelete && (
        <Button
          variant="danger"
          icon={Trash2}
          isDisabled={deletable === 0}
          {...(state && deletable === 0 && { title: t('deleteNone', { days: PROTECTED_LOG_DAYS }) })}
          onPress={() => setOpen(true)}
        >
          {t('delete')}…
        </Button>
      )}
      <ExportListMenu
        named
        word={t('download')}
        missing={t('downloadMissing')}
        mayExport={mayDownload}
        start={(file) => call(exportLog, { body: { list: chosen, ...file } }, { quiet: true })}
        title={t(chosen.log)}
        total={summary.data?.data.total ?? 0}
      />
      {isOpen && state && <DeleteLogsDialog log={chosen.log} state={state} onClose={() => setOpen(false)} />}
    </>
  )
}

/** What of a log may be deleted at all. */
export function ProtectedNote({ count }: { count: number | undefined }) {
  const t = useTexts(logTexts)
  if (count === undefined) return null
  return t(count === 0 ? 'protectedNone' : 'protected', { days: PROTECTED_LOG_DAYS, count })
}
