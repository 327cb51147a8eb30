import type { Scope } from '#domain/query.ts'
import type { MetaStore } from '#storage/postgres/database.ts'

/** The applications a user may see now: all, or those he owns or is a member of. Undefined where the account is gone. */
export async function currentScope(meta: MetaStore, userId: number): Promise<Scope | undefined> {
  const user = await meta.db
    .selectFrom('users')
    .leftJoin('roles', 'roles.key', 'users.role')
    .select(['users.super', 'users.disabled', 'roles.sees_all'])
    .where('users.id', '=', userId)
    .executeTakeFirst()
  if (!user || user.disabled) return undefined
  if (user.super || user.sees_all) return { apps: 'all' }
  const rows = await meta.db
    .selectFrom('applications')
    .leftJoin('application_members', (join) =>
      join
        .onRef('application_members.application_id', '=', 'applications.id')
        .on('application_members.user_id', '=', userId),
    )
    .select('applications.id')
    .where('applications.deleted_at', 'is', null)
    .where((eb) => eb.or([eb('applications.owner_id', '=', userId), eb('application_members.user_id', '=', userId)]))
    .orderBy('applications.id')
    .execute()
  return { apps: rows.map((row) => row.id) }
}

/** Whether both let the same applications through. */
export function sameScope(x: Scope, y: Scope): boolean {
  if (x.apps === 'all' || y.apps === 'all') return x.apps === y.apps
  const [xs, ys] = [new Set(x.apps), new Set(y.apps)]
  return xs.size === ys.size && [...xs].every((app) => ys.has(app))
}
