import type { Kysely } from 'kysely'
import type { TriageState } from '#contracts/http/exceptions.ts'
import { compareVersions } from '#domain/exceptions.ts'
import type { Scope } from '#domain/query.ts'
import type { Alias, ExceptionStore } from '#storage/events/exception-port.ts'
import type { Database } from '#storage/postgres/schema.ts'
import { fingerprintsOf } from './group-aliases.ts'

type GroupName = { app: number; group: string }
export const nameKey = ({ app, group }: GroupName): string => `${app}/${group}`

export const UNTOUCHED: TriageState = {
  state: 'open',
  resolved_version: null,
  resolved_at: null,
  ignored_until: null,
  regressed: null,
  assignee: null,
  rev: 0,
}

/**
 * The current state of the groups, by nameKey; untouched ones are left out. A resolved group that was seen after that in a version
 * later than the one that resolved it (compareVersions) has regressed and is open again; so is an ignored one whose time is over.
 */
export async function triageStatesOf(
  deps: { db: Kysely<Database>; store: ExceptionStore; now: number; scope: Scope; aliases: readonly Alias[] },
  groups: readonly string[],
): Promise<Map<string, TriageState>> {
  if (groups.length === 0) return new Map()
  const rows = await deps.db
    .selectFrom('exception_groups')
    .leftJoin('users', 'users.id', 'exception_groups.assignee')
    .selectAll('exception_groups')
    .select('users.username')
    .where((where) => where('group_id', '=', where.fn.any(where.val([...groups]))))
    .execute()
  const resolved = rows.filter((row) => row.state === 'resolved')
  const since = Math.min(...resolved.map((row) => row.resolved_at ?? 0))
  const fingerprints = await fingerprintsOf(
    deps.db,
    resolved.map((row) => row.group_id),
  )
  const seen = await deps.store.exceptionVersions(
    deps.scope,
    fingerprints,
    deps.aliases,
    Number.isFinite(since) ? since : 0,
  )
  return new Map(
    rows.map((row) => {
      const resolvedAt = row.resolved_at ?? 0
      const later =
        row.state !== 'resolved'
          ? []
          : seen
              .filter((one) => one.group === row.group_id && one.lastAt > resolvedAt)
              .filter((one) => row.resolved_version === null || compareVersions(one.version, row.resolved_version) > 0)
              .map((one) => ({ version: one.version, at: one.firstAt > resolvedAt ? one.firstAt : one.lastAt }))
              .sort((a, b) => a.at - b.at)
      const over = row.state === 'ignored' && row.ignored_until !== null && row.ignored_until <= deps.now
      const triage: TriageState = {
        state: over || later.length > 0 ? 'open' : row.state,
        resolved_version: row.resolved_version,
        resolved_at: row.resolved_at,
        ignored_until: row.ignored_until,
        regressed: later[0] ?? null,
        assignee: row.username,
        rev: row.rev,
      }
      return [nameKey({ app: row.application_id, group: row.group_id }), triage]
    }),
  )
}
