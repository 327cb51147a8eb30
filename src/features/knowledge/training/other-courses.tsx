import { COURSE_STATES, type CourseLine } from '#contracts/http/training.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { trainingTexts } from './training-texts.ts'

/** The courses beside the open one. */
export function OtherCourses({
  lines,
  current,
  onOpen,
}: {
  lines: readonly CourseLine[]
  current: string
  onOpen: (course: string) => void
}) {
  const t = useTexts(trainingTexts)
  const language = useLanguage()
  return (
    <section aria-label={t('others')} className="border-t max-lg:border-t-0">
      <h2 className="px-5 py-2 font-semibold max-lg:px-4">{t('others')}</h2>
      <ul>
        {lines
          .filter(({ id }) => id !== current)
          .map((one) => (
            <li key={one.id} className="border-t">
              <button
                type="button"
                title={one.summary}
                onClick={() => onOpen(one.id)}
                className="flex min-h-11 w-full items-center gap-3 px-5 py-1 text-left hover:bg-hover max-lg:px-4"
              >
                <span className="min-w-0 flex-1">
                  <span className="block">{one.title}</span>
                  <span className="block text-12 text-muted">
                    {t('courseLine', { count: one.lessons, minutes: one.minutes })}
                  </span>
                </span>
                <span className="flex-none text-12 text-muted tabular-nums">
                  {COURSE_STATES[one.state][language]}
                  {one.certificate && ` ${t('points', { score: one.certificate.score })}`}
                </span>
              </button>
            </li>
          ))}
      </ul>
    </section>
  )
}
