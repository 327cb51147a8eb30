import type { BarSeriesOption, LineSeriesOption } from 'echarts/charts'
import type { AriaComponentOption, GridComponentOption } from 'echarts/components'
import type { ComposeOption } from 'echarts/core'
import { formatExact, formatNumber } from '../format/number.ts'
import { axisLabels } from './slot-label.ts'
import { isPartial, peakSlot, type TimeSeries } from './time-series.ts'

export type TimeOption = ComposeOption<BarSeriesOption | LineSeriesOption | GridComponentOption | AriaComponentOption>

/** One layer of the bars; the first one is at the axis. `rest` holds what has no layer of its own: nothing to pick. */
export type Layer = { key: string; label: string; color: string; rest?: true }
/** A layer with the token that colours it. */
export type TokenLayer = Omit<Layer, 'color'> & { token: string }
export type TimeColors = {
  text: string
  muted: string
  surface: string
  hover: string
  line: string
  lineStrong: string
}

/** Faintness of a bar whose bucket lies only partly in the range. */
export const PARTIAL_OPACITY = 0.45

/** A round top for the axis, at least `max`, that four steps divide. */
export function niceTop(max: number): number {
  if (max <= 4) return 4
  const step = max / 4
  const power = 10 ** Math.floor(Math.log10(step))
  const nice = [1, 2, 2.5, 3, 4, 5, 6, 7.5, 8, 10].find((one) => one * power >= step && (one * power) % 1 === 0) ?? 10
  return nice * power * 4
}

/**
 * Bars by slot, stacked by layer with hairline gaps; partial slots faint; the earlier period dashed over a halo; the peak labelled.
 * `width` decides how many axis words fit. `decal` draws patterns for people who do not tell colours apart.
 */
export function timeOption(input: {
  series: TimeSeries
  layers: readonly Layer[]
  colors: TimeColors
  zone: string
  width: number
  title: string
  decal: boolean
}): TimeOption {
  const { series, layers, colors, zone, width, title, decal } = input
  const labels = axisLabels(series, zone, Math.max(3, Math.floor((width - 60) / 80)))
  const peak = peakSlot(series)
  const top = niceTop(Math.max(...series.totals, ...(series.previous ?? [0]), 0))
  const topLayer = (slot: number) => layers.findLastIndex((layer) => (series.stacks.get(layer.key)?.[slot] ?? 0) > 0)
  const bars: BarSeriesOption[] = layers.map((layer, index) => ({
    type: 'bar',
    name: layer.label,
    stack: 'all',
    barWidth: '64%',
    color: layer.color,
    animation: false,
    cursor: 'pointer',
    data: series.starts.map((_, slot) => {
      const value = series.stacks.get(layer.key)?.[slot] ?? 0
      return {
        value: value > 0 ? value : '-',
        itemStyle: {
          borderColor: colors.surface,
          borderWidth: index > 0 && width / series.starts.length > 6 ? 0.5 : 0,
          opacity: isPartial(series, slot) ? PARTIAL_OPACITY : 1,
        },
        label: {
          show: slot === peak && topLayer(slot) === index,
          position: 'top',
          distance: 4,
          color: colors.text,
          fontWeight: 600,
          opacity: 1,
          formatter: formatNumber(series.totals[slot] ?? 0),
        },
      }
    }),
  }))
  const dashed = (style: LineSeriesOption['lineStyle']): LineSeriesOption => ({
    type: 'line',
    data: series.previous ?? [],
    symbol: 'none',
    silent: true,
    animation: false,
    z: 5,
    lineStyle: style,
  })
  return {
    animation: false,
    aria: {
      enabled: true,
      label: { description: `${title}: ${formatExact(series.totals.reduce((a, b) => a + b, 0))}` },
      decal: { show: decal },
    },
    grid: { left: 52, right: 12, top: 24, bottom: 26, outerBoundsMode: 'none' },
    xAxis: {
      type: 'category',
      data: series.starts.map(String),
      axisLine: { show: true, lineStyle: { color: colors.lineStrong } },
      axisLabel: {
        interval: (slot: number) => labels[slot] != null,
        formatter: (_: string, slot: number) => {
          const label = labels[slot]
          return label?.strong ? `{strong|${label.text}}` : (label?.text ?? '')
        },
        rich: { strong: { color: colors.text, fontWeight: 600, fontSize: 12 } },
        hideOverlap: true,
      },
    },
    yAxis: {
      type: 'value',
      min: 0,
      max: top,
      interval: top / 4,
      // Steps of an axis are round: no decimal that says nothing.
      axisLabel: { formatter: (value: number) => formatNumber(value).replace('.0', '') },
    },
    series: series.previous
      ? [
          ...bars,
          dashed({ color: colors.surface, width: 3.5, opacity: 0.7 }),
          dashed({ color: colors.text, width: 1.3, type: [4, 3] }),
        ]
      : bars,
  }
}
