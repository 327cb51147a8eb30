import { VERDICTS } from '#domain/device-score.ts'
import type { Scope } from '#domain/query.ts'
import type { MetaStore } from '#storage/postgres/database.ts'
import type { ExportWords } from '../../query/export-words.ts'
import { standingVerdicts } from '../devices/device-records.ts'

/** What analysts of the scope's applications decided about devices, spelt out: `Wallet: Banned; Mall: Watched`. */
export async function verdictWords(
  { db }: Pick<MetaStore, 'db'>,
  scope: Scope,
  words: ExportWords,
  language: 'zh' | 'en',
  devices: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const told = new Map<string, string[]>()
  for (const { device, appid, verdict } of await standingVerdicts(db, scope, devices))
    told.set(device, [...(told.get(device) ?? []), `${words.value('app', appid)}: ${VERDICTS[verdict][language]}`])
  return new Map([...told].map(([device, parts]) => [device, parts.join('; ')]))
}
