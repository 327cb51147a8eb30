import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { EVENT_FLAGS, type StoredEvent, toTuple } from '#contracts/telemetry/stored-event.ts'
import { PartSchema } from '#domain/query.ts'
import type { EventStore, StoreQuery } from '#storage/events/port.ts'
import { type BenchLine, line, percentile } from './bench-line.ts'
import { queryShapes, type Shape } from './query-shapes.ts'
import { loadRows, type StoreBed, startStoreBed } from './store-bed.ts'
import { makePopulation, type Population } from './store-population.ts'

const DAY = 86_400_000
const BATCH = 50

/** Rounds of all shapes at least, in each half: a 95th percentile of fewer values says nothing. */
const ROUNDS = 40
/** History that comes at once in the last part: 1.7 million events in two minutes are 14,200 a second. */
const IMPORTED = 50_000
const IMPORT_RATE = 1_700_000 / 120

/**
 * Queries through the store's port and process, at `rows` stored events, first idle and then while 10,000 events a second stream
 * in through the journal; then history that the store must look up. Half of `seconds` goes to each half of the queries. Where
 * BENCH_STORE names a folder, it is loaded once and used again by later runs.
 */
export async function run({ rows, seconds }: { rows: number; seconds: number }): Promise<BenchLine[]> {
  const folder = await mkdtemp(join(tmpdir(), 'appwarden-bench-'))
  const rowsAt = process.env['BENCH_STORE'] ?? join(folder, 'e')
  const population = makePopulation(1 + (Date.now() % 1_000_000))
  const lines: BenchLine[] = []
  try {
    lines.push(...(await loadRows(rowsAt, population, rows)))
    const bed = await startStoreBed(folder, rowsAt)
    const { store, append, pid } = bed
    const before = await store.status()
    const shapes = queryShapes(population.device(7))
    const ask = { store, shapes, end: before.storedTo ?? Date.now(), pid, seconds: seconds / 2 }
    const idle = await measure(ask)
    const stop = new AbortController()
    const streamed = streamIn(append, population, stop.signal)
    const busy = await measure(ask)
    stop.abort()
    const { count, milliseconds } = await streamed
    for (const [index, { name, p50: limit }] of shapes.entries()) {
      const [quiet, loaded] = [idle[index] as Measured, busy[index] as Measured]
      const [p50, p95, alone] = [
        percentile(loaded.times, 0.5),
        percentile(loaded.times, 0.95),
        percentile(quiet.times, 0.5),
      ]
      const detail = {
        idle_p95: Math.round(percentile(quiet.times, 0.95)),
        idle_cpu_ms: Math.round(quiet.cpu / quiet.times.length),
        samples: loaded.times.length,
      }
      lines.push(
        {
          ...line(`${name}: p50`, p50, 'ms', 'idle', alone, limit ? `value < ${limit}` : '', !limit || p50 < limit),
          detail,
        },
        line(`${name}: p95`, p95, 'ms', 'p50', p50, 'ratio <= 2.5', p95 <= 2.5 * p50),
      )
    }
    while ((await store.status()).backlogEvents > 0) await sleep(50)
    const status = await store.status()
    const expected = before.rows + count
    lines.push(
      line('streamed in while queried', (count * 1000) / milliseconds, 'events/s', null, null, '', true),
      line('store process memory', await memoryOf(pid), 'MB', null, null, 'value <= 500', (await memoryOf(pid)) <= 500),
      line('bytes a row', status.bytes / status.rows, 'bytes', null, null, '', true),
      line('rows', status.rows, 'rows', 'loaded and streamed', expected, 'ratio = 1', status.rows === expected),
      await importLine(store, append, population, pid),
    )
    // After 20 s without a query the store gives the memory of cached blocks back.
    await sleep(60_000)
    const idleMemory = await memoryOf(pid)
    lines.push(
      line(
        'store process memory 60 s after the last query',
        idleMemory,
        'MB',
        null,
        null,
        'value <= 600',
        idleMemory <= 600,
      ),
    )
    await bed.close()
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  return lines
}

type Measured = { times: number[]; cpu: number }

/** Milliseconds that each shape took, asked in turn until the time is over, and the store's processor time for all of them. */
async function measure({ store, shapes, end, pid, seconds }: Asked): Promise<Measured[]> {
  const measured = shapes.map((): Measured => ({ times: [], cpu: 0 }))
  const until = performance.now() + seconds * 1000
  for (let round = 0; round < ROUNDS || performance.now() < until; round++) {
    for (const [index, shape] of shapes.entries()) {
      const to = end - (shape.ago ?? 0) * DAY
      const span = { from: to - shape.days * DAY, to }
      const query: StoreQuery = {
        span,
        ...(shape.compared && { compared: { from: span.from - shape.days * DAY, to: span.from } }),
        basis: shape.basis ?? 'occurred',
        filters: shape.filters ?? [],
        scope: { apps: 'all' },
        zone: 'Asia/Shanghai',
      }
      const part = PartSchema.parse(shape.part)
      const one = measured[index] as Measured
      const used = await processorTime(pid)
      const began = performance.now()
      await store.answer(query, part)
      one.times.push(performance.now() - began)
      one.cpu += (await processorTime(pid)) - used
    }
  }
  return measured
}
type Asked = { store: EventStore; shapes: readonly Shape[]; end: number; pid: number; seconds: number }

/** History goes through the journal at once; each event is looked up before it is stored. */
async function importLine(store: EventStore, append: Append, population: Population, pid: number): Promise<BenchLine> {
  const { rows } = await store.status()
  const used = await processorTime(pid)
  const began = performance.now()
  for (let sent = 0; sent < IMPORTED; sent += 500) {
    const at = Date.now()
    const event = (): StoredEvent => ({
      ...population.event(at),
      occurredAt: at - Math.floor((sent / IMPORTED) * DAY),
      flags: EVENT_FLAGS.imported | EVENT_FLAGS.pending,
    })
    await append({ kind: 'batch', at, import: true, events: Array.from({ length: 500 }, () => toTuple(event())) })
  }
  while ((await store.status()).rows < rows + IMPORTED) await sleep(20)
  const rate = (IMPORTED * 1000) / (performance.now() - began)
  const cpu = ((await processorTime(pid)) - used) / IMPORTED
  const made = line(
    'imported history',
    rate,
    'events/s',
    null,
    null,
    `value >= ${Math.ceil(IMPORT_RATE)}`,
    rate >= IMPORT_RATE,
  )
  return { ...made, detail: { store_cpu_us_an_event: Math.round(cpu * 10_000) / 10 } }
}

type Append = StoreBed['append']

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

/** Proportional memory in MB if the system reports it, else NaN. */
async function memoryOf(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '')
  return Number(/^Pss:\s+(\d+)/m.exec(text)?.[1] ?? Number.NaN) / 1024
}

/** Milliseconds of processor time that a process has used so far; NaN where the system does not tell. */
async function processorTime(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}
