import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { ProductError } from '#contracts/errors.ts'
import { changeRole, createRole, deleteRole, type Role, roles } from '#contracts/http/roles.ts'
import { AUDITOR_ONLY, BUILT_IN_ROLES } from '#contracts/permissions.ts'
import { CHANNELS } from '#storage/postgres/schema.ts'
import type { Caller, Module } from '../../http/module.ts'
import { changesBetween } from '../../platform/audit/audit-changes.ts'
import { missingFor } from './grantable.ts'
import { readRoles } from './role-rows.ts'

const MAX_ROLES = 200
/** Built-in roles are listed in the order of ROLE-01. */
const ORDER = new Map(BUILT_IN_ROLES.map(({ key }, at) => [key, at]))

/** Role setting: built-in roles to read and copy, custom ones to create, change and delete. */
export const rolesModule: Module = (mount, deps) => {
  const { meta, now } = deps
  const { db } = meta

  const read = async (caller: Caller) => {
    const found = await readRoles(db, caller, now() - deps.settings().idle_minutes * 60_000)
    return found.sort((a, b) => (ORDER.get(a.key) ?? ORDER.size) - (ORDER.get(b.key) ?? ORDER.size))
  }
  const one = async (caller: Caller, key: string) => (await read(caller)).find((role) => role.key === key) as Role

  /** Refuses an empty or taken name, an empty role, and whatever the caller does not have. */
  const check = async (caller: Caller, given: { name: string; administrator: boolean; auth: string[] }, own = '') => {
    if (given.name === '') throw new ProductError('role.name_empty')
    if (given.auth.length === 0) throw new ProductError('role.permissions_empty')
    const reserved = given.auth.filter((item) => AUDITOR_ONLY.some((only) => only === item))
    const missing = missingFor(caller, { key: own, auth: given.auth, sees_all: given.administrator })
    const refused = [...new Set([...reserved, ...missing])]
    if (refused.length > 0) throw new ProductError('role.not_grantable', { detail: refused.join(', ') })
    const name = given.name.toLowerCase()
    const taken = await db
      .selectFrom('roles')
      .select('key')
      .where('key', '!=', own)
      .where((where) => where.or([where(sql`lower(zh)`, '=', name), where(sql`lower(en)`, '=', name)]))
      .executeTakeFirst()
    if (taken) throw new ProductError('role.name_exists')
  }
  /** A custom role that is not the caller's own and grants nothing that the caller lacks. */
  const manageable = async (caller: Caller, key: string) => {
    const row = await db.selectFrom('roles').selectAll().where('key', '=', key).executeTakeFirst()
    if (!row) throw new ProductError('data.missing')
    if (row.built_in) throw new ProductError('role.built_in')
    if (row.key === caller.role) throw new ProductError('role.own')
    const missing = missingFor(caller, row)
    if (missing.length > 0) throw new ProductError('role.not_grantable', { detail: missing.join(', ') })
    return row
  }
  const rowOf = ({ name, administrator, auth }: { name: string; administrator: boolean; auth: string[] }) => ({
    zh: name,
    en: name,
    sees_all: administrator,
    auth: [...new Set(auth)],
    updated_at: now(),
  })

  /** As the audit trail shows a role. */
  const valuesOf = (row: { zh: string; sees_all: boolean; auth: readonly string[] }) => ({
    name: row.zh,
    administrator: row.sees_all,
    auth: [...row.auth].sort(),
  })

  mount(roles, async ({ caller }) => ({ data: await read(caller) }))

  mount(createRole, async ({ body, caller, audit }) => {
    audit(body.name, '', changesBetween(undefined, valuesOf(rowOf(body))))
    await check(caller, body)
    const { count } = await db
      .selectFrom('roles')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    if (Number(count) >= MAX_ROLES) throw new ProductError('quota.reached', { detail: String(MAX_ROLES) })
    const key = `custom_${randomBytes(6).toString('hex')}`
    await db
      .insertInto('roles')
      .values({ key, built_in: false, ...rowOf(body), created_at: now(), created_by: caller.userId })
      .execute()
    return { data: await one(caller, key) }
  })

  mount(changeRole, async ({ body, caller, audit }) => {
    const before = await manageable(caller, body.key)
    audit(before.zh, '', changesBetween(valuesOf(before), valuesOf(rowOf(body))))
    await check(caller, body, body.key)
    const changed = await db
      .updateTable('roles')
      .set({ ...rowOf(body), rev: sql`rev + 1` })
      .where('key', '=', body.key)
      .where('rev', '=', body.rev)
      .executeTakeFirst()
    if (changed.numUpdatedRows === 0n) throw new ProductError('data.conflict')
    await meta.notify(CHANNELS.changed, { what: 'roles' })
    return { data: await one(caller, body.key) }
  })

  mount(deleteRole, async ({ body, caller, audit }) => {
    const before = await manageable(caller, body.key)
    audit(before.zh, '', changesBetween(valuesOf(before), null))
    const { count } = await db
      .selectFrom('users')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('role', '=', body.key)
      .executeTakeFirstOrThrow()
    if (Number(count) > 0) throw new ProductError('role.in_use', { count: Number(count) })
    await db.deleteFrom('roles').where('key', '=', body.key).execute()
    return {}
  })
}
