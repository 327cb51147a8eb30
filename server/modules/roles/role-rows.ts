import { type Kysely, sql } from 'kysely'
import type { Role } from '#contracts/http/roles.ts'
import type { Database } from '#storage/postgres/schema.ts'
import type { Caller } from '../../http/module.ts'
import { isGrantable } from './grantable.ts'

const NAMES_SHOWN = 20

/** Roles with their creator and the accounts that have them. `liveSince`: sessions without input since then (epoch ms) are over. */
export async function readRoles(
  db: Kysely<Database>,
  caller: Pick<Caller, 'auth' | 'scope' | 'role'>,
  liveSince: number,
): Promise<Role[]> {
  const rows = await db
    .selectFrom('roles')
    .leftJoin('users as creators', 'creators.id', 'roles.created_by')
    .selectAll('roles')
    .select('creators.username as creator')
    .orderBy('built_in', 'desc')
    .orderBy(sql`lower(roles.zh)`)
    .execute()
  const counts = await db
    .selectFrom('users')
    .select(['role', ({ fn }) => fn.countAll<number>().as('count')])
    .groupBy('role')
    .execute()
  const sessions = await db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select(['users.role', 'users.username'])
    .where('sessions.ended_at', 'is', null)
    .where('sessions.last_input_at', '>', liveSince)
    .orderBy('users.username')
    .execute()
  return rows.map((row) => {
    const signedIn = sessions.filter(({ role }) => role === row.key).map(({ username }) => username)
    return {
      key: row.key,
      name: { zh: row.zh, en: row.en },
      built_in: row.built_in,
      administrator: row.sees_all,
      auth: row.auth,
      users: Number(counts.find(({ role }) => role === row.key)?.count ?? 0),
      signed_in: signedIn.slice(0, NAMES_SHOWN),
      signed_in_total: signedIn.length,
      creator: row.creator,
      created_at: row.created_at,
      updated_at: row.updated_at,
      rev: row.rev,
      manageable: !row.built_in && row.key !== caller.role && isGrantable(caller, row),
    }
  })
}
