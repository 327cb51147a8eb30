import { collectFields, setCollectFields, setProtectType } from '#contracts/http/policies.ts'
import { OPTIONAL_FIELDS } from '#contracts/telemetry/policy.ts'
import { CHANNELS } from '#storage/postgres/schema.ts'
import type { Module } from '../../http/module.ts'
import { findApplication } from '../applications/application-access.ts'

/** What holds for a whole application beside its policies: whether apps act at all, and which fields they must not send. */
export const protectionModule: Module = (mount, deps) => {
  const { meta } = deps
  const { db } = meta

  mount(collectFields, async ({ query, caller }) => {
    const { id } = await findApplication(meta, caller, query.appid)
    const row = await db
      .selectFrom('application_collection')
      .selectAll()
      .where('application_id', '=', id)
      .executeTakeFirst()
    return { data: { off: knownFields(row?.off ?? []), changed_at: row?.changed_at ?? null } }
  })

  mount(setCollectFields, async ({ body, caller, audit }) => {
    const application = await findApplication(meta, caller, body.appid)
    const off = knownFields(body.off)
    audit(application.name, off.length ? `off: ${off.join(' ')}` : 'all on')
    const changed_at = deps.now()
    await db
      .insertInto('application_collection')
      .values({ application_id: application.id, off, changed_at })
      .onConflict((conflict) => conflict.column('application_id').doUpdateSet({ off, changed_at }))
      .execute()
    await meta.notify(CHANNELS.changed, { what: 'policies' })
    return { data: { off, changed_at } }
  })

  mount(setProtectType, async ({ body, caller, audit }) => {
    const application = await findApplication(meta, caller, body.appid)
    audit(application.name, `protect_type ${application.protect_type} > ${body.protect_type}`)
    await db
      .updateTable('applications')
      .set({ protect_type: body.protect_type, protect_changed_at: deps.now() })
      .where('id', '=', application.id)
      .execute()
    await meta.notify(CHANNELS.changed, { what: 'applications' })
    return {}
  })
}

/** In the order of the contract, each once. */
function knownFields(fields: readonly string[]) {
  return OPTIONAL_FIELDS.filter((field) => fields.includes(field))
}
