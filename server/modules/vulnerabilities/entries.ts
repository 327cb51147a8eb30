import { ProductError } from '#contracts/errors.ts'
import type { EntryOrigin, EntryState, StoredOrigin } from '#contracts/http/vulnerabilities.ts'
import { productKey } from '#engines/vulnlib/affected-range.ts'
import type { Vulnerability } from '#engines/vulnlib/vulnerability.ts'
import type { MetaStore } from '#storage/postgres/database.ts'
import { BUILT_IN } from './built-in.ts'

export type Entry = Vulnerability & { origin: EntryOrigin; state: EntryState }

/** The whole library; one that ships with the product since it was imported is the product's. */
export async function allEntries({ db }: MetaStore): Promise<Entry[]> {
  const rows = await db.selectFrom('vulnerabilities').select(['entry', 'origin', 'state']).execute()
  const stored = rows
    .map(({ entry, origin, state }) => ({ ...(entry as Vulnerability), origin, state }))
    .filter(({ number }) => !BUILT_IN.has(number))
  return [
    ...[...BUILT_IN.values()].map((one) => ({ ...one, origin: 'built_in', state: 'accepted' }) as const),
    ...stored,
  ]
}

/** One entry of the library, or undefined. */
export async function findEntry({ db }: MetaStore, number: string): Promise<Entry | undefined> {
  const builtIn = BUILT_IN.get(number)
  if (builtIn) return { ...builtIn, origin: 'built_in', state: 'accepted' }
  const row = await db
    .selectFrom('vulnerabilities')
    .select(['entry', 'origin', 'state'])
    .where('number', '=', number)
    .executeTakeFirst()
  return row && { ...(row.entry as Vulnerability), origin: row.origin, state: row.state }
}

/**
 * Stores an entry with the names of its products. An own entry is accepted at once; an imported one keeps its review. `basedOn`: when the entry
 * that was changed was stored, null for a new one; data.conflict where another one is there.
 */
export async function keepEntry(
  { db }: MetaStore,
  entry: Vulnerability,
  { origin, userId, now, basedOn }: { origin: StoredOrigin; userId: number; now: number; basedOn?: number | null },
): Promise<void> {
  const values = { entry: JSON.stringify(entry), by_user: userId, added_at: now, origin }
  const products = [...new Set((entry.ranges ?? []).map(({ product }) => productKey(product)))].filter(Boolean)
  await db.transaction().execute(async (tx) => {
    if (basedOn !== undefined) {
      const row = await tx
        .selectFrom('vulnerabilities')
        .select('added_at')
        .where('number', '=', entry.number)
        .forUpdate()
        .executeTakeFirst()
      if ((row?.added_at ?? null) !== basedOn) throw new ProductError('data.conflict')
    }
    await tx
      .insertInto('vulnerabilities')
      .values({
        number: entry.number,
        ...values,
        state: origin === 'own' ? 'accepted' : 'pending',
        ...(origin === 'own' && { reviewed_by: userId, reviewed_at: now }),
      })
      .onConflict((conflict) =>
        conflict.column('number').doUpdateSet({
          ...values,
          ...(origin === 'own' && { state: 'accepted', reviewed_by: userId, reviewed_at: now }),
        }),
      )
      .execute()
    await tx.deleteFrom('vulnerability_products').where('number', '=', entry.number).execute()
    if (products.length > 0)
      await tx
        .insertInto('vulnerability_products')
        .values(products.map((product) => ({ number: entry.number, product })))
        .execute()
  })
}
