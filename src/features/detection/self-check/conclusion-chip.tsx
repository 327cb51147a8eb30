import { CONCLUSIONS, type Conclusion } from '#contracts/http/self-check/checks.ts'
import { useLanguage } from '#src/shared/i18n/texts.ts'
import { Chip } from '#src/shared/ui/chip.tsx'

const TONES = {
  violate: 'bad',
  conflict: 'warn',
  open: 'neutral',
  conform: 'good',
  not_applicable: 'neutral',
} as const satisfies Record<Conclusion, string>

export function ConclusionChip({ conclusion }: { conclusion: Conclusion }) {
  const language = useLanguage()
  return (
    <span data-testid="conclusion" data-value={conclusion}>
      <Chip tone={TONES[conclusion]}>{CONCLUSIONS[conclusion][language]}</Chip>
    </span>
  )
}
