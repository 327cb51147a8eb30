import { type Selectable, sql } from 'kysely'
import type { AlertTables } from '#storage/postgres/alert-tables.ts'
import type { MetaStore } from '#storage/postgres/database.ts'
import type { AlertSubject } from './alert-message.ts'
import { toAlert } from './alert-row.ts'
import { hasOwner, mayMaintain, mayReceive } from './channel-access.ts'
import type { ChannelRow } from './channel-target.ts'
import { deliverNotification, type NotificationDeps } from './deliver-notification.ts'

/** How long after each failed attempt the next one follows; after the last it has failed. About four hours in all. */
const RETRY_MS = [10_000, 30_000, 120_000, 600_000, 1_800_000, 3_600_000, 7_200_000] as const
/** A process that takes a delivery has this long for it; if it dies, another process takes the delivery after that. */
const LEASE_MS = 60_000
const AT_ONCE = 4

export type DeliverDeps = NotificationDeps & { meta: MetaStore }

/** When the attempt after this one is due (`attempts` were made), or undefined when it was the last. */
export function nextAttempt(attempts: number, now: number): number | undefined {
  const wait = RETRY_MS[attempts - 1]
  return wait === undefined ? undefined : now + wait
}

/** Makes every delivery that is due, a few at a time. At least once each: receivers recognise repeats by the delivery's id. */
export async function deliverDue(deps: DeliverDeps): Promise<number> {
  let made = 0
  for (;;) {
    const due = await takeDue(deps)
    if (due.length === 0) return made
    await Promise.all(due.map((id) => deliver(deps, id)))
    made += due.length
  }
}

/** Takes some due deliveries for this process: the attempt is counted before it is made. */
async function takeDue({ meta, now }: DeliverDeps): Promise<string[]> {
  const at = now()
  const rows = await meta.db
    .updateTable('alert_deliveries')
    .set({ attempts: sql`attempts + 1`, next_at: at + LEASE_MS })
    .where('id', 'in', (where) =>
      where
        .selectFrom('alert_deliveries')
        .select('id')
        .where('state', '=', 'waiting')
        .where('next_at', '<=', at)
        .orderBy('next_at')
        .limit(AT_ONCE)
        .forUpdate()
        .skipLocked(),
    )
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}

async function deliver(deps: DeliverDeps, id: string): Promise<void> {
  const { db } = deps.meta
  const delivery = await db.selectFrom('alert_deliveries').selectAll().where('id', '=', id).executeTakeFirst()
  if (!delivery) return
  const channel = await db
    .selectFrom('alert_channels')
    .selectAll()
    .where('id', '=', delivery.channel_id)
    .where('deleted_at', 'is', null)
    .where('enabled', '=', true)
    .executeTakeFirst()
  const subject = await subjectOf(deps.meta, delivery)
  if (!channel || !subject) {
    await close(deps, id, { state: 'failed', answer: 'the channel is off' })
    return
  }
  if (!(await subject.mayReceive(channel))) {
    await close(deps, id, { state: 'failed', answer: subject.refusal })
    return
  }
  const { sent, status, answer } = await deliverNotification(deps, channel, {
    event: delivery.event,
    delivery: id,
    ...subject.of,
  })
  const next = sent ? undefined : nextAttempt(delivery.attempts, deps.now())
  if (next !== undefined) {
    await db.updateTable('alert_deliveries').set({ next_at: next, status, answer }).where('id', '=', id).execute()
    return
  }
  await close(deps, id, { state: sent ? 'sent' : 'failed', status, answer })
  if (delivery.alert_id === null) return
  await db
    .insertInto('alert_steps')
    .values({
      alert_id: delivery.alert_id,
      at: deps.now(),
      step: sent ? 'sent' : 'failed',
      by_user: '',
      note: `${channel.name}${sent ? '' : `: ${answer.slice(0, 200)}`}`,
    })
    .execute()
}

type Subject = { of: AlertSubject; mayReceive(channel: ChannelRow): Promise<boolean>; refusal: string }

/** What the delivery is about, and who may get that; undefined where it was deleted. */
async function subjectOf(
  meta: MetaStore,
  delivery: Pick<Selectable<AlertTables['alert_deliveries']>, 'alert_id' | 'environment_alert' | 'notice'>,
): Promise<Subject | undefined> {
  const { alert_id, environment_alert, notice } = delivery
  if (notice !== null)
    return {
      of: { alert: null, notice },
      // It was given to the channels of those whom it concerns; an owner who has left gets nothing any more.
      mayReceive: (channel) => hasOwner(meta, channel),
      refusal: 'the owner of the channel is no longer there',
    }
  if (alert_id !== null) {
    const alert = await meta.db.selectFrom('alerts').selectAll().where('id', '=', alert_id).executeTakeFirst()
    return (
      alert && {
        of: { alert: toAlert(alert) },
        mayReceive: (channel) => mayReceive(meta, channel, alert),
        refusal: 'the owner of the channel may not see the alert',
      }
    )
  }
  const row = await meta.db
    .selectFrom('environment_alerts')
    .selectAll()
    .where('id', '=', environment_alert ?? '')
    .executeTakeFirst()
  if (!row) return undefined
  const { limit_value, ...rest } = row
  return {
    of: { alert: null, environment: { ...rest, limit: limit_value } },
    mayReceive: (channel) => mayMaintain(meta, channel),
    refusal: 'the owner of the channel may not maintain the platform',
  }
}

async function close(
  deps: DeliverDeps,
  id: string,
  set: { state: 'sent' | 'failed'; status?: number | null; answer: string },
): Promise<void> {
  await deps.meta.db
    .updateTable('alert_deliveries')
    .set({ ...set, next_at: null, done_at: deps.now() })
    .where('id', '=', id)
    .execute()
}
