import type { ReactNode } from 'react'
import type { EnvironmentAlert, EnvironmentAnswer } from '#contracts/http/environment.ts'
import { METRIC_WORDS, METRICS, type Metric } from '#domain/environment.ts'
import { formatBytes, formatNumber } from '#src/shared/format/number.ts'
import { formatDuration } from '#src/shared/format/time.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { environmentTexts } from './environment-texts.ts'
import { formatMetric } from './metric-format.ts'

/** The six numbers that say at a glance how the node is. */
export function KeyFigures({
  data,
  alerts,
  now,
  isStale,
}: {
  data: EnvironmentAnswer
  alerts: readonly EnvironmentAlert[]
  now: number
  isStale: boolean
}) {
  const t = useTexts(environmentTexts)
  const language = useLanguage()
  const { machine, values, processes, queues } = data.snapshot
  const isOpen = (metric: Metric) =>
    alerts.some((one) => one.node === data.node && one.metric === metric && one.closed_at === null)
  const figure = (metric: Metric, unit: ReactNode, note: ReactNode) => {
    const value = values[metric]
    return (
      <div
        key={metric}
        className="min-w-0 border-r px-5 py-3 last:border-r-0 max-xl:border-b"
        data-testid={`figure-${metric}`}
      >
        <div className="text-muted">{METRIC_WORDS[metric][language]}</div>
        <div className="mt-0.5 flex items-baseline gap-2">
          <span className={`text-28/9 tabular-nums ${isOpen(metric) ? 'text-warn-text' : ''}`}>
            {value == null ? '–' : formatMetric(value, METRICS[metric], language)}
          </span>
          <span className="text-12 text-muted">{unit}</span>
        </div>
        <div className="text-clip-line text-12 text-muted">{note}</div>
      </div>
    )
  }
  const largest = processes
    .filter(({ memory }) => memory !== null)
    .sort((one, other) => (other.memory ?? 0) - (one.memory ?? 0))[0]
  const oldest = Math.max(-1, ...queues.map((one) => one.oldest ?? -1))
  const running = queues.reduce((sum, one) => sum + one.running, 0)
  const days = data.disk_full_at === null ? null : Math.max(1, Math.round((data.disk_full_at - now) / 86_400_000))
  return (
    <div
      className={`grid grid-cols-6 border-t border-b max-xl:grid-cols-3 max-xl:border-b-0 max-sm:grid-cols-2 ${isStale ? 'stale' : ''}`}
    >
      {figure(
        'cpu',
        <>
          {machine.processors !== null && t('processors', { count: machine.processors })}
          {machine.cpu_of === 'container' && ` ${t('container')}`}
        </>,
        values.cpu == null ? t('notMeasured') : machine.load !== null && t('load', { load: machine.load.toFixed(1) }),
      )}
      {figure(
        'memory',
        machine.memory_used !== null &&
          machine.memory_total !== null &&
          t('usedOf', { used: formatBytes(machine.memory_used), total: formatBytes(machine.memory_total) }),
        largest && t('largest', { name: largest.name, size: formatBytes(largest.memory ?? 0) }),
      )}
      {figure(
        'disk',
        machine.disk_free !== null && t('free', { size: formatBytes(machine.disk_free) }),
        days !== null
          ? t('reaches', { days })
          : now - data.first_at < 86_400_000
            ? t('growthUnknown')
            : t('notGrowing'),
      )}
      {figure(
        'queue',
        t('waiting'),
        oldest < 0
          ? `${t('noneWaiting')}${running > 0 ? ` · ${t('runningTasks', { count: running })}` : ''}`
          : `${t('oldest', { time: formatDuration(oldest * 1000, language) })} · ${t('runningTasks', { count: running })}`,
      )}
      {figure(
        'lag',
        values.journal != null && t('backlog', { size: formatBytes(values.journal) }),
        values.events != null && t('perSecond', { rate: formatNumber(values.events) }),
      )}
      {figure('clients', '', t('sockets'))}
    </div>
  )
}
