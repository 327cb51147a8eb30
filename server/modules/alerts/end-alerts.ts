import { sql, type Transaction } from 'kysely'
import type { Database } from '#storage/postgres/schema.ts'

/** What the rule says is not judged any more: its alerts that still fire end without a message. */
export async function endAlertsOf(tx: Transaction<Database>, rule: string, now: number): Promise<void> {
  const open = await tx
    .selectFrom('alerts')
    .select('id')
    .where('rule_id', '=', rule)
    .where('resolved_at', 'is', null)
    .execute()
  await resolveAlerts(
    tx,
    open.map(({ id }) => id),
    now,
  )
}

/** Resolves those of these alerts that still fire, without a message. */
export async function resolveAlerts(tx: Transaction<Database>, ids: readonly string[], now: number): Promise<void> {
  if (ids.length === 0) return
  const ended = await tx
    .updateTable('alerts')
    .set({ resolved_at: now, version: sql`version + 1` })
    .where('id', 'in', ids)
    .where('resolved_at', 'is', null)
    .returning('id')
    .execute()
  for (const { id } of ended)
    await tx
      .insertInto('alert_steps')
      .values({ alert_id: id, at: now, step: 'resolved', by_user: '', note: '' })
      .execute()
}
