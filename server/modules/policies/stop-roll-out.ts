import type { MetaStore } from '#storage/postgres/database.ts'
import { CHANNELS } from '#storage/postgres/schema.ts'
import type { AuditEntry } from '../../platform/audit/audit-trail.ts'
import { type GuardDeps, measureRollOut } from './measure-roll-out.ts'

type Deps = Omit<GuardDeps, 'meta'> & { meta: MetaStore; audit(entry: AuditEntry): Promise<void> }

/**
 * Pauses the running roll-outs whose devices do worse than the others by the published rule; answers their ids. Devices return to what
 * lies beneath with their next fetch. Somebody who changed the deployment meanwhile goes first.
 */
export async function stopBadRollOuts(deps: Deps): Promise<string[]> {
  const { db } = deps.meta
  const watched = await db
    .selectFrom('policy_deployments as d')
    .innerJoin('policies as p', 'p.id', 'd.policy_id')
    .selectAll('d')
    .select('p.name')
    .where('d.state', '=', 'running')
    .where('d.guarded', '=', true)
    .where('d.percent', '<', 100)
    .orderBy('d.serial')
    .execute()
  const stopped: string[] = []
  for (const { name, ...deployment } of watched) {
    const reading = await measureRollOut(deps, deployment)
    if (reading.verdict !== 'stop') continue
    const at = deps.now()
    const paused = await db.transaction().execute(async (tx) => {
      const { numUpdatedRows } = await tx
        .updateTable('policy_deployments')
        .set({ state: 'paused', changed_at: at })
        .where('id', '=', deployment.id)
        .where('state', '=', 'running')
        .where('guarded', '=', true)
        .where('changed_at', '=', deployment.changed_at)
        .executeTakeFirst()
      if (numUpdatedRows === 0n) return false
      const { percent } = deployment
      await tx
        .insertInto('policy_deployment_changes')
        .values({
          deployment_id: deployment.id,
          at,
          by_user: null,
          what: 'stopped',
          percent,
          detail: JSON.stringify(reading),
        })
        .execute()
      return true
    })
    if (!paused) continue
    stopped.push(deployment.id)
    await deps.audit({
      account: 'system',
      role: '',
      action: 'policies.guard',
      target: name,
      result: 'ok',
      address: 'local',
      detail: `v${deployment.version} stopped at ${deployment.percent} %: ${JSON.stringify(reading)}`,
    })
    await deps.meta.notify(CHANNELS.changed, { what: 'policies' })
  }
  return stopped
}
