import { type KeyboardEvent, type PointerEvent, useEffect, useMemo, useRef, useState } from 'react'
import type { Span } from '#domain/time-range.ts'
import { useLanguage, useTexts } from '../i18n/texts.ts'
import { usePlatform } from '../session/platform-store.ts'
import { token } from '../theme/tokens.ts'
import { chartTexts } from './chart-texts.ts'
import { EChart, echarts, themeName } from './echarts.ts'
import { slotLabel } from './slot-label.ts'
import { niceTop, type TokenLayer, timeOption } from './time-option.ts'
import { slotPosition, spanOfSlots, type TimeSeries } from './time-series.ts'
import { TimeTip } from './time-tip.tsx'
import { useDecal } from './use-decal.ts'
import { useThemeKey } from './use-theme-key.ts'

/** Where the axes stand inside the chart; time-option.ts draws them there. */
const GRID = { left: 52, right: 12, top: 24, bottom: 26 }
const BRUSH_PX = 8

/** A moment worth naming, drawn as a line through the bars. */
export type TimeMark = { at: number; label: string }

/** What a click on the chart means: a bucket, and the layer under the pointer where there is one. */
export type SlotPick = { slot: number; span: Span; layer: string | null; exclude: boolean }

/**
 * Bars over time. The pointer reads a bucket, a click opens it, a drag sets the range; arrow keys move, Enter opens. Drawn by echarts;
 * pointer and tooltip are ours, so that they are reachable by keyboard and styled by tokens.
 */
