import { Ban, Eye, RotateCcw, ShieldCheck } from 'lucide-react'
import { VERDICTS, type Verdict } from '#domain/device-score.ts'
import { useLanguage } from '#src/shared/i18n/texts.ts'
import { Chip } from '#src/shared/ui/chip.tsx'
import type { IconType } from '#src/shared/ui/icon.tsx'

export const VERDICT_ICONS: Record<Verdict | 'none', IconType> = {
  trusted: ShieldCheck,
  watched: Eye,
  banned: Ban,
  none: RotateCcw,
}
const TONES = { trusted: 'good', watched: 'warn', banned: 'bad' } as const

/** The current verdict, as a chip. */
export function VerdictChip({ verdict }: { verdict: Verdict }) {
  const language = useLanguage()
  return <Chip tone={TONES[verdict]}>{VERDICTS[verdict][language]}</Chip>
}
