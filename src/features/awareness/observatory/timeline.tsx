import { memo, type PointerEvent, type ReactNode, useRef, useState } from 'react'
import type { MinuteBar } from '#contracts/live/messages.ts'
import type { Span } from '#domain/time-range.ts'
import { LEVELS, LEVELS_BY_SEVERITY } from '#domain/vocabulary.ts'
import { formatExact } from '../../../shared/format/number.ts'
import { axisTicks, barSpan, totalOf } from './time-axis.ts'
import { clockTime, useWall } from './wall-context.ts'

/**
 * Bars by level, critical at the base, over one hour, one day or a replay's window. Dragging over bars picks a span (`onBrush`); a
 * replay has its playhead instead, moved by pointer or arrow keys.
 */
export function Timeline({
  bars,
  barMs,
  head,
  title,
  controls,
  playhead,
  waiting,
  brush,
  onBrush,
  menu,
  onSeek,
}: {
  bars: readonly MinuteBar[]
  barMs: number
  head: ReactNode
  title: string
  controls: ReactNode
  /** Share of the width; bars right of it are not counted yet. */
  playhead: number
  /** Bars that wait behind a pause. */
  waiting: number
  brush: Span | null
  onBrush: ((span: Span | null) => void) | null
  /** What can be done with the brushed span. */
  menu: ReactNode
  onSeek: ((share: number) => void) | null
}) {
  const { t, zone, language } = useWall()
  const area = useRef<HTMLDivElement>(null)
  const start = useRef<number | null>(null)
  const [hover, setHover] = useState<number | null>(null)
  const slots = Math.max(1, bars.length + waiting)
  const top = Math.max(1, ...bars.map(totalOf))
  const from = bars[0]?.[0] ?? 0
  const ticks = axisTicks(from, barMs, bars.length, zone)

  const slotAt = (event: PointerEvent) => {
    const box = (area.current as HTMLElement).getBoundingClientRect()
    return Math.max(0, Math.min(bars.length - 1, Math.floor(((event.clientX - box.left) / box.width) * slots)))
  }
  const span = (a: number, b: number): Span => ({
    from: from + Math.min(a, b) * barMs,
    to: from + (Math.max(a, b) + 1) * barMs,
  })
  const hovered = hover === null ? undefined : bars[hover]
  return (
    <>
      <h2>
        <span>{head}</span>
        <span>{controls}</span>
      </h2>
      <div
        className="wall-bars"
        ref={area}
        onPointerDown={(event) => {
          if (!onBrush || event.button !== 0 || (event.target as Element).closest('.wall-brush-menu')) return
          start.current = slotAt(event)
          event.currentTarget.setPointerCapture(event.pointerId)
          onBrush(span(start.current, start.current))
        }}
        onPointerMove={(event) => {
          setHover(slotAt(event))
          if (start.current !== null) onBrush?.(span(start.current, slotAt(event)))
        }}
        onPointerUp={() => {
          start.current = null
        }}
        onPointerLeave={() => setHover(null)}
      >
        <svg viewBox={`0 0 ${slots * 2} 100`} preserveAspectRatio="none" role="img" aria-label={title}>
          {bars.map((bar, i) => (
            <Bar key={bar[0]} bar={bar} index={i} top={top} dim={i / slots >= playhead} />
          ))}
          {Array.from({ length: waiting }, (_, i) => (
            <rect
              // biome-ignore lint/suspicious/noArrayIndexKey: a place in the row, nothing else
              key={bars.length + i}
              x={(bars.length + i) * 2 + 0.5}
              y={40}
              width={1}
              height={60}
              fill="none"
              stroke="var(--faint)"
              strokeDasharray="3 3"
              vectorEffect="non-scaling-stroke"
            />
          ))}
        </svg>
        {brush && bars.length > 0 && (
          <>
            <div className="wall-brush" style={shareStyle(brush, from, barMs, slots)} />
            <div className="wall-brush-menu wall-plate" style={menuStyle(brush, from, barMs, slots)}>
              {menu}
            </div>
          </>
        )}
        {onSeek && (
          <input
            type="range"
            className="wall-seek"
            aria-label={t('seek')}
            aria-valuetext={clockTime(from + playhead * slots * barMs, zone)}
            min={0}
            max={1000}
            step={1}
            value={Math.round(playhead * 1000)}
            onChange={(event) => onSeek(Number(event.target.value) / 1000)}
          />
        )}
        <div className="wall-playhead" style={{ left: `${Math.min(1, playhead) * 100}%` }} />
        {hovered && !brush && (
          <div
            className="wall-tip wall-plate"
            style={{ left: `${Math.min(90, ((hover as number) / slots) * 100)}%`, bottom: '100%' }}
          >
            <p>
              <b>{barSpan(hovered[0], barMs, zone)}</b> {formatExact(totalOf(hovered))}
            </p>
            <p className="wall-muted">
              {LEVELS_BY_SEVERITY.filter((_, i) => (hovered[i + 1] ?? 0) > 0)
                .map(
                  (level) =>
                    `${LEVELS[level][language]} ${formatExact(hovered[LEVELS_BY_SEVERITY.indexOf(level) + 1] ?? 0)}`,
                )
                .join('  ')}
            </p>
          </div>
        )}
      </div>
      <div className="wall-axis" aria-hidden>
        {ticks.map(({ slot, text }) => (
          <span key={slot} style={{ left: `${(slot / slots) * 100}%` }} {...(slot === 0 && { 'data-edge': 'start' })}>
            {text}
          </span>
        ))}
      </div>
    </>
  )
}

const shareStyle = (span: Span, from: number, barMs: number, slots: number) => ({
  left: `${((span.from - from) / barMs / slots) * 100}%`,
  width: `${((span.to - span.from) / barMs / slots) * 100}%`,
})
const menuStyle = (span: Span, from: number, barMs: number, slots: number) => {
  const middle = ((span.from + span.to) / 2 - from) / barMs / slots
  return middle > 0.5 ? { right: `${(1 - middle) * 100}%` } : { left: `${middle * 100}%` }
}

const ALPHA = [1, 1, 0.88, 0.88, 0.74]

/** One bar: levels stacked from the base with a hair between, so that shapes stay apart without colour. */
const Bar = memo(
  function Bar({ bar, index, top, dim }: { bar: MinuteBar; index: number; top: number; dim: boolean }) {
    let y = 100
    return (
      <g opacity={dim ? 0.3 : 1}>
        {LEVELS_BY_SEVERITY.map((level, i) => {
          const height = ((bar[i + 1] ?? 0) / top) * 96
          y -= height
          return height > 0 ? (
            <rect
              key={level}
              x={index * 2 + 0.5}
              y={y}
              width={1}
              height={Math.max(0.8, height - 1.2)}
              fill={`var(--stack-${level})`}
              opacity={ALPHA[i]}
            />
          ) : null
        })}
      </g>
    )
  },
  (a, b) => a.index === b.index && a.top === b.top && a.dim === b.dim && a.bar.every((value, i) => value === b.bar[i]),
)
