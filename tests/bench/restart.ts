import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { statistics } from '#contracts/http/statistics.ts'
import { PartSchema, QuerySchema } from '#domain/query.ts'
import { resolveQuery } from '#server/query/resolve-query.ts'
import { type DuckStore, openDuckStore } from '#storage/events/serve/open-duck-store.ts'
import { type BenchLine, line } from './bench-line.ts'
import { type PageLoad, pageLoads } from './page-requests.ts'
import { loadRows } from './store-bed.ts'
import { makePopulation } from './store-population.ts'

const ZONE = 'Asia/Shanghai'
const OPENED = [
  'home',
  'global view, 1 d',
  'user analysis, attacks, 7 d',
  'app analysis, starts, 7 d',
  'attack analysis, 7 d',
  'risk_triggers by risk, 7 d',
  'web defense, 7 d',
]
const NO_SUBJECTS = { device: '', ordinary: '', user: '', address: '' }

/**
 * What statistics pages ask of the store at `rows` stored events: at their first opening, and at the first after a restart, when the store
 * has prepared what was asked before, beside the second opening. BENCH_STORE keeps the loaded store.
 */
export async function run({ rows }: { rows: number }): Promise<BenchLine[]> {
  const folder = await mkdtemp(join(tmpdir(), 'appwarden-bench-'))
  const kept = process.env['BENCH_STORE']
  const events = join(folder, 'events')
  const pages = pageLoads(NO_SUBJECTS).filter(({ name }) => OPENED.includes(name))
  try {
    const lines = await loadRows(kept ?? events, makePopulation(1), rows)
    if (kept) await cp(kept, events, { recursive: true })
    await rm(join(events, 'asked.json'), { force: true })
    let store = await openDuckStore({ folder: events })
    const now = (await store.status()).storedTo ?? Date.now()
    await store.close()
    const open = () => openDuckStore({ folder: events, now: () => now, quietMs: 0 })
    store = await open()
    const first = await openAll(store, pages, now)
    const second = await openAll(store, pages, now)
    await store.close()
    store = await open()
    const cpu = process.cpuUsage()
    const count = await store.prepared()
    const { user, system } = process.cpuUsage(cpu)
    const after = await openAll(store, pages, now)
    await store.close()
    const peer = 'its second opening'
    for (const [i, { name }] of pages.entries()) {
      lines.push(line(`${name}: first opening`, first[i]!, 'ms', peer, second[i]!, '', true))
      lines.push(line(`${name}: first opening after a restart`, after[i]!, 'ms', peer, second[i]!, '', true))
    }
    const sum = (times: number[]) => times.reduce((all, one) => all + one, 0)
    lines.push(line('all: first opening', sum(first), 'ms', peer, sum(second), '', true))
    const share = sum(after) / sum(first)
    lines.push(
      line('all: first opening after a restart', sum(after), 'ms', peer, sum(second), 'half of before', share < 0.5),
    )
    lines.push(line(`CPU for ${count} prepared questions`, (user + system) / 1000, 'ms', null, null, '', true))
    return lines
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Milliseconds for the statistics requests of each page. */
async function openAll(store: DuckStore, pages: readonly PageLoad[], now: number): Promise<number[]> {
  const times: number[] = []
  for (const { steps } of pages) {
    const began = performance.now()
    for (const step of steps)
      await Promise.all(
        step.map(async ({ endpoint, body }) => {
          if (endpoint !== statistics) return
          const { query, parts } = body as { query: unknown; parts: Record<string, unknown> }
          const resolved = resolveQuery(QuerySchema.parse(query), { apps: 'all' }, now, ZONE)
          const asked = Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, PartSchema.parse(part)]))
          const answers = await store.within({ user: 'bench' }).answers(resolved, asked)
          for (const [name, answer] of Object.entries(answers))
            if (answer.kind === 'failed') throw new Error(`${name}: ${answer.error}`)
        }),
      )
    times.push(performance.now() - began)
  }
  return times
}
