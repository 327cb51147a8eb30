import type { ReportTemplate } from '#contracts/http/reports/task-reports.ts'
import { defineTexts, useTexts } from '#src/shared/i18n/texts.ts'
import { usePlatform } from '#src/shared/session/platform-store.ts'
import { LogoPicture } from '#src/shared/ui/logo-field.tsx'

const texts = defineTexts('settings-report-cover', {
  preview: { zh: '封面预览', en: 'The cover' },
  title: { zh: '移动应用安全检测报告', en: 'Mobile application security report' },
  application: { zh: '应用名称与版本', en: 'Application and version' },
})

/** What the choices make of the cover: a page of paper, white in both themes. */
export function ReportCover({ template }: { template: ReportTemplate }) {
  const t = useTexts(texts)
  const { product, logo } = usePlatform()
  const shown = template.logo ?? logo
  return (
    <figure className="sticky top-4 w-72 flex-none self-start max-xl:hidden">
      <figcaption className="mb-3 text-14 font-semibold">{t('preview')}</figcaption>
      <div data-theme="light" className="flex aspect-[210/297] flex-col rounded border bg-surface p-7 text-text">
        <div className="h-9">{shown !== null && <LogoPicture logo={shown} className="max-h-9 max-w-full" />}</div>
        <p className="mt-20 text-20/7 font-semibold">{t('title')}</p>
        <p className="pt-1 text-muted">{t('application')}</p>
        <div aria-hidden className="mt-5 flex flex-col gap-2 border-t pt-4">
          {[60, 44, 72, 52].map((width) => (
            <span key={width} className="h-1.5 rounded-full bg-neutral" style={{ width: `${width}%` }} />
          ))}
        </div>
        <p className="mt-auto text-12/4 text-muted [overflow-wrap:anywhere]">{template.issuer || product}</p>
        <p className="text-12/4 text-muted [overflow-wrap:anywhere]">{template.footer}</p>
      </div>
    </figure>
  )
}
