import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Filter, PartInput, TimeBasis } from '#contracts/query.ts'
import { PartSchema } from '#contracts/query.ts'
import { toTuple } from '#contracts/telemetry/stored-event.ts'
import { startProgram } from '#server/programs.ts'
import { connectEventStore } from '#storage/events/connect-event-store.ts'
import { openDuckStore } from '#storage/events/open-duck-store.ts'
import type { EventStore } from '#storage/events/port.ts'
import { openJournal } from '#storage/journal/open-journal.ts'
import { serveJournal } from '#storage/journal/serve-journal.ts'
import type { BenchLine } from './bench-line.ts'
import { makePopulation, type Population } from './store-population.ts'

const DAY = 86_400_000
const DAYS = 30
const BATCH = 50

type Shape = {
  name: string
  days: number
  basis?: TimeBasis
  filters?: Filter[]
  part: PartInput
  p50: number
  ago?: number
}

const is = (field: Filter['field'], ...values: string[]): Filter => ({ field, op: 'is', values })

/** The query shapes of the product's pages, named as in the research on storage. Limits in ms. */
function shapes(device: string): Shape[] {
  const attacks: PartInput['and'] = [is('type', 'risk')]
  return [
    {
      name: 'q1 hourly by risk, 30 d',
      days: 30,
      part: { kind: 'series', measures: ['attacks'], bucket: 'hour', by: 'risk' },
      p50: 100,
    },
    {
      name: 'q2 minutes by risk, 24 h',
      days: 1,
      part: { kind: 'series', measures: ['attacks'], bucket: 'minute', by: 'risk' },
      p50: 100,
    },
    {
      name: 'q3 top provinces, 30 d',
      days: 30,
      part: { kind: 'top', by: 'province', measures: ['attacks'] },
      p50: 250,
    },
    { name: 'q4 top devices, 7 d', days: 7, part: { kind: 'top', by: 'device', measures: ['attacks'] }, p50: 250 },
    {
      name: 'q5 distinct users and devices, 30 d',
      days: 30,
      part: { kind: 'total', measures: ['attackedUsers', 'attackedDevices'] },
      p50: 250,
    },
    {
      name: 'q6 one device, page of 50',
      days: 30,
      filters: [is('device', device)],
      part: { kind: 'rows', limit: 50 },
      p50: 100,
    },
    {
      name: 'q7 full filter, 3 d, page of 50',
      days: 3,
      ago: 7,
      filters: [is('app', '3'), is('risk', 'root', 'hook', 'emulator'), is('province', '440000')],
      part: { kind: 'rows', limit: 50, and: attacks },
      p50: 100,
    },
    {
      name: 'q8 top versions of crashes, 30 d',
      days: 30,
      filters: [is('app', '2')],
      part: { kind: 'top', by: 'version', measures: ['crashes'] },
      p50: 250,
    },
    {
      name: 'q9 overview, 2 d',
      days: 2,
      part: { kind: 'total', measures: ['attacks', 'crashes', 'starts', 'events'] },
      p50: 100,
    },
  ]
}

/**
 * Queries through the store's port and process, at `rows` stored events, first idle and then while 10,000 events a second stream
 * in through the journal. Half of `seconds` goes to each.
 */
