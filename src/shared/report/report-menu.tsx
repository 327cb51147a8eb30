import { FileText } from 'lucide-react'
import type { Endpoint } from '#contracts/http/endpoint.ts'
import { DOC_NEEDS, makeReport, REPORT_NEEDS, STORED_FORMATS } from '#contracts/http/reports/make-report.ts'
import { PAGES } from '#contracts/pages.ts'
import { PERMISSION_ITEMS } from '#contracts/permissions.ts'
import { useAction } from '../api/use-action.ts'
import { defineTexts, useLanguage, useTexts } from '../i18n/texts.ts'
import { useMay } from '../session/session-store.ts'
import { Button } from '../ui/button.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { MenuButton } from '../ui/menu-button.tsx'
import { toast } from '../ui/toast.ts'

const texts = defineTexts('report-menu', {
  report: { zh: '报告', en: 'Report' },
  make: { zh: '生成 {{format}} 报告', en: '{{format}} report' },
  missing: { zh: '生成报告需要“{{name}}”权限', en: 'A report needs the permission "{{name}}"' },
  started: { zh: '报告已开始生成，完成后在“{{page}}”中', en: 'The report is being written; it will be in {{page}}' },
})
const FORMATS = ['pdf', 'docx'] as const
type Body = NonNullable<Parameters<ReturnType<typeof useAction<typeof makeReport>>['mutate']>[0]['body']>
type Subject<B = Body> = B extends unknown ? Omit<B, 'format' | 'language'> : never

/** Makes a report of what the page shows, as PDF or DOC in the language of the interface. `of`: its kind. */
export function ReportMenu({
  of,
  subject,
  why,
  look = 'button',
  size = 'control',
  label,
  refreshes = [],
}: {
  of: Body['of']
  /** null: there is nothing to report, `why` says so. */
  subject: Subject | null
  why?: string
  look?: 'button' | 'primary' | 'icon'
  size?: 'control' | 'small'
  /** Where 'report' says too little. */
  label?: string
  /** Endpoints whose answers the order of the report changes. */
  refreshes?: readonly Endpoint[]
}) {
  const t = useTexts(texts)
  const language = useLanguage()
  const needs = REPORT_NEEDS[of]
  const may = useMay(needs)
  const mayDoc = useMay(DOC_NEEDS[of] ?? needs)
  const make = useAction(makeReport, {
    refreshes,
    onSuccess: () => toast.success(t('started', { page: PAGES.reports[language] })),
  })
  const isDisabled = !may || subject === null || make.isPending
  const title = may ? why : t('missing', { name: PERMISSION_ITEMS[needs][language] })
  return (
    <MenuButton
      label={label ?? t('report')}
      trigger={
        look === 'icon' ? (
          <IconButton size="small" label={title ?? label ?? t('report')} icon={FileText} isDisabled={isDisabled} />
        ) : (
          <Button
            icon={FileText}
            size={size}
            isDisabled={isDisabled}
            {...(look === 'primary' && { variant: 'primary' as const })}
            {...(isDisabled && title && { title })}
          >
            {label ?? t('report')}
          </Button>
        )
      }
      items={FORMATS.filter((format) => format !== 'docx' || mayDoc).map((format) => ({
        id: format,
        label: t('make', { format: STORED_FORMATS[format] }),
        onAction: () => subject && make.mutate({ body: { ...subject, format, language } as Body }),
      }))}
    />
  )
}
