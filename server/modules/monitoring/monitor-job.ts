import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { MarketProblemKey } from '#contracts/http/monitoring/markets.ts'
import type { PackagePrint } from '#engines/similarity/package-print.ts'
import { log } from '#runtime/log.ts'
import { dropUnnamed } from '../../platform/file-references.ts'
import { timedSignal } from '../../platform/timed-signal.ts'
import { judgeRun } from '../alerts/judge-run.ts'
import { askMarket, type Candidate, doubtOf, type Lead, type Wanted } from './ask-market.ts'
import type { CopySpace } from './copy-space.ts'
import { dropTask } from './drop-copies.ts'
import { HostPaces } from './host-paces.ts'
import { clean, type JudgeDeps, judgeAgain, judgeNew, readReferences } from './judge-copies.ts'
import { allMarkets, hostsOf, type KnownMarket } from './market-catalogue.ts'
import { type FetcherOptions, type MarketLimits, MarketProblem, MarketSession } from './market-fetcher.ts'
import { noticeCopies, noticeFailure } from './monitor-notices.ts'
import { changeTask, offerOfCopy, sumsOf, type TaskRow } from './monitor-rows.ts'
import { confirmTakedowns } from './takedown-rows.ts'

export interface MonitorDeps extends JudgeDeps {
  readonly space: CopySpace
  readonly origins: readonly string[]
  readonly proxy: string
  readonly fetchLimits?: MarketLimits
  readonly lookup?: FetcherOptions['lookup']
  /** For one market in one run, MARKET_MS without it. */
  readonly marketMs?: number
}

export interface MonitorSignals {
  readonly stop: AbortSignal
  readonly quit: AbortSignal
}

/** Markets that are asked at a time: most of the time of each is waiting for its own pace. */
const AT_A_TIME = 6
/** What one market may take of a run, with its downloads. */
const MARKET_MS = 2 * 3_600_000
/** Listings of one market and runs of one task that are kept, the newest. */
const MOST_LISTINGS = 500
const MOST_RUNS = 400
const DAY_MS = 86_400_000
const PERIOD_MS = { once: null, daily: DAY_MS, weekly: 7 * DAY_MS } as const

export const nextAt = (schedule: keyof typeof PERIOD_MS, from: number): number | null => {
  const period = PERIOD_MS[schedule]
  return period === null ? null : from + period
}

/**
 * One run of a task: every market that was not asked yet, each copy read and judged, then the sums. Aborting `stop` means that a user stopped
 * it; aborting `quit` (the process ends) leaves what was asked as it is, and the next process goes on with the other markets.
 */
export async function runMonitoring(deps: MonitorDeps, id: string, signals: MonitorSignals): Promise<void> {
  const task = await begin(deps, id)
  if (!task) return
  const signal = AbortSignal.any([signals.stop, signals.quit])
  try {
    const references = await readReferences(deps, task, signal)
    if (signal.aborted) return
    if (!references.length) return void (await fail(deps, id, 'monitor.no_reference'))
    await judgeAgain(deps, task, references, signal)
    if (signal.aborted) return
    const wanted = await wantedOf(deps, task, references)
    const markets = new Map((await allMarkets(deps.meta)).map((market) => [market.id, market]))
    const waiting = await deps.meta.db
      .selectFrom('monitor_asks')
      .select('market')
      .where('task_id', '=', id)
      .where('run', '=', task.run)
      .where('state', '=', 'waiting')
      .orderBy('market')
      .execute()
    const paces = new HostPaces()
    const queue = waiting.map(({ market }) => market)
    const work = async () => {
      for (let next = queue.shift(); next !== undefined && !signal.aborted; next = queue.shift())
        await askOne(deps, task, next, markets.get(next), references, wanted, paces, signal)
    }
    await Promise.all(Array.from({ length: AT_A_TIME }, work))
    if (!signal.aborted) await finish(deps, task)
  } catch (error) {
    if (signal.aborted) return
    log.error({ err: error }, `monitoring task ${id} failed`)
    await fail(deps, id, 'monitor.internal')
  }
}

