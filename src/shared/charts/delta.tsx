import { hasBasis } from '../format/change.ts'
import { formatExact, formatPercent } from '../format/number.ts'
import { useTexts } from '../i18n/texts.ts'
import { chartTexts } from './chart-texts.ts'

/**
 * Change against the earlier period: triangle and share. `bad` colours growth, where growth is bad news. Without an earlier value that
 * could be a basis it is new.
 */
export function Delta({ now, before, bad = false }: { now: number; before: number; bad?: boolean }) {
  const t = useTexts(chartTexts)
  if (now === 0 && before === 0) return null
  if (!hasBasis(now, before))
    return (
      <span className="text-12 text-muted" title={`${formatExact(before)} → ${formatExact(now)}`}>
        {t('fresh')}
      </span>
    )
  const difference = now - before
  if (difference === 0) return <span className="text-12 text-muted">0%</span>
  const color = bad && difference > 0 ? 'text-bad-text' : 'text-muted'
  return (
    <span
      className={`inline-flex items-center gap-1 text-12 whitespace-nowrap ${color}`}
      title={`${formatExact(before)} → ${formatExact(now)}`}
    >
      <svg viewBox="0 0 10 8" width="10" height="8" aria-hidden="true" className="flex-none fill-current">
        <path d={difference > 0 ? 'M5 0 10 8H0Z' : 'M5 8 0 0h10Z'} />
      </svg>
      <span className="sr-only">{difference > 0 ? '+' : '−'}</span>
      {shareText(Math.abs(difference) / before)}
    </span>
  )
}

/** One decimal below 100 %, none above; from ten times on the factor, which is what one reads then. */
function shareText(share: number): string {
  return share < 1
    ? formatPercent(share)
    : share < 9
      ? formatPercent(share, 0)
      : `×${formatExact(Math.round(share + 1))}`
}
