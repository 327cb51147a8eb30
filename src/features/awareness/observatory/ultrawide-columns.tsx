import { memo } from 'react'
import type { TopList } from '#contracts/live/messages.ts'
import type { Filter, SeriesAnswer, TopAnswer } from '#domain/query.ts'
import { startOfDay } from '#domain/time-range.ts'
import { RISK_TYPES, type RiskType } from '#domain/vocabulary.ts'
import { formatExact, formatNumber } from '../../../shared/format/number.ts'
import type { WallView } from '../../../shared/live/wall-view.ts'
import { type PartState, useStatistics } from '../../../shared/query/use-statistics.ts'
import { LevelGlyph } from './level-glyph.tsx'
import { CLASSES } from './map/choropleth.ts'
import { Hours } from './presence-card.tsx'
import { RankedCard } from './ranked-card.tsx'
import { useWall } from './wall-context.ts'

const HOUR = 3_600_000
const DAY_HOURS = 24

/** The outer columns of an ultra-wide wall: the day by hour, and what the frames do not carry, from the store. */
export function useUltrawideStatistics(filters: Filter[], enabled: boolean) {
  return useStatistics(
    { range: 'today', timeBasis: 'received', compare: 'previous', filters },
    {
      hours: { kind: 'series', measures: ['attacks'], bucket: 'hour' },
      risks: { kind: 'series', measures: ['attacks'], bucket: 'hour', by: 'risk' },
      apps: { kind: 'series', measures: ['attacks'], bucket: 'hour', by: 'app' },
      os: { kind: 'top', by: 'os', measures: ['attacks'], limit: 8 },
      channels: { kind: 'top', by: 'channel', measures: ['attacks'], limit: 8 },
    },
    { enabled },
  )
}
export type UltrawideStatistics = ReturnType<typeof useUltrawideStatistics>

export function UltrawideLeftColumn({ view, statistics }: { view: WallView; statistics: UltrawideStatistics }) {
  const { t } = useWall()
  const hours = statistics.part('hours')
  const risks = statistics.part('risks')
  return (
    <aside className="wall-sheet wall-far-left">
      <section className="wall-card">
        <h2>
          <span>{t('hourly')}</span>
          <small>{t('dashedYesterday')}</small>
        </h2>
        <DayBars answer={readyOr(hours)} at={view.at} />
      </section>
      <section className="wall-card">
        <h2>
          <span>{t('riskHours')}</span>
          <small>{t('rowShade')}</small>
        </h2>
        <RiskHours answer={readyOr(risks)} at={view.at} order={view.tops.risk.rows.map(([key]) => key)} />
      </section>
      <RankedCard
        title={t('systems')}
        field="os"
        list={topList(statistics.part('os'))}
        loading={statistics.part('os').kind === 'loading'}
        total={view.counters.attacksToday}
        most={6}
      />
    </aside>
  )
}

export function UltrawideRightColumn({ view, statistics }: { view: WallView; statistics: UltrawideStatistics }) {
  const { t } = useWall()
  return (
    <aside className="wall-sheet wall-far-right">
      <section className="wall-card">
        <h2>
          <span>{t('apps')}</span>
          <small>{t('hourlyShort')}</small>
        </h2>
        <AppHours answer={readyOr(statistics.part('apps'))} list={view.tops.app} at={view.at} />
      </section>
      <RankedCard
        title={t('versions')}
        field="version"
        list={view.tops.version}
        total={view.counters.attacksToday}
        most={8}
      />
      <RankedCard
        title={t('channels')}
        field="channel"
        list={topList(statistics.part('channels'))}
        loading={statistics.part('channels').kind === 'loading'}
        total={view.counters.attacksToday}
        most={6}
      />
    </aside>
  )
}

const readyOr = (part: PartState<'series'>): SeriesAnswer | null => (part.kind === 'ready' ? part.answer : null)

function topList(part: PartState<'top'>): TopList {
  if (part.kind !== 'ready') return { rows: [], groupCount: 0, others: 0 }
  const { groups, groupCount, others }: TopAnswer = part.answer
  return { rows: groups.map(({ key, row }) => [key, row.attacks ?? 0]), groupCount, others: others.attacks ?? 0 }
}