const fail = ({ meta, now }: MonitorDeps, id: string, note: string) =>
  changeTask(meta, id, ['monitoring'], { state: 'failed', note, ended_at: now() })

/** Begins a run with all markets before it, or goes on with one that another process began. */
async function begin({ meta, now }: MonitorDeps, id: string): Promise<TaskRow | undefined> {
  const { db } = meta
  const found = await db
    .selectFrom('monitor_tasks')
    .selectAll()
    .where('id', '=', id)
    .where('state', '=', 'monitoring')
    .executeTakeFirst()
  if (!found || found.started_at !== null) return found
  const markets = (await allMarkets(meta)).filter((market) => isChosen(found, market))
  const run = found.run + 1
  const at = now()
  const begun = await db.transaction().execute(async (trx) => {
    const row = await trx
      .updateTable('monitor_tasks')
      .set({ run, started_at: at, ended_at: null, note: '', next_at: nextAt(found.schedule, at) })
      .where('id', '=', id)
      .where('state', '=', 'monitoring')
      .where('started_at', 'is', null)
      .returningAll()
      .executeTakeFirst()
    if (!row) return undefined
    const none = { asked: 0, unasked: 0, pirated: 0, fresh: 0, gone: 0 }
    await trx
      .insertInto('monitor_runs')
      .values({ task_id: id, run, started_at: at, ended_at: null, ...none })
      .execute()
    await trx
      .deleteFrom('monitor_runs')
      .where('task_id', '=', id)
      .where('run', '<=', run - MOST_RUNS)
      .execute()
    for (let from = 0; from < markets.length; from += 500)
      await trx
        .insertInto('monitor_asks')
        .values(markets.slice(from, from + 500).map(({ id: market }) => ({ task_id: id, market, run, ...UNASKED })))
        .onConflict((on) => on.columns(['task_id', 'market']).doUpdateSet({ run, ...UNASKED }))
        .execute()
    return row
  })
  return begun
}

const UNASKED = { state: 'waiting', problem: '', detail: '', pages: 0, items: 0, asked_at: null, leads: '[]' } as const

function isChosen({ kinds, markets }: Pick<TaskRow, 'kinds' | 'markets'>, market: KnownMarket): boolean {
  if (!market.enabled || market.closed) return false
  return (!kinds.length && !markets.length) || kinds.includes(market.kind) || markets.includes(market.id)
}

async function wantedOf({ meta }: MonitorDeps, task: TaskRow, references: readonly PackagePrint[]): Promise<Wanted> {
  const application = await meta.db
    .selectFrom('applications')
    .select('name')
    .where('id', '=', task.application_id)
    .executeTakeFirst()
  const names = [application?.name ?? '', ...references.map(({ label }) => label), ...task.keywords]
  return {
    keywords: [...new Set(names.map((name) => name.trim().slice(0, 60)).filter(Boolean))].slice(0, 12),
    packages: [...new Set(references.map((one) => one.package).filter(Boolean))],
  }
}

