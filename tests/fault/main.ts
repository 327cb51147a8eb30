import { performance } from 'node:perf_hooks'
import { createApplication } from '#contracts/http/applications.ts'
import { createIngestKey } from '#contracts/http/ingest.ts'
import { apiWith } from '../support/api.ts'
import { healthOf, startServer, waitFor } from '../support/running-server.ts'
import { dataVolume } from './data-volume.ts'
import { faultControl } from './fault-control.ts'
import { type Fault, type FaultBed, faultTable, stores } from './faults.ts'
import { checkEvents, checkWall } from './final-checks.ts'
import { knownEvents } from './known-events.ts'
import { createSender } from './sender.ts'
import { createUploader } from './uploader.ts'
import { watchWall } from './wall-watch.ts'

/**
 * Faults at random points under load, ROUNDS times: `main.ts [ROUNDS] [SEED]`; faults.ts has the table. FAULTS names those to draw from
 * (kill:store,clock:back; `disk-full` alone means all that begin so). After each round health is ok, the store not behind, and the wall is live without anybody's
 * help, and every view that counts shows the 10,000 events that were acknowledged before; at the end every acknowledged event is in the store exactly once, counters equal rows, and every acknowledged file is whole.
 * Ends with `N passed, N failed`.
 */
const rounds = Number(process.argv[2] ?? 20)
const seed = Number(process.argv[3] ?? Date.now() % 100_000)
const random = randomFrom(seed)
const RATE = 1000
const WALL_RECOVERS_MS = 5000
/** PostgreSQL answers nothing for so long: half a minute in a proof, less in the few rounds of `npm test`. */
const PAUSE_MS = rounds > 10 ? 30_000 : 8000
const results: boolean[] = []
const check = (name: string, ok: boolean, note = '') => {
  results.push(ok)
  console.log(`${ok ? 'ok' : 'FAILED'} ${name}${note && ` (${note})`}`)
}

console.log(`fault: ${rounds} rounds, seed ${seed}`)
const volume = dataVolume()
const control = faultControl()
const faults = chosen(faultTable(PAUSE_MS, volume.fill !== undefined), process.env['FAULTS'])
const server = await startServer({ dataFolder: volume.folder, env: control.env })
try {
  const token = server.cli('token', 'create', '--name', 'fault', '--scopes', 'all').trim().split('\n').at(-1) as string
  const api = apiWith(server.url, token)
  const { object_list } = await api(createApplication, { body: { name: 'fault', mimetype_list: [1] } })
  const appid = object_list[0]?.id as string
  const { key } = await api(createIngestKey, { body: { appid, kind: 'server', name: 'fault', scopes: ['events'] } })

  const known = await knownEvents({ url: server.url, token, api })
  const sender = createSender({ url: server.url, key, rate: RATE, random })
  const uploader = createUploader(server.url, token)
  const wall = watchWall(server.url, api)
  await waitFor(() => wall.live(), 10_000, 'the first frame')
  const bed: FaultBed = { server, control, volume, sender, random, stored, lastsMs: () => 1000 + random() * 5000 }

  for (let round = 1; round <= rounds; round++) {
    await sleep(500 + random() * 2500)
    const fault = faults[Math.floor(random() * faults.length)] as Fault
    const framesBefore = wall.frames()
    const knownIncidents = (await incidents()).length
    const began = performance.now()
    const heal = await fault.inject(bed)
    const reached = performance.now()
    if (heal) {
      await sleep(bed.lastsMs())
      await heal()
    }
    const healed = performance.now()
    const isHealthy = async () => {
      const health = await healthOf(server.url)
      return health?.['state'] === 'ok' && stores(health)?.events === 'ok'
    }
    await waitFor(isHealthy, 60_000, `health after ${fault.name}`)
    const at = performance.now()
    await waitFor(() => wall.live() && wall.frames() > framesBefore, 20_000, `the wall after ${fault.name}`)
    const took = performance.now() - at
    sender.mustRun()
    const lasted = heal ? `lasted ${ms(healed - reached)}, ` : ''
    check(
      `round ${round}: the wall is live again after ${fault.name}`,
      took <= WALL_RECOVERS_MS,
      `${lasted}health ok after ${ms(at - (heal ? healed : began))}, the wall ${ms(took)} later`,
    )
    const asked = performance.now()
    const differing = await known.differing()
    const views = `${known.views} views in ${ms(performance.now() - asked)}`
    check(`round ${round}: every view shows the known events`, differing.length === 0, differing.join('; ') || views)
    const found = (await incidents()).slice(knownIncidents)
    const isNamed = fault.incident ? found.includes(fault.incident) : found.length === 0
    if (!isNamed) check(`round ${round}: health names ${fault.incident ?? 'no incident'}`, false, found.join())
  }

  const sent = await sender.finish()
  for (const id of known.ids) sent.ids.add(id)
  sent.attacks += known.attacks
  known.close()
  await checkEvents(check, api, sent)
  await checkWall(check, api, wall, sent)
  const files = await uploader.finish()
  const counts = `${files.acknowledged} acknowledged, ${files.refused} refused`
  check('every acknowledged file is whole', files.damaged.length === 0, counts)
  wall.close()
} catch (error) {
  check('the run ends well', false, (error as Error).message)
  console.log(server.log().slice(-3000))
} finally {
  control.files(null)
  control.clock(0)
  volume.free()
  await server.stop()
  if (process.env['KEEP'] === undefined) volume.remove()
  control.remove()
}
const failed = results.filter((ok) => !ok).length
console.log(`${results.length - failed} passed, ${failed} failed`)
process.exit(failed ? 1 : 0)

/** Those of the table whose name, or the part of it before the colon, is in the list. */
function chosen(table: Fault[], list: string | undefined): Fault[] {
  const names = list?.split(',')
  const found = table.filter(({ name }) => !names || names.includes(name) || names.includes(name.split(':')[0] ?? ''))
  if (found.length === 0) throw new Error(`no such fault here; there are ${table.map(({ name }) => name).join(', ')}`)
  return found
}

async function incidents(): Promise<string[]> {
  const health = await healthOf(server.url)
  return ((health?.['journal_incidents'] ?? []) as { reason: string }[]).map(({ reason }) => reason)
}

async function stored(): Promise<void> {
  const hasAll = async () => ((await healthOf(server.url))?.['backlog'] as { bytes: number } | undefined)?.bytes === 0
  await waitFor(hasAll, 30_000, 'the store to have everything')
}

function ms(milliseconds: number): string {
  return `${Math.round(milliseconds)} ms`
}

function sleep(ms: number): Promise<void> {
  return new Promise((wake) => setTimeout(wake, ms))
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
