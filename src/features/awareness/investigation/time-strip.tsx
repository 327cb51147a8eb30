import type { Trail } from '#domain/trail.ts'
import { LEVELS_BY_SEVERITY, type Level } from '#domain/vocabulary.ts'
import { formatDateTime } from '#src/shared/format/time.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { usePlatform } from '#src/shared/session/platform-store.ts'
import { traceTexts } from './trace-texts.ts'
import { useWidth } from './use-width.ts'

const BAR = 3
const HEIGHT = 24
const TICKS = 5
/** Of the numbers of stops, and the least between two of them. */
const [DIGIT, APART] = [7, 6]

/** The trail along time: stops as bands with their numbers, attacks as bars by level. A click chooses the stop. */
export function TimeStrip({
  trail,
  current,
  onStop,
}: {
  trail: Trail
  current: number | null
  onStop: (number: number) => void
}) {
  const t = useTexts(traceTexts)
  const zone = usePlatform((state) => state.zone)
  const [ref, width] = useWidth()
  const [first, last] = [trail.stops[0], trail.stops.at(-1)]
  if (!first || !last) return null
  const span = Math.max(1, last.to - first.from)
  const inner = Math.max(1, width - 12)
  const x = (at: number) => 6 + ((at - first.from) / span) * inner
  const clock = (at: number) => formatDateTime(at, zone, span > 2 * 86_400_000 ? 'day' : 'minute', Date.now())
  const bars = barsOf(trail, x)
  const most = Math.max(1, ...bars.map((bar) => bar.total))
  const ticks = Array.from({ length: TICKS }, (_, index) => first.from + (span * index) / (TICKS - 1))
  let labelled = Number.NEGATIVE_INFINITY
  return (
    <div ref={ref} className="min-w-0 flex-1">
      <svg
        width={width}
        height={58}
        role="img"
        aria-label={t('strip', { from: formatDateTime(first.from, zone), to: formatDateTime(last.to, zone) })}
        className="block"
        fontSize="11"
      >
        {trail.stops.map((stop) => {
          const [left, right] = [x(stop.from) - 3, Math.max(x(stop.to) + 3, x(stop.from) + 5)]
          const middle = (left + right) / 2
          const half = (String(stop.number).length * DIGIT) / 2
          const isNamed = middle - half > labelled
          if (isNamed) labelled = middle + half + APART
          return (
            // biome-ignore lint/a11y/noStaticElementInteractions: trail and table are the keyboard twins of the strip
            <g key={stop.number} className="cursor-pointer" onClick={() => onStop(stop.number)}>
              <rect
                x={left}
                y={14}
                width={right - left}
                height={HEIGHT}
                rx="3"
                fill={stop.number === current ? 'var(--bar-hover)' : 'var(--bar)'}
              />
              {isNamed && (
                <text
                  x={middle}
                  y={10}
                  textAnchor="middle"
                  fill={stop.number === current ? 'var(--text)' : 'var(--muted)'}
                  fontWeight={stop.number === current ? 600 : 400}
                >
                  {stop.number}
                </text>
              )}
            </g>
          )
        })}
        <line x1="0" x2={width} y1={14 + HEIGHT + 0.5} y2={14 + HEIGHT + 0.5} stroke="var(--line-strong)" />
        {bars.map((bar) => {
          let top = 14 + HEIGHT
          return LEVELS_BY_SEVERITY.map((level) => {
            const count = bar.levels[level] ?? 0
            if (count === 0) return null
            const height = Math.max(2, (count / most) * (HEIGHT - 2))
            top -= height
            return (
              <rect
                key={`${bar.at}-${level}`}
                x={bar.at}
                y={top}
                width={BAR}
                height={height}
                fill={`var(--stack-${level})`}
                pointerEvents="none"
              />
            )
          })
        })}
        {ticks.map((at, index) => (
          <text
            key={at}
            x={index === 0 ? 6 : index === TICKS - 1 ? width - 6 : x(at)}
            y={52}
            textAnchor={index === 0 ? 'start' : index === TICKS - 1 ? 'end' : 'middle'}
            fill="var(--muted)"
          >
            {clock(at)}
          </text>
        ))}
      </svg>
    </div>
  )
}

type Bar = { at: number; levels: Partial<Record<Level, number>>; total: number }

/** Attacks by pixel column. */
function barsOf(trail: Trail, x: (at: number) => number): Bar[] {
  const bars = new Map<number, Bar>()
  for (const stop of trail.stops)
    for (const step of stop.steps) {
      if (step.type !== 'risk' || !step.level) continue
      const at = Math.round(x(step.from) / (BAR + 1)) * (BAR + 1)
      const bar = bars.get(at) ?? { at, levels: {}, total: 0 }
      bars.set(at, bar)
      const level = step.level as Level
      bar.levels[level] = (bar.levels[level] ?? 0) + step.count
      bar.total += step.count
    }
  return [...bars.values()]
}
