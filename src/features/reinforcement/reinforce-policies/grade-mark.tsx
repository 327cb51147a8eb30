import { REINFORCE_GRADES, type ReinforceGrade } from '#domain/reinforce-options.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { reinforceTexts } from './reinforce-texts.ts'

const SHAPES: Record<ReinforceGrade, string> = {
  A: 'border-text bg-text text-surface',
  B: 'border-text text-text',
  C: 'border-dashed border-faint text-muted',
}

/** How far an option goes: a full square, an outlined one, a dashed one. */
export function GradeMark({ grade }: { grade: ReinforceGrade }) {
  const t = useTexts(reinforceTexts)
  const language = useLanguage()
  return (
    <span
      role="img"
      aria-label={t('grade', { grade })}
      title={REINFORCE_GRADES[grade][language]}
      className={`inline-flex size-[18px] flex-none items-center justify-center rounded-[3px] border text-12 font-semibold ${SHAPES[grade]}`}
    >
      {grade}
    </span>
  )
}
