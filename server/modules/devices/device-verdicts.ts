import type { Kysely } from 'kysely'
import type { DeviceVerdict } from '#domain/device-score.ts'
import type { MetaStore } from '#storage/postgres/database.ts'
import { CHANNELS, type Database } from '#storage/postgres/schema.ts'

/** What an analyst decided about a device of an application, or undefined. Changes are announced on CHANNELS.changed, `what: 'verdicts'`. */
export async function deviceVerdictOf(
  db: Kysely<Database>,
  app: number,
  device: string,
): Promise<DeviceVerdict | undefined> {
  const row = await db
    .selectFrom('device_verdicts')
    .select('verdict')
    .where('application_id', '=', app)
    .where('device', '=', device)
    .executeTakeFirst()
  return row?.verdict
}

type DeviceVerdictChange = {
  apps: readonly number[]
  device: string
  /** null takes the verdict back. */
  verdict: DeviceVerdict | null
  userId: number
  note: string
  at: number
}

/** Sets or takes back a verdict for some applications, with its line in the history, and announces it. */
export async function changeDeviceVerdict(meta: MetaStore, change: DeviceVerdictChange): Promise<void> {
  const { apps, device, verdict, userId, note, at } = change
  if (apps.length === 0) return
  await meta.db.transaction().execute(async (tx) => {
    await tx
      .deleteFrom('device_verdicts')
      .where('device', '=', device)
      .where('application_id', 'in', [...apps])
      .execute()
    const rows = apps.map((application_id) => ({ application_id, device, by_user: userId, at, note }))
    if (verdict)
      await tx
        .insertInto('device_verdicts')
        .values(rows.map((row) => ({ ...row, verdict })))
        .execute()
    await tx
      .insertInto('device_verdict_changes')
      .values(rows.map((row) => ({ ...row, verdict })))
      .execute()
  })
  for (const app of apps) await meta.notify(CHANNELS.changed, { what: 'verdicts', app, device })
}
