import type { exportSuppressions, Suppression } from '#contracts/http/detection/result.ts'
import type { BodyOf } from '#contracts/http/endpoint.ts'
import type { MetaStore } from '#storage/postgres/database.ts'
import type { Caller } from '../../http/module.ts'
import { itemNames } from './own-rules.ts'
import { suppressionsOf, toSuppression } from './suppression-rows.ts'

type SuppressionFilters = BodyOf<typeof exportSuppressions>['list']

/** Suppressions that the caller may see, newest first, and how many have each state where the other filters leave them. */
export async function listSuppressions(
  { meta }: { meta: MetaStore },
  caller: Pick<Caller, 'scope' | 'userId'>,
  { search, state, appid }: SuppressionFilters,
  now: number,
): Promise<{ found: Suppression[]; states: Record<Suppression['state'], number> }> {
  let select = suppressionsOf({ meta }, caller)
  if (appid !== '') select = select.where('one.application_id', '=', Number(appid))
  const rows = await select.orderBy('one.created_at', 'desc').orderBy('one.id').execute()
  const nameOf = await itemNames(meta)
  const words = search.toLowerCase()
  const named = rows
    .map((row) => toSuppression(row, now, nameOf))
    .filter((one) => {
      const text = [one.item_name.zh, one.item_name.en, one.item, one.package_id, one.reason, one.app_name].join('\n')
      return words === '' || text.toLowerCase().includes(words)
    })
  const states = { pending: 0, active: 0, expired: 0 }
  for (const one of named) states[one.state]++
  return { found: named.filter((one) => state === '' || one.state === state), states }
}
