import { type Language, ProductError } from '#contracts/errors.ts'
import type { MetaStore } from '#storage/postgres/database.ts'
import type { Caller } from '../../http/module.ts'
import { listingsOf, printsOf } from './copy-record.ts'
import { findCopy } from './monitor-rows.ts'
import { isPirated, takedownLetter } from './takedown-letter.ts'
import { draftTakedowns } from './takedown-rows.ts'

type Asker = Pick<Caller, 'scope'>

/** The name of a letter and its application. Throws data.missing and monitor.not_pirated. */
export async function takedownTitle(
  meta: MetaStore,
  caller: Asker,
  id: string,
  market: string,
  language: Language,
): Promise<{ title: string; application: number }> {
  const { copy, task } = await pirated(meta, caller, id, market, language)
  const name = `${copy.label || copy.package_name} ${copy.version}`.trim()
  return { title: `${name} ${language === 'zh' ? '下架函' : 'takedown request'}`, application: task.application_id }
}

/** The letter about one copy, for one market or ('') for every market that it was found in. */
export async function takedownParts(
  { meta, now }: { meta: MetaStore; now(): number },
  caller: Asker,
  { copy: id, market, language, zone }: { copy: string; market: string; language: Language; zone: string },
) {
  const { copy, task, verdict, listings } = await pirated(meta, caller, id, market, language)
  const { reference, print } = await printsOf(meta, copy)
  const { name } = await meta.db
    .selectFrom('applications')
    .select('name')
    .where('id', '=', task.application_id)
    .executeTakeFirstOrThrow()
  return takedownLetter(
    {
      ...{ application: name, verdict, isManual: copy.manual_verdict !== null, reference, copy: print },
      listings: listings.map(({ market_name, ...one }) => ({ ...one, market: market_name })),
    },
    language,
    { zone, now: now() },
  )
}

/** Makes the requests of a letter that somebody ordered. */
export async function takedownOrdered(
  deps: { meta: MetaStore; now(): number },
  caller: Pick<Caller, 'scope' | 'userId'>,
  id: string,
  market: string,
): Promise<void> {
  const { copy, listings } = await pirated(deps.meta, caller, id, market, 'en')
  const markets = listings.map((one) => one.market)
  await draftTakedowns(deps, copy, markets, caller.userId)
}

async function pirated(meta: MetaStore, caller: Asker, id: string, market: string, language: Language) {
  const { copy, task } = await findCopy(meta, caller, id)
  const verdict = copy.manual_verdict ?? copy.verdict
  if (!isPirated(verdict)) throw new ProductError('monitor.not_pirated')
  const listings = (await listingsOf(meta, copy, language)).filter((one) => market === '' || one.market === market)
  if (!listings.length) throw new ProductError('data.missing')
  return { copy, task, verdict, listings }
}
