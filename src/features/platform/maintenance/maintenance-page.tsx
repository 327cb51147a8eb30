import { Download, Eraser, RotateCcw, Stethoscope } from 'lucide-react'
import { useState } from 'react'
import { backups } from '#contracts/http/maintenance/backups.ts'
import { checkRuns, startCheck } from '#contracts/http/maintenance/checks.ts'
import { maintenanceLogs } from '#contracts/http/maintenance/logs.ts'
import { PAGES } from '#contracts/pages.ts'
import { PermittedPage } from '#src/shared/account/permitted-page.tsx'
import { useAction } from '#src/shared/api/use-action.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { formatBytes } from '#src/shared/format/number.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { ErrorState } from '#src/shared/ui/error-state.tsx'
import { PageTitle } from '#src/shared/ui/page-title.tsx'
import { Skeleton } from '#src/shared/ui/skeleton.tsx'
import { ActionRow } from './action-row.tsx'
import { BackupSection, isRunning } from './backup-section.tsx'
import { CheckPanel, isLive } from './check-panel.tsx'
import { CleanDialog } from './clean-dialog.tsx'
import { DownloadDialog } from './download-dialog.tsx'
import { maintenanceTexts } from './maintenance-texts.ts'
import { RestoreDialog } from './restore-dialog.tsx'

/** While a run is under way. */
const POLL_MS = 1000
/** The plan may have begun one. */
const SLOW_POLL_MS = 30_000

/** /platform/maintain: logs, repair and backups of this installation (MAINT-01). */
export default function MaintenancePage() {
  return (
    <PermittedPage page="maintenance" permission="platform.maintain">
      <Maintenance />
    </PermittedPage>
  )
}

function Maintenance() {
  const t = useTexts(maintenanceTexts)
  const language = useLanguage()
  const runs = useEndpoint(
    checkRuns,
    {},
    { refetchInterval: ({ state }) => (state.data?.data.some(isLive) ? POLL_MS : false) },
  )
  const run = runs.data?.data[0]
  const saved = useEndpoint(
    backups,
    {},
    { refetchInterval: ({ state }) => (state.data?.data.runs.some(isRunning) ? POLL_MS : SLOW_POLL_MS) },
  )
  const kept = saved.data?.data
  const [restoring, setRestoring] = useState(false)
  const look = useAction(startCheck, { refreshes: [checkRuns] })
  return (
    <div className="flex min-h-full flex-col bg-surface">
      <PageTitle title={PAGES.maintenance[language]} note={t('everyAsks')} />
      <div className="grid flex-1 grid-cols-[minmax(0,1fr)_minmax(0,1fr)] border-t max-xl:grid-cols-1">
        <div className="min-w-0">
          <ul>
            <LogRows />
            <ActionRow icon={RotateCcw} title={t('restore')} note={t('restoreNote')}>
              <Button isDisabled={!kept} onPress={() => setRestoring(true)}>
                {t('restoreOpen')}
              </Button>
            </ActionRow>
            <ActionRow icon={Stethoscope} title={t('check')} note={t('checkNote')}>
              <Button
                isDisabled={!runs.data || (run !== undefined && isLive(run)) || look.isPending}
                onPress={() => look.mutate({ body: { checks: [] } })}
              >
                {t(run ? 'checkAgain' : 'checkRun')}
              </Button>
            </ActionRow>
          </ul>
          <BackupSection answer={saved} />
        </div>
        {restoring && kept && (
          <RestoreDialog list={kept.backups} command={kept.command} onClose={() => setRestoring(false)} />
        )}
        <div className="flex min-w-0 flex-col border-l max-xl:border-l-0">
          {runs.data ? (
            <CheckPanel run={run} />
          ) : runs.error ? (
            <ErrorState error={runs.error} onRetry={() => void runs.refetch()} />
          ) : (
            <Skeleton lines={12} height="24px" className="px-5 py-3" />
          )}
        </div>
      </div>
    </div>
  )
}

function LogRows() {
  const t = useTexts(maintenanceTexts)
  const [open, setOpen] = useState<'download' | 'clean' | null>(null)
  const answer = useEndpoint(maintenanceLogs)
  const logs = answer.data?.data
  if (answer.error && !logs)
    return (
      <li className="border-b">
        <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />
      </li>
    )
  const note = logs
    ? t('downloadNote', {
        processes: new Set(logs.files.map(({ process }) => process)).size,
        files: logs.files.length,
        size: formatBytes(logs.files.reduce((sum, { bytes }) => sum + bytes, 0)),
      })
    : '–'
  return (
    <>
      <ActionRow icon={Download} title={t('download')} note={note}>
        <Button isDisabled={!logs} onPress={() => setOpen('download')}>
          {t('downloadOpen')}
        </Button>
      </ActionRow>
      <ActionRow icon={Eraser} title={t('clean')} note={t('cleanNote')}>
        <Button onPress={() => setOpen('clean')}>{t('cleanOpen')}</Button>
      </ActionRow>
      {open === 'download' && logs && <DownloadDialog files={logs.files} onClose={() => setOpen(null)} />}
      {open === 'clean' && <CleanDialog onClose={() => setOpen(null)} />}
    </>
  )
}
