import { randomUUID } from 'node:crypto'
import { sql, type Transaction } from 'kysely'
import type { Database } from '#storage/postgres/schema.ts'

/** What a delivery is about: an alert of a rule, or one of environment monitoring. */
export type DeliverySubject = { alert_id: string } | { environment_alert: string }

/** Deliveries begin with the alert, in its transaction: neither is without the other, whatever ends the process. */
export async function enqueueDeliveries(
  tx: Transaction<Database>,
  channels: readonly string[],
  subject: DeliverySubject,
  event: 'firing' | 'resolved',
  now: number,
): Promise<void> {
  const { alert_id, environment_alert } = { alert_id: null, environment_alert: null, ...subject }
  for (const channel of channels)
    await tx
      .insertInto('alert_deliveries')
      .columns([
        'id',
        'channel_id',
        'alert_id',
        'environment_alert',
        'event',
        'state',
        'attempts',
        'next_at',
        'answer',
        'created_at',
      ])
      .expression((where) =>
        where
          .selectFrom('alert_channels')
          .select((one) => [
            one.val(randomUUID()).as('id'),
            'alert_channels.id as channel_id',
            sql<string | null>`${alert_id}::text`.as('alert_id'),
            sql<string | null>`${environment_alert}::text`.as('environment_alert'),
            one.val(event).as('event'),
            one.val('waiting').as('state'),
            sql<number>`0`.as('attempts'),
            sql<number>`${now}::int8`.as('next_at'),
            one.val('').as('answer'),
            sql<number>`${now}::int8`.as('created_at'),
          ])
          .where('id', '=', channel)
          .where('enabled', '=', true)
          .where('deleted_at', 'is', null),
      )
      .onConflict((conflict) => conflict.doNothing())
      .execute()
}
