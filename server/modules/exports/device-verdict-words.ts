import { DEVICE_VERDICTS } from '#domain/device-score.ts'
import type { Scope } from '#domain/query.ts'
import type { MetaStore } from '#storage/postgres/database.ts'
import type { ExportWords } from '../../query/export-words.ts'
import { currentDeviceVerdicts } from '../devices/device-records.ts'

/** What analysts of the scope's applications decided about devices, spelt out: `Wallet: Banned; Mall: Watched`. */
export async function deviceVerdictWords(
  { db }: Pick<MetaStore, 'db'>,
  scope: Scope,
  words: ExportWords,
  language: 'zh' | 'en',
  devices: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const byDevice = new Map<string, string[]>()
  for (const { device, appid, verdict } of await currentDeviceVerdicts(db, scope, devices))
    byDevice.set(device, [
      ...(byDevice.get(device) ?? []),
      `${words.value('app', appid)}: ${DEVICE_VERDICTS[verdict][language]}`,
    ])
  return new Map([...byDevice].map(([device, parts]) => [device, parts.join('; ')]))
}
