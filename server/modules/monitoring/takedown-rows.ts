import { randomUUID } from 'node:crypto'
import { type Selectable, sql } from 'kysely'
import { type Language, ProductError } from '#contracts/errors.ts'
import { MARKET_PROBLEMS } from '#contracts/http/monitoring/markets.ts'
import {
  type SaidState,
  TAKEDOWN_MOVES,
  TAKEDOWN_STATES,
  type Takedown,
  type TakedownFilters,
  type TakedownState,
  type TakedownStep,
  type TakedownWay,
} from '#contracts/http/monitoring/takedowns.ts'
import type { MetaStore } from '#storage/postgres/database.ts'
import type { Database } from '#storage/postgres/schema.ts'
import { demandAll } from '../../http/demand-all.ts'
import type { Caller } from '../../http/module.ts'
import type { AuditEntry } from '../../platform/audit/audit-trail.ts'
import { allMarkets } from './market-catalogue.ts'
import { copyVerdict, offerOf, type TaskRow, tasksOf } from './monitor-rows.ts'

/**
 * Takedown requests: drafted (a letter was ordered) -> sent -> answered | refused, as people say; from each to removed once a market that was
 * asked afterwards gave a whole answer without the copy, and from there to returned once a run finds it again.
 */
type TakedownRow = Selectable<Database['monitor_takedowns']>
const STEPS = 50
/** What people say of one request: a market that is asked more often is no case for a list of steps. */
const MOST_SAID = 100

/** Makes the requests of a letter, one for each market, in the transaction of its order; those that are there already stay as they are. */
export async function draftTakedowns(
  { meta, now }: { meta: MetaStore; now(): number },
  copy: { readonly id: string; readonly task_id: string },
  markets: readonly string[],
  user: number,
): Promise<void> {
  const at = now()
  const made = await meta.db
    .insertInto('monitor_takedowns')
    .values(
      [...new Set(markets)].map((market) => ({
        ...{ id: randomUUID(), task_id: copy.task_id, copy_id: copy.id, market },
        ...{ state: 'drafted' as const, created_at: at, changed_at: at },
      })),
    )
    .onConflict((on) => on.columns(['copy_id', 'market']).doNothing())
    .returning('id')
    .execute()
  if (!made.length) return
  await meta.db
    .insertInto('monitor_takedown_steps')
    .values(
      made.map(({ id }) => ({
        ...{ takedown_id: id, state: 'drafted' as const, at, by_user: user, run: null, way: null, note: '' },
      })),
    )
    .execute()
}

/** Requests of a task, or of one of its copies. */
export function takedownsOf({ db }: MetaStore, { id, copy, state }: TakedownFilters) {
  let select = db
    .selectFrom('monitor_takedowns as request')
    .innerJoin('monitor_copies as copy', 'copy.id', 'request.copy_id')
    .where('request.task_id', '=', id)
  if (copy !== undefined) select = select.where('request.copy_id', '=', copy)
  return state ? select.where('request.state', '=', state) : select
}

/** One page of requests with their steps, the last changed first. */
export async function listTakedowns(
  meta: MetaStore,
  select: ReturnType<typeof takedownsOf>,
  language: Language,
  page: { limit: number; offset: number },
): Promise<Takedown[]> {
  const names = new Map((await allMarkets(meta)).map((market) => [market.id, market.names[language]]))
  const rows = await select
    .selectAll('request')
    .select(['copy.label', 'copy.package_name', 'copy.version', 'copy.sha256', copyVerdict.as('verdict')])
    .orderBy('request.changed_at', 'desc')
    .orderBy('request.id')
    .limit(page.limit)
    .offset(page.offset)
    .execute()
  const steps = await meta.db
    .selectFrom('monitor_takedown_steps as step')
    .leftJoin('users', 'users.id', 'step.by_user')
    .selectAll('step')
    .select('users.username')
    .where('step.takedown_id', 'in', [...rows.map(({ id }) => id), ''])
    .orderBy('step.id')
    .execute()
  const stepsOf = (id: string) => steps.filter(({ takedown_id }) => takedown_id === id).slice(-STEPS)
  return rows.map(({ id, copy_id, package_name, market, ...row }) => ({
    ...{ id, copy: copy_id, label: row.label, package: package_name, version: row.version, sha256: row.sha256 },
    ...{ verdict: row.verdict, market, market_name: names.get(market) ?? market, state: row.state },
    created_at: row.created_at,
    steps: stepsOf(id).map(toStep),
  }))
}

const toStep = ({
  state,
  at,
  run,
  way,
  note,
  username,
}: Selectable<Database['monitor_takedown_steps']> & { username: string | null }): TakedownStep => ({
  ...{ state, at, by: username ?? '', run, way, note },
})

