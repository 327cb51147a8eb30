import { FileSpreadsheet, FileText } from 'lucide-react'
import { REPORT_KINDS, STORED_FORMATS } from '#contracts/http/reports/make-report.ts'
import type { StoredReport } from '#contracts/http/reports/stored-reports.ts'
import { REPORT_READERS } from '#contracts/http/reports/task-reports.ts'
import { formatBytes } from '#src/shared/format/number.ts'
import { shortAccount } from '#src/shared/format/text.ts'
import type { Language, Translate } from '#src/shared/i18n/texts.ts'
import type { Column } from '#src/shared/table/data-table.tsx'
import { Checkbox } from '#src/shared/ui/checkbox.tsx'
import { Icon } from '#src/shared/ui/icon.tsx'
import { RelativeTime } from '#src/shared/ui/relative-time.tsx'
import { ReportState } from './report-state.tsx'
import type { reportsTexts } from './reports-texts.ts'

export type ReportsText = Translate<keyof typeof reportsTexts.entries & string>

/** What the list shows of a report. */
export function reportColumns({
  t,
  language,
  selected,
  onSelect,
}: {
  t: ReportsText
  language: Language
  selected: ReadonlySet<string>
  onSelect: (id: string) => void
}): Column<StoredReport>[] {
  return [
    {
      id: 'select',
      header: '',
      width: '36px',
      fixed: true,
      cell: (report) => (
        // biome-ignore lint/a11y/noStaticElementInteractions: keeps a click on the box from opening the row
        // biome-ignore lint/a11y/useKeyWithClickEvents: the box inside takes the keys
        <span className="flex" onClick={(event) => event.stopPropagation()}>
          <Checkbox
            label={t('select', { name: report.title })}
            isSelected={selected.has(report.id)}
            onChange={() => onSelect(report.id)}
          />
        </span>
      ),
    },
    {
      id: 'title',
      header: t('report'),
      sort: 'title',
      fixed: true,
      cell: (report) => (
        <span className="flex min-w-0 items-center gap-2">
          <Icon
            of={report.format === 'csv' || report.format === 'xlsx' ? FileSpreadsheet : FileText}
            size={16}
            className="flex-none text-muted"
          />
          <span className="min-w-0">
            <span className="text-clip-line block" title={report.title}>
              {report.title}
            </span>
            {report.reader && (
              <span className="text-clip-line block text-12/4 text-muted">
                {REPORT_READERS[report.reader][language]}
                {' · '}
                {t(report.language)}
              </span>
            )}
          </span>
        </span>
      ),
    },
    {
      id: 'application',
      header: t('application'),
      width: '150px',
      spare: true,
      wide: true,
      cell: ({ app_name }) => <span className="text-clip-line block">{app_name || '—'}</span>,
    },
    { id: 'kind', header: t('kind'), width: '80px', wide: true, cell: ({ kind }) => REPORT_KINDS[kind][language] },
    { id: 'format', header: t('format'), width: '72px', wide: true, cell: ({ format }) => STORED_FORMATS[format] },
    { id: 'state', header: t('state'), width: '164px', cell: (report) => <ReportState report={report} /> },
    {
      id: 'bytes',
      header: t('size'),
      sort: 'bytes',
      width: '92px',
      numeric: true,
      spare: true,
      wide: true,
      cell: ({ bytes, has_file }) => (has_file ? formatBytes(bytes) : '—'),
    },
    {
      id: 'by',
      header: t('by'),
      width: '120px',
      wide: true,
      cell: ({ by }) => (
        <span className="text-clip-line block" title={by}>
          {by ? shortAccount(by) : t('noAccount')}
        </span>
      ),
    },
    {
      id: 'created_at',
      header: t('created'),
      sort: 'created_at',
      width: '128px',
      wide: true,
      cell: ({ created_at }) => <RelativeTime at={created_at} />,
    },
  ]
}
