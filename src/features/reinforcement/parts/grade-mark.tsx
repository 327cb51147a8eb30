import { REINFORCE_GRADES, type ReinforceGrade } from '#domain/reinforce-options.ts'
import { defineTexts, useLanguage, useTexts } from '#src/shared/i18n/texts.ts'

const texts = defineTexts('reinforce-grade', { grade: { zh: '等级 {{grade}}', en: 'Grade {{grade}}' } })

const SHAPES: Record<ReinforceGrade, string> = {
  A: 'border-text bg-text text-surface',
  B: 'border-text text-text',
  C: 'border-dashed border-faint text-muted',
}

/** How far an option goes: a full square, an outlined one, a dashed one. */
export function GradeMark({ grade }: { grade: ReinforceGrade }) {
  const t = useTexts(texts)
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
