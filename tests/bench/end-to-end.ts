import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createApplication } from '#contracts/http/applications.ts'
import { createIngestKey } from '#contracts/http/ingest.ts'
import { statistics } from '#contracts/http/statistics.ts'
import { type Api, apiWith } from '#tests/support/api.ts'
import { startServer } from '#tests/support/running-server.ts'
import type { BenchLine, BenchOptions } from './bench-line.ts'
import { run as runIngest } from './ingest.ts'
import type { LoadReport } from './ingest-load.ts'

const CONNECTIONS = 16
const WARM_MS = 3000
const QUERY_EVERY_MS = 500

/**
 * The whole built product under load: collector, journal, flusher, store, relay with a wall's topic, and a dashboard's queries twice a
 * second, against the raw limit of the same run (parse + validate + group-committed write, tests/bench/ingest.ts). Afterwards the
 * store must hold what was acknowledged.
 */
export async function run({ seconds }: Pick<BenchOptions, 'seconds'>): Promise<BenchLine[]> {
  const raw = (await runIngest({ seconds })).find((line) => line.name === 'durable ingest')?.peer_value ?? Number.NaN
  const server = await startServer()
  try {
    const token = server
      .cli('token', 'create', '--name', 'bench', '--scopes', 'all')
      .trim()
      .split('\n')
      .at(-1) as string
    const api = apiWith(server.url, token)
    const { object_list } = await api(createApplication, { body: { name: 'bench', mimetype_list: [1] } })
    const appid = object_list[0]?.id as string
    const { key } = await api(createIngestKey, { body: { appid, kind: 'server', name: 'bench' } })
    const port = new URL(server.url).port
    await load(port, key, WARM_MS, 100)
    const stop = new AbortController()
    const queries = dashboard(api, stop.signal)
    const report = await load(port, key, seconds * 1000, 101)
    stop.abort()
    const latencies = await queries
    const value = (report.events / report.milliseconds) * 1000
    const held = await settled(api)
    return [
      {
        name: 'durable ingest, whole product with queries',
        value: Math.round(value),
        unit: 'events/s',
        peer: 'parse + validate + group-committed write',
        peer_value: raw,
        ratio: Math.round((value / raw) * 1000) / 1000,
        limit: 'ratio >= 0.25',
        ok: value / raw >= 0.25,
        detail: {
          refused: report.refused,
          dashboard_p50_ms: percentile(latencies, 50),
          dashboard_p95_ms: percentile(latencies, 95),
          stored: held,
        },
      },
    ]
  } finally {
    await server.stop()
  }
}

async function load(port: string, key: string, duration: number, run: number): Promise<LoadReport> {
  const child = fork(new URL('./ingest-load.ts', import.meta.url), [port, key, String(CONNECTIONS), String(run)], {
    execArgv: ['--import', import.meta.resolve('tsx')],
  })
  await once(child, 'message')
  setTimeout(() => child.send('stop'), duration)
  const [report] = (await once(child, 'message')) as [LoadReport]
  return report
}

/** What a page of user analysis asks, again and again; answers how long each took, in ms. */
async function dashboard(api: Api, signal: AbortSignal): Promise<number[]> {
  const latencies: number[] = []
  while (!signal.aborted) {
    const at = performance.now()
    await api(statistics, {
      body: {
        query: { range: '-1h', timeBasis: 'received' },
        parts: {
          total: { kind: 'total', measures: ['events', 'attacks', 'blocked', 'devices', 'attackedUsers'] },
          course: { kind: 'series', measures: ['attacks'], by: 'level' },
          places: { kind: 'top', by: 'province', measures: ['attacks'] },
        },
      },
    }).catch(() => {}) // the store may be behind; the load goes on
    latencies.push(performance.now() - at)
    await new Promise((wake) => setTimeout(wake, QUERY_EVERY_MS))
  }
  return latencies
}

/** Events in the store once it has caught up. */
async function settled(api: Api): Promise<number> {
  for (const end = Date.now() + 60_000; ; ) {
    const answer = await api(statistics, {
      body: { query: { range: '-1h', timeBasis: 'received' }, parts: { all: { kind: 'total', measures: ['events'] } } },
    })
    const all = answer.parts['all']
    if (answer.lag_seconds < 1 || Date.now() > end) return all?.kind === 'total' ? (all.row.events ?? 0) : 0
    await new Promise((wake) => setTimeout(wake, 500))
  }
}

function percentile(values: number[], p: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return Math.round(sorted[Math.floor((sorted.length * p) / 100)] ?? 0)
}
