import type { Selectable } from 'kysely'
import { type Language, ProductError } from '#contracts/errors.ts'
import type { CopyJudgement } from '#engines/similarity/judge-copy.ts'
import type { PackagePrint } from '#engines/similarity/package-print.ts'
import type { MetaStore } from '#storage/postgres/database.ts'
import type { Database } from '#storage/postgres/schema.ts'
import { allMarkets } from './market-catalogue.ts'
import { offerOf } from './monitor-rows.ts'

type CopyRow = Selectable<Database['monitor_copies']>
const MOST_LISTINGS = 500

/** The print of a copy, and that of the package that it was compared with. Throws data.missing where one is not there any more. */
export async function printsOf(
  { db }: MetaStore,
  copy: Pick<CopyRow, 'sha256' | 'judgement'>,
): Promise<{ reference: PackagePrint; print: PackagePrint }> {
  const read = async (sha256: string) => {
    const row = await db.selectFrom('package_prints').select('print').where('sha256', '=', sha256).executeTakeFirst()
    return row?.print as PackagePrint | null | undefined
  }
  const [reference, print] = await Promise.all([read((copy.judgement as CopyJudgement).reference), read(copy.sha256)])
  if (!reference || !print) throw new ProductError('data.missing')
  return { reference, print }
}

/** Where a copy was found, by market. */
export async function listingsOf(meta: MetaStore, copy: Pick<CopyRow, 'task_id' | 'sha256'>, language: Language) {
  const names = new Map((await allMarkets(meta)).map((market) => [market.id, market.names]))
  const rows = await meta.db
    .selectFrom('monitor_listings as one')
    .innerJoin('monitor_tasks as task', 'task.id', 'one.task_id')
    .selectAll('one')
    .select(offerOf.as('offer'))
    .where('one.task_id', '=', copy.task_id)
    .where('one.sha256', '=', copy.sha256)
    .orderBy('market')
    .limit(MOST_LISTINGS)
    .execute()
  return rows.map(({ market, name, version, developer, page, download, downloads, first_seen, last_seen, offer }) => ({
    market,
    market_name: names.get(market)?.[language] ?? market,
    ...{ name, version, developer, page, download, downloads, first_seen, last_seen, offer },
  }))
}
