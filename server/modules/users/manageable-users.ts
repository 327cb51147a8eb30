import type { Kysely } from 'kysely'
import { ProductError } from '#contracts/errors.ts'
import type { Database } from '#storage/postgres/schema.ts'
import { demandAll } from '../../http/demand-all.ts'
import type { Caller } from '../../http/module.ts'
import { isGrantable } from '../roles/grantable.ts'
import { selectUsers, type UserRow } from './user-rows.ts'

/**
 * The accounts, which the caller may all change: never the super administrator, never an account that may do more, never their own
 * (unless `own`). Throws ProductError.
 */
export async function manageableUsers(
  db: Kysely<Database>,
  caller: Caller,
  ids: readonly number[],
  options: { own?: boolean } = {},
): Promise<UserRow[]> {
  const found = selectUsers(db).where('users.id', 'in', [...ids])
  const rows = demandAll(ids, await found.execute())
  for (const row of rows) {
    if (row.super) throw new ProductError('user.super_protected')
    if (row.id === caller.userId && !options.own) throw new ProductError('user.own_account')
    if (!isGrantable(caller, { ...row, key: row.role })) throw new ProductError('user.role_not_grantable')
  }
  return rows
}
