import type { Kysely } from 'kysely'
import { ProductError } from '#contracts/errors.ts'
import type { Database } from '#storage/postgres/schema.ts'

/** Throws quota.reached where the account would own more applications than its quota allows. */
export async function checkApplicationQuota(db: Kysely<Database>, userId: number, adding: number): Promise<void> {
  const user = await db.selectFrom('users').select('application_quota').where('id', '=', userId).executeTakeFirst()
  const quota = user?.application_quota ?? null
  if (quota === null) return
  const { count } = await db
    .selectFrom('applications')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('owner_id', '=', userId)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  if (Number(count) + adding > quota) throw new ProductError('quota.reached', { detail: String(quota) })
}
