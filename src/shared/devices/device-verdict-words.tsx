import { Ban, Eye, RotateCcw, ShieldCheck } from 'lucide-react'
import { DEVICE_VERDICTS, type DeviceVerdict } from '#domain/device-score.ts'
import { useLanguage } from '#src/shared/i18n/texts.ts'
import { Chip } from '#src/shared/ui/chip.tsx'
import type { IconType } from '#src/shared/ui/icon.tsx'

export const DEVICE_VERDICT_ICONS: Record<DeviceVerdict | 'none', IconType> = {
  trusted: ShieldCheck,
  watched: Eye,
  banned: Ban,
  none: RotateCcw,
}
const TONES = { trusted: 'good', watched: 'warn', banned: 'bad' } as const

/** The current verdict, as a chip. */
export function DeviceVerdictChip({ verdict }: { verdict: DeviceVerdict }) {
  const language = useLanguage()
  return <Chip tone={TONES[verdict]}>{DEVICE_VERDICTS[verdict][language]}</Chip>
}
