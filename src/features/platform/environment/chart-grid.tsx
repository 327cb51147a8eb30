import { useState } from 'react'
import { type EnvironmentAlert, type EnvironmentAnswer, environmentHistory } from '#contracts/http/environment.ts'
import {
  type EnvironmentRange,
  type EnvironmentSettings,
  METRIC_WORDS,
  type Metric,
  WATCHED_NAMES,
} from '#domain/environment.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { ErrorState } from '#src/shared/ui/error-state.tsx'
import { Skeleton } from '#src/shared/ui/skeleton.tsx'
import { environmentTexts } from './environment-texts.ts'
import { type ChartLine, MetricChart } from './metric-chart.tsx'

const UNITS: Partial<Record<Metric, { zh: string; en: string }>> = {
  cpu: { zh: '%', en: '%' },
  memory: { zh: '%', en: '%' },
  disk: { zh: '%', en: '%' },
  queue: { zh: '等待个数', en: 'tasks that wait' },
  lag: { zh: '最老未入库事件的时间', en: 'age of the oldest event not stored' },
  net_in: { zh: '每秒字节', en: 'bytes a second' },
  journal: { zh: '已接收未入库', en: 'accepted, not stored' },
  connections: { zh: '% 最大连接数', en: '% of the connections allowed' },
  clients: { zh: '个', en: 'open sockets' },
}

/** The history of every quantity on one time axis. */
export function ChartGrid({
  data,
  settings,
  alerts,
  range,
  now,
}: {
  data: EnvironmentAnswer
  settings: EnvironmentSettings
  alerts: readonly EnvironmentAlert[]
  range: EnvironmentRange
  now: number
}) {
  const t = useTexts(environmentTexts)
  const language = useLanguage()
  const [slot, setSlot] = useState<number | null>(null)
  const answer = useEndpoint(
    environmentHistory,
    { query: { node: data.node, range } },
    { placeholderData: (before) => before, refetchInterval: range === '1h' ? 15_000 : 60_000 },
  )
  const history = answer.data
  if (!history)
    return answer.error ? (
      <ErrorState error={answer.error} title={t('historyFailed')} onRetry={() => void answer.refetch()} />
    ) : (
      <Skeleton lines={12} height="28px" className="border-b px-5 py-4" />
    )
  const charts: readonly [ChartLine, ...ChartLine[]][] = [
    [{ metric: 'cpu' }],
    [{ metric: 'memory' }],
    [{ metric: 'disk' }],
    [{ metric: 'queue' }],
    [{ metric: 'lag' }],
    [
      { metric: 'net_in', label: t('in') },
      { metric: 'net_out', label: t('out'), dashed: true },
    ],
    [{ metric: 'journal' }],
    [{ metric: 'connections' }],
    [{ metric: 'clients' }],
  ]
  return (
    <div
      aria-busy={answer.isPlaceholderData}
      className={`grid grid-cols-3 max-xl:grid-cols-2 max-lg:grid-cols-1 ${answer.isPlaceholderData ? 'opacity-60' : ''}`}
      data-testid="charts"
    >
      {charts.map((lines) => {
        const [{ metric }] = lines
        const watched = WATCHED_NAMES.find((one) => one === metric)
        const own = alerts.filter((one) => one.node === data.node && one.metric === metric)
        const open = own.some(({ closed_at }) => closed_at === null)
        const recovered = own.some(({ closed_at }) => closed_at !== null && closed_at >= history.from)
        const days = data.disk_full_at === null ? null : Math.max(1, Math.round((data.disk_full_at - now) / 86_400_000))
        return (
          <MetricChart
            key={metric}
            title={metric === 'net_in' ? t('network') : METRIC_WORDS[metric][language]}
            note={UNITS[metric]?.[language] ?? ''}
            lines={lines}
            history={history}
            limit={watched ? settings.limits[watched] : null}
            limitNote={
              metric === 'disk' && days !== null
                ? `${language === 'zh' ? '，' : ', '}${t('reachesShort', { days })}`
                : ''
            }
            mark={open ? 'open' : recovered ? 'recovered' : undefined}
            slot={slot}
            onSlot={setSlot}
          />
        )
      })}
    </div>
  )
}