/** Asks one market and keeps what it offers; whatever it does, the run goes on with the next. */
async function askOne(
  deps: MonitorDeps,
  task: TaskRow,
  id: string,
  market: KnownMarket | undefined,
  references: readonly PackagePrint[],
  wanted: Wanted,
  paces: HostPaces,
  signal: AbortSignal,
): Promise<void> {
  const { db } = deps.meta
  const answer = async (set: {
    state: 'asked' | 'unasked'
    problem: MarketProblemKey | ''
    detail: string
    pages: number
    items: number
    leads?: readonly Lead[]
  }) => {
    await db
      .updateTable('monitor_asks')
      .set({ ...set, leads: JSON.stringify(set.leads ?? []), asked_at: deps.now() })
      .where('task_id', '=', task.id)
      .where('market', '=', id)
      .where('run', '=', task.run)
      .execute()
  }
  const unasked = (problem: MarketProblemKey, detail: string, leads: readonly Lead[] = []) =>
    answer({ state: 'unasked', problem, detail: detail.slice(0, 300), pages: 0, items: 0, leads })
  if (!market) return unasked('manual', 'this market was deleted')
  const ownIds = references.filter(({ platform }) => platform === market.platform).map((one) => one.package)
  if (market.platform !== null && ownIds.length === 0) return unasked('platform', '')
  const ending = timedSignal(signal, deps.marketMs ?? MARKET_MS)
  const session = new MarketSession(
    {
      origins: new Set(deps.origins),
      proxy: deps.proxy,
      ...(deps.fetchLimits && { limits: deps.fetchLimits }),
      ...(deps.lookup && { lookup: deps.lookup }),
      sleep: (ms, stop) => sleep(ms, undefined, { signal: stop }),
      now: deps.now,
      paces,
    },
    { hosts: hostsOf(market), interval: market.intervalMs },
    ending,
  )
  try {
    const asked = await askMarket(session, market.connector, { ...wanted, own: ownIds })
    let noSpace = ''
    for (const candidate of asked.candidates) {
      if (signal.aborted) return
      if (ending.aborted) throw new MarketProblem('time', 'the market takes too long')
      noSpace = (await takeCandidate(deps, task, market, session, candidate, references, signal)) || noSpace
    }
    await dropOldListings(deps, task, market)
    if (signal.aborted) return
    // What was found stays; but what was not found need not be gone.
    const doubt = noSpace ? (['space', noSpace] as const) : doubtOf(asked, market)
    if (doubt) await unasked(...doubt, asked.leads.map(plainLead))
    else await answer({ state: 'asked', problem: '', detail: '', pages: asked.pages, items: asked.items })
  } catch (error) {
    if (signal.aborted) return
    if (!(error instanceof MarketProblem)) {
      log.error({ err: error, market: id }, 'a market could not be asked')
      await unasked('internal', '')
    } else if (error.problem === 'stopped') await unasked('time', 'the market takes too long')
    else await unasked(error.problem, error.message)
  }
}

const plainLead = ({ name, page }: Lead): Lead => ({ name: clean(name), page })

/** A market may give other addresses at each run. */
async function dropOldListings({ meta }: MonitorDeps, task: TaskRow, market: KnownMarket): Promise<void> {
  const mine = meta.db.selectFrom('monitor_listings').where('task_id', '=', task.id).where('market', '=', market.id)
  await meta.db
    .deleteFrom('monitor_listings')
    .where('task_id', '=', task.id)
    .where('market', '=', market.id)
    .where('id', 'not in', mine.select('id').orderBy('last_seen', 'desc').orderBy('id', 'desc').limit(MOST_LISTINGS))
    .execute()
}

/**
 * Downloads an offered package unless the market says that it is the known one, and judges it unless its bytes are known. Answers '', or why
 * there is no room for it.
 */
