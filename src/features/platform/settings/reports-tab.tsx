import { useState } from 'react'
import {
  REPORT_PARTS,
  REPORT_READERS,
  type ReportPart,
  type ReportReader,
  type ReportTemplate,
  reportTemplate,
  saveReportTemplate,
} from '#contracts/http/reports/task-reports.ts'
import { useAction } from '#src/shared/api/use-action.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { defineTexts, useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { Checkbox } from '#src/shared/ui/checkbox.tsx'
import { ErrorState } from '#src/shared/ui/error-state.tsx'
import { FormFoot } from '#src/shared/ui/form-foot.tsx'
import { LogoField } from '#src/shared/ui/logo-field.tsx'
import { Skeleton } from '#src/shared/ui/skeleton.tsx'
import { TextField } from '#src/shared/ui/text-field.tsx'
import { toast } from '#src/shared/ui/toast.ts'
import { ReportCover } from './report-cover.tsx'
import { settingsTexts } from './settings-texts.ts'

const texts = defineTexts('settings-reports', {
  cover: { zh: '封面与页脚', en: 'Cover and foot' },
  logoNote: {
    zh: '印在报告封面；没有时使用平台的标志',
    en: 'On the cover of reports; without one, the logo of the platform',
  },
  issuer: { zh: '出具单位', en: 'Issued by' },
  issuerNote: { zh: '留空则使用平台名称', en: 'Leave empty to use the platform name' },
  footer: { zh: '页脚文字', en: 'Words at the foot' },
  footerNote: { zh: '印在每一页，例如密级', en: 'On every page, as the confidentiality' },
  chapters: { zh: '各类读者的章节', en: 'Chapters by reader' },
  chaptersNote: {
    zh: '概览与结论、覆盖与未评估在每份报告中都有。',
    en: 'Verdict and overview, and what was not looked at, stand in every report.',
  },
  chapter: { zh: '章节', en: 'Chapter' },
  scope: { zh: '对此后生成的 PDF 与 DOC 生效。', en: 'Counts for PDF and DOC reports written from now on.' },
})
const PARTS = Object.keys(REPORT_PARTS) as ReportPart[]
const READERS = Object.keys(REPORT_READERS) as ReportReader[]
type Draft = Partial<ReportTemplate>

/** How the reports of this platform look: logo, issuer, foot, and which chapters each reader gets. */
export function ReportsTab() {
  const t = useTexts(texts)
  const s = useTexts(settingsTexts)
  const language = useLanguage()
  const answer = useEndpoint(reportTemplate)
  const [draft, setDraft] = useState<Draft>({})
  const save = useAction(saveReportTemplate, {
    refreshes: [reportTemplate],
    onSuccess: () => {
      setDraft({})
      toast.success(s('saved'))
    },
  })
  if (answer.error && !answer.data) return <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />
  if (!answer.data) return <Skeleton lines={8} height="24px" className="max-w-[720px] p-5" />
  const now = { ...answer.data.data, ...draft }
  const change = (next: Draft) => setDraft({ ...draft, ...next })
  const toggle = (reader: ReportReader, part: ReportPart) => {
    const has = now.parts[reader].includes(part)
    const parts = has ? now.parts[reader].filter((one) => one !== part) : [...now.parts[reader], part]
    change({ parts: { ...now.parts, [reader]: parts } })
  }
  const changed = Object.keys(draft).length > 0
  return (
    <div className="flex gap-10 px-5 pt-4 max-lg:px-4">
      <form
        className="max-w-[720px] min-w-0 flex-1 pb-10"
        onSubmit={(event) => {
          event.preventDefault()
          if (!changed) return
          const { issuer, footer, parts } = now
          save.mutate({ body: { issuer, footer, parts, ...('logo' in draft && { logo: draft.logo }) } })
        }}
      >
        <fieldset className="mb-6">
          <legend className="mb-3 text-14 font-semibold">{t('cover')}</legend>
          <LogoField logo={now.logo} note={t('logoNote')} onChange={(logo) => change({ logo })} />
          <div className="mt-4 grid grid-cols-2 items-start gap-x-6 gap-y-4 max-sm:grid-cols-1">
            <TextField
              label={t('issuer')}
              note={t('issuerNote')}
              value={now.issuer}
              maxLength={60}
              onChange={(issuer) => change({ issuer })}
            />
            <TextField
              label={t('footer')}
              note={t('footerNote')}
              value={now.footer}
              maxLength={80}
              onChange={(footer) => change({ footer })}
            />
          </div>
        </fieldset>
        <fieldset className="mb-6">
          <legend className="text-14 font-semibold">{t('chapters')}</legend>
          <p className="pt-0.5 pb-2 text-12 text-muted">{t('chaptersNote')}</p>
          <table className="w-full border-collapse">
            <thead>
              <tr className="border-b text-12 text-muted">
                <th scope="col" className="py-2 text-left font-normal">
                  {t('chapter')}
                </th>
                {READERS.map((reader) => (
                  <th key={reader} scope="col" className="w-32 px-2 text-center font-normal max-sm:w-20">
                    {REPORT_READERS[reader][language]}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {PARTS.map((part) => (
                <tr key={part} className="h-9 border-b hover:bg-hover">
                  <td>{REPORT_PARTS[part][language]}</td>
                  {READERS.map((reader) => (
                    <td key={reader} className="text-center">
                      <span className="inline-flex align-middle">
                        <Checkbox
                          label={`${REPORT_READERS[reader][language]}: ${REPORT_PARTS[part][language]}`}
                          isSelected={now.parts[reader].includes(part)}
                          onChange={() => toggle(reader, part)}
                        />
                      </span>
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </fieldset>
        <FormFoot note={t('scope')}>
          {changed && (
            <Button variant="quiet" onPress={() => setDraft({})}>
              {s('undo')}
            </Button>
          )}
          <Button type="submit" variant="primary" isDisabled={!changed || save.isPending}>
            {s('save')}
          </Button>
        </FormFoot>
      </form>
      <ReportCover template={now} />
    </div>
  )
}
