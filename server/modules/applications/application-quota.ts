import type { Transaction } from 'kysely'
import { ProductError } from '#contracts/errors.ts'
import type { Database } from '#storage/postgres/schema.ts'

/**
 * Throws quota.reached where the account would own more applications than its quota allows. The account's row stays locked until the
 * transaction that adds them ends, so that parallel creations are counted one after the other.
 */
export async function checkApplicationQuota(tx: Transaction<Database>, userId: number, adding: number): Promise<void> {
  const user = await tx
    .selectFrom('users')
    .select('application_quota')
    .where('id', '=', userId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  const quota = user?.application_quota ?? null
  if (quota === null) return
  const { count } = await tx
    .selectFrom('applications')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('owner_id', '=', userId)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  if (Number(count) + adding > quota) throw new ProductError('quota.reached', { detail: String(quota) })
}
