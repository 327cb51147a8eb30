import { ADVICE, METRIC_WORDS, METRICS, type Watched } from '#domain/environment.ts'

/** An alert of environment monitoring, as a webhook receives it. Times in epoch ms, values in the unit of the metric. */
export type EnvironmentNotice = {
  id: string
  node: string
  metric: Watched
  opened_at: number
  closed_at: number | null
  value: number
  peak: number
  limit: number
}

/** One line: '环境告警：node-1:8080 磁盘 91%（阈值 85%）。清理旧备份…'. */
export function environmentLine(
  event: 'firing' | 'resolved',
  notice: EnvironmentNotice,
  language: 'zh' | 'en',
): string {
  const { node, metric, value, peak, limit } = notice
  const name = METRIC_WORDS[metric][language]
  const zh = language === 'zh'
  const shown = (one: number) => shownValue(one, metric)
  if (event === 'resolved')
    return zh
      ? `环境告警已恢复：${node} ${name}，峰值 ${shown(peak)}（阈值 ${shown(limit)}）`
      : `Environment alert over: ${node} ${name}, peak ${shown(peak)} (threshold ${shown(limit)})`
  const advice = ADVICE[metric][language]
  return zh
    ? `环境告警：${node} ${name} ${shown(value)}（阈值 ${shown(limit)}）。${advice}`
    : `Environment alert: ${node} ${name} ${shown(value)} (threshold ${shown(limit)}). ${advice}`
}

function shownValue(value: number, metric: Watched): string {
  const unit = METRICS[metric]
  if (unit === 'percent') return `${Math.round(value)}%`
  if (unit === 'seconds') return `${Math.round(value)} s`
  if (unit === 'bytes') return `${Math.round(value / 1_048_576)} MB`
  return String(Math.round(value))
}
