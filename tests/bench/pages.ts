import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { statistics } from '#contracts/http/statistics.ts'
import { COUNT_MEASURES, type Measure, type PartInput, PartSchema, QuerySchema } from '#domain/query.ts'
import { createToken } from '#server/modules/tokens/access-tokens.ts'
import { resolveQuery } from '#server/query/resolve-query.ts'
import type { EventStore, StoreQuery } from '#storage/events/port.ts'
import { type Api, apiWith } from '#tests/support/api.ts'
import { type HttpApp, startHttpApp } from '#tests/support/http-app.ts'
import { type BenchLine, line, percentile } from './bench-line.ts'
import { type PageLoad, type PageRequest, pageLoads } from './page-requests.ts'
import { loadRows, startStoreBed } from './store-bed.ts'
import { makePopulation, type Population } from './store-population.ts'

const RUNS = 5
/** Slower pages than any limit are still measured. */
const PATIENCE_MS = 120_000
const APPS = 20
const DAY = 86_400_000
const WEEK = 7
const ZONE = 'Asia/Shanghai'
/** A tenth of a million keys on, so that it is not among the busiest. */
const ORDINARY = 150_001

/**
 * What the pages send, through HTTP, at `rows` stored events: the median of 5 for each page, and for each of its queries alone, beside a
 * scan that only counts the rows of the same time. BENCH_STORE keeps the loaded store; BENCH_PAGES picks pages by part of their names.
 */
export async function run({ rows }: { rows: number }): Promise<BenchLine[]> {
  const folder = await mkdtemp(join(tmpdir(), 'appwarden-bench-'))
  const rowsAt = process.env['BENCH_STORE'] ?? join(folder, 'e')
  const population = makePopulation(1)
  const lines = await loadRows(rowsAt, population, rows)
  const bed = await startStoreBed(folder, rowsAt)
  const http = await startHttpApp()
  try {
    http.deps.store = bed.store
    const now = (await bed.store.status()).storedTo ?? Date.now()
    http.deps.now = () => now
    http.clock.offset = now - Date.now()
    const api = await analyst(http)
    const wanted = process.env['BENCH_PAGES']
    const pages = pageLoads(await subjectsOf(bed.store, population, now)).filter(
      ({ name }) => !wanted || wanted.split(',').some((word) => name.includes(word)),
    )
    const counted = new Map<number, number>()
    const asked = new Set<string>()
    for (const page of pages) {
      const span = { from: now - page.days * DAY, to: now }
      const scan =
        counted.get(page.days) ??
        (await median(() =>
          bed.store.count({ span, basis: 'occurred', filters: [], scope: { apps: 'all' }, zone: ZONE }),
        ))
      counted.set(page.days, scan)
      const whole = await median(() => load(api, page, now))
      const peer = `a count of the rows of ${page.days} d`
      console.error(`${page.name}: ${Math.round(whole)} ms`)
      lines.push(line(page.name, whole, 'ms', peer, scan, `value < ${page.limit}`, whole < page.limit))
      for (const request of page.steps.flat()) {
        for (const [name, one, limit] of queriesOf(request)) {
          const text = JSON.stringify(one)
          if (asked.has(text)) continue
          asked.add(text)
          const value = await median(() => answer(bed.store, api, one, now))
          lines.push(
            line(
              `  ${page.name}: ${name}`,
              value,
              'ms',
              peer,
              scan,
              limit ? `value < ${limit}` : '',
              !limit || value < limit,
            ),
          )
        }
      }
    }
  } finally {
    await http.close()
    await bed.close()
    await rm(folder, { recursive: true, force: true })
  }
  return lines
}

/** Milliseconds, warm: the first run is not counted. */
async function median(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = []
  for (let round = 0; round <= RUNS; round++) {
    const began = performance.now()
    await work()
    if (round > 0) times.push(performance.now() - began)
  }
  return percentile(times, 0.5)
}

