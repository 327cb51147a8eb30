import type { ChildProcess } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { createApplication } from '#contracts/http/applications.ts'
import type { MarketProblemKey } from '#contracts/http/monitoring/markets.ts'
import { createMonitorTask, type MonitorCopy, monitorCopies, monitorDetail } from '#contracts/http/monitoring/tasks.ts'
import { readZip } from '#engines/zip/read-zip.ts'
import { withFiles } from '#mocks/app-markets/edit-package.ts'
import type { Offer } from '#mocks/app-markets/market-page.ts'
import { type RunningMarket, startMarket } from '#mocks/app-markets/market-server.ts'
import { HOSTILE, type MarketPlan, planMarkets } from '#mocks/app-markets/markets.ts'
import { OPTIONS } from '#runtime/start-process.ts'
import { startProgram } from '#server/programs.ts'
import { Random } from '../fuzz/mutate-input.ts'
import { COPY_KINDS, type CopyName, makeCopy, makeKeys, published, truthOf } from '../monitoring-report/make-copies.ts'
import { type AssetBed, assetBed } from '../support/asset-bed.ts'
import { good } from '../support/detection-bed.ts'
import { madeApplication } from '../support/made-application.ts'
import { pssMegabytes, treeOf, waitFor } from '../support/running-server.ts'

/** What a run over many simulated markets showed. */
export interface MarketRun {
  readonly markets: number
  readonly seconds: number
  /** Proportional set size in MB, sampled over both lives: of the process of all jobs, and of it with all its children. */
  readonly peak: { readonly own: number; readonly all: number }
  readonly requests: number
  /** Markets that were asked faster than they allow. */
  readonly tooFast: readonly string[]
  /** Markets that had answered when the process was killed, and those of them that were asked again. */
  readonly answeredBefore: number
  readonly askedAgain: readonly string[]
  readonly state: string
  readonly asked: number
  /** Why markets gave no answer, with how many. */
  readonly problems: Readonly<Record<string, number>>
  /** Copies whose verdict is another one than the truth, or that were not found. */
  readonly wrong: readonly string[]
  readonly copies: number
}

const SAMPLE_MS = 250
const BOMB_BYTES = 200 * 2 ** 20
const SAY_MS = 30_000
const MOST_MS = 3 * 3_600_000
const HOSTILE_EVERY = 3
const OWN_EVERY = 10
/** A market that offers a package that is small, and hundreds of MB unpacked. */
const BOMB = 'zip-bomb'
/** What a market may do that no market should. */
export const HOSTILE_KINDS: readonly string[] = [...Object.keys(HOSTILE), BOMB]
/** Why a market of each hostile kind gives no answer; the others answer, and their files cannot be taken. */
export const HOSTILE_PROBLEMS: Readonly<Record<string, MarketProblemKey>> = {
  hangs: 'time',
  'bomb-page': 'unpacked',
  'closes-at-once': 'broken',
  'answers-500': 'status',
  'always-busy': 'busy',
  'refuses-robots': 'robots',
}

/**
 * Serves so many markets, each with a rate limit of its own, has the real process of all jobs ask them for one application, and kills it with
 * SIGKILL in the middle. `hostile`: what of HOSTILE_KINDS some of them do, each of every third market the next of these.
 */
export async function runMarkets(
  count: number,
  hostile: readonly string[],
  tell: (line: string) => void,
): Promise<MarketRun> {
  const bed = await assetBed()
  const children = new Set<ChildProcess>()
  const markets: Watched[] = []
  try {
    const offers = makeOffers()
    for (const [at, plan] of planMarkets(count).entries()) markets.push(await serveMarket(plan, at, hostile, offers))
    return await ask(bed, markets, offers, children, tell)
  } finally {
    for (const child of children) child.kill('SIGKILL')
    await Promise.all(markets.map(({ market }) => market.close()))
    await bed.app.close()
  }
}

interface Watched {
  readonly id: string
  readonly market: RunningMarket
  readonly interval: number
  /** When it was asked, in ms. */
  readonly times: number[]
}

