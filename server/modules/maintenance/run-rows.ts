import { randomUUID } from 'node:crypto'
import type { Selectable } from 'kysely'
import type { CheckOutcome, CheckRun, MAINTENANCE_STATES } from '#contracts/http/maintenance/checks.ts'
import type { CheckId } from '#contracts/maintenance-checks.ts'
import type { MetaStore } from '#storage/postgres/database.ts'
import { CHANNELS, type Database } from '#storage/postgres/schema.ts'

export type RunRow = Selectable<Database['maintenance_runs']>
export type RunKind = RunRow['kind']
export type RunState = (typeof MAINTENANCE_STATES)[number]
export const LIVE_RUNS: readonly RunState[] = ['waiting', 'running']
/** Older runs are forgotten. */
const KEPT = 100

/** Adds a run unless one of the kinds waits or runs already: undefined then. */
export async function createRun(
  meta: MetaStore,
  run: { kind: RunKind; input: object; account: string; not: readonly RunKind[] },
  now: number,
): Promise<RunRow | undefined> {
  const { kind, input, account, not } = run
  const row = await meta.db.transaction().execute(async (tx) => {
    // Of two requests at the same time the second sees the first.
    const live = await tx
      .selectFrom('maintenance_runs')
      .select('id')
      .where('kind', 'in', not)
      .where('state', 'in', LIVE_RUNS)
      .executeTakeFirst()
    if (live) return undefined
    return tx
      .insertInto('maintenance_runs')
      .values({
        ...{
          id: randomUUID(),
          kind,
          state: 'waiting',
          step: null,
          input: JSON.stringify(input),
          result: null,
          account,
        },
        ...{ created_at: now, started_at: null, ended_at: null },
      })
      .returningAll()
      .executeTakeFirstOrThrow()
  })
  if (!row) return undefined
  const newest = meta.db
    .selectFrom('maintenance_runs')
    .select('id')
    .where('kind', '=', kind)
    .orderBy('created_at', 'desc')
    .limit(KEPT)
  await meta.db.deleteFrom('maintenance_runs').where('kind', '=', kind).where('id', 'not in', newest).execute()
  await meta.notify(CHANNELS.maintenance, { id: row.id })
  return row
}

/** Changes a run that still is in one of `from`; undefined where it is not. */
export async function changeRun(
  meta: MetaStore,
  id: string,
  from: readonly RunState[],
  set: {
    state?: RunState
    progress?: number
    step?: string | null
    result?: object
    error?: string
    started_at?: number
    ended_at?: number
  },
): Promise<RunRow | undefined> {
  const { result, ...plain } = set
  const row = await meta.db
    .updateTable('maintenance_runs')
    .set({ ...plain, ...(result && { result: JSON.stringify(result) }) })
    .where('id', '=', id)
    .where('state', 'in', from)
    .returningAll()
    .executeTakeFirst()
  // Progress is read when somebody looks.
  if (row && set.state) await meta.notify(CHANNELS.maintenance, { id })
  return row
}

export type CheckInput = { checks: CheckId[] }
export type CheckResult = { outcomes: CheckOutcome[] }

/** The row of a check or repair in the form of the contract. */
export function toCheckRun(row: RunRow, withOutcomes = true): CheckRun {
  const { id, progress, account, created_at, started_at, ended_at } = row
  return {
    ...{ id, progress, created_at, started_at, ended_at },
    kind: row.kind as CheckRun['kind'],
    state: row.state as RunState,
    step: row.step as CheckId | null,
    by: account,
    outcomes: withOutcomes ? ((row.result as CheckResult | null)?.outcomes ?? []) : [],
  }
}
