import { CircleCheck, CircleMinus, OctagonX } from 'lucide-react'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { Icon } from '#src/shared/ui/icon.tsx'
import { detectionTexts } from './detection-texts.ts'

/** Whether a version may be released by the gate of its strategy; null: no gate was set, or nothing is known yet. */
export function GateMark({ gate }: { gate: 'pass' | 'fail' | null }) {
  const t = useTexts(detectionTexts)
  const look =
    gate === 'fail'
      ? { icon: OctagonX, color: 'text-bad-text', text: t('gateFail') }
      : gate === 'pass'
        ? { icon: CircleCheck, color: 'text-good-text', text: t('gatePass') }
        : { icon: CircleMinus, color: 'text-muted', text: t('gateNone') }
  return (
    <span className="inline-flex items-center gap-1.5 whitespace-nowrap">
      <Icon of={look.icon} size={14} className={look.color} />
      {look.text}
    </span>
  )
}
