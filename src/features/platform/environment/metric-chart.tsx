import { CircleCheck, TriangleAlert } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import type { EnvironmentHistory } from '#contracts/http/environment.ts'
import { METRICS, type Metric } from '#domain/environment.ts'
import { axisLabels, slotLabel } from '#src/shared/charts/slot-label.ts'
import type { TimeSeries } from '#src/shared/charts/time-series.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { usePlatform } from '#src/shared/session/platform-store.ts'
import { Icon } from '#src/shared/ui/icon.tsx'
import { environmentTexts } from './environment-texts.ts'
import { formatMetric, gapsOf, topOf } from './metric-format.ts'

const HEIGHT = 150
const GRID = { left: 56, right: 14, top: 20, bottom: 22 }
/** A limit this many times over the highest value is said in the head only: drawn, it would flatten the line. */
const FAR = 4

export type ChartLine = { metric: Metric; label?: string; dashed?: boolean }

/**
 * One or two lines of the history on the time axis that all charts of the page share. `slot` is the point under the pointer in any of
 * them. What was not sampled is a gap, hatched.
 */
export function MetricChart({
  title,
  note,
  lines,
  history,
  limit = null,
  limitNote = '',
  mark,
  slot,
  onSlot,
}: {
  title: string
  note: string
  lines: readonly [ChartLine, ...ChartLine[]]
  history: EnvironmentHistory
  limit?: number | null
  limitNote?: string
  mark?: 'open' | 'recovered' | undefined
  slot: number | null
  onSlot: (slot: number | null) => void
}) {
  const t = useTexts(environmentTexts)
  const language = useLanguage()
  const zone = usePlatform((state) => state.zone)
  const host = useRef<HTMLDivElement>(null)
  const width = useWidth(host)
  const hatch = useId()
  const axis = axisOf(history)
  const count = axis.starts.length
  const unit = METRICS[lines[0].metric]
  const series = lines.map(({ metric }) => history.series[metric])
  const highest = Math.max(0, ...series.flatMap((one) => one?.peak.map((value) => value ?? 0) ?? []))
  const drawsLimit = limit !== null && (unit === 'percent' || limit <= Math.max(highest, 1) * FAR)
  const top = topOf(Math.max(highest, drawsLimit ? limit : 0), unit)
  const inner = { width: Math.max(1, width - GRID.left - GRID.right), height: HEIGHT - GRID.top - GRID.bottom }
  const x = (index: number) => GRID.left + ((index + 0.5) / count) * inner.width
  const y = (value: number) => GRID.top + (1 - Math.min(1, value / top)) * inner.height
  const format = (value: number) => formatMetric(value, unit, language)
  const main = series[0]
  const peakAt = main ? main.peak.indexOf(highest) : -1
  const labels = axisLabels(axis, zone, Math.max(2, Math.floor(inner.width / 74)))
  const shown = slot === null || slot >= count ? null : slot
  const steps: Record<string, number> = {
    ArrowLeft: -1,
    ArrowRight: 1,
    PageUp: -10,
    PageDown: 10,
    Home: -count,
    End: count,
  }

  const onKeyDown = (event: KeyboardEvent) => {
    const step = steps[event.key]
    if (step === undefined) return
    event.preventDefault()
    onSlot(Math.min(count - 1, Math.max(0, (shown ?? (step > 0 ? -1 : count)) + step)))
  }
  const reading =
    shown === null
      ? ''
      : lines
          .map(({ label }, index) => {
            const value = series[index]?.mean[shown]
            return `${label ? `${label} ` : ''}${value == null ? t('gap') : format(value)}`
          })
          .join(' · ')
  return (
    <section
      className="min-w-0 border-r border-b px-4 pt-2.5 pb-1 max-lg:border-r-0"
      data-testid={`chart-${lines[0].metric}`}
    >
      <header className="flex min-h-6 items-baseline gap-2">
        <h3 className="text-13 font-semibold whitespace-nowrap">{title}</h3>
        <span className="text-clip-line min-w-0 text-12 text-muted">{note}</span>
        <span className="ml-auto flex flex-none items-center gap-3 text-12 text-muted">
          {limit !== null && !drawsLimit && main && <span>{t('alertAt', { value: format(limit) })}</span>}
          {lines.length > 1 && lines.map((line) => <LineName key={line.metric} line={line} />)}
          {mark && <StateMark state={mark} />}
        </span>
      </header>
      {/* biome-ignore lint/a11y/useSemanticElements: a figure that takes arrow keys has no element of its own */}
      <div
        ref={host}
        role="group"
        aria-label={t('chartLabel', { title })}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys read the points
        tabIndex={0}
        className="relative touch-pan-y select-none"
        style={{ height: HEIGHT }}
        onKeyDown={onKeyDown}
        onBlur={() => onSlot(null)}
        onPointerLeave={() => onSlot(null)}
        onPointerMove={(event) => {
          const at = event.clientX - event.currentTarget.getBoundingClientRect().left
          const index = Math.floor(((at - GRID.left) / inner.width) * count)
          onSlot(index < 0 || index >= count ? null : index)
        }}
      >
        {width > 0 && (
          <svg width={width} height={HEIGHT} aria-hidden="true" className="block">
            <defs>
              <pattern id={hatch} width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
                <line x1="0" y1="0" x2="0" y2="6" className="stroke-line-strong" strokeWidth="2" />
              </pattern>
            </defs>
            {[0, 0.5, 1].map((share) => (
              <g key={share}>
                <line
                  x1={GRID.left}
                  x2={width - GRID.right}
                  y1={y(top * share)}
                  y2={y(top * share)}
                  className={share === 0 ? 'stroke-line-strong' : 'stroke-line'}
                />
                <text
                  x={GRID.left - 8}
                  y={y(top * share) + 4}
                  textAnchor="end"
                  className="fill-muted text-12 tabular-nums"
                >
                  {format(top * share)}
                </text>
              </g>
            ))}
            {labels.map(
              (label, index) =>
                label && (
                  <text
                    key={axis.starts[index]}
                    x={Math.min(width - GRID.right - 14, Math.max(GRID.left + 14, x(index)))}
                    y={HEIGHT - 6}
                    textAnchor="middle"
                    className={`text-12 tabular-nums ${label.strong ? 'fill-text' : 'fill-muted'}`}
                  >
                    {label.text}
                  </text>
                ),
            )}
            {main &&
              gapsOf(main.mean, count - 1).map(({ from, to }) => (
                <rect
                  key={from}
                  x={GRID.left + (from / count) * inner.width}
                  y={GRID.top}
                  width={((to - from) / count) * inner.width}
                  height={inner.height}
                  fill={`url(#${hatch})`}
                  opacity="0.5"
                />
              ))}
            {drawsLimit && (
              <>
                <line
                  x1={GRID.left}
                  x2={width - GRID.right}
                  y1={y(limit)}
                  y2={y(limit)}
                  className="stroke-text"
                  strokeDasharray="1 3"
                  strokeWidth="1.5"
                />
                <text
                  x={GRID.left + 6}
                  y={y(limit) + (y(limit) < GRID.top + 16 ? 14 : -5)}
                  className="fill-muted text-12"
                >
                  {t('alertAt', { value: format(limit) })}
                  {limitNote}
                </text>
              </>
            )}
            {main && !lines[0].dashed && (
              <path d={area(main.peak, x, y, GRID.top + inner.height)} className="fill-brand" opacity="0.12" />
            )}
            {lines.map((line, index) => {
              const one = series[index]
              return (
                one && (
                  <path
                    key={line.metric}
                    d={path(one.mean, x, y)}
                    fill="none"
                    className={line.dashed ? 'stroke-muted' : 'stroke-brand'}
                    strokeWidth="1.5"
                    strokeLinejoin="round"
                    strokeLinecap="round"
                    {...(line.dashed && { strokeDasharray: '4 3' })}
                  />
                )
              )
            })}
            {peakAt >= 0 && highest > 0 && shown === null && (
              <PeakLabel
                x={x(peakAt)}
                y={y(highest)}
                text={format(highest)}
                anchor={x(peakAt) > GRID.left + 70 ? 'end' : 'start'}
              />
            )}
            {shown !== null && (
              <>
                <line x1={x(shown)} x2={x(shown)} y1={GRID.top} y2={GRID.top + inner.height} className="stroke-faint" />
                {series.map((one, index) => {
                  const value = one?.mean[shown]
                  return value == null ? null : (
                    <circle
                      key={lines[index]?.metric}
                      cx={x(shown)}
                      cy={y(value)}
                      r="3"
                      className="fill-surface stroke-brand"
                      strokeWidth="1.5"
                    />
                  )
                })}
              </>
            )}
          </svg>
        )}
        {!main && (
          <span className="absolute inset-0 flex items-center justify-center text-12 text-muted">{t('noData')}</span>
        )}
        {shown !== null && (
          <div
            aria-hidden
            className="pointer-events-none absolute top-0 z-10 rounded-small bg-raised px-2 py-0.5 text-12 whitespace-nowrap shadow-raised"
            style={x(shown) > width / 2 ? { right: width - x(shown) + 8 } : { left: x(shown) + 8 }}
          >
            <span className="text-muted">{slotLabel(axis, shown, zone)}</span>{' '}
            <strong className="font-semibold">{reading}</strong>
            {main?.peak[shown] != null && main.peak[shown] !== main.mean[shown] && (
              <span className="text-muted">
                {' '}
                {t('highest')} {format(main.peak[shown])}
              </span>
            )}
          </div>
        )}
        <span className="sr-only" aria-live="polite">
          {shown !== null &&
            host.current?.contains(document.activeElement) &&
            `${slotLabel(axis, shown, zone)} ${reading}`}
        </span>
      </div>
    </section>
  )
}

