import { memo, type PointerEvent, type ReactNode, useRef, useState } from 'react'
import type { MinuteBar } from '#contracts/live/messages.ts'
import type { Span } from '#domain/time-range.ts'
import { LEVELS, LEVELS_BY_SEVERITY, type Level } from '#domain/vocabulary.ts'
import { formatExact } from '../../../shared/format/number.ts'
import { LevelGlyph } from './level-glyph.tsx'
import { axisTicks, barSpan, totalOf } from './time-axis.ts'
import { END_SHARE, END_SHIFT, labelsThatFit, peaksOf, projectionOf } from './time-limits.ts'
import { useWidth } from './use-layout-unit.ts'
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
  limit,
  runningAt,
  barsFrom,
  storedUntil,
  spans,
  brush,
  onBrush,
  onScrub,
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
  /** The upper end of what is usual: bars above it stand out. */
  limit: number | null
  /** Live: the time up to which the last bar is counted; null where every bar is over. */
  runningAt: number | null
  /** Bars that begin earlier are not known yet: their place is shown, no height. */
  barsFrom: number
  /** From here on nothing is stored yet, which must not look like quiet; null where the store keeps up. Epoch ms. */
  storedUntil: number | null
  /** Alerts of this time: their shape is drawn beside the numbers, a bracket under their bars. */
  spans: readonly AlertSpan[]
  brush: Span | null
  onBrush: ((span: Span | null) => void) | null
  /** The pointer is drawn over the bars: start of the one under it, null when it lets go. */
  onScrub: ((at: number | null) => void) | null
  /** What can be done with the brushed span. */
  menu: ReactNode
  onSeek: ((share: number) => void) | null
}) {
  const { t, zone, language, unit } = useWall()
  const area = useRef<HTMLDivElement>(null)
  const width = useWidth(area) / unit
  const start = useRef<number | null>(null)
  const [hover, setHover] = useState<number | null>(null)
  const slots = Math.max(1, bars.length + waiting)
  const last = bars.at(-1)
  const running = runningAt !== null && last && runningAt < last[0] + barMs ? bars.length - 1 : -1
  const projected = running >= 0 && runningAt !== null ? projectionOf(last as MinuteBar, barMs, runningAt) : null
  const unknown = bars.filter(([start], i) => i !== running && start < barsFrom).length
  const isKnown = (bar: MinuteBar) => bar[0] >= barsFrom
  const over = (running >= 0 ? bars.slice(0, -1) : bars).map(
    (bar): MinuteBar => (isKnown(bar) ? bar : [bar[0], 0, 0, 0, 0, 0]),
  )
  const breaches = unknown === 0 && projected !== null && limit !== null && projected > limit
  const labelOf = (index: number, total: number, text: string) => {
    const level = levelAt(spans, (bars[index] as MinuteBar)[0], barMs)
    return { index, total, text, level, hasShape: level !== null }
  }
  // The number of the running bar is the newest and goes first, then the highest.
  const labels = labelsThatFit(
    [
      ...(breaches ? [labelOf(running, projected, `≈ ${formatExact(projected)}`)] : []),
      ...peaksOf(over, limit)
        .sort((a, b) => b.total - a.total)
        .map(({ index, total }) => labelOf(index, total, formatExact(total))),
    ],
    slots,
    width,
  )
  const top = Math.max(1, ...bars.map(totalOf), limit ?? 0, projected ?? 0)
  const share = (count: number) => `${(count / top) * HEIGHT}%`
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
          if (start.current === null) return
          onBrush?.(span(start.current, slotAt(event)))
          onScrub?.(bars[slotAt(event)]?.[0] ?? null)
        }}
        onPointerUp={() => {
          start.current = null
          onScrub?.(null)
        }}
        onPointerCancel={() => {
          start.current = null
          onScrub?.(null)
        }}
        onPointerLeave={() => setHover(null)}
      >
        <svg viewBox={`0 0 ${slots * 2} 100`} preserveAspectRatio="none" role="img" aria-label={title}>
          {bars.map((bar, i) =>
            i !== running && !isKnown(bar) ? (
              <rect
                key={bar[0]}
                className="wall-bar-unknown"
                x={i * 2 + SIDE}
                y={100 - SKELETON_HIGH - ((i * 7) % 5) * 2}
                width={2 - 2 * SIDE}
                height={SKELETON_HIGH + ((i * 7) % 5) * 2}
              />
            ) : (
              <Bar
                key={bar[0]}
                bar={bar}
                index={i}
                top={top}
                opacity={
                  i / slots >= playhead ? 0.3 : i === running ? 0.45 : limit === null || totalOf(bar) > limit ? 1 : 0.56
                }
              />
            ),
          )}
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
        {storedUntil !== null && storedUntil < from + bars.length * barMs && (
          <div
            className="wall-unstored"
            data-testid="unstored"
            style={{
              left: `${Math.max(0, (storedUntil - from) / barMs / slots) * 100}%`,
              right: `${(1 - bars.length / slots) * 100}%`,
            }}
          />
        )}
        {limit !== null && <div className="wall-limit" style={{ bottom: share(limit) }} />}
        {running >= 0 && (
          <>
            <div
              className="wall-running"
              style={{
                left: `${((running + SIDE / 2) / slots) * 100}%`,
                width: `${((1 - SIDE) / slots) * 100}%`,
                height: share(totalOf(last as MinuteBar)),
              }}
            />
            {projected !== null && (
              <div
                className="wall-projected"
                data-breach={breaches || undefined}
                style={{
                  left: `${((running + SIDE / 2) / slots) * 100}%`,
                  width: `${((1 - SIDE) / slots) * 100}%`,
                  height: share(projected),
                }}
              />
            )}
          </>
        )}
        {labels.map(({ index, total, text, level }) => (
          <Peak key={bars[index]?.[0]} text={text} level={level} left={(index + 0.5) / slots} bottom={share(total)} />
        ))}
        {spans.map(({ id, from: begin, to, level }) => {
          const [left, right] = [(begin - from) / barMs / slots, (to - from) / barMs / slots]
          return right <= 0 || left >= 1 ? null : (
            <div
              key={id}
              className="wall-bracket"
              style={{
                left: `${Math.max(0, left) * 100}%`,
                right: `${(1 - Math.min(1, right)) * 100}%`,
                borderColor: `var(--level-${level})`,
              }}
            />
          )
        })}
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
        {(runningAt === null || waiting > 0) && (
          <div className="wall-playhead" style={{ left: `${Math.min(1, playhead) * 100}%` }} />
        )}
        {hovered && !brush && isKnown(hovered) && (
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
        {runningAt !== null && waiting === 0 && <span data-edge="end">{t('now')}</span>}
        {ticks
          .filter(({ slot }) => runningAt === null || slot < slots * 0.97)
          .map(({ slot, text }) => (
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

/** Height of the place of a bar that is not known. */
const SKELETON_HIGH = 22
/** The highest bar leaves room for its number. */
const HEIGHT = 88
/** Of a bar's pitch, what is left free: bars are 20 of 30. */
const SIDE = 1 / 3

export type AlertSpan = { id: string; from: number; to: number; level: Level }

/** The level of the alert that counts a bar, the highest one first. */
function levelAt(spans: readonly AlertSpan[], start: number, barMs: number): Level | null {
  const found = spans.filter(({ from, to }) => from < start + barMs && to > start)
  return LEVELS_BY_SEVERITY.find((level) => found.some((one) => one.level === level)) ?? null
}

function Peak({ text, level, left, bottom }: { text: string; level: Level | null; left: number; bottom: string }) {
  return (
    <span
      className="wall-peak"
      style={
        left > END_SHARE ? { right: `${(1 - left - END_SHIFT) * 100}%`, bottom } : { left: `${left * 100}%`, bottom }
      }
      data-end={left > END_SHARE || undefined}
    >
      {level && <LevelGlyph level={level} />}
      {text}
    </span>
  )
}

const ALPHA = [1, 1, 0.88, 0.88, 0.74]

/** One bar: levels stacked from the base with a hair between, so that shapes stay apart without colour. */
const Bar = memo(
  function Bar({ bar, index, top, opacity }: { bar: MinuteBar; index: number; top: number; opacity: number }) {
    let y = 100
    return (
      <g opacity={opacity}>
        {LEVELS_BY_SEVERITY.map((level, i) => {
          const height = ((bar[i + 1] ?? 0) / top) * HEIGHT
          y -= height
          return height > 0 ? (
            <rect
              key={level}
              x={index * 2 + SIDE}
              y={y}
              width={2 - 2 * SIDE}
              height={Math.max(0.8, height - 1.2)}
              fill={`var(--stack-${level})`}
              opacity={ALPHA[i]}
            />
          ) : null
        })}
      </g>
    )
  },
  (a, b) =>
    a.index === b.index && a.top === b.top && a.opacity === b.opacity && a.bar.every((value, i) => value === b.bar[i]),
)
