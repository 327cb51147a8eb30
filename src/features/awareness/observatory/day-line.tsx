import { memo } from 'react'

const HOURS = 24
/** Fewer points than this are a line without an area: a polygon of three says nothing. */
const FILLED_FROM = 8
const [HIGH, TOP] = [40, 4]

/** Hours of the day as a path in a box of 100 by 40; each point at the end of its hour. */
export function dayPath(values: readonly number[], top: number): string {
  return values
    .map((value, hour) => {
      const y = HIGH - 1 - (value / Math.max(1, top)) * (HIGH - 1 - TOP)
      return `${hour ? 'L' : 'M'}${(((hour + 1) / HOURS) * 100).toFixed(1)} ${y.toFixed(1)}`
    })
    .join('')
}

/** The whole day as axis: the hours of today that are over, solid with their end marked; yesterday dashed behind them. */
export const DayLine = memo(function DayLine({
  today,
  yesterday,
  label,
}: {
  today: readonly number[]
  yesterday: readonly number[]
  label: string
}) {
  const top = Math.max(1, ...today, ...yesterday)
  const line = dayPath(today, top)
  const end = /([\d.]+) ([\d.]+)$/.exec(line)
  return (
    <>
      <svg viewBox="0 0 100 40" preserveAspectRatio="none" role="img" aria-label={label} className="wall-day-line">
        {today.length >= FILLED_FROM && (
          <path d={`${line}V40L${(100 / HOURS).toFixed(1)} 40Z`} fill="var(--wall-bar)" />
        )}
        <path d="M0 39.5H100" stroke="var(--line-strong)" strokeWidth="1" vectorEffect="non-scaling-stroke" />
        <path
          d={dayPath(yesterday, top)}
          fill="none"
          stroke="var(--muted)"
          strokeWidth="1.2"
          strokeDasharray="3 3"
          opacity="0.8"
          vectorEffect="non-scaling-stroke"
        />
        <path d={line} fill="none" stroke="var(--text)" strokeWidth="1.8" vectorEffect="non-scaling-stroke" />
        {end && (
          <path
            d={`M${end[1]} ${end[2]}h.01`}
            stroke="var(--text)"
            strokeWidth="7"
            strokeLinecap="round"
            vectorEffect="non-scaling-stroke"
          />
        )}
      </svg>
      <span className="wall-day-axis" aria-hidden>
        {[0, 6, 12, 18, 24].map((hour) => (
          <span key={hour}>{hour}</span>
        ))}
      </span>
    </>
  )
})