export default function TimeChart({
  series,
  layers,
  title,
  height,
  marks = [],
  onPick,
  onRange,
}: {
  series: TimeSeries
  layers: readonly TokenLayer[]
  title: string
  height: number
  marks?: readonly TimeMark[]
  onPick?: (pick: SlotPick) => void
  onRange?: (span: Span) => void
}) {
  const t = useTexts(chartTexts)
  const language = useLanguage()
  const zone = usePlatform((state) => state.zone)
  const face = useThemeKey()
  const decal = useDecal((state) => state.on)
  const host = useRef<HTMLDivElement>(null)
  const width = useWidth(host)
  const [slot, setSlot] = useState<number | null>(null)
  const [brush, setBrush] = useState<{ from: number; to: number } | null>(null)
  const count = series.starts.length

  // biome-ignore lint/correctness/useExhaustiveDependencies: the theme key changes with the values of the tokens
  const option = useMemo(() => {
    const colors = {
      text: token('text'),
      muted: token('muted'),
      surface: token('surface'),
      hover: token('hover'),
      line: token('line'),
      lineStrong: token('line-strong'),
    }
    const colored = layers.map((layer) => ({ ...layer, color: token(layer.token) }))
    return timeOption({ series, layers: colored, colors, zone, width, title, decal })
  }, [series, layers, zone, width, title, decal, face])

  const inner = width - GRID.left - GRID.right
  const slotAt = (x: number) => Math.min(count - 1, Math.max(0, Math.floor(((x - GRID.left) / inner) * count)))
  const local = (event: PointerEvent) => {
    const box = event.currentTarget.getBoundingClientRect()
    return { x: event.clientX - box.left, y: event.clientY - box.top }
  }
  const layerAt = (at: number, y: number): string | null => {
    const top = niceTop(Math.max(...series.totals, ...(series.previous ?? [0]), 0))
    let value = top * (1 - (y - GRID.top) / (height - GRID.top - GRID.bottom))
    for (const { key } of layers) {
      const part = series.stacks.get(key)?.[at] ?? 0
      if (value >= 0 && value < part) return key
      value -= part
    }
    return null
  }
  const pick = (at: number, layer: string | null, exclude: boolean) => {
    // What opens says more than the tip, which would stand over it.
    setSlot(null)
    onPick?.({ slot: at, span: spanOfSlots(series, at, at), layer, exclude })
  }

  const onKeyDown = (event: KeyboardEvent) => {
    const steps: Record<string, number> = {
      ArrowLeft: -1,
      ArrowRight: 1,
      PageUp: -10,
      PageDown: 10,
      Home: -count,
      End: count,
    }
    const step = steps[event.key]
    if (step !== undefined) {
      event.preventDefault()
      setSlot((now) => Math.min(count - 1, Math.max(0, (now ?? (step > 0 ? -1 : count)) + step)))
    } else if (event.key === 'Enter' && slot !== null) pick(slot, null, event.shiftKey)
  }

  const stepWidth = inner / count
  return (
    // biome-ignore lint/a11y/useSemanticElements: a figure that takes arrow keys has no element of its own
    <div
      ref={host}
      role="group"
      aria-roledescription={t('chart')}
      aria-label={t('chartLabel', { title })}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys read the bars
      tabIndex={0}
      className="relative touch-pan-y select-none"
      style={{ height }}
      onKeyDown={onKeyDown}
      onBlur={() => setSlot(null)}
      onPointerLeave={() => setSlot(null)}
      onPointerMove={(event) => {
        const { x } = local(event)
        if (brush) setBrush({ ...brush, to: x })
        else setSlot(x < GRID.left || x > width - GRID.right ? null : slotAt(x))
      }}
      onPointerDown={(event) => {
        if (event.button !== 0 || event.pointerType === 'touch' || !onRange) return
        const { x } = local(event)
        setBrush({ from: x, to: x })
        event.currentTarget.setPointerCapture(event.pointerId)
      }}
      onPointerCancel={() => setBrush(null)}
      onPointerUp={(event) => {
        const { x, y } = local(event)
        setBrush(null)
        if (brush && onRange && Math.abs(brush.to - brush.from) >= BRUSH_PX) {
          onRange(spanOfSlots(series, slotAt(brush.from), slotAt(brush.to)))
          return
        }
        if (x < GRID.left || x > width - GRID.right || y > height - GRID.bottom) return
        pick(slotAt(x), layerAt(slotAt(x), y), event.shiftKey)
      }}
    >
      {slot !== null && (
        <span
          aria-hidden
          className="absolute bg-hover"
          style={{ left: GRID.left + slot * stepWidth, width: stepWidth, top: GRID.top, bottom: GRID.bottom }}
        />
      )}
      {width > 0 && (
        <EChart
          echarts={echarts}
          theme={themeName(face)}
          option={option}
          notMerge
          autoResize
          opts={{ renderer: 'canvas' }}
          style={{ height, width: '100%' }}
        />
      )}
      {width > 0 && (
        <TimeMarks
          marks={marks}
          xOf={(at) => GRID.left + slotPosition(series, at) * stepWidth}
          peak={GRID.left + (series.totals.indexOf(Math.max(...series.totals)) + 0.5) * stepWidth}
          width={width}
        />
      )}
      {brush && Math.abs(brush.to - brush.from) >= BRUSH_PX && (
        <span
          aria-hidden
          className="pointer-events-none absolute border-x border-brand bg-ring"
          style={{
            left: Math.min(brush.from, brush.to),
            width: Math.abs(brush.to - brush.from),
            top: GRID.top,
            bottom: GRID.bottom,
          }}
        />
      )}
      {slot !== null && !brush && (
        <TimeTip
          series={series}
          layers={layers}
          slot={slot}
          right={GRID.left + (slot + 0.5) * stepWidth > width / 2}
          x={GRID.left + (slot + 0.5) * stepWidth}
          width={width}
        />
      )}
      <span className="sr-only" aria-live="polite">
        {slot !== null &&
          `${slotLabel(series, slot, zone)} ${series.totals[slot] ?? 0}${language === 'zh' ? '' : ' '}${title}`}
      </span>
    </div>
  )
}

/** Lines with their names; a name that would leave the chart is drawn left of its line. */
/** Pixels of a letter of a mark, about: whether it has room is all that hangs on it. */
const LETTER_PX = 8

function TimeMarks({
  marks,
  xOf,
  peak,
  width,
}: {
  marks: readonly TimeMark[]
  xOf: (at: number) => number
  /** Position of the label of the highest bar. */
  peak: number
  width: number
}) {
  return marks.map(({ at, label }) => {
    const x = xOf(at)
    const long = label.length * LETTER_PX
    // Away from the number of the peak, where there is room.
    const before = peak > x ? x > long : x + long > width
    return (
      <span
        key={`${at} ${label}`}
        className="pointer-events-none absolute border-l border-brand"
        style={{ left: x, top: 6, bottom: GRID.bottom }}
      >
        <span
          className={`absolute -top-1 px-1 text-12 whitespace-nowrap text-brand-text ${before ? 'right-0' : 'left-0'}`}
        >
          {label}
        </span>
      </span>
    )
  })
}

function useWidth(element: React.RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0)
  useEffect(() => {
    const node = element.current
    if (!node) return
    setWidth(node.clientWidth)
    const observer = new ResizeObserver(() => setWidth(node.clientWidth))
    observer.observe(node)
    return () => observer.disconnect()
  }, [element])
  return width
}
