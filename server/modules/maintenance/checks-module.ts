import { sql } from 'kysely'
import { ProductError } from '#contracts/errors.ts'
import { checkRuns, startCheck, startRepair, stopMaintenance } from '#contracts/http/maintenance/checks.ts'
import type { Module } from '../../http/module.ts'
import { chosenChecks } from './run-checks.ts'
import { type CheckInput, changeRun, createRun, LIVE_RUNS, toCheckRun } from './run-rows.ts'

const SHOWN = 20
/** A repair is asked for by someone who saw what it will do. */
const LOOKED_MS = 86_400_000

/** Detection and repair: asked for here, done by the jobs process. */
export const maintenanceChecksModule: Module = (mount, { meta, now }) => {
  mount(checkRuns, async () => {
    const rows = await meta.db
      .selectFrom('maintenance_runs')
      .selectAll()
      .where('kind', 'in', ['check', 'repair'])
      .orderBy('created_at', 'desc')
      .orderBy('id')
      .limit(SHOWN)
      .execute()
    return { data: rows.map((row, index) => toCheckRun(row, index === 0)) }
  })

  mount(startCheck, async ({ body, caller, audit }) => {
    const checks = chosenChecks(body.checks)
    audit(body.checks.join(' ') || 'all')
    const account = caller.username
    const row = await createRun(meta, { kind: 'check', input: { checks }, account, not: ['check', 'repair'] }, now())
    if (!row) throw new ProductError('task.exists')
    return { data: toCheckRun(row) }
  })

  mount(startRepair, async ({ body, caller, audit }) => {
    const checks = chosenChecks(body.checks)
    audit(checks.join(' '))
    const looked = await meta.db
      .selectFrom('maintenance_runs')
      .select('input')
      .where('kind', '=', 'check')
      .where('state', '=', 'done')
      .where('ended_at', '>', now() - LOOKED_MS)
      .where(sql<boolean>`exists (select 1 from jsonb_array_elements(result -> 'outcomes'))`)
      .execute()
    const seen = new Set(looked.flatMap(({ input }) => (input as CheckInput).checks))
    if (checks.some((check) => !seen.has(check))) throw new ProductError('maintenance.look_first')
    const account = caller.username
    const row = await createRun(
      meta,
      { kind: 'repair', input: { checks }, account, not: ['check', 'repair', 'backup'] },
      now(),
    )
    if (!row) throw new ProductError('task.exists')
    return { data: toCheckRun(row) }
  })

  mount(stopMaintenance, async ({ body, audit }) => {
    const stopped = await changeRun(meta, body.id, LIVE_RUNS, { state: 'stopped', ended_at: now() })
    audit(stopped ? stopped.kind : '', stopped ? 'stopped' : '')
    if (!stopped) throw new ProductError('data.missing')
    return {}
  })
}