async function load(api: Api, { steps }: PageLoad, now: number): Promise<void> {
  for (const step of steps) await Promise.all(step.map((request) => send(api, request, now)))
}

async function send(api: Api, { endpoint, body }: PageRequest, now: number): Promise<void> {
  const given = { body: { ...body, now } } as unknown as Parameters<Api>[1]
  const answer = (await api(endpoint, given)) as {
    parts?: Record<string, { kind: string; codemsg?: string }>
  }
  for (const part of Object.values(answer.parts ?? {})) if (part.kind === 'error') throw new Error(part.codemsg)
}

type Query = { request: PageRequest; part?: PartInput }
/** The queries of a request: its parts one by one, or itself. */
function queriesOf(request: PageRequest): [name: string, query: Query, limit: number | undefined][] {
  if (request.endpoint !== statistics) return [[request.endpoint.path, { request }, undefined]]
  const { query, parts } = request.body as { query: { range: string }; parts: Record<string, PartInput> }
  const long = Number(/^-(\d+)d$/.exec(query.range)?.[1] ?? 1) >= WEEK
  return Object.entries(parts).map(([name, part]) => {
    const measures: readonly Measure[] = 'measures' in part ? part.measures : []
    const heavy = part.kind === 'top' || part.kind === 'entities' || part.kind === 'change' || part.kind === 'periods'
    const distinct = measures.some((measure) => !COUNT_MEASURES.some((one) => one === measure))
    return [name, { request: { ...request, body: { query } }, part }, long && (heavy || distinct) ? 250 : 100]
  })
}

async function answer(store: EventStore, api: Api, { request, part }: Query, now: number): Promise<void> {
  if (!part) return send(api, request, now)
  const query = QuerySchema.parse((request.body as { query: unknown }).query)
  await store.answer(resolveQuery(query, { apps: 'all' }, now, ZONE), PartSchema.parse(part))
}

/** An account that may see everything, with applications and baselines for what the population sends. */
async function analyst({ addUser, meta, deps, url }: HttpApp): Promise<Api> {
  const userId = await addUser('analyst@example.com', 'administrator')
  const at = deps.now()
  for (let app = 1; app <= APPS; app++) {
    await meta.db
      .insertInto('applications')
      .values({
        uuid: randomUUID(),
        name: `App ${app}`,
        mime_type: 1,
        protect_type: '0',
        has_file: false,
        owner_id: userId,
        site_id: null,
        created_at: at,
        deleted_at: null,
      })
      .execute()
    for (const version of ['1.0.0', '1.1.0', '1.2.0', '1.3.0'])
      await meta.db
        .insertInto('baselines')
        .values({
          id: randomUUID(),
          application_id: app,
          version,
          package_name: '',
          signers: [],
          hashes: '{}',
          channels: ['huawei', 'xiaomi', 'oppo', 'vivo', 'honor', 'tencent', 'appstore'],
          note: '',
          rev: 1,
          by_user: userId,
          updated_at: at,
        } as never)
        .execute()
  }
  const { token } = await createToken(
    { meta, now: deps.now },
    { userId, name: 'bench', scopes: ['events.read', 'personal.reveal'], days: 30 },
  )
  return apiWith(url, token, PATIENCE_MS)
}

async function subjectsOf(store: EventStore, population: Population, now: number) {
  const [device, ordinary] = [population.device(0), population.device(ORDINARY)]
  const query: StoreQuery = {
    span: { from: now - 30 * DAY, to: now + 1 },
    basis: 'occurred',
    filters: [{ field: 'device', op: 'is', values: [ordinary] }],
    scope: { apps: 'all' },
    zone: ZONE,
  }
  const answer = await store.answer(query, PartSchema.parse({ kind: 'rows', limit: 1 }))
  const row = answer.kind === 'rows' ? answer.rows[0] : undefined
  if (!row) throw new Error('the ordinary device has no event')
  return { device, ordinary, user: row.user, address: row.address }
}
