import { memo } from 'react'
import { hasBasis } from '../../../shared/format/change.ts'
import { formatExact, formatNumber, formatPercent } from '../../../shared/format/number.ts'
import { formatDateTime } from '../../../shared/format/time.ts'
import { useTexts } from '../../../shared/i18n/texts.ts'
import type { WallView } from '../../../shared/live/wall-view.ts'
import { alertWallTexts } from './alert/alert-wall-texts.ts'
import { OutcomeGlyph } from './outcome-glyph.tsx'
import { RollingNumber } from './rolling-number.tsx'
import { AsOf, NumberSkeleton, shareText, WallSkeleton } from './totals-state.tsx'
import { clockTime, useWall } from './wall-context.ts'

/** The one number of the wall: attacks of today (of the window, in a replay), what it is compared with, the rate, blocked and observed. */
export function AttacksCard({ view, title }: { view: WallView; title: string }) {
  const { t, zone, alert } = useWall()
  const tAlert = useTexts(alertWallTexts)
  const { attacksToday, blockedToday, seconds } = view.counters
  const awaited = view.totals.kind === 'awaited'
  const minute = seconds.reduce((sum, one) => sum + one, 0)
  const note = alert
    ? tAlert('thisAlert', { total: formatExact(alert.alert.total) })
    : view.replay
      ? t('playedTo', { time: clockTime(view.at, zone) })
      : view.mode === 'paused' && view.totals.kind === 'whole'
        ? t('asOf', { time: clockTime(view.at, zone) })
        : ''
  return (
    <section className="wall-card wall-attacks" aria-labelledby="wall-attacks">
      <h2 id="wall-attacks">
        <span>{title}</span>
        <small>{view.totals.kind === 'remembered' && !alert ? <AsOf at={view.totals.at} /> : note}</small>
      </h2>
      <TotalNumber view={view} />
      <p className="wall-delta">
        <Compared view={view} />
      </p>
      <p className="wall-rate">
        <span className="wall-muted">{t('perSecond')}</span>
        <b>{view.ready ? rateText(seconds) : '–'}</b>
        <span className="wall-note">{t(view.mode === 'paused' ? 'held' : 'last10')}</span>
        <span className="wall-note wall-push">
          {t('last60')} <span className="wall-strong">{view.ready ? formatExact(minute) : '–'}</span>
        </span>
      </p>
      <Seconds seconds={seconds} />
      <p className="wall-between wall-note wall-strip-axis" aria-hidden>
        <span>{t('secondsAgo')}</span>
        <span>{t('now')}</span>
      </p>
      <Outcomes counters={view.counters} />
      <p className="wall-between wall-note">
        <span data-testid="blocked-today">{awaited ? <WallSkeleton wide={64} /> : formatExact(blockedToday)}</span>
        <span>{awaited ? <WallSkeleton wide={64} /> : formatExact(attacksToday - blockedToday)}</span>
      </p>
    </section>
  )
}

/** The one number: a skeleton until the store has answered, dimmed where it is of an earlier moment. */
export function TotalNumber({ view }: { view: WallView }) {
  const { attacksToday } = view.counters
  if (view.totals.kind === 'awaited') return <NumberSkeleton label="attacks-today" />
  return (
    <RollingNumber
      label="attacks-today"
      text={formatExact(attacksToday)}
      long={attacksToday >= 1e6}
      dimmed={view.totals.kind === 'remembered'}
    />
  )
}

/** Attacks a second, the mean of the ten whole seconds before the running one. */
export function rateText(seconds: readonly number[]): string {
  const rate = seconds.slice(-11, -1).reduce((sum, one) => sum + one, 0) / 10
  return rate.toFixed(rate < 100 ? 1 : 0)
}

