import { performance } from 'node:perf_hooks'
import { createApplication } from '#contracts/http/applications.ts'
import { createIngestKey } from '#contracts/http/ingest.ts'
import { statistics } from '#contracts/http/statistics.ts'
import type { RowsAnswer, TotalAnswer } from '#domain/query.ts'
import { type Api, apiWith } from '../support/api.ts'
import { healthOf, startServer, treeOf, waitFor } from '../support/running-server.ts'
import { createSender } from './sender.ts'
import { watchWall } from './wall-watch.ts'

/**
 * Faults at random points under load, ROUNDS times: `main.ts [ROUNDS] [SEED]`. A fault is the kill -9 of a process, a process that hangs
 * (SIGSTOP), or PostgreSQL stopped for a while; FAULTS names those to draw from (kill:store,hang:console,pause:postgres).
 * Afterwards every acknowledged event is in the store exactly once, counters equal rows, and the wall recovered each time.
 * Ends with `N passed, N failed`.
 */
const rounds = Number(process.argv[2] ?? 20)
const seed = Number(process.argv[3] ?? Date.now() % 100_000)
const random = randomFrom(seed)
const RATE = 1000
const WALL_RECOVERS_MS = 5000
/** PostgreSQL answers nothing for so long: half a minute in a proof, less in the few rounds of `npm test`. */
const PAUSE_MS = rounds > 10 ? 30_000 : 8000
const FAULTS = [
  ...['store', 'collector', 'console', 'relay', 'jobs', 'postgres', 'supervisor'].map((victim) => `kill:${victim}`),
  ...['store', 'collector', 'console', 'relay', 'jobs'].map((victim) => `hang:${victim}`),
  'pause:postgres',
]
const results: { name: string; ok: boolean; note: string }[] = []
const check = (name: string, ok: boolean, note = '') => {
  results.push({ name, ok, note })
  console.log(`${ok ? 'ok' : 'FAILED'} ${name}${note && ` (${note})`}`)
}

