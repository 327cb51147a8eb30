import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { previewReport, type ReportPreview, type StoredReport } from '#contracts/http/reports/stored-reports.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { EmptyState } from '#src/shared/ui/empty-state.tsx'
import { ErrorState } from '#src/shared/ui/error-state.tsx'
import { IconButton } from '#src/shared/ui/icon-button.tsx'
import { Select } from '#src/shared/ui/select.tsx'
import { Skeleton } from '#src/shared/ui/skeleton.tsx'
import { ReportBlocks } from './report-blocks.tsx'
import { reportsTexts } from './reports-texts.ts'

/** The report itself: chapter by chapter, or the beginning of a sheet or text. */
export function PreviewContent({ report }: { report: StoredReport }) {
  const t = useTexts(reportsTexts)
  const [chapter, setChapter] = useState(0)
  const answer = useEndpoint(
    previewReport,
    { query: { id: report.id, chapter } },
    { enabled: report.has_preview, placeholderData: (before) => before, staleTime: Number.POSITIVE_INFINITY },
  )
  if (!report.has_preview) return <NoPreview report={report} />
  const preview = answer.data?.data
  if (!preview)
    return answer.error ? (
      <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />
    ) : (
      <Skeleton lines={14} height="20px" className="px-5 py-4" />
    )
  if (preview.of === 'document') return <DocumentPreview preview={preview} onChapter={setChapter} />
  if (preview.of === 'sheet') return <SheetPreview preview={preview} label={report.title} />
  return (
    <div className="px-5 py-3">
      {preview.more && <p className="mb-2 text-12 text-muted">{t('cut')}</p>}
      <pre className="font-mono text-12 whitespace-pre-wrap [overflow-wrap:anywhere]">{preview.text}</pre>
    </div>
  )
}

function NoPreview({ report }: { report: StoredReport }) {
  const t = useTexts(reportsTexts)
  const { state, note, has_file } = report
  if (state === 'failed') return <EmptyState kind="missing" title={t('failedTitle')} hint={note} />
  if (state === 'stopped') return <EmptyState kind="missing" title={t('stoppedTitle')} hint={note} />
  if (state !== 'done') return <EmptyState kind="none" title={t('notReady')} />
  if (!has_file) return <EmptyState kind="missing" title={t('goneTitle')} hint={note} />
  return <EmptyState kind="none" title={t('noPreview')} hint={t('noPreviewHint')} />
}

function DocumentPreview({
  preview,
  onChapter,
}: {
  preview: Extract<ReportPreview, { of: 'document' }>
  onChapter: (chapter: number) => void
}) {
  const t = useTexts(reportsTexts)
  const { chapters, chapter } = preview
  return (
    <>
      <nav
        aria-label={t('chapters')}
        className="sticky top-0 z-10 flex items-center gap-1 border-b bg-surface py-1.5 pr-3 pl-5"
      >
        <Select
          size="small"
          hideLabel
          label={t('chapters')}
          value={String(chapter)}
          onChange={(id) => onChapter(Number(id))}
          items={chapters.map((label, at) => ({ id: String(at), label }))}
          className="min-w-0 flex-1"
        />
        <IconButton
          size="small"
          label={t('previous')}
          icon={ChevronLeft}
          isDisabled={chapter === 0}
          onPress={() => onChapter(chapter - 1)}
        />
        <span className="text-12 whitespace-nowrap text-muted tabular-nums" data-testid="chapter">
          {t('position', { chapter: chapter + 1, chapters: chapters.length })}
        </span>
        <IconButton
          size="small"
          label={t('next')}
          icon={ChevronRight}
          isDisabled={chapter >= chapters.length - 1}
          onPress={() => onChapter(chapter + 1)}
        />
      </nav>
      <article lang={preview.language === 'zh' ? 'zh-CN' : 'en'} className="px-5 py-4">
        {chapter === 0 && (
          <header className="mb-4 border-b pb-4">
            <p className="flex justify-between gap-4 text-12 text-muted">
              <span>{preview.issuer}</span>
              <span>{preview.footer}</span>
            </p>
            <p className="mt-3 text-20 font-semibold">{preview.title}</p>
            <p className="mb-3 text-muted">{preview.subject}</p>
            <dl className="grid grid-cols-[minmax(88px,max-content)_1fr] gap-x-4 gap-y-1">
              {preview.cover.map(({ label, text }) => (
                <div key={label} className="contents">
                  <dt className="text-muted">{label}</dt>
                  <dd className="min-w-0 [overflow-wrap:anywhere]">{text}</dd>
                </div>
              ))}
            </dl>
          </header>
        )}
        <h3 className="mb-2 text-16 font-semibold">{chapters[chapter]}</h3>
        <ReportBlocks blocks={preview.blocks} />
      </article>
    </>
  )
}

function SheetPreview({ preview, label }: { preview: Extract<ReportPreview, { of: 'sheet' }>; label: string }) {
  const t = useTexts(reportsTexts)
  return (
    <div className="px-5 py-3">
      {preview.more && <p className="mb-2 text-12 text-muted">{t('firstLines', { count: preview.rows.length })}</p>}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keys */}
      <section aria-label={label} tabIndex={0} className="overflow-x-auto">
        <table className="w-full border-collapse text-12">
          <thead>
            <tr>
              {preview.header.map((text, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: columns of a file have no other identity
                <th key={at} scope="col" className="border-b px-2 py-1 text-left font-semibold whitespace-nowrap">
                  {text}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {preview.rows.map((row, line) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: lines of a file have no other identity
              <tr key={line}>
                {row.map((text, at) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: see above
                  <td key={at} className="max-w-72 truncate border-b px-2 py-1" title={text}>
                    {text}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {preview.rows.length === 0 && <p className="py-3 text-muted">{t('emptySheet')}</p>}
    </div>
  )
}