/** Blocked and observed as a split bar and as shares. */
export function Outcomes({ counters: { attacksToday, blockedToday } }: { counters: WallView['counters'] }) {
  const { t, totals } = useWall()
  const awaited = totals.kind === 'awaited'
  const share = attacksToday ? Math.min(1, blockedToday / attacksToday) : 0
  return (
    <>
      <div className="wall-split" aria-hidden>
        {!awaited && <i style={{ flexGrow: share, background: 'var(--text)' }} />}
        <i style={{ flexGrow: awaited ? 1 : 1 - share, background: awaited ? undefined : 'var(--map-outline)' }} />
      </div>
      <p className="wall-between">
        <span className="wall-outcome-line">
          <OutcomeGlyph blocked />
          {t('blocked')}{' '}
          {awaited ? (
            <WallSkeleton wide={48} />
          ) : (
            <span className="wall-strong">{shareText(blockedToday, attacksToday)}</span>
          )}
        </span>
        <span className="wall-outcome-line">
          <OutcomeGlyph blocked={false} />
          {t('observed')}{' '}
          {awaited ? (
            <WallSkeleton wide={48} />
          ) : (
            <span className="wall-strong">{shareText(attacksToday - blockedToday, attacksToday)}</span>
          )}
        </span>
      </p>
    </>
  )
}

/** What the number of today is compared with. */
export function Compared({ view }: { view: WallView }) {
  const { t, zone } = useWall()
  const { attacksToday, attacksYesterday } = view.counters
  if (view.replay) {
    const { from, to, bars } = view.replay
    const total = bars.reduce((sum, [, ...counts]) => sum + counts.reduce((all, one) => all + one, 0), 0)
    const window = `${formatDateTime(from, zone, 'minute', Date.now())} – ${clockTime(to, zone).slice(0, 5)}`
    return (
      <>
        <b>{total ? formatPercent(attacksToday / total) : '–'}</b>
        <span className="wall-muted">{t('ofWindow', { count: total, window })}</span>
      </>
    )
  }
  // Whatever else the card says: this number is not that of now.
  if (view.totals.kind !== 'whole') return <span className="wall-muted">{t('readingTotals')}</span>
  if (attacksYesterday === null) return <span className="wall-muted">{t('noYesterday')}</span>
  return (
    <>
      <b>{attacksYesterday > 0 && <Change now={attacksToday} before={attacksYesterday} />}</b>
      <span className="wall-muted">{t('vsYesterday', { count: attacksYesterday })}</span>
    </>
  )
}

/** Triangle and share; the plain difference where there is nothing to divide by. */
export function Change({ now, before }: { now: number; before: number }) {
  const { t } = useWall()
  const difference = now - before
  if (difference !== 0 && !hasBasis(now, before)) return <span className="wall-item">{t('fresh')}</span>
  const size = before > 0 ? formatPercent(Math.abs(difference) / before) : formatNumber(Math.abs(difference))
  return (
    <span className="wall-item" style={{ gap: '0.35em' }}>
      {difference !== 0 && (
        <svg viewBox="0 0 10 8" width="0.62em" height="0.5em" aria-hidden fill="currentColor">
          <path d={difference > 0 ? 'M5 0 10 8H0Z' : 'M5 8 0 0H10Z'} />
        </svg>
      )}
      <span className="sr-only">{difference > 0 ? '+' : difference < 0 ? '−' : ''}</span>
      {size}
    </span>
  )
}

const CELLS = 60
const [PITCH, BAR, HIGH, LEAST_TOP] = [5.87, 4, 34, 6]

/** One cell a second of the last minute; the ten that the rate is made of are bright. Its own scale: a burst raises the strip alone. */
const Seconds = memo(function Seconds({ seconds }: { seconds: readonly number[] }) {
  const top = Math.max(LEAST_TOP, ...seconds)
  const first = CELLS - seconds.length
  const bars = (from: number, to: number) =>
    seconds
      .slice(from, to)
      .map((count, i) => {
        const height = count ? Math.max(2, (count / top) * HIGH) : 0.8
        return `M${((first + from + i) * PITCH).toFixed(2)} ${(HIGH - height).toFixed(1)}h${BAR}V${HIGH}h-${BAR}Z`
      })
      .join('')
  return (
    <svg
      className="wall-strip"
      viewBox={`0 0 ${(CELLS - 1) * PITCH + BAR} ${HIGH}`}
      preserveAspectRatio="none"
      aria-hidden
    >
      <path d={bars(0, seconds.length - 10)} fill="var(--map-outline)" />
      <path d={bars(seconds.length - 10, seconds.length)} fill="var(--text)" />
    </svg>
  )
})
