import { FileText, LoaderCircle } from 'lucide-react'
import { REPORT_READERS, type ReportReader } from '#contracts/http/reports.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { MenuButton } from '#src/shared/ui/menu-button.tsx'
import { reportMenuTexts } from './report-menu-texts.ts'
import type { useReports } from './use-reports.ts'

const READERS = Object.keys(REPORT_READERS) as ReportReader[]

/** One button a format: for whom the report is written; says 'in the generated' while one is made. */
export function ReportMenu({ format, reports }: { format: 'pdf' | 'docx'; reports: ReturnType<typeof useReports> }) {
  const t = useTexts(reportMenuTexts)
  const language = useLanguage()
  const making = reports.making(format)
  return (
    <MenuButton
      label={making ? t('making', { format: format === 'pdf' ? 'PDF' : 'DOC' }) : t(format)}
      icon={making ? LoaderCircle : FileText}
      items={[
        {
          title: t('forReader'),
          items: READERS.map((reader) => ({
            id: reader,
            label: REPORT_READERS[reader][language],
            isDisabled: making,
            onAction: () => reports.make(format, reader),
          })),
        },
      ]}
    />
  )
}
