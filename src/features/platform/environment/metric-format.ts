import type { MetricUnit } from '#domain/environment.ts'
import { niceTop } from '#src/shared/charts/time-option.ts'
import { formatBytes, formatNumber } from '#src/shared/format/number.ts'
import { formatDuration } from '#src/shared/format/time.ts'
import type { Language } from '#src/shared/i18n/texts.ts'

/** A value with its unit, as short as it can be read: `34%`, `0.9 s`, `1.2 GB/s`. */
export function formatMetric(value: number, unit: MetricUnit, language: Language): string {
  if (unit === 'percent') return `${value < 10 ? Math.round(value * 10) / 10 : Math.round(value)}%`
  if (unit === 'bytes') return formatBytes(Math.round(value))
  if (unit === 'bytes_rate') return `${formatBytes(Math.round(value))}/s`
  if (unit === 'seconds')
    return value < 60 ? `${Math.round(value * 10) / 10} s` : formatDuration(value * 1000, language)
  return formatNumber(Math.round(value * 10) / 10)
}

/** A round top of an axis that four steps divide, at least `highest`; percent always ends at 100. */
export function topOf(highest: number, unit: MetricUnit): number {
  if (unit === 'percent') return 100
  if (unit !== 'bytes' && unit !== 'bytes_rate') return niceTop(highest)
  const step = 1024 ** Math.max(0, Math.floor(Math.log(Math.max(1, highest)) / Math.log(1024)))
  return niceTop(highest / step) * step
}

/** Days, hours: how long something runs. */
export function formatUptime(ms: number, language: Language): string {
  const days = Math.floor(ms / 86_400_000)
  if (days === 0) return formatDuration(ms, language)
  const hours = Math.floor(ms / 3_600_000) % 24
  return language === 'zh' ? `${days} 天 ${hours} 小时` : `${days} d ${hours} h`
}

/** Index ranges in which nothing was measured, between the first value and `end` (exclusive). */
export function gapsOf(values: readonly (number | null)[], end: number): { from: number; to: number }[] {
  const first = values.findIndex((one) => one !== null)
  if (first < 0) return []
  const gaps: { from: number; to: number }[] = []
  for (let index = first; index < Math.min(end, values.length); index++) {
    if (values[index] !== null) continue
    const last = gaps.at(-1)
    if (last && last.to === index) last.to = index + 1
    else gaps.push({ from: index, to: index + 1 })
  }
  return gaps
}
