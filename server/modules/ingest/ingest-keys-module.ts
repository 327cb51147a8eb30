import { randomUUID } from 'node:crypto'
import type { Selectable } from 'kysely'
import { ProductError } from '#contracts/errors.ts'
import { createIngestKey, INGEST_SCOPES, ingestKeys, revokeIngestKey } from '#contracts/http/ingest.ts'
import { CHANNELS, type Database } from '#storage/postgres/schema.ts'
import type { Module } from '../../http/module.ts'
import { hashOf, newSecretText } from '../../http/session-keys.ts'
import { findApplication, findManaged } from '../applications/application-access.ts'

const PREFIX = { server: 'aw_sk_', enrolment: 'aw_ek_' } as const

/** Ingest keys of an application. Server keys are secret and shown once; enrolment keys are public and shown again (decision 20). */
export const ingestKeysModule: Module = (mount, deps) => {
  const { meta } = deps
  const { db } = meta
  const changed = () => meta.notify(CHANNELS.changed, { what: 'ingest_keys' })

  mount(ingestKeys, async ({ query, caller }) => {
    const { id } = await findApplication(meta, caller, query.appid)
    const rows = await db
      .selectFrom('ingest_keys')
      .selectAll()
      .where('application_id', '=', id)
      .orderBy('created_at', 'desc')
      .execute()
    return { data: rows.map(toKey) }
  })

  mount(createIngestKey, async ({ body, caller, audit }) => {
    const application = await findManaged(meta, caller, body.appid)
    audit(application.name, `${body.kind} ${body.name}`)
    const text = newSecretText(PREFIX[body.kind])
    const row = {
      id: randomUUID(),
      application_id: application.id,
      kind: body.kind,
      name: body.name,
      hint: text.slice(0, 10),
      hash: hashOf(text),
      text: body.kind === 'enrolment' ? text : null,
      // An enrolment key can enrol and nothing else, whatever was asked for.
      scopes: body.kind === 'enrolment' ? ['events'] : [...new Set(body.scopes)],
      created_at: deps.now(),
      last_used_at: null,
      revoked_at: null,
    }
    await db.insertInto('ingest_keys').values(row).execute()
    await changed()
    return { data: toKey(row), key: text }
  })

  mount(revokeIngestKey, async ({ body, caller, audit }) => {
    const key = await db
      .selectFrom('ingest_keys')
      .select(['id', 'name', 'application_id'])
      .where('id', '=', body.id)
      .executeTakeFirst()
    if (!key) throw new ProductError('data.missing')
    const application = await findManaged(meta, caller, String(key.application_id))
    audit(application.name, key.name)
    const now = deps.now()
    await db.transaction().execute(async (tx) => {
      await tx
        .updateTable('ingest_keys')
        .set({ revoked_at: now })
        .where('id', '=', key.id)
        .where('revoked_at', 'is', null)
        .execute()
      await tx
        .updateTable('installs')
        .set({ revoked_at: now })
        .where('ingest_key_id', '=', key.id)
        .where('revoked_at', 'is', null)
        .execute()
    })
    await changed()
    return {}
  })
}

function toKey({ application_id, hash, scopes, ...row }: Selectable<Database['ingest_keys']>) {
  return { ...row, appid: String(application_id), scopes: INGEST_SCOPES.filter((scope) => scopes.includes(scope)) }
}