interface Made {
  /** As the owner publishes it. */
  readonly bank: Uint8Array
  readonly copies: readonly Offer[]
  readonly bomb: Offer
  /** A package for one channel, of the owner: each call makes another file. */
  readonly ownOffer: () => Offer
  /** What each file is, by hash. */
  readonly truth: Map<string, string>
}

function makeOffers(): Made {
  const keys = makeKeys()
  const bank = published(madeApplication(1, 'com.canglan.bank', 'Pocket Bank'), keys)
  const game = published(madeApplication(2, 'com.lantern.game', 'Lantern Game'), makeKeys())
  const offerOf = (bytes: Uint8Array): Offer => ({
    ...{ name: 'Pocket Bank', package: 'com.canglan.bank', version: '1.7', downloads: 500, developer: 'someone' },
    bytes,
  })
  const truth = new Map<string, string>()
  const made = (name: CopyName) => {
    const bytes = makeCopy(name, bank, game, keys, new Random(7))!
    truth.set(createHash('sha256').update(bytes).digest('hex'), truthOf(name))
    return offerOf(bytes)
  }
  const copies = COPY_KINDS.map(({ name }) => made(name))
  const zeros = new Uint8Array(BOMB_BYTES)
  const bomb = withFiles(
    readZip(bank),
    new Map([
      ['classes2.dex', zeros],
      ['assets/zeros.bin', zeros],
    ]),
  )
  return { bank, copies, bomb: offerOf(bomb), ownOffer: () => made('channel package'), truth }
}

/** A market that is watched. */
async function serveMarket(
  { name, shape, habits }: MarketPlan,
  at: number,
  hostile: readonly string[],
  { copies, bomb, ownOffer }: Made,
): Promise<Watched> {
  const kind = (at % HOSTILE_EVERY === 1 && hostile[Math.floor(at / HOSTILE_EVERY)]) || ''
  const misbehave = HOSTILE[kind]
  const times: number[] = []
  const interval = 200 + 60 * (at % 9)
  // Two copies or three, each market others, and a file of its own in some.
  const own = [0, 1, 2].map((more) => copies[(at * 3 + more * 4) % copies.length]!).slice(0, 2 + (at % 2))
  if (at % OWN_EVERY === 0 && kind === '') own.push(ownOffer())
  const market = await startMarket(
    name,
    shape,
    {
      ...habits,
      rate: allowed(interval),
      misbehave: (request, response, path) => {
        times.push(performance.now())
        return misbehave?.(request, response, path) ?? false
      },
    },
    kind === BOMB ? [bomb] : kind === 'never-ends' ? own.slice(0, 1) : own,
  )
  return { id: `own-${String(at).padStart(4, '0')}-${kind || 'sound'}`, market, interval, times }
}

/** Requests in a second that a market allows to who keeps its pace: one more than fit, since a second begins anywhere. */
const allowed = (interval: number): number => Math.ceil(1000 / interval) + 1

/** Whether more requests came within a second than the market allows. */
function isTooFast({ times, interval }: Watched): boolean {
  const most = allowed(interval)
  return times.some((time, at) => at >= most && time - times[at - most]! < 1000)
}

