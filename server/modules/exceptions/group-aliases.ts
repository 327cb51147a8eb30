import type { Kysely } from 'kysely'
import type { Filter, Scope } from '#domain/query.ts'
import type { Alias } from '#storage/events/exception-port.ts'
import type { Database } from '#storage/postgres/schema.ts'

/** Fingerprints that stand for another group than their own, of the applications in scope. */
export async function aliasesIn(db: Kysely<Database>, scope: Scope): Promise<Alias[]> {
  let found = db
    .selectFrom('exception_fingerprints')
    .select(['fingerprint', 'group_id'])
    .whereRef('fingerprint', '<>', 'group_id')
  if (scope.apps !== 'all') found = found.where('application_id', 'in', [...scope.apps, -1])
  return (await found.execute()).map((row) => [row.fingerprint, row.group_id] as const)
}

/** The fingerprints of these groups, the groups' own included. */
export async function fingerprintsOf(db: Kysely<Database>, groups: readonly string[]): Promise<string[]> {
  if (groups.length === 0) return []
  const rows = await db
    .selectFrom('exception_fingerprints')
    .select('fingerprint')
    .where('group_id', 'in', [...groups])
    .execute()
  return [...new Set([...groups, ...rows.map((row) => row.fingerprint)])]
}

/** Filters on a group become filters on all of its fingerprints: the store knows nothing of groups that a mapping joined. */
export async function expandGroups(db: Kysely<Database>, filters: readonly Filter[]): Promise<Filter[]> {
  return Promise.all(
    filters.map(async (filter) =>
      filter.field === 'group' ? { ...filter, values: await fingerprintsOf(db, filter.values) } : filter,
    ),
  )
}