console.log(`fault: ${rounds} rounds, seed ${seed}`)
const server = await startServer()
try {
  const token = server.cli('token', 'create', '--name', 'fault', '--scopes', 'all').trim().split('\n').at(-1) as string
  const api = apiWith(server.url, token)
  const { object_list } = await api(createApplication, { body: { name: 'fault', mimetype_list: [1] } })
  const appid = object_list[0]?.id as string
  const { key } = await api(createIngestKey, { body: { appid, kind: 'server', name: 'fault', scopes: ['events'] } })

  const sender = createSender({ url: server.url, key, rate: RATE, random })
  const wall = watchWall(server.url, api)
  await waitFor(() => wall.live(), 10_000, 'the first frame')

  const faults = process.env['FAULTS']?.split(',') ?? FAULTS
  for (let round = 1; round <= rounds; round++) {
    await sleep(500 + random() * 2500)
    const fault = faults[Math.floor(random() * faults.length)] as string
    const [kind = '', victim = ''] = fault.split(':')
    const pid = server.processes().get(victim)
    if (!pid) {
      check(`round ${round}: ${victim} was running`, false)
      continue
    }
    const framesBefore = wall.frames()
    const began = performance.now()
    if (kind === 'pause') await pause(pid)
    else process.kill(pid, kind === 'hang' ? 'SIGSTOP' : 'SIGKILL')
    if (victim === 'supervisor') await server.start()
    else {
      const isBack = () => kind === 'pause' || ![undefined, pid].includes(server.processes().get(victim))
      await waitFor(isBack, 60_000, `${victim} to be started again after ${fault}`)
      await waitFor(async () => (await healthOf(server.url))?.['state'] === 'ok', 60_000, `health after ${fault}`)
    }
    const recovered = Math.round(performance.now() - began)
    const at = performance.now()
    await waitFor(() => wall.live() && wall.frames() > framesBefore, 20_000, `the wall after ${fault}`)
    const took = performance.now() - at
    check(
      `round ${round}: the wall is live again after ${fault}`,
      took <= WALL_RECOVERS_MS,
      `health ok after ${recovered} ms, the wall ${Math.round(took)} ms later`,
    )
  }

  const sent = await sender.finish()
  check(
    'every event was acknowledged in the end',
    sent.unacknowledged === 0,
    `${sent.ids.size} events, ${sent.retries} retries, ${sent.duplicates} answered as duplicates`,
  )
  await waitFor(async () => (await total(api, 'received')) === sent.ids.size, 30_000, 'the store to hold all').catch(
    () => {},
  )
  const stored = await allIds(api)
  const missing = [...sent.ids].filter((id) => !stored.ids.has(id)).length
  check('every acknowledged event is in the store', missing === 0, `${missing} missing`)
  check('no event is there twice', stored.rows === stored.ids.size, `${stored.rows} rows, ${stored.ids.size} ids`)
  const [received, occurred] = [await total(api, 'received'), await total(api, 'occurred')]
  check(
    'counters equal rows',
    received === stored.rows && occurred === stored.rows,
    `${received} / ${occurred} / ${stored.rows}`,
  )
  await waitFor(() => wall.attacksToday() === sent.attacks, 10_000, 'the wall to count all').catch(() => {})
  check(
    'the wall counts what was sent',
    wall.attacksToday() === sent.attacks,
    `${wall.attacksToday()} of ${sent.attacks}`,
  )
  check(
    'each interruption of the wall ended in a snapshot',
    wall.caughtUp() >= wall.gaps(),
    `${wall.gaps()} gaps, ${wall.caughtUp()} snapshots`,
  )
  wall.close()
} catch (error) {
  check('the run ends well', false, (error as Error).message)
  console.log(server.log().slice(-3000))
} finally {
  await server.stop()
}
const failed = results.filter((one) => !one.ok).length
console.log(`${results.length - failed} passed, ${failed} failed`)
process.exit(failed ? 1 : 0)

/** Counts once the store answers again: after a kill it first reads back what it had not checkpointed. */
async function total(api: Api, timeBasis: 'received' | 'occurred'): Promise<number> {
  const answer = await patiently(api, {
    body: { query: { range: '-24h', timeBasis }, parts: { all: { kind: 'total', measures: ['events'] } } },
  })
  return (answer.parts['all'] as TotalAnswer).row.events ?? 0
}

async function allIds(api: Api): Promise<{ rows: number; ids: Set<string> }> {
  const ids = new Set<string>()
  let rows = 0
  for (let cursor: string | undefined; ; ) {
    const part = { kind: 'rows' as const, limit: 200, ...(cursor && { cursor }) }
    const answer = await api(statistics, {
      body: { query: { range: '-24h', timeBasis: 'received' }, parts: { page: part } },
    })
    const page = answer.parts['page'] as RowsAnswer
    for (const row of page.rows) ids.add(row.id)
    rows += page.rows.length
    cursor = page.nextCursor
    if (!cursor) return { rows, ids }
  }
}

async function patiently(api: Api, input: Parameters<typeof api<typeof statistics>>[1]) {
  for (const end = Date.now() + 60_000; ; ) {
    try {
      return await api(statistics, input)
    } catch (error) {
      if (Date.now() > end) throw error
      await sleep(200)
    }
  }
}

function sleep(ms: number): Promise<void> {
  return new Promise((wake) => setTimeout(wake, ms))
}

/** Stops a process with all below it, and lets them go on after PAUSE_MS. */
async function pause(pid: number): Promise<void> {
  const all = treeOf(pid)
  for (const one of all) process.kill(one, 'SIGSTOP')
  await sleep(PAUSE_MS)
  for (const one of all)
    try {
      process.kill(one, 'SIGCONT')
    } catch {
      // Ended meanwhile.
    }
}

/** mulberry32 */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}