/** Counts of the day's 24 hours, missing ones 0. */
function byHour(points: SeriesAnswer['points'], dayStart: number): number[] {
  const hours = Array<number>(DAY_HOURS).fill(0)
  for (const { start, row } of points) {
    const hour = Math.floor((start - dayStart) / HOUR)
    if (hour >= 0 && hour < DAY_HOURS) hours[hour] = (hours[hour] ?? 0) + (row.attacks ?? 0)
  }
  return hours
}

const DayBars = memo(function DayBars({ answer, at }: { answer: SeriesAnswer | null; at: number }) {
  const { zone, t } = useWall()
  const day = startOfDay(at, zone)
  const now = byHour(answer?.points ?? [], day)
  const before = byHour(answer?.previous ?? [], startOfDay(day - 1, zone))
  const top = Math.max(1, ...now, ...before)
  const y = (count: number) => 100 - (count / top) * 92
  const current = Math.floor((at - day) / HOUR)
  const known = (answer?.previous?.length ?? 0) > 0
  return (
    <>
      <svg className="wall-day" viewBox="0 0 240 100" preserveAspectRatio="none" role="img" aria-label={t('hourly')}>
        {now.map((count, hour) => (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: the hour of the day
            key={hour}
            x={hour * 10 + 1}
            y={y(count)}
            width={8}
            height={100 - y(count)}
            fill={hour === current ? 'var(--text)' : 'var(--map-outline)'}
          />
        ))}
        {known && (
          <path
            d={before
              .slice(0, current + 1)
              .map((count, hour) => `${hour ? 'L' : 'M'}${hour * 10 + 5} ${y(count)}`)
              .join('')}
            fill="none"
            stroke="var(--text)"
            strokeWidth="1.5"
            strokeDasharray="4 3"
            vectorEffect="non-scaling-stroke"
          />
        )}
      </svg>
      <p className="wall-between wall-note" aria-hidden>
        {[0, 6, 12, 18].map((hour) => (
          <span key={hour}>{String(hour).padStart(2, '0')}</span>
        ))}
        <span>{formatNumber(top, 1000)}</span>
      </p>
    </>
  )
})

function RiskHours({ answer, at, order }: { answer: SeriesAnswer | null; at: number; order: readonly string[] }) {
  const { zone, nameOf } = useWall()
  const day = startOfDay(at, zone)
  return (
    <table className="wall-heat">
      <tbody>
        {order.slice(0, 7).map((risk) => {
          const hours = byHour(
            (answer?.points ?? []).filter(({ key }) => key === risk),
            day,
          )
          const top = Math.max(1, ...hours)
          return (
            <tr key={risk}>
              <th scope="row">
                <LevelGlyph level={RISK_TYPES[risk as RiskType]?.level ?? 'info'} /> {nameOf('risk', risk)}
              </th>
              {hours.map((count, hour) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the hour of the day
                <td key={hour} title={`${String(hour).padStart(2, '0')}:00 ${formatExact(count)}`}>
                  <i
                    style={{
                      background: count ? `var(--map-${Math.max(1, Math.ceil((count / top) * CLASSES))})` : 'none',
                    }}
                  />
                </td>
              ))}
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

function AppHours({ answer, list, at }: { answer: SeriesAnswer | null; list: TopList; at: number }) {
  const { zone, nameOf, t } = useWall()
  const day = startOfDay(at, zone)
  const current = Math.floor((at - day) / HOUR)
  return (
    <ul className="wall-app-hours">
      {list.rows.slice(0, 6).map(([app, count]) => (
        <li key={app}>
          <span className="text-clip-line">{nameOf('app', app)}</span>
          <Hours
            values={byHour(
              (answer?.points ?? []).filter(({ key }) => key === app),
              day,
            ).slice(0, current + 1)}
            label={t('hourly')}
          />
          <b>{formatNumber(count)}</b>
        </li>
      ))}
    </ul>
  )
}
