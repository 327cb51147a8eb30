import { type Kysely, sql, type Transaction } from 'kysely'
import { ProductError } from '#contracts/errors.ts'
import type { Database } from '#storage/postgres/schema.ts'
import type { Licence } from './open-licence.ts'

/** Advisory locks: counting and creating happen one after the other, over all processes. */
const LOCKS = { applications: 0x6c_69_63_61, users: 0x6c_69_63_75 }
export type LicenceQuota = keyof typeof LOCKS

/**
 * Refuses where the licence allows fewer than there are with `adding` more (licence.applications, licence.users, with all numbers), and an
 * application where it has ended (licence.missing, licence.invalid). The transaction holds the count until it ends: create inside it.
 */
export async function takeQuota(
  tx: Transaction<Database>,
  licence: Pick<Licence, 'status' | 'demandCreating'>,
  what: LicenceQuota,
  adding: number,
): Promise<void> {
  // Accounts do not depend on time: to renew the licence may take a new one.
  if (what === 'applications') licence.demandCreating()
  const quota = licence.status().terms?.[what] ?? null
  if (quota === null || adding === 0) return
  await sql`select pg_advisory_xact_lock(${LOCKS[what]})`.execute(tx)
  const used = await countUsed(tx, what)
  if (used + adding > quota)
    throw new ProductError(what === 'users' ? 'licence.users' : 'licence.applications', { quota, used, adding })
}

/** Applications that are not deleted; accounts that are not disabled. */
export async function countUsed(db: Kysely<Database>, what: LicenceQuota): Promise<number> {
  const { count } =
    what === 'applications'
      ? await db
          .selectFrom('applications')
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .where('deleted_at', 'is', null)
          .executeTakeFirstOrThrow()
      : await db
          .selectFrom('users')
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .where('disabled', '=', false)
          .executeTakeFirstOrThrow()
  return Number(count)
}