/** The requests of these ids; data.missing where one does not exist for the caller. */
export async function findTakedowns(
  meta: MetaStore,
  caller: Pick<Caller, 'scope'>,
  ids: readonly string[],
): Promise<(TakedownRow & { label: string; version: string })[]> {
  const rows = await tasksOf(meta, caller)
    .innerJoin('monitor_takedowns as request', 'request.task_id', 'task.id')
    .innerJoin('monitor_copies as copy', 'copy.id', 'request.copy_id')
    .selectAll('request')
    .select(['copy.label', 'copy.version'])
    .where('request.id', 'in', [...ids])
    .execute()
  return demandAll(ids, rows)
}

/**
 * What a person says of requests: all or none. Throws monitor.takedown_state where one is in another state by now, monitor.takedown_steps where
 * one has as many steps of people as a request may have.
 */
export async function sayTakedowns(
  { meta, now }: { meta: MetaStore; now(): number },
  ids: readonly string[],
  step: { state: SaidState; at: number; way: TakedownWay | null; note: string; user: number },
): Promise<void> {
  const { state, at, way, note, user } = step
  const from = (Object.keys(TAKEDOWN_MOVES) as TakedownState[]).filter((one) =>
    (TAKEDOWN_MOVES[one] as readonly string[]).includes(state),
  )
  await meta.db.transaction().execute(async (tx) => {
    const moved = await tx
      .updateTable('monitor_takedowns')
      .set({ state, changed_at: now() })
      .where('id', 'in', [...ids])
      .where('state', 'in', from)
      .returning('id')
      .execute()
    if (moved.length < new Set(ids).size) throw new ProductError('monitor.takedown_state')
    const full = await tx
      .selectFrom('monitor_takedown_steps')
      .select('takedown_id')
      .where('takedown_id', 'in', [...ids])
      .where('run', 'is', null)
      .groupBy('takedown_id')
      .having((having) => having.fn.countAll<number>(), '>=', MOST_SAID)
      .executeTakeFirst()
    if (full) throw new ProductError('monitor.takedown_steps', { limit: String(MOST_SAID) })
    await tx
      .insertInto('monitor_takedown_steps')
      .values(moved.map(({ id }) => ({ takedown_id: id, state, at, by_user: user, run: null, way, note })))
      .execute()
  })
}

/** A file that the market named in this run and that could not be taken: it may be the copy, at whatever address. */
const hasUntaken = sql<boolean>`exists (select 1 from monitor_listings untaken where untaken.task_id = request.task_id
  and untaken.market = request.market and untaken.last_run = task.run
  and split_part(untaken.problem, ':', 1) = any(${Object.keys(MARKET_PROBLEMS)}))`

/**
 * What the newest run of a task says of its requests. A copy is removed from a market that was asked after the request was made, gave a whole
 * answer and has it in none of its listings; a market that did not answer, or in part, or without each of its files, says nothing. It is back where one listing has it.
 */
export async function confirmTakedowns(
  { meta, now, audit }: { meta: MetaStore; now(): number; audit(entry: AuditEntry): Promise<void> },
  task: Pick<TaskRow, 'id' | 'run'>,
): Promise<void> {
  const at = now()
  const { rows } = await sql<{ state: TakedownState; market: string; name: string }>`
    with found as (
      select request.id, request.state, ask.state = 'asked' and ask.asked_at > request.created_at as has_answered,
        coalesce(bool_or(one.id is not null and ${offerOf} = 'offered'), false) as is_offered, coalesce(bool_or(one.id is not null and ${offerOf} = 'unknown'), false) or ${hasUntaken} as is_unknown
      from monitor_takedowns request
        join monitor_tasks task on task.id = request.task_id
        join monitor_copies copy on copy.id = request.copy_id
        join monitor_asks ask on ask.task_id = task.id and ask.market = request.market and ask.run = task.run
        left join monitor_listings one on one.task_id = task.id and one.market = request.market and one.sha256 = copy.sha256
      where request.task_id = ${task.id}
      group by request.id, ask.state, ask.asked_at, task.run
    ), changed as (
      update monitor_takedowns request set changed_at = ${at}, state = case when found.is_offered then 'returned' else 'removed' end
      from found where found.id = request.id and request.state = found.state and (
        (request.state = 'removed' and found.is_offered) or
        (request.state <> 'removed' and found.has_answered and not found.is_offered and not found.is_unknown))
      returning request.id, request.copy_id, request.market, request.state
    ), steps as (
      insert into monitor_takedown_steps (takedown_id, state, at, run)
      select changed.id, changed.state, ${at}, ${task.run}::int from changed
    )
    select changed.state, changed.market, trim(coalesce(nullif(copy.label, ''), copy.package_name) || ' ' || copy.version) as name
    from changed join monitor_copies copy on copy.id = changed.copy_id order by name, changed.market`.execute(meta.db)
  for (const { state, market, name } of rows)
    await audit({
      ...{ account: 'system', role: '', result: 'ok', address: '', action: 'monitoring.takedown', target: name },
      detail: `${TAKEDOWN_STATES[state].en} in ${market}, run ${task.run}`,
    })
}
