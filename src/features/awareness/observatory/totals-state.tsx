import { formatPercent } from '../../../shared/format/number.ts'
import { clockTime, useWall } from './wall-context.ts'

/** A placeholder for a number: nothing that could be read as one. `wide` in layout units. */
export function WallSkeleton({ wide, high = 16 }: { wide: number; high?: number }) {
  return (
    <i
      className="wall-skeleton"
      aria-hidden
      style={{ width: `calc(${wide} * var(--u))`, height: `calc(${high} * var(--u))` }}
    />
  )
}

/** The place of the one big number: five digits wide, read out as what it waits for. */
export function NumberSkeleton({ label }: { label: string }) {
  const { t } = useWall()
  return (
    <output className="wall-number wall-number-skeleton" data-testid={label} data-awaited>
      <span className="sr-only">{t('readingTotals')}</span>
      {[0, 1, 2, 3, 4].map((digit) => (
        <i key={digit} className="wall-skeleton" aria-hidden />
      ))}
    </output>
  )
}

/** From when a figure is, with a clock: beside everything that is not of now. */
export function AsOf({ at, text = 'asOf' }: { at: number; text?: 'asOf' | 'linesAsOf' | 'lastAsOf' }) {
  const { t, zone } = useWall()
  return (
    <span className="wall-as-of">
      <svg viewBox="0 0 12 12" aria-hidden fill="none" stroke="currentColor" strokeWidth="1.4" strokeLinecap="round">
        <circle cx="6" cy="6" r="5" />
        <path d="M6 3.2V6l2 1.4" />
      </svg>
      {t(text, { time: clockTime(at, zone).slice(0, 5) })}
    </span>
  )
}

/** What a list's head says besides its title: of what its shares are, or that it waits, or from when it is. */
export function ListNote({ awaited, children }: { awaited: boolean; children: string }) {
  const { t, totals } = useWall()
  if (awaited) return <small>{t('readingList')}</small>
  if (totals.kind !== 'remembered') return <small>{children}</small>
  return (
    <small>
      <AsOf at={totals.at} text="lastAsOf" />
    </small>
  )
}

/** A part as share of the whole; no number where they contradict each other (counted a moment apart). */
export function shareText(part: number, whole: number): string {
  return part > whole ? '–' : formatPercent(whole > 0 ? part / whole : 0)
}
