import { type ExpressionBuilder, type Kysely, type SelectQueryBuilder, sql } from 'kysely'
import type { z } from 'zod'
import {
  ACCOUNT_ORIGINS,
  type AccountOrigin,
  CUSTOMER_TYPES,
  type CustomerType,
  type User,
  type UserState,
  type users,
} from '#contracts/http/users.ts'
import type { Database } from '#storage/postgres/schema.ts'
import type { Caller } from '../../http/module.ts'
import { isGrantable } from '../roles/grantable.ts'

const DAY_MS = 86_400_000

export type UserFilters = Pick<
  z.infer<NonNullable<(typeof users)['query']>>,
  'search' | 'role' | 'customer_type' | 'state'
>

/** One account with its role's name and permissions, its creator and the number of applications that it owns. */
export function selectUsers(db: Kysely<Database>) {
  return db
    .selectFrom('users')
    .innerJoin('roles', 'roles.key', 'users.role')
    .leftJoin('users as creators', 'creators.id', 'users.created_by')
    .leftJoin('second_factors', 'second_factors.user_id', 'users.id')
    .leftJoin('invitations', 'invitations.user_id', 'users.id')
    .select([
      'users.id',
      'users.username',
      'users.role',
      'users.customer_type',
      'users.remarks',
      'users.application_quota',
      'users.created_at',
      'users.last_login_at',
      'users.expires_at',
      'users.disabled',
      'users.must_change_password',
      'users.super',
      'users.password_hash',
      'users.origin',
      'second_factors.enabled_at as second_factor_at',
      'invitations.expires_at as invited_until',
      'roles.zh',
      'roles.en',
      'roles.auth',
      'roles.sees_all',
      'creators.username as creator',
      (select) =>
        select
          .selectFrom('applications')
          .whereRef('applications.owner_id', '=', 'users.id')
          .where('applications.deleted_at', 'is', null)
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .as('applications'),
    ])
}
export type UserRow = Awaited<ReturnType<ReturnType<typeof selectUsers>['executeTakeFirstOrThrow']>>

/** Adds the filters of a list. `now`: epoch milliseconds, for the state 'expired'. */
export function filterUsers<O>(
  select: SelectQueryBuilder<Database, 'users', O>,
  { search, role, customer_type, state }: UserFilters,
  now: number,
): SelectQueryBuilder<Database, 'users', O> {
  let query = select
  if (search) {
    const pattern = `%${search.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`
    query = query.where((where) =>
      where.or([
        where(sql<string>`lower(users.username)`, 'like', pattern),
        where(sql<string>`lower(users.remarks)`, 'like', pattern),
      ]),
    )
  }
  if (role) query = query.where('users.role', '=', role)
  if (customer_type) query = query.where('users.customer_type', '=', customer_type)
  if (state) query = query.where('users.disabled', '=', state === 'disabled')
  const invited = (where: ExpressionBuilder<Database, 'users'>) =>
    where.and([where('users.password_hash', '=', ''), where('users.origin', '=', 'local')])
  if (state === 'invited') query = query.where(invited)
  if (state === 'expired') query = query.where((where) => where.not(invited(where))).where('users.expires_at', '<', now)
  if (state === 'active')
    query = query
      .where((where) => where.not(invited(where)))
      .where((where) => where.or([where('users.expires_at', 'is', null), where('users.expires_at', '>=', now)]))
  return query
}

/** Whole days until `expiresAt`, 0 on the last day, negative afterwards; null if absent. */
export function daysLeft(expiresAt: number | null, now: number): number | null {
  return expiresAt === null ? null : Math.floor((expiresAt - now) / DAY_MS)
}

export function toUser(row: UserRow, caller: Pick<Caller, 'auth' | 'scope' | 'userId'>, now: number): User {
  const customer = (row.customer_type in CUSTOMER_TYPES ? row.customer_type : 'standard') as CustomerType
  return {
    id: row.id,
    username: row.username,
    role: row.role,
    role_name: { zh: row.zh, en: row.en },
    customer_type: customer,
    remarks: row.remarks,
    application_quota: row.application_quota,
    applications: Number(row.applications),
    creator: row.creator,
    created_at: row.created_at,
    last_login_at: row.last_login_at,
    expires_at: row.expires_at,
    days_left: daysLeft(row.expires_at, now),
    state: stateOf(row, now),
    must_change_password: row.must_change_password,
    origin: (row.origin in ACCOUNT_ORIGINS ? row.origin : 'local') as AccountOrigin,
    second_factor: row.second_factor_at !== null,
    invited_until: isInvited(row) ? row.invited_until : null,
    super: row.super,
    manageable: !row.super && row.id !== caller.userId && isGrantable(caller, { ...row, key: row.role }),
  }
}

function stateOf(row: UserRow, now: number): UserState {
  if (row.disabled) return 'disabled'
  if (isInvited(row)) return 'invited'
  return row.expires_at !== null && row.expires_at < now ? 'expired' : 'active'
}

/** An account of another origin has no password here and waits for none. */
function isInvited(row: Pick<UserRow, 'password_hash' | 'origin'>): boolean {
  return row.password_hash === '' && row.origin === 'local'
}
