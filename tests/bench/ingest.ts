import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { openCollector, testDatabase } from '#tests/support/collector.ts'
import type { BenchLine, BenchOptions } from './bench-line.ts'
import { rawCollector } from './raw-collector.ts'
import { CONNECTIONS, sendLoad } from './send-load.ts'

const ROUNDS = 4
/** Both sides take this many events before anything is measured, so that their code is compiled; not longer than WARM_MS, though. */
const WARM_EVENTS = 50_000
const WARM_MS = 20_000

/**
 * Durable ingest, store and queries off: the collector with everything it does, against the raw limit of the same machine in the same
 * run under the same load: a bare server that parses, validates (compiled) and group-commits the body as it came. Rounds alternate.
 */
export async function run({ seconds }: Pick<BenchOptions, 'seconds'>): Promise<BenchLine[]> {
  const folder = await mkdtemp(join(tmpdir(), 'aw-bench-ingest-'))
  const database = await testDatabase(folder)
  const app = await database.makeApp()
  const { text: key } = await database.makeKey(app, 'server')
  const collector = await openCollector({
    meta: database.meta,
    folder: join(folder, 'journal'),
    now: Date.now,
    maxBacklogBytes: 1e12,
    keep: false,
  })
  const peer = await rawCollector(join(folder, 'raw'))
  const ports = await Promise.all(
    [collector.app, peer.app].map(async (one) => {
      await one.listen({ host: '127.0.0.1', port: 0 })
      return (one.server.address() as AddressInfo).port
    }),
  )
  const slice = Math.max(1, seconds / (2 * ROUNDS)) * 1000
  const raw: Side = { events: 0, milliseconds: 0, cpu: 0 }
  const ours: Side = { events: 0, milliseconds: 0, cpu: 0 }
  const latencies: number[] = []
  let refused = 0
  const loop = monitorEventLoopDelay({ resolution: 5 })
  try {
    let runs = 0
    for (const port of ports) {
      const until = Date.now() + WARM_MS
      for (let events = 0; events < WARM_EVENTS && Date.now() < until; )
        events += (await sendLoad(port, key, 2000, runs++)).events
    }
    for (let round = 0; round < ROUNDS; round++) {
      await measured(raw, () => sendLoad(ports[1] as number, key, slice, runs++))
      loop.enable()
      await measured(ours, async () => {
        const report = await sendLoad(ports[0] as number, key, slice, runs++)
        latencies.push(...report.latencies)
        refused += report.refused
        return report
      })
      loop.disable()
    }
  } finally {
    await peer.close()
    await collector.close()
    await database.close()
    await rm(folder, { recursive: true, force: true })
  }
  const value = (ours.events / ours.milliseconds) * 1000
  const limit = (raw.events / raw.milliseconds) * 1000
  latencies.sort((a, b) => a - b)
  const percentile = (p: number) => Math.round((latencies[Math.floor(latencies.length * p)] ?? 0) * 10) / 10
  const delay = loop.percentile(99) / 1e6
  const perCpu = (side: Side) => Math.round(side.events / (side.cpu / 1000))
  const detail = {
    connections: CONNECTIONS,
    p50_ms: percentile(0.5),
    p99_ms: percentile(0.99),
    refused,
    events_per_cpu_second: perCpu(ours),
    raw_events_per_cpu_second: perCpu(raw),
    ratio_by_cpu: Math.round((perCpu(ours) / perCpu(raw)) * 1000) / 1000,
  }
  return [
    {
      name: 'durable ingest',
      value: Math.round(value),
      unit: 'events/s',
      peer: 'parse + validate + group-committed write',
      peer_value: Math.round(limit),
      ratio: Math.round((value / limit) * 1000) / 1000,
      limit: 'ratio >= 0.5',
      ok: raw.events > 0 && value / limit >= 0.5 && refused === 0,
      detail,
    },
    {
      name: 'event-loop delay of ingest, p99',
      value: Math.round(delay * 10) / 10,
      unit: 'ms',
      peer: null,
      peer_value: null,
      ratio: null,
      limit: 'value < 50',
      ok: delay < 50,
    },
  ]
}

type Side = { events: number; milliseconds: number; cpu: number }

/** Adds what the work did and the processor time that this process spent on it. */
async function measured(sum: Side, work: () => Promise<{ events: number; milliseconds: number }>): Promise<void> {
  const cpu = process.cpuUsage()
  const { events, milliseconds } = await work()
  const { user, system } = process.cpuUsage(cpu)
  sum.events += events
  sum.milliseconds += milliseconds
  sum.cpu += (user + system) / 1000
}
