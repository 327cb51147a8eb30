import { hasBasis } from '#src/shared/format/change.ts'
import { formatExact, formatPercent } from '#src/shared/format/number.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { analysisTexts } from './analysis-texts.ts'

/** Change of one value in a list: `+5%`, bold beyond half, `new` where there was nothing before. */
export function ChangeText({ now, before }: { now: number; before: number }) {
  const t = useTexts(analysisTexts)
  if (now === 0 && before === 0) return null
  if (!hasBasis(now, before))
    return (
      <span className="font-semibold text-text" title={`${formatExact(before)} → ${formatExact(now)}`}>
        {t('fresh')}
      </span>
    )
  const share = now / before - 1
  const text =
    share >= 9
      ? `×${formatExact(Math.round(now / before))}`
      : `${share < 0 ? '−' : '+'}${formatPercent(Math.abs(share), 0)}`
  return (
    <span
      className={Math.abs(share) > 0.5 ? 'font-semibold text-text' : ''}
      title={`${formatExact(before)} → ${formatExact(now)}`}
    >
      {text}
    </span>
  )
}
