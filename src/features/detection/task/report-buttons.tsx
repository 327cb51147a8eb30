import { Download, FileText, LoaderCircle, RotateCw, Settings2 } from 'lucide-react'
import { useState } from 'react'
import type { DetectionTask } from '#contracts/http/detection/tasks.ts'
import { jobs } from '#contracts/http/jobs.ts'
import {
  createReport,
  REPORT_FORMATS,
  REPORT_READERS,
  type Report,
  type ReportFormat,
  type ReportReader,
  taskReports,
} from '#contracts/http/reports/task-reports.ts'
import { useAction } from '#src/shared/api/use-action.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { defineTexts, type Language, useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { useMay } from '#src/shared/session/session-store.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { MenuButton } from '#src/shared/ui/menu-button.tsx'
import { ProgressBar } from '#src/shared/ui/progress-bar.tsx'

const texts = defineTexts('detection-reports', {
  make: { zh: '生成 {{format}}', en: 'Make {{format}}' },
  // Required text (DET-04).
  making: { zh: '{{format}} 生成中', en: '{{format}} in the generated' },
  get: { zh: '下载 {{format}}', en: 'Download {{format}}' },
  again: { zh: '{{format}} 生成失败，重试', en: '{{format}} failed, try again' },
  options: { zh: '报告选项', en: 'Report options' },
  reader: { zh: '写给谁', en: 'Written for' },
  language: { zh: '报告语言', en: 'Language' },
  renew: { zh: '重新生成', en: 'Make anew' },
  others: { zh: '其他格式', en: 'Other formats' },
})
const MAIN = ['pdf', 'docx'] as const satisfies readonly ReportFormat[]
const OTHERS = ['xlsx', 'csv', 'cyclonedx'] as const satisfies readonly ReportFormat[]
const READERS = Object.keys(REPORT_READERS) as ReportReader[]
const LANGUAGES = { zh: '中文', en: 'English' } as const
const POLL_MS = 1000
/** Formats that are written for a reader; the others hold everything. */
const hasReader = (format: ReportFormat) => format === 'pdf' || format === 'docx'
const isWorking = ({ job }: Report) => job.state === 'waiting' || job.state === 'running'

/** PDF and DOC, each made, in the generated, or ready to download; who it is for and its language stand in the menu. */
export function ReportButtons({ task }: { task: DetectionTask }) {
  const t = useTexts(texts)
  const ours = useLanguage()
  const mayReport = useMay('detect.report')
  const [reader, setReader] = useState<ReportReader>('developer')
  const [language, setLanguage] = useState<Language>(ours)
  const list = useEndpoint(
    taskReports,
    { query: { id: task.id } },
    {
      enabled: mayReport,
      refetchInterval: ({ state }) => (state.data?.data.some(isWorking) ? POLL_MS : false),
    },
  )
  const { mutate } = useAction(createReport, { refreshes: [taskReports, jobs] })
  if (!mayReport || !list.data) return null
  const found = (format: ReportFormat) =>
    list.data?.data.find(
      (one) => one.format === format && one.language === language && (!hasReader(format) || one.reader === reader),
    )
  const make = (format: ReportFormat) => mutate({ body: { id: task.id, format, reader, language } })
  const take = (format: ReportFormat) => {
    const report = found(format)
    if (report?.job.state === 'done' && report.job.download) location.assign(report.job.download)
    else if (!report || !isWorking(report)) make(format)
  }
  const label = (format: ReportFormat) => {
    const name = REPORT_FORMATS[format][ours]
    const report = found(format)
    if (report && isWorking(report)) return t('making', { format: name })
    if (report?.job.state === 'done') return t('get', { format: name })
    return t(report?.job.state === 'failed' ? 'again' : 'make', { format: name })
  }
  return (
    <>
      <MenuButton
        iconOnly
        icon={Settings2}
        label={t('options')}
        items={[
          {
            title: t('reader'),
            items: READERS.map((id) => ({
              id,
              label: REPORT_READERS[id][ours],
              isChosen: id === reader,
              onAction: () => setReader(id),
            })),
          },
          {
            title: t('language'),
            items: (['zh', 'en'] as const).map((id) => ({
              id,
              label: LANGUAGES[id],
              isChosen: id === language,
              onAction: () => setLanguage(id),
            })),
          },
          {
            title: t('others'),
            items: OTHERS.map((id) => ({ id, label: label(id), icon: Download, onAction: () => take(id) })),
          },
          {
            items: MAIN.filter((format) => found(format)?.job.state === 'done').map((id) => ({
              id: `renew ${id}`,
              label: `${t('renew')} ${REPORT_FORMATS[id][ours]}`,
              icon: RotateCw,
              onAction: () => make(id),
            })),
          },
        ].filter((group) => group.items.length > 0)}
      />
      {MAIN.map((format) => {
        const report = found(format)
        const working = report !== undefined && isWorking(report)
        const done = report?.job.state === 'done'
        return (
          <span key={format} className="relative">
            <Button
              variant={format === 'pdf' ? 'primary' : 'plain'}
              icon={working ? LoaderCircle : done ? Download : report ? RotateCw : FileText}
              isDisabled={working}
              onPress={() => take(format)}
            >
              {label(format)}
              {working && report.job.progress !== null && ` ${Math.round(report.job.progress * 100)}%`}
            </Button>
            {working && (
              <span className="absolute inset-x-1 -bottom-0.5">
                <ProgressBar value={report.job.progress} label={label(format)} />
              </span>
            )}
          </span>
        )
      })}
    </>
  )
}
