import { sql } from 'kysely'
import type { PermissionItem } from '#contracts/permissions.ts'
import { MOST_NOTIFICATIONS, type NotificationKind, type NotificationState } from '#domain/notifications.ts'
import type { MetaStore } from '#storage/postgres/database.ts'
import { CHANNELS } from '#storage/postgres/schema.ts'
import { enqueueNotice } from './enqueue-notice.ts'

type Text = { zh: string; en: string }

/** Whom it concerns: accounts by number, or those with all of these permission items that see all of these applications (null: see everything). */
export type Recipients =
  | { users: readonly number[] }
  | { may: PermissionItem | readonly PermissionItem[]; apps: readonly number[] | null }

export type Notice = {
  to: Recipients
  kind: NotificationKind
  /** What it is about, such as `job:<id>`: an account gets one notification of a key, however often this is called. */
  key: string
  state: NotificationState
  title: Text
  note?: Text
  /** Path of the page that deals with it. */
  path?: string
  /** For webhooks: what the texts say, in a form that a program reads. */
  facts?: Readonly<Record<string, string | number | null>>
}

/**
 * Stores a notification for each account that it concerns and that did not mute its kind, notifies their open pages, and gives it to
 * their channels that carry its kind. The oldest beyond
 * MOST_NOTIFICATIONS of an account go. Disabled accounts get none. Answers the accounts that got it.
 */
export async function notify(meta: MetaStore, notice: Notice, now: number): Promise<number[]> {
  const { db } = meta
  const users = await recipients(meta, notice.to)
  if (users.length === 0) return []
  const { kind, key, state, title, note = { zh: '', en: '' }, path = '', facts = {} } = notice
  // An account that mutes a kind in its console may still have it carried elsewhere.
  await enqueueNotice(meta, users, { kind, state, title, note, path, facts }, key, now)
  const muted = await db
    .selectFrom('notification_settings')
    .select('user_id')
    .where('user_id', 'in', users)
    .where(sql<boolean>`${kind} = any(muted)`)
    .execute()
  const silent = new Set(muted.map(({ user_id }) => user_id))
  const notified = users.filter((id) => !silent.has(id))
  if (notified.length === 0) return []
  const rows = await db
    .insertInto('notifications')
    .values(
      notified.map((user_id) => ({
        user_id,
        ...{ kind, key, state, path },
        title: JSON.stringify(title),
        note: JSON.stringify(note),
        created_at: now,
        read_at: null,
      })),
    )
    .onConflict((conflict) => conflict.columns(['user_id', 'key']).doNothing())
    .returning('user_id')
    .execute()
  const fresh = rows.map(({ user_id }) => user_id)
  if (fresh.length === 0) return []
  await sql`delete from notifications where id in (
    select id from (select id, row_number() over (partition by user_id order by id desc) as place from notifications
      where user_id = any(${sql.val(fresh)}::int[])) numbered where place > ${MOST_NOTIFICATIONS})`.execute(db)
  await meta.notify(CHANNELS.notification, { users: fresh })
  return fresh
}

/** Numbers of the enabled accounts that are meant. */
async function recipients({ db }: MetaStore, to: Recipients): Promise<number[]> {
  if ('users' in to) {
    if (to.users.length === 0) return []
    const rows = await db
      .selectFrom('users')
      .select('id')
      .where('id', 'in', [...to.users])
      .where('disabled', '=', false)
      .execute()
    return rows.map(({ id }) => id)
  }
  const { apps } = to
  const inScope =
    apps === null
      ? sql<boolean>`roles.sees_all`
      : sql<boolean>`(roles.sees_all or not exists (
          select 1 from unnest(${sql.val([...apps])}::int[]) app where not exists (
            select 1 from applications where applications.id = app and applications.deleted_at is null and (
              applications.owner_id = users.id or exists (select 1 from application_members
                where application_id = app and user_id = users.id)))))`
  const rows = await db
    .selectFrom('users')
    .innerJoin('roles', 'roles.key', 'users.role')
    .select('users.id')
    .where('users.disabled', '=', false)
    .where(sql<boolean>`${sql.val([to.may].flat())}::text[] <@ roles.auth`)
    .where(inScope)
    .execute()
  return rows.map(({ id }) => id)
}
