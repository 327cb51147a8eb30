import { Download, RotateCw, Square, Trash2 } from 'lucide-react'
import { Link } from 'react-router-dom'
import { REPORT_KINDS, REPORT_NEEDS, STORED_FORMATS } from '#contracts/http/reports/make-report.ts'
import { downloadReport, type StoredReport } from '#contracts/http/reports/stored-reports.ts'
import { REPORT_READERS } from '#contracts/http/reports/task-reports.ts'
import { PAGES } from '#contracts/pages.ts'
import { downloadHref } from '#src/shared/api/download-href.ts'
import { formatBytes } from '#src/shared/format/number.ts'
import { formatDateTime } from '#src/shared/format/time.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { usePlatform } from '#src/shared/session/platform-store.ts'
import { useMay } from '#src/shared/session/session-store.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { Drawer } from '#src/shared/ui/drawer.tsx'
import { Fact } from '#src/shared/ui/fact.tsx'
import { PreviewContent } from './preview-content.tsx'
import { ReportDeliveries } from './report-deliveries.tsx'
import { isWorking, ReportState } from './report-state.tsx'
import { reportsTexts } from './reports-texts.ts'
import type { ReportActions } from './use-report-actions.ts'

/** One report beside the list: what it is, its preview, and what is done with it. */
export function ReportDrawer({
  report,
  actions,
  onClose,
}: {
  report: StoredReport
  actions: ReportActions
  onClose: () => void
}) {
  const t = useTexts(reportsTexts)
  const mayWrite = useMay(REPORT_NEEDS[report.kind === 'export' ? 'detection' : report.kind])
  return (
    <Drawer
      isOpen
      onClose={onClose}
      title={report.title}
      width="clamp(420px, 46vw, 840px)"
      footer={
        <>
          <Button
            variant="danger"
            icon={Trash2}
            isDisabled={actions.isBusy}
            onPress={() => void actions.remove([report])}
          >
            {t('delete')}…
          </Button>
          <span className="ml-auto flex gap-2">
            {isWorking(report) && (
              <Button icon={Square} isDisabled={actions.isBusy} onPress={() => actions.cancel([report])}>
                {t('cancel')}
              </Button>
            )}
            {!isWorking(report) && report.kind !== 'export' && mayWrite && (
              <Button icon={RotateCw} isDisabled={actions.isBusy} onPress={() => actions.again(report)}>
                {t(report.state === 'failed' ? 'retry' : 'again')}
              </Button>
            )}
            {report.has_file && (
              <Button
                variant="primary"
                icon={Download}
                onPress={() => location.assign(downloadHref(downloadReport, { id: report.id }))}
              >
                {t('downloadAs', { format: STORED_FORMATS[report.format] })}
              </Button>
            )}
          </span>
        </>
      }
    >
      <ReportFacts report={report} />
      {report.has_file && <ReportDeliveries report={report} />}
      <PreviewContent key={`${report.id} ${report.state}`} report={report} />
    </Drawer>
  )
}

function ReportFacts({ report }: { report: StoredReport }) {
  const t = useTexts(reportsTexts)
  const language = useLanguage()
  const zone = usePlatform((state) => state.zone)
  const mayOpen = useMay('detect.view')
  const time = (at: number) => formatDateTime(at, zone, 'minute')
  return (
    <dl
      aria-label={t('facts')}
      className="grid grid-cols-[max-content_1fr_max-content_1fr] gap-x-4 gap-y-1 border-b px-5 py-3 max-sm:grid-cols-[max-content_1fr]"
    >
      <Fact name={t('state')}>
        <ReportState report={report} />
      </Fact>
      <Fact name={t('kind')}>
        {REPORT_KINDS[report.kind][language]} · {STORED_FORMATS[report.format]}
      </Fact>
      <Fact name={t('by')}>{report.by || t('noAccount')}</Fact>
      <Fact name={t('created')}>{time(report.created_at)}</Fact>
      {report.app_name !== '' && <Fact name={t('application')}>{report.app_name}</Fact>}
      {report.reader && (
        <Fact name={t('reader')}>
          {REPORT_READERS[report.reader][language]} · {t(report.language)}
        </Fact>
      )}
      {report.has_file && <Fact name={t('size')}>{formatBytes(report.bytes)}</Fact>}
      {report.expires_at !== null && <Fact name={t('expires')}>{time(report.expires_at)}</Fact>}
      {report.task !== '' && mayOpen && (
        <Fact name={t('task')}>
          <Link className="text-brand-text hover:underline" to={PAGES.detection_task.path.replace(':id', report.task)}>
            {t('openTask')}
          </Link>
        </Fact>
      )}
    </dl>
  )
}
