import type { EnvironmentSnapshot } from '#contracts/http/environment.ts'
import { STORED_STEPS } from '#domain/environment.ts'
import type { MetaStore } from '#storage/postgres/database.ts'
import { enqueueDeliveries } from '../alerts/enqueue-deliveries.ts'
import { addStats, type Span } from './summarise-samples.ts'
import type { LimitAlert } from './watch-limits.ts'

/** A node without a sample for this long is forgotten, with its alerts. */
const NODE_MS = 31 * 86_400_000
/** Ended alerts are kept as long. */
const ALERT_MS = 184 * 86_400_000

/** Writes what a node measured, in one transaction. A span that is there already (the process was restarted within it) is added to. */
export async function storeSamples(
  meta: MetaStore,
  node: string,
  measured: {
    snapshot: EnvironmentSnapshot
    spans: readonly Span[]
    alerts: readonly LimitAlert[]
    channels: readonly string[]
  },
): Promise<void> {
  const { snapshot, spans, alerts, channels } = measured
  const { at } = snapshot
  const text = JSON.stringify(snapshot)
  await meta.db.transaction().execute(async (tx) => {
    await tx
      .insertInto('environment_nodes')
      .values({ node, first_at: at, at, snapshot: text })
      .onConflict((conflict) => conflict.column('node').doUpdateSet({ at, snapshot: text }))
      .execute()
    for (const { step, at: start, stats } of spans) {
      const before = await tx
        .selectFrom('environment_samples')
        .select('stats')
        .where('node', '=', node)
        .where('step', '=', step)
        .where('at', '=', start)
        .executeTakeFirst()
      const whole = JSON.stringify(before ? addStats(before.stats, stats) : stats)
      await tx
        .insertInto('environment_samples')
        .values({ node, step, at: start, stats: whole })
        .onConflict((conflict) => conflict.columns(['node', 'step', 'at']).doUpdateSet({ stats: whole }))
        .execute()
    }
    for (const { limit, ...alert } of alerts) {
      const known = await tx
        .selectFrom('environment_alerts')
        .select('closed_at')
        .where('id', '=', alert.id)
        .executeTakeFirst()
      const { closed_at, peak } = alert
      if (known)
        await tx.updateTable('environment_alerts').set({ closed_at, peak }).where('id', '=', alert.id).execute()
      else
        await tx
          .insertInto('environment_alerts')
          .values({ ...alert, node, limit_value: limit })
          .execute()
      const subject = { environment_alert: alert.id }
      if (!known) await enqueueDeliveries(tx, channels, subject, 'firing', at)
      if (closed_at !== null && (known?.closed_at ?? null) === null)
        await enqueueDeliveries(tx, channels, subject, 'resolved', at)
    }
  })
}

/** The alerts of the node that were open when it was last stored. */
export async function readOpenAlerts(meta: MetaStore, node: string): Promise<LimitAlert[]> {
  const rows = await meta.db
    .selectFrom('environment_alerts')
    .selectAll()
    .where('node', '=', node)
    .where('closed_at', 'is', null)
    .execute()
  return rows.map(({ node: _node, limit_value, ...row }) => ({ ...row, limit: limit_value }))
}

/** Deletes what is past its time, of all nodes. */
export async function dropOldSamples({ db }: MetaStore, now: number): Promise<void> {
  for (const { seconds, keptMs } of STORED_STEPS)
    await db
      .deleteFrom('environment_samples')
      .where('step', '=', seconds)
      .where('at', '<', now - keptMs)
      .execute()
  const gone = db
    .selectFrom('environment_nodes')
    .select('node')
    .where('at', '<', now - NODE_MS)
  await db.deleteFrom('environment_alerts').where('node', 'in', gone).execute()
  await db
    .deleteFrom('environment_alerts')
    .where('closed_at', '<', now - ALERT_MS)
    .execute()
  await db
    .deleteFrom('environment_nodes')
    .where('at', '<', now - NODE_MS)
    .execute()
}