function PeakLabel({ x, y, text, anchor }: { x: number; y: number; text: string; anchor: 'start' | 'end' }) {
  return (
    <>
      <text
        x={anchor === 'end' ? x - 7 : x + 7}
        y={Math.max(12, y - 6)}
        textAnchor={anchor}
        className="fill-text text-12 font-semibold tabular-nums"
      >
        {text}
      </text>
      <circle cx={x} cy={y} r="3.5" className="fill-surface stroke-text" strokeWidth="1.5" />
    </>
  )
}

function LineName({ line }: { line: ChartLine }): ReactNode {
  return (
    <span className="inline-flex items-center gap-1.5">
      <svg width="16" height="4" aria-hidden="true">
        <line
          x1="0"
          x2="16"
          y1="2"
          y2="2"
          strokeWidth="2"
          className={line.dashed ? 'stroke-muted' : 'stroke-brand'}
          {...(line.dashed && { strokeDasharray: '4 3' })}
        />
      </svg>
      {line.label}
    </span>
  )
}

function StateMark({ state }: { state: 'open' | 'recovered' }) {
  const t = useTexts(environmentTexts)
  return (
    <span className={`inline-flex items-center gap-1 ${state === 'open' ? 'text-warn-text' : 'text-good-text'}`}>
      <Icon of={state === 'open' ? TriangleAlert : CircleCheck} size={14} />
      {t(state === 'open' ? 'over' : 'recovered')}
    </span>
  )
}

