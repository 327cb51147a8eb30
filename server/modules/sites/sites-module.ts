import type { Selectable } from 'kysely'
import { ProductError } from '#contracts/errors.ts'
import { deleteSite, type Site, saveSite, siteList } from '#contracts/http/sites.ts'
import { CHANNELS, type Database } from '#storage/postgres/schema.ts'
import type { Module } from '../../http/module.ts'

/** Own sites: where arcs end. */
export const sitesModule: Module = (mount, deps) => {
  const { db } = deps.meta
  const changed = async () => {
    await deps.meta.notify(CHANNELS.changed, { what: 'sites' })
  }

  mount(siteList, async () => {
    const rows = await db.selectFrom('sites').selectAll().orderBy('id').execute()
    return { data: rows.map(toSite) }
  })
  mount(saveSite, async ({ body, audit }) => {
    const { id, ...place } = body
    // Who saves a site says where it is.
    const site = { ...place, assumed: false }
    audit(site.name, `${site.longitude}, ${site.latitude}`)
    const saved =
      id === undefined
        ? await db.insertInto('sites').values(site).returningAll().executeTakeFirstOrThrow()
        : await db.updateTable('sites').set(site).where('id', '=', numberOf(id)).returningAll().executeTakeFirst()
    if (!saved) throw new ProductError('data.missing')
    await changed()
    return { data: toSite(saved) }
  })
  mount(deleteSite, async ({ body, audit }) => {
    const gone = await db.deleteFrom('sites').where('id', '=', numberOf(body.id)).returning('name').executeTakeFirst()
    if (!gone) throw new ProductError('data.missing')
    audit(gone.name, body.id)
    await changed()
    await deps.meta.notify(CHANNELS.changed, { what: 'applications' })
    return {}
  })
}

function numberOf(id: string): number {
  return /^\d{1,9}$/.test(id) ? Number(id) : 0
}
function toSite({ id, ...site }: Selectable<Database['sites']>): Site {
  return { id: String(id), ...site }
}
