import { type Selectable, sql, type Updateable } from 'kysely'
import { type Language, ProductError } from '#contracts/errors.ts'
import {
  GENUINE_VERDICTS,
  MONITOR_NOTES,
  type MonitorCopy,
  type MonitorNote,
  type MonitorState,
  type MonitorTask,
  PIRATED_VERDICTS,
  type Verdict,
} from '#contracts/http/monitoring/tasks.ts'
import type { MetaStore } from '#storage/postgres/database.ts'
import { CHANNELS, type Database } from '#storage/postgres/schema.ts'
import { demandAll } from '../../http/demand-all.ts'
import type { Caller } from '../../http/module.ts'

/**
 * The `monitor_tasks` table is the truth about tasks: monitoring (waiting while it has no start) -> monitored | failed | stopped, and from
 * each of those to monitoring again; every change is one guarded update and is announced on CHANNELS.monitor.
 */
export type TaskRow = Selectable<Database['monitor_tasks']>

const verdictOf = sql<Verdict>`coalesce(copy.manual_verdict, copy.verdict)`

/** Tasks of applications that the caller may see, with the counts of their copies. */
export function tasksOf({ db }: MetaStore, { scope }: Pick<Caller, 'scope'>) {
  const { apps } = scope
  const select = db
    .selectFrom('monitor_tasks as task')
    .innerJoin('applications', (join) =>
      join.onRef('applications.id', '=', 'task.application_id').on('applications.deleted_at', 'is', null),
    )
    .leftJoin('users', 'users.id', 'task.by_user')
    .leftJoin('monitor_runs as latest', (join) =>
      join.onRef('latest.task_id', '=', 'task.id').onRef('latest.run', '=', 'task.run'),
    )
  return apps === 'all' ? select : select.where('task.application_id', 'in', apps.length ? [...apps] : [-1])
}

export async function listTasks(
  select: ReturnType<typeof tasksOf>,
  language: Language,
  page: { limit: number; offset: number } = { limit: 200, offset: 0 },
): Promise<MonitorTask[]> {
  const rows = await select
    .selectAll('task')
    .select([
      'applications.name as app_name',
      'users.username',
      'latest.fresh',
      countOf(GENUINE_VERDICTS).as('genuine'),
      countOf(PIRATED_VERDICTS).as('pirated'),
      askCount(sql`true`).as('all_markets'),
      askCount(sql`ask.state = 'asked'`).as('asked'),
      askCount(sql`ask.state = 'unasked'`).as('unasked'),
    ])
    .orderBy('task.created_at', 'desc')
    .orderBy('task.id')
    .limit(page.limit)
    .offset(page.offset)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    appid: String(row.application_id),
    app_name: row.app_name,
    keywords: row.keywords,
    schedule: row.schedule,
    state: row.state,
    note: row.note in MONITOR_NOTES ? MONITOR_NOTES[row.note as MonitorNote][language] : row.note,
    run: row.run,
    waiting: row.state === 'monitoring' && row.started_at === null,
    markets: Number(row.all_markets),
    asked: Number(row.asked),
    unasked: Number(row.unasked),
    genuine: Number(row.genuine),
    pirated: Number(row.pirated),
    fresh: row.fresh ?? 0,
    operator: row.username ?? '',
    created_at: row.created_at,
    started_at: row.started_at,
    ended_at: row.ended_at,
    next_at: row.next_at,
  }))
}

const countOf = (verdicts: readonly string[]) =>
  sql<number>`(select count(*) from monitor_copies copy where copy.task_id = task.id and ${verdictOf} = any(${[...verdicts]}))`
const askCount = (where: ReturnType<typeof sql>) =>
  sql<number>`(select count(*) from monitor_asks ask where ask.task_id = task.id and ask.run = task.run and ${where})`

/** The tasks of these ids; data.missing where one does not exist for the caller. */
export async function findTasks(
  meta: MetaStore,
  caller: Pick<Caller, 'scope'>,
  ids: readonly string[],
): Promise<TaskRow[]> {
  return demandAll(ids, await tasksOf(meta, caller).selectAll('task').where('task.id', 'in', ids).execute())
}

export async function findTask(meta: MetaStore, caller: Pick<Caller, 'scope'>, id: string): Promise<TaskRow> {
  const [row] = await findTasks(meta, caller, [id])
  return row as TaskRow
}

/** Changes a task that still is in one of `from`; undefined where it is not (stopped meanwhile, ended, gone). */
export async function changeTask(
  meta: MetaStore,
  id: string,
  from: readonly MonitorState[],
  set: Updateable<Database['monitor_tasks']>,
): Promise<TaskRow | undefined> {
  const row = await meta.db
    .updateTable('monitor_tasks')
    .set(set)
    .where('id', '=', id)
    .where('state', 'in', from)
    .returningAll()
    .executeTakeFirst()
  if (row && set.state) await meta.notify(CHANNELS.monitor, { id })
  return row
}

