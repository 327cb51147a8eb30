import { memo } from 'react'
import { formatExact, formatNumber } from '../../../shared/format/number.ts'
import type { WallView } from '../../../shared/live/wall-view.ts'
import { Change } from './attacks-card.tsx'
import { DayLine } from './day-line.tsx'
import { AsOf, WallSkeleton } from './totals-state.tsx'
import type { WallStatistics } from './use-wall-statistics.ts'
import { useWall } from './wall-context.ts'

/** Devices online and attacked users: the live numbers, with today's hours from the store below. */
export function PresenceCard({ view, statistics }: { view: WallView; statistics: WallStatistics }) {
  const { t, totals, storedUntil } = useWall()
  const { onlineDevices, attackedUsers } = view.counters
  const before = statistics.attackedUsersYesterday
  return (
    <section className="wall-card wall-presence" style={{ paddingBottom: 0 }}>
      <div className="wall-two">
        <div>
          <span className="wall-muted">{t('online')}</span>
          {onlineDevices !== null ? (
            <b title={formatExact(onlineDevices)}>{formatNumber(onlineDevices)}</b>
          ) : (
            <b>{view.replay ? '–' : <WallSkeleton wide={96} high={32} />}</b>
          )}
          <span className="wall-note">
            {storedUntil !== null && !view.replay ? (
              <AsOf at={storedUntil} text="linesAsOf" />
            ) : (
              t(
                onlineDevices !== null
                  ? 'onlineNote'
                  : view.replay
                    ? 'none'
                    : view.ready
                      ? 'rebuilding'
                      : 'readingList',
              )
            )}
          </span>
          {!view.replay && (
            <DayLine {...statistics.devices} label={`${t('hourlyDevices')} · ${t('dashedIsYesterday')}`} />
          )}
        </div>
        <div>
          <span className="wall-muted">{t('attackedUsers')}</span>
          <b data-testid="attacked-users" data-dimmed={totals.kind === 'remembered' || undefined}>
            {attackedUsers !== null ? (
              formatNumber(attackedUsers)
            ) : view.replay ? (
              '–'
            ) : (
              <WallSkeleton wide={96} high={32} />
            )}
          </b>
          <span className="wall-note">
            {attackedUsers === null ? (
              t(view.replay ? 'none' : totals.kind === 'awaited' ? 'readingList' : 'rebuilding')
            ) : totals.kind === 'remembered' ? (
              <AsOf at={totals.at} text="lastAsOf" />
            ) : before !== null && !view.replay ? (
              <>
                <Change now={attackedUsers} before={before} /> {t('vsYesterdayShort', { delta: '' }).trim()}
              </>
            ) : (
              ' '
            )}
          </span>
          {!view.replay && <DayLine {...statistics.users} label={`${t('hourlyUsers')} · ${t('dashedIsYesterday')}`} />}
        </div>
      </div>
    </section>
  )
}

/** A filled line, its last point marked. */
export const Hours = memo(function Hours({ values, label }: { values: readonly number[]; label: string }) {
  if (values.length < 2) return <svg role="img" aria-label={label} />
  const top = Math.max(1, ...values)
  const points = values.map((value, i) => [(i / (values.length - 1)) * 98, 36 - (value / top) * 30] as const)
  const line = points.map(([x, y], i) => `${i ? 'L' : 'M'}${x.toFixed(1)} ${y.toFixed(1)}`).join('')
  const [x, y] = points.at(-1) as readonly [number, number]
  return (
    <svg viewBox="0 0 100 40" preserveAspectRatio="none" role="img" aria-label={label}>
      <path d={`${line}L98 40L0 40Z`} fill="var(--wall-bar)" />
      <path d={line} fill="none" stroke="var(--muted)" strokeWidth="1.5" vectorEffect="non-scaling-stroke" />
      <path
        d={`M${x} ${y}h.01`}
        stroke="var(--text)"
        strokeWidth="6"
        strokeLinecap="round"
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  )
})
