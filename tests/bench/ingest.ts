import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, open, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import Fastify, { type FastifyInstance } from 'fastify'
import Type from 'typebox'
import { Compile } from 'typebox/compile'
import { COLLECT_EVENTS_PATH } from '#contracts/telemetry/wire.ts'
import { openCollector, testDatabase } from '#tests/support/collector.ts'
import type { BenchLine, BenchOptions } from './bench-line.ts'
import type { LoadReport } from './ingest-load.ts'

const CONNECTIONS = 16
const ROUNDS = 2

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
    for (let round = -1; round < ROUNDS; round++) {
      const warm = round < 0
      const duration = warm ? 1000 : slice
      const runs = 2 * (round + 1)
      await measured(warm ? undefined : raw, () => load(ports[1] as number, key, duration, runs))
      loop.enable()
      await measured(warm ? undefined : ours, async () => {
        const report = await load(ports[0] as number, key, duration, runs + 1)
        if (!warm) latencies.push(...report.latencies)
        refused += report.refused
        return report
      })
      loop.disable()
      if (warm) loop.reset()
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
async function measured(
  sum: Side | undefined,
  work: () => Promise<{ events: number; milliseconds: number }>,
): Promise<void> {
  const cpu = process.cpuUsage()
  const { events, milliseconds } = await work()
  const { user, system } = process.cpuUsage(cpu)
  if (!sum) return
  sum.events += events
  sum.milliseconds += milliseconds
  sum.cpu += (user + system) / 1000
}

async function load(port: number, key: string, duration: number, run: number): Promise<LoadReport> {
  const child = fork(new URL('./ingest-load.ts', import.meta.url), [port, key, CONNECTIONS, run].map(String), {
    execArgv: ['--import', import.meta.resolve('tsx')],
  })
  await once(child, 'message')
  setTimeout(() => child.send('stop'), duration)
  const [report] = (await once(child, 'message')) as [LoadReport]
  return report
}

const Event = Type.Object({
  event_id: Type.String({ minLength: 1, maxLength: 64 }),
  type: Type.String({ maxLength: 16 }),
  device_id: Type.String({ minLength: 1, maxLength: 128 }),
  occurred_at: Type.Optional(Type.Number()),
  reported_at: Type.Optional(Type.Number()),
  ...Object.fromEntries(
    'user_id platform app_version channel os model brand network sdk_version package_name signer session_id risk_type action client_ip'
      .split(' ')
      .map((name) => [name, Type.Optional(Type.String({ maxLength: 256 }))]),
  ),
  detail: Type.Optional(Type.Object({})),
})
const batch = Compile(Type.Array(Event, { maxItems: 1000 }))

type Waiting = { bytes: Buffer; done(): void }

/** The least a collector could do: Fastify, JSON.parse, a compiled check, one write and one fdatasync for all bodies that wait. */
async function rawCollector(file: string): Promise<{ app: FastifyInstance; close(): Promise<void> }> {
  const handle = await open(file, 'w')
  let waiting: Waiting[] = []
  let writing: Promise<void> | undefined
  async function writeAll(): Promise<void> {
    while (waiting.length > 0) {
      const group = waiting
      waiting = []
      await handle.writev(group.map(({ bytes }) => bytes))
      await handle.datasync()
      for (const { done } of group) done()
    }
    writing = undefined
  }
  const app = Fastify({ bodyLimit: 8 * 1024 * 1024 })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  app.post(COLLECT_EVENTS_PATH, async (request, reply) => {
    const bytes = request.body as Buffer
    const events: unknown = JSON.parse(bytes.toString('utf8'))
    if (!batch.Check(events)) return reply.code(400).send({})
    await new Promise<void>((resolve) => {
      waiting.push({ bytes, done: resolve })
      writing ??= writeAll()
    })
    return reply.code(202).send({ accepted: events.length })
  })
  return {
    app,
    async close() {
      await app.close()
      await writing
      await handle.close()
    },
  }
}
