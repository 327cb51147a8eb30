import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Server } from 'socket.io'
import { ARC_SAMPLE, type ArcTuple, FRAME_MS, LIVE_PATH, type Topic } from '#contracts/live/messages.ts'
import { type EventTuple, toTuple } from '#contracts/telemetry/stored-event.ts'
import { journalReader } from '#storage/journal/journal-reader.ts'
import { type DiskJournal, openJournal } from '#storage/journal/open-journal.ts'
import { hashKey, madeEvent } from '#tests/support/made-events.ts'
import { relayBed } from '#tests/support/relay-bed.ts'
import type { BenchLine, BenchOptions } from './bench-line.ts'
import type { FanOutReport } from './fan-out-clients.ts'

const CLIENTS = 100
const RATE = 10_000
const BATCH = 100
const WARM_MS = 3000
/** Walls with other filters, so that several aggregators run. */
const TOPICS: Topic[] = [
  { kind: 'wall', filters: [] },
  { kind: 'wall', filters: [{ field: 'level', op: 'is', values: ['high', 'critical'] }] },
  { kind: 'wall', filters: [{ field: 'app', op: 'is', values: ['1', '2'] }] },
  { kind: 'wall', filters: [{ field: 'platform', op: 'not', values: ['ios'] }] },
]

/**
 * From an event's arrival to its frame in a client: journal on disk, aggregators of four topics and 100 sockets, in one process as in the
 * product. The peer is what frames of FRAME_MS cost at least: a bare server that sends as many bytes at the same pace to as many clients.
 */
export async function run({ seconds }: Pick<BenchOptions, 'seconds'>): Promise<BenchLine[]> {
  const bed = await relayBed()
  const journal = await openJournal(join(bed.folder, 'journal'), { maxBacklogBytes: 1e12 })
  const { url, relay } = await bed.relay({ reader: journalReader(journal) })
  const stop = new AbortController()
  const writing = write(journal, stop.signal)
  try {
    const tickets = await Promise.all(Array.from({ length: CLIENTS }, () => bed.ticket()))
    const before = () => void relay.status()
    const ours = await measure(url, tickets, seconds, before)
    const { loop, fellBehind } = relay.status()
    stop.abort()
    const written = await writing
    const bytes = Math.round(ours.report.bytes / Math.max(1, ours.report.frames))
    const bare = await bareServer(bytes)
    const raw = await measure(bare.url, tickets, Math.min(seconds, 10))
    bare.close()
    const [p95, peer] = [percentile(ours.report.latencies, 95), percentile(raw.report.latencies, 95)]
    return [
      {
        name: 'event to frame, p95',
        value: p95,
        unit: 'ms',
        peer: 'bare socket.io, same bytes and pace',
        peer_value: peer,
        ratio: round(p95 / peer),
        limit: 'value < 400',
        ok: p95 < 400,
        detail: {
          p50: percentile(ours.report.latencies, 50),
          p99: percentile(ours.report.latencies, 99),
          clients: CLIENTS,
          topics: TOPICS.length,
          events_per_second: Math.round(written.events / written.seconds),
          frames_per_client_second: round(ours.report.frames / CLIENTS / seconds),
          bytes_per_frame: bytes,
          until_cut_p95: percentile(ours.report.untilCut, 95),
          fell_behind: fellBehind,
          cpu: round(ours.cpu),
        },
      },
      {
        name: 'event-loop delay of the relay, p99',
        value: loop.p99,
        unit: 'ms',
        peer: null,
        peer_value: null,
        ratio: null,
        limit: 'value < 50',
        ok: loop.p99 < 50,
        detail: { p50: loop.p50, max: loop.max },
      },
    ]
  } finally {
    stop.abort()
    await bed.close()
    await journal.close()
  }
}

async function measure(url: string, tickets: string[], seconds: number, before = () => {}) {
  const argument = JSON.stringify({ url, tickets, topics: TOPICS })
  const child = fork(new URL('./fan-out-clients.ts', import.meta.url), [argument], {
    execArgv: ['--import', import.meta.resolve('tsx')],
  })
  await once(child, 'message')
  await delay(WARM_MS)
  before()
  const cpuBefore = process.cpuUsage()
  child.send('start')
  await delay(seconds * 1000)
  const { user, system } = process.cpuUsage(cpuBefore)
  child.send('stop')
  const [report] = (await once(child, 'message')) as [FanOutReport]
  return { report, cpu: (user + system) / 1e6 / seconds }
}

/** Appends RATE events a second in batches until the parent sends a stop message: half of them attacks, as many devices and users as a busy day has. */
async function write(journal: DiskJournal, signal: AbortSignal): Promise<{ events: number; seconds: number }> {
  const pool: EventTuple[] = Array.from({ length: 20_000 }, (_, i) => {
    const attack = i % 2 === 0
    const event = madeEvent({
      app: 1 + (i % 7),
      type: attack ? 2 : 1,
      risk: attack ? 1 + (i % 19) : 0,
      level: attack ? 1 + (i % 5) : 0,
      action: attack ? i % 5 : 0,
      platform: 1 + (i % 3),
      device: hashKey(i),
      user: hashKey(1_000_000 + (i % 9000)),
      version: `1.${i % 12}.0`,
      province: 110000 + (i % 31) * 10_000,
      city: 110100 + (i % 31) * 10_000,
      lon: 80 + (i % 45),
      lat: 20 + (i % 30),
    })
    return toTuple(event)
  })
  const [occurred, received] = [7, 8]
  const start = performance.now()
  let events = 0
  while (!signal.aborted) {
    const due = ((performance.now() - start) / 1000) * RATE
    while (events < due) {
      const at = Date.now()
      const batch = Array.from({ length: BATCH }, (_, i) => {
        const tuple = (pool[(events + i) % pool.length] as EventTuple).slice()
        tuple[occurred] = at
        tuple[received] = at
        return tuple
      })
      events += BATCH
      void journal.append({ kind: 'batch', at, events: batch }).catch(() => {})
    }
    await delay(10)
  }
  return { events, seconds: (performance.now() - start) / 1000 }
}

/** Frames without content: arrivals as they would be drawn, padded to `size` bytes. */
async function bareServer(size: number): Promise<{ url: string; close(): void }> {
  const server = createServer()
  const io = new Server(server, { path: LIVE_PATH, transports: ['websocket'], perMessageDeflate: false })
  io.on('connection', (socket) => {
    socket.on('subscribe', (_, answer: (value: unknown) => void) => answer({ topic: 't', mode: 'frames' }))
  })
  let arcs: ArcTuple[] = []
  const arriving = setInterval(() => {
    if (arcs.length < ARC_SAMPLE) arcs.push(['', 0, 0, 0, 0, 0, Date.now()])
  }, FRAME_MS / ARC_SAMPLE)
  const padding = 'x'.repeat(Math.max(0, size - 1200))
  const cutting = setInterval(() => {
    io.emit('message', { type: 'frame', positions: [], arcs, padding })
    arcs = []
  }, FRAME_MS)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      clearInterval(arriving)
      clearInterval(cutting)
      io.disconnectSockets(true)
      server.close()
    },
  }
}

function percentile(values: number[], share: number): number {
  if (values.length === 0) return Number.NaN
  const sorted = values.toSorted((x, y) => x - y)
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * share) / 100))] as number
}
function round(value: number): number {
  return Math.round(value * 100) / 100
}
