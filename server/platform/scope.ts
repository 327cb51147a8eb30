import type { Scope } from '#domain/query.ts'
import type { MetaStore } from '#storage/postgres/database.ts'

/** Whose applications a user may see: roles that see all, else those that he owns or is a member of (decision 13). */
export async function scopeOf(meta: MetaStore, user: { id: number; seesAll: boolean }): Promise<Scope> {
  if (user.seesAll) return { apps: 'all' }
  const rows = await meta.db
    .selectFrom('applications')
    .select('id')
    .where('deleted_at', 'is', null)
    .where((where) =>
      where.or([
        where('owner_id', '=', user.id),
        where.exists(
          where
            .selectFrom('application_members')
            .select('user_id')
            .whereRef('application_id', '=', 'applications.id')
            .where('user_id', '=', user.id),
        ),
      ]),
    )
    .orderBy('id')
    .execute()
  return { apps: rows.map(({ id }) => id) }
}