async function takeCandidate(
  deps: MonitorDeps,
  task: TaskRow,
  market: KnownMarket,
  session: MarketSession,
  candidate: Candidate,
  references: readonly PackagePrint[],
  signal: AbortSignal,
): Promise<string> {
  const { db } = deps.meta
  const { download, page, name, version, developer, downloads } = candidate
  const key = { task_id: task.id, market: market.id, download: download.slice(0, 2000) }
  const known = await db
    .selectFrom('monitor_listings')
    .select(['etag', 'sha256', 'problem'])
    .where('task_id', '=', key.task_id)
    .where('market', '=', key.market)
    .where('download', '=', key.download)
    .executeTakeFirst()
  const said = {
    page: page.slice(0, 2000),
    name: clean(name),
    package_name: clean(candidate.package),
    version: clean(version),
    developer: clean(developer),
    downloads,
  }
  const keep = async (found: { etag: string; sha256: string | null; problem: string }) => {
    const at = deps.now()
    const set = { ...said, ...found, last_seen: at, last_run: task.run }
    await db
      .insertInto('monitor_listings')
      .values({ ...key, ...set, first_seen: at })
      .onConflict((on) => on.columns(['task_id', 'market', 'download']).doUpdateSet(set))
      .execute()
  }
  try {
    await deps.space.take(task.id, async (pass) => {
      const file = await session.file({ url: download, form: '' }, known?.etag ?? '', async (source) => {
        await deps.files.put(pass(source))
      })
      const etag = file.etag.slice(0, 300)
      const sha256 = file.unchanged ? (known?.sha256 ?? null) : file.sha256
      // Unchanged, and no package the last time either.
      if (sha256 === null) return keep({ etag, sha256, problem: known?.problem ?? '' })
      let problem: string | undefined
      try {
        problem = await judgeNew(deps, task, sha256, file.size, `${clean(name) || 'copy'}.apk`, references, signal)
      } finally {
        // No copy, so nothing of it stays. Its task may have been deleted at this moment.
        if (problem !== '') await dropUnnamed(deps, [sha256])
      }
      if (problem === undefined) return
      if (problem) return keep({ etag, sha256: null, problem })
      await keep({ etag, sha256, problem: '' })
      await db
        .updateTable('monitor_copies')
        .set({ last_seen: deps.now() })
        .where('task_id', '=', task.id)
        .where('sha256', '=', sha256)
        .execute()
    })
    return ''
  } catch (error) {
    if (signal.aborted) return ''
    if (!(error instanceof MarketProblem) || error.problem === 'stopped') throw error
    // The market offers it, but its file could not be taken: this is a fact about the offer, the market has answered. Whether it still is the
    // file that was taken before is not known.
    const problem = `${error.problem}: ${error.message}`.slice(0, 300)
    await keep({ etag: '', sha256: known?.sha256 ?? null, problem })
    return error.problem === 'space' ? error.message : ''
  }
}

/** The sums of the run, and a notice where something new was found. */
async function finish(deps: MonitorDeps, task: TaskRow): Promise<void> {
  const { meta, now } = deps
  const { db } = meta
  await sql`update monitor_copies copy set gone_run = case when ${offerOfCopy} = 'gone' then coalesce(copy.gone_run, task.run) end
    from monitor_tasks task where task.id = copy.task_id and task.id = ${task.id}`.execute(db)
  await confirmTakedowns(deps, task)
  const sums = await sumsOf(meta, task)
  const at = now()
  // A process that is killed after this ends the run again: its first end stays, so that alerts know it.
  await db
    .updateTable('monitor_runs')
    .set({ ...sums, ended_at: sql<number>`coalesce(ended_at, ${at})` })
    .where('task_id', '=', task.id)
    .where('run', '=', task.run)
    .execute()
  await judgeRun(meta, task.id, task.run, at)
  const done = await changeTask(meta, task.id, ['monitoring'], {
    state: sums.asked > 0 ? 'monitored' : 'failed',
    note: sums.asked > 0 ? '' : 'monitor.none_asked',
    ended_at: at,
  })
  if (!done) return
  if (sums.asked === 0) await noticeFailure(meta, task, sums, at)
  if (sums.fresh > 0) await noticeCopies(meta, task, sums, at)
}

/** Begins runs of tasks whose time has come; one that still goes on is left alone. Tasks of deleted applications are deleted. */
export async function startDueTasks(deps: Pick<MonitorDeps, 'meta' | 'files' | 'now'>): Promise<number> {
  const { meta, now } = deps
  const lost = await meta.db
    .selectFrom('monitor_tasks')
    .innerJoin('applications', 'applications.id', 'monitor_tasks.application_id')
    .where('applications.deleted_at', 'is not', null)
    .select('monitor_tasks.id')
    .limit(20)
    .execute()
  for (const { id } of lost) await dropTask(deps, id)
  const due = await meta.db
    .selectFrom('monitor_tasks')
    .select(['id', 'schedule'])
    .where('next_at', '<=', now())
    .where('state', '!=', 'monitoring')
    .limit(100)
    .execute()
  for (const { id, schedule } of due)
    await changeTask(meta, id, ['monitored', 'failed', 'stopped'], {
      state: 'monitoring',
      started_at: null,
      ended_at: null,
      note: '',
      starts: 0,
      next_at: nextAt(schedule, now()),
    })
  return due.length
}
