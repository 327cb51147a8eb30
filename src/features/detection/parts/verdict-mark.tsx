import { Ban, CircleCheck, CircleDashed, CircleX, UserRoundCheck } from 'lucide-react'
import { VERDICTS, type Verdict } from '#contracts/detection/kinds.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { Icon, type IconType } from '#src/shared/ui/icon.tsx'
import { detectionTexts } from './detection-texts.ts'

const LOOK: Record<Verdict | 'manual', { icon: IconType; color: string }> = {
  fail: { icon: CircleX, color: 'text-bad-text' },
  pass: { icon: CircleCheck, color: 'text-good-text' },
  not_applicable: { icon: Ban, color: 'text-muted' },
  not_assessed: { icon: CircleDashed, color: 'text-warn-text' },
  manual: { icon: UserRoundCheck, color: 'text-brand-text' },
}

/** What was decided of an item, as icon and word. */
export function VerdictMark({ verdict, word = true }: { verdict: Verdict | 'manual'; word?: boolean }) {
  const language = useLanguage()
  const t = useTexts(detectionTexts)
  const { icon, color } = LOOK[verdict]
  const text = verdict === 'manual' ? t('manual') : VERDICTS[verdict][language]
  return (
    <span className="inline-flex items-center gap-1.5 whitespace-nowrap" title={word ? undefined : text}>
      <Icon of={icon} size={14} className={color} />
      <span className={word ? '' : 'sr-only'}>{text}</span>
    </span>
  )
}