async function ask(
  bed: AssetBed,
  markets: readonly Watched[],
  { bank, truth }: Made,
  children: Set<ChildProcess>,
  tell: (line: string) => void,
): Promise<MarketRun> {
  const { db } = bed.app.meta
  const made = await good(bed.owner, createApplication, { body: { name: 'Pocket Bank', mimetype_list: [1] } })
  const appid = made.object_list[0]!.id
  await bed.upload(bank, 'bank.apk', { appid })
  for (const { id, market, interval } of markets)
    await db
      .insertInto('monitor_markets')
      .values({
        ...{ id, built_in: false, name_zh: id, name_en: id, kind: 'download', region: 'cn', home: '' },
        ...{ hosts: [], interval_ms: interval, enabled: true, by_user: null, updated_at: 0 },
        connector: JSON.stringify(market.connector),
      })
      .execute()
  const ids = markets.map(({ id }) => id)
  const task = (await good(bed.owner, createMonitorTask, { body: { appid, markets: ids } })).data.id
  const detail = () => good(bed.owner, monitorDetail, { query: { id: task } })
  const answered = async () => {
    const rows = await db
      .selectFrom('monitor_asks')
      .select('market')
      .where('task_id', '=', task)
      .where('state', '!=', 'waiting')
      .execute()
    return rows.map(({ market }) => market)
  }
  const peak = { own: 0, all: 0 }
  const begun = performance.now()
  /** Watches a process until the condition holds; says every half minute where the run is. */
  const watch = async (child: ChildProcess, isDone: () => Promise<boolean>) => {
    let said = performance.now()
    await waitFor(
      async () => {
        const pid = child.pid ?? 0
        const own = pssMegabytes([pid])
        peak.own = Math.max(peak.own, own)
        peak.all = Math.max(peak.all, pssMegabytes(treeOf(pid)))
        if (child.exitCode !== null) throw new Error(`the process of all jobs ended with ${child.exitCode}`)
        if (performance.now() - said > SAY_MS) {
          said = performance.now()
          const seconds = Math.round((said - begun) / 1000)
          tell(`${(await answered()).length} of ${markets.length} markets after ${seconds} s, ${Math.round(own)} MB`)
        }
        await sleep(SAMPLE_MS)
        return isDone()
      },
      MOST_MS,
      'the markets',
    )
  }
  const start = () => {
    const child = startProgram('jobs-process', [], {
      silent: true,
      env: {
        ...process.env,
        APPWARDEN_DATA: bed.app.config.dataFolder,
        APPWARDEN_MARKET_ORIGINS: markets.map(({ market }) => market.origin).join(),
        [OPTIONS]: JSON.stringify({ database: bed.app.database }),
      },
    })
    let errors = ''
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      errors = (errors + text).slice(-2000)
    })
    child.stdout?.resume()
    child.once('exit', (code) => code && tell(`the process of all jobs ended with ${code}: ${errors}`))
    children.add(child)
    return child
  }
  const end = async (child: ChildProcess, signal: NodeJS.Signals) => {
    const exit = once(child, 'exit')
    child.kill(signal)
    await exit
    children.delete(child)
  }

  const first = start()
  await watch(first, async () => (await answered()).length >= markets.length / 2)
  await end(first, 'SIGKILL')
  const before = new Set(await answered())
  tell(`killed after ${before.size} of ${markets.length} markets`)
  const requestsOf = () => new Map(markets.map(({ id, times }) => [id, times.length]))
  const counted = requestsOf()
  const second = start()
  await watch(second, async () => (await detail()).data.state !== 'monitoring')
  const seconds = (performance.now() - begun) / 1000
  const { data, unasked } = await detail()
  const after = requestsOf()
  const copies = await allCopies(bed, task)
  await end(second, 'SIGTERM')
  const problems: Record<string, number> = {}
  for (const { problem } of unasked) problems[problem] = (problems[problem] ?? 0) + 1
  return {
    ...{
      markets: markets.length,
      seconds,
      peak,
      state: data.state,
      asked: data.asked,
      problems,
      copies: copies.length,
    },
    requests: [...after.values()].reduce((sum, one) => sum + one, 0),
    tooFast: markets.filter(isTooFast).map(({ id }) => id),
    answeredBefore: before.size,
    askedAgain: [...before].filter((id) => after.get(id) !== counted.get(id)),
    wrong: wrongOf(copies, truth),
  }
}

async function allCopies(bed: AssetBed, id: string): Promise<MonitorCopy[]> {
  return (await good(bed.owner, monitorCopies, { query: { id, limit: 200 } })).data
}

/** Planted copies that were not found, and those that were judged as what they are not. */
function wrongOf(copies: readonly MonitorCopy[], truth: ReadonlyMap<string, string>): string[] {
  return [...truth].flatMap(([sha256, verdict]) => {
    const copy = copies.find((one) => one.sha256 === sha256)
    return copy?.verdict === verdict ? [] : [`${verdict}: ${copy?.verdict ?? 'not found'}`]
  })
}
