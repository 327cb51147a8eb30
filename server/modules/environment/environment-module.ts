import { Readable } from 'node:stream'
import { ProductError } from '#contracts/errors.ts'
import {
  type EnvironmentAnswer,
  environment,
  environmentDiagnostics,
  environmentHistory,
  exportEnvironment,
  saveEnvironmentSettings,
} from '#contracts/http/environment.ts'
import { METRIC_NAMES, METRIC_WORDS, METRICS, type Metric, RANGES } from '#domain/environment.ts'
import type { HttpModule } from '../../http/http-deps.ts'
import type { Caller } from '../../http/module.ts'
import { changesBetween } from '../../platform/audit/audit-changes.ts'
import { writeSettings } from '../../platform/settings.ts'
import { type Cell, csvFile } from '../../platform/tables/csv.ts'
import { zonedTime } from '../../platform/tables/zoned-time.ts'
import { maySee } from '../alerts/channel-access.ts'
import { attachment } from '../jobs/attachment-name.ts'
import { diagnosticsBundle } from './diagnostics.ts'
import { growthOf, layOut, rangeOf, reachesAt, readSpans } from './read-history.ts'
import { meanOf } from './summarise-samples.ts'

const WEEK_MS = 7 * 86_400_000
const ALERTS_SHOWN = 50
const SIZES = ['size_events', 'size_metadata', 'size_files', 'size_journal', 'size_logs'] as const

/** Environment monitoring: newest measurements, history, thresholds (ENV-01). */
export const environmentModule: HttpModule = (mount, deps) => {
  const { db } = deps.meta
  const nodes = () => db.selectFrom('environment_nodes').selectAll().orderBy('first_at').orderBy('node').execute()
  const chosen = async (name: string | undefined) => {
    const all = await nodes()
    const node = name === undefined ? all[0] : all.find((one) => one.node === name)
    if (name !== undefined && !node) throw new ProductError('environment.unknown_node')
    return { all, node }
  }

  mount(environment, async ({ query }) => {
    const now = deps.now()
    const { all, node } = await chosen(query.node)
    const settings = deps.settings().environment
    const alerts = await db
      .selectFrom('environment_alerts')
      .selectAll()
      .orderBy('closed_at', (order) => order.desc().nullsFirst())
      .orderBy('opened_at', 'desc')
      .limit(ALERTS_SHOWN)
      .execute()
    let data: EnvironmentAnswer | null = null
    if (node) {
      const { snapshot } = node
      const spans = await readSpans(deps.meta, node.node, 900, now - WEEK_MS)
      data = {
        node: node.node,
        first_at: node.first_at,
        snapshot,
        sizes: SIZES.map((metric) => {
          const bytes = snapshot.values[metric] ?? null
          return { metric, bytes, growth: growthOf(spans, metric, bytes, now) }
        }),
        disk_full_at: settings.limits.disk === null ? null : reachesAt(spans, 'disk', settings.limits.disk, now),
      }
    }
    return {
      now,
      nodes: all.map((one) => ({ name: one.node, first_at: one.first_at, at: one.at })),
      data,
      alerts: alerts.map(({ limit_value, ...row }) => ({ ...row, limit: limit_value })),
      settings,
    }
  })

  mount(environmentHistory, async ({ query }) => {
    const { node } = await chosen(query.node)
    const span = rangeOf(query.range, deps.now())
    const spans = node ? await readSpans(deps.meta, node.node, RANGES[query.range].stored, span.from) : []
    return { from: span.from, to: span.to, step_ms: span.stepMs, series: layOut(spans, span) }
  })

  mount(exportEnvironment, async ({ query, caller, reply, audit }) => {
    const { node } = await chosen(query.node)
    audit(`environment ${node?.node ?? ''}`, query.range)
    const { zone } = deps.settings()
    const { from } = rangeOf(query.range, deps.now())
    const spans = node ? await readSpans(deps.meta, node.node, RANGES[query.range].stored, from) : []
    const lines = spans.map(({ at, stats }): Cell[] => [
      zonedTime(at, zone),
      ...METRIC_NAMES.flatMap((metric) => [meanOf(stats[metric]), stats[metric]?.[2] ?? null]),
    ])
    reply.header('content-type', 'text/csv; charset=utf-8')
    reply.header('content-disposition', attachment(`environment-${query.range}.csv`))
    reply.header('x-content-type-options', 'nosniff')
    return Readable.from(csvFile(csvHeader(caller), blocks(lines)))
  })

  mount(environmentDiagnostics, async ({ reply, audit }) => {
    const bundle = await diagnosticsBundle(deps, process.env)
    audit('diagnostics')
    const time = zonedTime(deps.now(), deps.settings().zone).replace(/\D/g, '').slice(0, 12)
    reply.header('content-type', 'application/zip')
    reply.header('content-disposition', attachment(`appwarden-diagnostics-${time}.zip`))
    reply.header('x-content-type-options', 'nosniff')
    return bundle
  })

  mount(saveEnvironmentSettings, async ({ body, caller, audit }) => {
    const before = deps.settings().environment
    audit('environment')
    await checkChannels(body.channels, before.channels, caller)
    await writeSettings(deps.meta, { environment: body })
    await deps.refreshSettings()
    const flat = ({ limits, ...rest }: typeof before) => ({ ...limits, ...rest })
    audit('environment', '', changesBetween(flat(before), flat(body)))
    return { data: deps.settings().environment }
  })

  /** Those that the caller may use, and those that were named before. */
  async function checkChannels(ids: readonly string[], before: readonly string[], caller: Caller): Promise<void> {
    const fresh = [...new Set(ids)].filter((id) => !before.includes(id))
    if (fresh.length === 0) return
    const rows = await db
      .selectFrom('alert_channels')
      .selectAll()
      .where('id', 'in', fresh)
      .where('deleted_at', 'is', null)
      .execute()
    if (rows.filter((row) => maySee(caller, row)).length !== fresh.length)
      throw new ProductError('environment.unknown_channel')
  }
}

async function* blocks(lines: Cell[][]): AsyncGenerator<Cell[][]> {
  for (let start = 0; start < lines.length; start += 500) yield lines.slice(start, start + 500)
}

function csvHeader({ language }: Caller): string[] {
  const zh = language === 'zh'
  const unit = (metric: Metric) => UNITS[METRICS[metric]]
  return [
    zh ? '时间' : 'time',
    ...METRIC_NAMES.flatMap((metric) => {
      const name = `${METRIC_WORDS[metric][language]} (${unit(metric)})`
      return zh ? [`${name} 平均`, `${name} 最高`] : [`${name} mean`, `${name} highest`]
    }),
  ]
}

const UNITS = { percent: '%', count: 'n', seconds: 's', bytes: 'B', rate: '1/s', bytes_rate: 'B/s' } as const
