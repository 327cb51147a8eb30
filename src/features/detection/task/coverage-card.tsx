import { DETECTION_KINDS, type DetectionKind } from '#contracts/detection/kinds.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { NO_ITEM_FILTERS } from './item-filters.tsx'
import type { PartProps } from './report-part.ts'
import { reportTexts } from './report-texts.ts'

const NOTES_SHOWN = 3

/** How much was looked at, and what was not, with the reason: what was not assessed is never taken for passed. */
export function CoverageCard({ summary, address }: PartProps) {
  const t = useTexts(reportTexts)
  const language = useLanguage()
  const of = (verdict: string) => summary.verdicts[verdict as keyof typeof summary.verdicts] ?? 0
  const assessed = of('fail') + of('pass') + of('suppressed')
  const total = assessed + of('not_assessed')
  const notes = summary.not_assessed
  const kinds = (Object.keys(DETECTION_KINDS) as DetectionKind[]).filter((kind) => !summary.kinds.includes(kind))
  const see = (values: Record<string, string | null>) => address.setParams({ ...NO_ITEM_FILTERS, ...values })
  return (
    <section
      aria-label={t('coverageTitle')}
      className="border-l py-3 pl-6 max-lg:border-t max-lg:border-l-0 max-lg:pl-0"
    >
      <div className="flex items-baseline gap-2">
        <h2 className="text-12 text-muted">{t('coverageTitle')}</h2>
        <span className="text-28/10" data-testid="assessed" data-value={assessed}>
          {assessed}
        </span>
        <span className="text-muted">{t('assessed', { total })}</span>
      </div>
      <div aria-hidden className="mt-1 mb-2 flex h-2 overflow-hidden rounded-full bg-neutral">
        <span className="bg-muted" style={{ width: `${total ? (assessed / total) * 100 : 0}%` }} />
      </div>
      <div className="text-12/5">
        <div className="flex justify-between font-semibold">
          <span>{t('notAssessed')}</span>
          <span>
            {of('not_assessed') > 0 ? (
              <button
                type="button"
                className="text-brand-text hover:underline"
                onClick={() => see({ tab: null, verdict: 'not_assessed' })}
              >
                {of('not_assessed')}
              </button>
            ) : (
              0
            )}
          </span>
        </div>
        {notes.slice(0, NOTES_SHOWN).map((note, index) => (
          <div
            // biome-ignore lint/suspicious/noArrayIndexKey: notes may share their key and have no other identity
            key={index}
            title={note.text[language]}
            className="line-clamp-2 text-muted first-letter:uppercase [overflow-wrap:anywhere]"
          >
            {note.text[language]}
          </div>
        ))}
        {notes.length > NOTES_SHOWN && (
          <button type="button" className="text-brand-text hover:underline" onClick={() => see({ tab: 'coverage' })}>
            {t('seeAll')} {notes.length}
          </button>
        )}
        {kinds.length > 0 && (
          <div className="mt-1 border-t pt-1 text-muted">
            {t('notPart')}
            {language === 'zh' ? '：' : ': '}
            {kinds.map((kind) => DETECTION_KINDS[kind][language]).join(language === 'zh' ? '、' : ', ')}
          </div>
        )}
        {kinds.length === 0 && notes.length === 0 && of('not_assessed') === 0 && (
          <div className="text-muted">{t('everything')}</div>
        )}
      </div>
    </section>
  )
}
