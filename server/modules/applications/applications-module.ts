import { randomUUID } from 'node:crypto'
import { ProductError } from '#contracts/errors.ts'
import {
  applicationList,
  applicationMembers,
  assumeSite,
  createApplication,
  deleteApplication,
  setApplicationMembers,
  setApplicationSite,
} from '#contracts/http/applications.ts'
import { placeOfZone } from '#domain/zone-places.ts'
import { CHANNELS } from '#storage/postgres/schema.ts'
import type { Module } from '../../http/module.ts'
import { takeQuota } from '../../platform/licence/licence-quota.ts'
import { findApplication, findManaged, listApplications } from './application-access.ts'
import { checkApplicationQuota } from './application-quota.ts'

/** Applications and who belongs to them. */
export const applicationsModule: Module = (mount, deps) => {
  const { meta } = deps
  const { db } = meta
  /** Caches are read again; live connections whose scope this changes are reopened. */
  const changed = () => meta.notify(CHANNELS.changed, { what: 'applications' })

  mount(applicationList, async ({ caller }) => ({ object_list: await listApplications(meta, caller) }))

  mount(createApplication, async ({ body, caller, audit }) => {
    const name = body.name.trim()
    audit(name, body.mimetype_list.join(' '))
    if (name === '') throw new ProductError('application.name_empty')
    const platforms = [...new Set(body.mimetype_list)]
    if (platforms.length === 0) throw new ProductError('application.platform_empty')
    const created = await db.transaction().execute(async (tx) => {
      await takeQuota(tx, deps.licence, 'applications', platforms.length)
      await checkApplicationQuota(tx, caller.userId, platforms.length)
      return tx
        .insertInto('applications')
        .values(
          platforms.map((mime_type) => ({
            uuid: randomUUID(),
            name,
            mime_type,
            protect_type: '0',
            has_file: false,
            owner_id: caller.userId,
            site_id: null,
            created_at: deps.now(),
            deleted_at: null,
          })),
        )
        .returning('id')
        .execute()
    })
    const ids = created.map(({ id }) => id)
    const { apps } = caller.scope
    const list = await listApplications(meta, {
      ...caller,
      scope: { apps: apps === 'all' ? 'all' : [...apps, ...ids] },
    })
    await changed()
    // The dialog takes the first item as the current application: the first platform that was asked for.
    const order = new Map(ids.map((id, at) => [String(id), at]))
    const rank = (id: string) => order.get(id) ?? ids.length
    return { object_list: list.toSorted((a, b) => rank(a.id) - rank(b.id)) }
  })

  mount(deleteApplication, async ({ body, caller, audit }) => {
    const row = await findManaged(meta, caller, body.appid)
    audit(row.name, body.appid)
    const now = deps.now()
    await db.transaction().execute(async (tx) => {
      await tx.updateTable('applications').set({ deleted_at: now }).where('id', '=', row.id).execute()
      for (const table of ['ingest_keys', 'installs', 'communication_keys'] as const)
        await tx
          .updateTable(table)
          .set({ revoked_at: now })
          .where('application_id', '=', row.id)
          .where('revoked_at', 'is', null)
          .execute()
    })
    await changed()
    await meta.notify(CHANNELS.changed, { what: 'ingest_keys' })
    await meta.notify(CHANNELS.changed, { what: 'communication' })
    return { object_list: await listApplications(meta, caller) }
  })

  mount(setApplicationSite, async ({ body, caller, audit }) => {
    const row = await findManaged(meta, caller, body.appid)
    audit(row.name, `site ${body.site ?? 'none'}`)
    const site = body.site === null ? null : await findSite(body.site)
    await db.updateTable('applications').set({ site_id: site }).where('id', '=', row.id).execute()
    await changed()
    return {}
  })

  mount(assumeSite, async ({ body, caller, audit }) => {
    const row = await findManaged(meta, caller, body.appid)
    const place = placeOfZone(body.time_zone)
    audit(row.name, `time zone ${body.time_zone}, site ${row.site_id === null ? (place?.en ?? 'none') : 'unchanged'}`)
    const site = await db.transaction().execute(async (tx) => {
      // Two windows that ask at once get one site.
      const { site_id } = await tx
        .selectFrom('applications')
        .select('site_id')
        .where('id', '=', row.id)
        .forUpdate()
        .executeTakeFirstOrThrow()
      if (site_id !== null)
        return await tx.selectFrom('sites').selectAll().where('id', '=', site_id).executeTakeFirstOrThrow()
      if (!place) return null
      const there = { name: place.zh, name_en: place.en, longitude: place.longitude, latitude: place.latitude }
      const site =
        (await tx
          .selectFrom('sites')
          .selectAll()
          .where((where) => where.and({ longitude: there.longitude, latitude: there.latitude }))
          .orderBy('id')
          .executeTakeFirst()) ??
        (await tx
          .insertInto('sites')
          .values({ ...there, assumed: true })
          .returningAll()
          .executeTakeFirstOrThrow())
      await tx.updateTable('applications').set({ site_id: site.id }).where('id', '=', row.id).execute()
      return site
    })
    await meta.notify(CHANNELS.changed, { what: 'sites' })
    await changed()
    return { data: site && { ...site, id: String(site.id) }, object_list: await listApplications(meta, caller) }
  })

  mount(applicationMembers, async ({ query, caller }) => {
    const row = await findApplication(meta, caller, query.appid)
    const owner = await db
      .selectFrom('users')
      .select('username')
      .where('id', '=', row.owner_id)
      .executeTakeFirstOrThrow()
    const members = await db
      .selectFrom('application_members')
      .innerJoin('users', 'users.id', 'application_members.user_id')
      .select('users.username')
      .where('application_id', '=', row.id)
      .orderBy('users.username')
      .execute()
    return {
      data: [{ username: owner.username, owner: true }, ...members.map(({ username }) => ({ username, owner: false }))],
    }
  })

  mount(setApplicationMembers, async ({ body, caller, audit }) => {
    const row = await findManaged(meta, caller, body.appid)
    audit(row.name, body.usernames.join(' '))
    const names = [...new Set(body.usernames.map((name) => name.trim().toLowerCase()).filter(Boolean))]
    const users = names.length
      ? await db
          .selectFrom('users')
          .select(['id', 'username'])
          .where((where) => where(where.fn('lower', ['username']), 'in', names))
          .execute()
      : []
    if (users.length < names.length) {
      const known = new Set(users.map(({ username }) => username.toLowerCase()))
      const unknown = names.find((name) => !known.has(name)) ?? ''
      throw new ProductError('input.invalid', { detail: unknown }, { field: 'usernames' })
    }
    const members = users.map(({ id }) => id).filter((id) => id !== row.owner_id)
    await db.transaction().execute(async (tx) => {
      await tx.deleteFrom('application_members').where('application_id', '=', row.id).execute()
      if (members.length)
        await tx
          .insertInto('application_members')
          .values(members.map((user_id) => ({ application_id: row.id, user_id })))
          .execute()
    })
    await changed()
    return {}
  })

  async function findSite(text: string): Promise<number> {
    const id = /^\d{1,9}$/.test(text) ? Number(text) : 0
    const site = await db.selectFrom('sites').select('id').where('id', '=', id).executeTakeFirst()
    if (!site) throw new ProductError('data.missing')
    return site.id
  }
}
