import { type Settings, SettingsSchema } from '#contracts/http/settings.ts'
import type { MetaStore } from '#storage/postgres/database.ts'
import { refreshOnChange } from '#storage/postgres/refresh-on-change.ts'
import { CHANNELS } from '#storage/postgres/schema.ts'

/** Settings lie one row a key under this prefix of the settings table; the table holds other small state too. */
const PREFIX = 'setting.'

export type SettingsStore = { current(): Settings; refresh(): Promise<void>; close(): void }

/** Current settings of this process; a change by any process arrives by notification. */
export async function openSettings(meta: MetaStore): Promise<SettingsStore> {
  let current = SettingsSchema.parse({})
  const read = async () => {
    current = await readSettings(meta)
  }
  const { refresh, close } = await refreshOnChange(meta, read, { changes: ['settings'] })
  return { current: () => current, refresh, close }
}

/** As stored now. */
async function readSettings(meta: MetaStore): Promise<Settings> {
  const rows = await meta.db.selectFrom('settings').selectAll().where('key', 'like', `${PREFIX}%`).execute()
  const shape = SettingsSchema.shape
  // A stored value that a later version no longer takes falls back to its default alone.
  const known = rows.flatMap(({ key, value }) => {
    const name = key.slice(PREFIX.length) as keyof Settings
    const found = (value as { value: unknown }).value
    return name in shape && shape[name].safeParse(found).success ? [[name, found] as const] : []
  })
  return SettingsSchema.parse(Object.fromEntries(known))
}

/** Writes the given settings (already checked against SettingsSchema) and notifies every process. */
export async function writeSettings(meta: MetaStore, changes: Partial<Settings>): Promise<void> {
  await meta.db.transaction().execute(async (tx) => {
    for (const [name, value] of Object.entries(changes))
      await tx
        .insertInto('settings')
        .values({ key: PREFIX + name, value: JSON.stringify({ value }) })
        .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: JSON.stringify({ value }) }))
        .execute()
  })
  await meta.notify(CHANNELS.changed, { what: 'settings' })
}