/**
 * Whether a listing `one` of the task `task` still offers its file; nothing is known where its market has given no whole answer in this run, or
 * has not given the file.
 */
export const offerOf = sql<
  MonitorCopy['offer']
>`case when one.last_run = task.run then (case when one.problem = '' then 'offered' else 'unknown' end)
  when exists (select 1 from monitor_asks ask where ask.task_id = one.task_id and ask.market = one.market
    and ask.run = task.run and ask.state = 'asked') then 'gone' else 'unknown' end`

/** The same of a copy `copy`, in all its listings. */
export const offerOfCopy = sql<MonitorCopy['offer']>`(select case when bool_or(${offerOf} = 'offered') then 'offered'
    when bool_or(${offerOf} = 'unknown') then 'unknown' else 'gone' end
  from monitor_listings one where one.task_id = copy.task_id and one.sha256 = copy.sha256)`

export interface RunSums {
  readonly asked: number
  readonly unasked: number
  readonly pirated: number
  readonly fresh: number
  readonly gone: number
}

/** The sums of the newest run, as copies are judged now. */
export async function sumsOf({ db }: MetaStore, { id, run }: Pick<TaskRow, 'id' | 'run'>): Promise<RunSums> {
  const { rows } = await sql<RunSums>`
    select
      (select count(*)::int from monitor_asks where task_id = ${id} and run = ${run} and state = 'asked') as asked,
      (select count(*)::int from monitor_asks where task_id = ${id} and run = ${run} and state <> 'asked') as unasked,
      count(*) filter (where ${offerOfCopy} = 'offered')::int as pirated,
      count(*) filter (where copy.first_run = ${run})::int as fresh,
      count(*) filter (where copy.gone_run = ${run})::int as gone
    from monitor_copies copy join monitor_tasks task on task.id = copy.task_id
    where task.id = ${id} and ${verdictOf} = any(${[...PIRATED_VERDICTS]})`.execute(db)
  return rows[0]!
}

/** Copies of one task, each with where it is offered. */
export function copiesOf({ db }: MetaStore, task: Pick<TaskRow, 'id'>) {
  return db
    .selectFrom('monitor_copies as copy')
    .innerJoin('monitor_tasks as task', 'task.id', 'copy.task_id')
    .where('copy.task_id', '=', task.id)
}

export async function listCopies(
  select: ReturnType<typeof copiesOf>,
  page: { limit: number; offset: number } = { limit: 200, offset: 0 },
): Promise<MonitorCopy[]> {
  const rows = await select
    .select([
      'copy.id',
      'copy.task_id',
      'task.application_id',
      'copy.sha256',
      'copy.label',
      'copy.package_name',
      'copy.version',
      'copy.size',
      'copy.certificates',
      'copy.verdict as judged',
      'copy.manual_verdict',
      'copy.confidence',
      'copy.first_run',
      'copy.first_seen',
      'copy.last_seen',
      'task.run',
      sql<number>`(select count(distinct one.market) from monitor_listings one where one.task_id = copy.task_id and one.sha256 = copy.sha256)`.as(
        'markets',
      ),
      sql<
        number | null
      >`(select sum(one.downloads) from monitor_listings one where one.task_id = copy.task_id and one.sha256 = copy.sha256)`.as(
        'downloads',
      ),
      offerOfCopy.as('offer'),
    ])
    .orderBy(sql`${verdictOf} = any(${[...PIRATED_VERDICTS]})`, 'desc')
    .orderBy('copy.first_seen', 'desc')
    .orderBy('copy.id')
    .limit(page.limit)
    .offset(page.offset)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    task: row.task_id,
    appid: String(row.application_id),
    sha256: row.sha256,
    label: row.label,
    package: row.package_name,
    version: row.version,
    size: row.size,
    certificate: row.certificates[0] ?? '',
    verdict: row.manual_verdict ?? row.judged,
    judged: row.judged,
    is_manual: row.manual_verdict !== null,
    confidence: row.confidence,
    markets: Number(row.markets),
    offer: row.offer,
    downloads: row.downloads === null ? null : Number(row.downloads),
    first_seen: row.first_seen,
    last_seen: row.last_seen,
    is_fresh: row.first_run === row.run,
  }))
}

/** The copy and its task; data.missing where it does not exist for the caller. */
export async function findCopy(meta: MetaStore, caller: Pick<Caller, 'scope'>, id: string) {
  const copy = await meta.db.selectFrom('monitor_copies').selectAll().where('id', '=', id).executeTakeFirst()
  if (!copy) throw new ProductError('data.missing')
  return { copy, task: await findTask(meta, caller, copy.task_id) }
}

/** Verdict of people, else of the product, in queries that name copies `copy`. */
export const copyVerdict = verdictOf