/** The points as the axis functions of the other charts take them. */
function axisOf({ from, to, step_ms }: EnvironmentHistory): TimeSeries {
  const starts = Array.from({ length: Math.round((to - from) / step_ms) }, (_, index) => from + index * step_ms)
  return { bucket: 'minute', width: step_ms, span: { from, to }, starts, stacks: new Map(), totals: [], previous: null }
}

/** Runs of neighbouring points that were measured: first index and values. */
function runsOf(values: readonly (number | null)[]): { from: number; values: number[] }[] {
  const runs: { from: number; values: number[] }[] = []
  let open = false
  values.forEach((value, index) => {
    if (value === null) {
      open = false
      return
    }
    if (open) runs.at(-1)?.values.push(value)
    else runs.push({ from: index, values: [value] })
    open = true
  })
  return runs
}

type Scale = (value: number) => number

function path(values: readonly (number | null)[], x: Scale, y: Scale): string {
  return runsOf(values)
    .map(({ from, values: run }) => {
      const points = run.map((value, index) => `${x(from + index).toFixed(1)} ${y(value).toFixed(1)}`)
      // A point alone: a dot, drawn by the round end of a line without length.
      return `M${points.join('L')}${points.length === 1 ? 'h0' : ''}`
    })
    .join('')
}

function area(values: readonly (number | null)[], x: Scale, y: Scale, floor: number): string {
  return runsOf(values)
    .filter(({ values: run }) => run.length > 1)
    .map(({ from, values: run }) => {
      const points = run.map((value, index) => `${x(from + index).toFixed(1)} ${y(value).toFixed(1)}`)
      return `M${x(from).toFixed(1)} ${floor}L${points.join('L')}L${x(from + run.length - 1).toFixed(1)} ${floor}Z`
    })
    .join('')
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
