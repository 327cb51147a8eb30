import type { Selectable } from 'kysely'
import { ProductError } from '#contracts/errors.ts'
import type { Application } from '#contracts/http/applications.ts'
import { AUDITOR_ROLE } from '#contracts/permissions.ts'
import type { MetaStore } from '#storage/postgres/database.ts'
import type { Database } from '#storage/postgres/schema.ts'
import type { Caller } from '../../http/module.ts'

type Row = Selectable<Database['applications']>

/** Whether the caller may change what belongs to every application: who sees all of them, but for auditors. */
export function managesAll({ scope, role }: Pick<Caller, 'scope' | 'role'>): boolean {
  return scope.apps === 'all' && role !== AUDITOR_ROLE
}

/** Owners and administrators manage an application; members and auditors see it. */
function mayManage(caller: Pick<Caller, 'userId' | 'role' | 'scope'>, row: Pick<Row, 'owner_id'>): boolean {
  return row.owner_id === caller.userId || managesAll(caller)
}

function maySee(caller: Pick<Caller, 'scope'>, id: number): boolean {
  return caller.scope.apps === 'all' || caller.scope.apps.includes(id)
}

/** The application, or data.missing where the caller may not know of it. */
export async function findApplication(meta: MetaStore, caller: Caller, appid: string): Promise<Row> {
  const id = Number(appid)
  const row = maySee(caller, id)
    ? await meta.db
        .selectFrom('applications')
        .selectAll()
        .where('id', '=', id)
        .where('deleted_at', 'is', null)
        .executeTakeFirst()
    : undefined
  if (!row) throw new ProductError('data.missing')
  return row
}

/** As findApplication; application.not_yours where he sees it but may not change it. */
export async function findManaged(meta: MetaStore, caller: Caller, appid: string): Promise<Row> {
  const row = await findApplication(meta, caller, appid)
  if (!mayManage(caller, row)) throw new ProductError('application.not_yours')
  return row
}

/** What the caller sees, newest first. */
export async function listApplications(meta: MetaStore, caller: Caller): Promise<Application[]> {
  const { apps } = caller.scope
  let found = meta.db
    .selectFrom('applications')
    .innerJoin('users', 'users.id', 'applications.owner_id')
    .selectAll('applications')
    .select('users.username as owner')
    .where('deleted_at', 'is', null)
  if (apps !== 'all') found = found.where((where) => where('applications.id', '=', where.fn.any(where.val([...apps]))))
  const rows = await found.orderBy('applications.id', 'desc').execute()
  return rows.map((row) => ({
    id: String(row.id),
    name: row.name,
    uuid: row.uuid,
    mime_type: row.mime_type,
    has_file: row.has_file,
    protect_type: row.protect_type === '1' ? '1' : '0',
    // A wall needs names of applications, not the e-mail addresses of their owners.
    owner: caller.kind === 'display' ? '' : row.owner,
    site: row.site_id === null ? null : String(row.site_id),
    manageable: caller.kind !== 'display' && mayManage(caller, row),
    created_at: row.created_at,
  }))
}
