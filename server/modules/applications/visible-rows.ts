import { type RawBuilder, sql } from 'kysely'
import type { Caller } from '../../http/module.ts'

/**
 * Rows that the caller may know of, in queries that join `applications` without deleted ones: those of permitted applications, and those of no
 * application (any more) that are the caller's own.
 * @param owner column with the id of their user, such as `task.by_user`
 */
export function visibleRows({ scope, userId }: Pick<Caller, 'scope' | 'userId'>, owner: string): RawBuilder<boolean> {
  const { apps } = scope
  if (apps === 'all') return sql<boolean>`true`
  return sql<boolean>`(applications.id = any(${[...apps]}::int[])
    or (applications.id is null and ${sql.ref(owner)} = ${userId}))`
}