export async function run({ rows, seconds }: { rows: number; seconds: number }): Promise<BenchLine[]> {
  const folder = await mkdtemp(join(tmpdir(), 'appwarden-bench-'))
  const paths = {
    events: join(folder, 'e'),
    journal: join(folder, 'j'),
    store: join(folder, 's.sock'),
    link: join(folder, 'j.sock'),
  }
  const population = makePopulation(1)
  const end = Date.now()
  const lines: BenchLine[] = []
  try {
    lines.push(...(await loadRows(paths.events, population, rows, end)))
    const journal = await openJournal(paths.journal, { maxBacklogBytes: 1 << 30 })
    const link = await serveJournal(journal, paths.link)
    const options = {
      folder: paths.events,
      journalFolder: paths.journal,
      storeSocket: paths.store,
      journalSocket: paths.link,
      memoryMb: 320,
      threads: 2,
    }
    const child = startProgram('store-process', [JSON.stringify(options)])
    await once(child, 'message')
    const store = connectEventStore(paths.store)
    await store.ready(10_000)
    const device = population.device(7)
    const idle = await measure(store, shapes(device), end, seconds / 2)
    const stop = new AbortController()
    const streamed = streamIn(journal.append, population, stop.signal)
    const busy = await measure(store, shapes(device), end, seconds / 2)
    stop.abort()
    const { count, milliseconds } = await streamed
    for (const [index, shape] of shapes(device).entries()) {
      const [quiet, loaded] = [idle[index] as number[], busy[index] as number[]]
      const [p50, p95] = [percentile(loaded, 0.5), percentile(loaded, 0.95)]
      lines.push(
        line(`${shape.name}: p50`, p50, 'ms', 'idle', percentile(quiet, 0.5), `value < ${shape.p50}`, p50 < shape.p50),
        line(`${shape.name}: p95`, p95, 'ms', 'p50', p50, 'ratio <= 2.5', p95 <= 2.5 * p50),
      )
    }
    while ((await store.status()).backlogEvents > 0) await sleep(50)
    const status = await store.status()
    lines.push(
      line('streamed in while queried', (count * 1000) / milliseconds, 'events/s', null, null, '', true),
      line('store process memory', await memoryOf(child.pid as number), 'MB', null, null, '', true),
      line('bytes a row', status.bytes / status.rows, 'bytes', null, null, '', true),
      line('rows', status.rows, 'rows', 'loaded and streamed', rows + count, 'ratio = 1', status.rows === rows + count),
    )
    const gone = once(child, 'exit')
    child.kill('SIGTERM')
    await gone
    await store.close()
    await link.close()
    await journal.close()
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  return lines
}

async function loadRows(folder: string, population: Population, rows: number, end: number): Promise<BenchLine[]> {
  const store = await openDuckStore({ folder })
  const block = 20_000
  let loading = 0
  for (let from = 0; from < rows; from += block) {
    const events = Array.from({ length: Math.min(block, rows - from) }, (_, i) =>
      population.event(Math.floor(end - DAYS * DAY + ((from + i) / rows) * DAYS * DAY)),
    )
    const began = performance.now()
    await store.load(events)
    loading += performance.now() - began
  }
  await store.close()
  return [line('load', (rows * 1000) / loading, 'rows/s', null, null, '', true)]
}

/** Latencies of each shape, taken in turn until the time is over; each at least three times. */
async function measure(store: EventStore, list: Shape[], end: number, seconds: number): Promise<number[][]> {
  const times: number[][] = list.map(() => [])
  const until = performance.now() + seconds * 1000
  for (let round = 0; round < 3 || performance.now() < until; round++) {
    for (const [index, shape] of list.entries()) {
      const to = end - (shape.ago ?? 0) * DAY
      const span = { from: to - shape.days * DAY, to }
      const query = {
        span,
        basis: shape.basis ?? 'occurred',
        filters: shape.filters ?? [],
        scope: { apps: 'all' },
        zone: 'Asia/Shanghai',
      } as const
      const part = PartSchema.parse(shape.part)
      const began = performance.now()
      await store.answer(query, part)
      times[index]?.push(performance.now() - began)
    }
  }
  return times
}

type Append = Awaited<ReturnType<typeof openJournal>>['append']

async function streamIn(append: Append, population: Population, signal: AbortSignal) {
  const perTick = 200 // every 20 ms
  const began = performance.now()
  let count = 0
  while (!signal.aborted) {
    const due = ((performance.now() - began) / 20) * perTick
    while (count < due) {
      const at = Date.now()
      const events = Array.from({ length: BATCH }, () => toTuple(population.event(at)))
      await append({ kind: 'batch', at, events })
      count += BATCH
    }
    await sleep(5)
  }
  return { count, milliseconds: performance.now() - began }
}

function line(
  name: string,
  value: number,
  unit: string,
  peer: string | null,
  peer_value: number | null,
  limit: string,
  ok: boolean,
): BenchLine {
  const ratio = peer_value ? Math.round((value / peer_value) * 100) / 100 : null
  return { name, value: Math.round(value * 10) / 10, unit, peer, peer_value, ratio, limit, ok }
}

function percentile(values: number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN
}

/** Proportional memory in MB where the system tells it, else NaN. */
async function memoryOf(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '')
  return Number(/^Pss:\s+(\d+)/m.exec(text)?.[1] ?? Number.NaN) / 1024
}
