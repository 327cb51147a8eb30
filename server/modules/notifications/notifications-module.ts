import { sql } from 'kysely'
import { ProductError } from '#contracts/errors.ts'
import {
  deleteNotifications,
  type NotificationSettings,
  notificationSettings,
  notifications,
  readNotifications,
  saveNotificationSettings,
} from '#contracts/http/notifications.ts'
import { NOTIFICATION_KIND_NAMES } from '#domain/notifications.ts'
import { isZone } from '#domain/time-range.ts'
import { CHANNELS } from '#storage/postgres/schema.ts'
import type { Caller, Module } from '../../http/module.ts'
import { changesBetween } from '../../platform/audit/audit-changes.ts'

/** Own notifications: list, read state, deletion, choice of kinds and digest. */
export const notificationsModule: Module = (mount, deps) => {
  const { db } = deps.meta
  const own = (caller: Caller) => db.selectFrom('notifications').where('user_id', '=', caller.userId)
  /** Other open pages of the account follow. */
  const tell = (caller: Caller) => deps.meta.notify(CHANNELS.notification, { users: [caller.userId] })

  async function unreadOf(caller: Caller): Promise<number> {
    const { count } = await own(caller)
      .where('read_at', 'is', null)
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    return Number(count)
  }

  mount(notifications, async ({ query, caller }) => {
    let select = own(caller).selectAll()
    if (query.kind !== '') select = select.where('kind', '=', query.kind)
    if (query.unread !== '') select = select.where('read_at', 'is', null)
    if (query.cursor !== '') select = select.where('id', '<', Number(query.cursor))
    const [rows, counts] = await Promise.all([
      select
        .orderBy('id', 'desc')
        .limit(query.limit + 1)
        .execute(),
      own(caller)
        .groupBy('kind')
        .select('kind')
        .select(({ fn }) => fn.countAll<number>().as('all'))
        .select(sql<number>`count(*) filter (where read_at is null)`.as('unread'))
        .execute(),
    ])
    const shown = rows.slice(0, query.limit)
    return {
      data: shown.map(({ id, kind, state, title, note, path, created_at, read_at }) => ({
        ...{ id: String(id), kind, state, title, note, to: path, created_at, read_at },
      })),
      ...(rows.length > query.limit && { next_cursor: String(shown.at(-1)?.id) }),
      unread: counts.reduce((sum, { unread }) => sum + Number(unread), 0),
      kinds: counts.map(({ kind, all, unread }) => ({ kind, all: Number(all), unread: Number(unread) })),
    }
  })

  mount(readNotifications, async ({ body, caller, audit }) => {
    let update = db
      .updateTable('notifications')
      .set({ read_at: body.read ? deps.now() : null })
      .where('user_id', '=', caller.userId)
      .where('read_at', body.read ? 'is' : 'is not', null)
    if (body.ids.length > 0) update = update.where('id', 'in', body.ids.map(Number))
    if (body.kind !== '') update = update.where('kind', '=', body.kind)
    const { numUpdatedRows } = await update.executeTakeFirst()
    const changed = Number(numUpdatedRows)
    audit('notifications', `${changed} ${body.read ? 'read' : 'unread'}`)
    if (changed > 0) await tell(caller)
    return { changed, unread: await unreadOf(caller) }
  })

  mount(deleteNotifications, async ({ body, caller, audit }) => {
    let remove = db.deleteFrom('notifications').where('user_id', '=', caller.userId)
    remove =
      body.ids.length > 0 ? remove.where('id', 'in', body.ids.map(Number)) : remove.where('read_at', 'is not', null)
    const deleted = Number((await remove.executeTakeFirst()).numDeletedRows)
    audit('notifications', `${deleted} deleted`)
    if (deleted > 0) await tell(caller)
    return { deleted }
  })

  async function settingsOf(caller: Caller) {
    const row = await db
      .selectFrom('notification_settings')
      .selectAll()
      .where('user_id', '=', caller.userId)
      .executeTakeFirst()
    const data: NotificationSettings = {
      muted: row?.muted ?? [],
      mailed: row?.mailed ?? [...NOTIFICATION_KIND_NAMES],
      digest_minute: row?.digest_minute ?? null,
      zone: row?.zone ?? deps.settings().zone,
    }
    return { data, row }
  }

  mount(notificationSettings, async ({ caller }) => {
    const { data, row } = await settingsOf(caller)
    return {
      data,
      address: caller.username,
      mail: deps.config.smtpUrl !== undefined,
      last: { sent_at: row?.sent_at ?? null, error: row?.error ?? '' },
    }
  })

  mount(saveNotificationSettings, async ({ body, caller, audit }) => {
    if (!isZone(body.zone)) throw new ProductError('notification.zone', { zone: body.zone })
    const { data: before } = await settingsOf(caller)
    audit('notifications', '', changesBetween(before, body))
    const values = { ...body, language: caller.language, error: '' }
    await db
      .insertInto('notification_settings')
      // What came before the digest was switched on is not mailed.
      .values({ user_id: caller.userId, digest_until: deps.now(), sent_at: null, ...values })
      .onConflict((conflict) =>
        conflict.column('user_id').doUpdateSet({
          ...values,
          ...(before.digest_minute === null && { digest_until: deps.now() }),
        }),
      )
      .execute()
    return { data: body }
  })
}
