import { type BackupPlan, BackupPlanSchema } from '#contracts/http/maintenance/backups.ts'
import { nextDay, startOfDay, zoneOffset } from '#domain/time-range.ts'
import type { MetaStore } from '#storage/postgres/database.ts'
import { createRun } from '../run-rows.ts'

const KEY = 'maintenance.backup'
const MINUTE_MS = 60_000

/** The plan as stored; the default, off, without one, or with one of another version. */
export async function readPlan({ db }: MetaStore): Promise<BackupPlan> {
  const row = await db.selectFrom('settings').select('value').where('key', '=', KEY).executeTakeFirst()
  const parsed = BackupPlanSchema.safeParse(row?.value ?? {})
  return parsed.success ? parsed.data : BackupPlanSchema.parse({})
}

export async function writePlan({ db }: MetaStore, plan: BackupPlan): Promise<void> {
  const value = JSON.stringify(plan)
  await db
    .insertInto('settings')
    .values({ key: KEY, value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
    .execute()
}

/** The first time of the plan after `after`; null while it is off. A time that the clocks skip counts as the hour after. */
export function nextBackup({ enabled, time, zone, folder }: BackupPlan, after: number): number | null {
  if (!enabled || folder === '') return null
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  for (let midnight = startOfDay(after, zone); ; midnight = nextDay(midnight, zone)) {
    const plain = midnight + (hours * 60 + minutes) * MINUTE_MS
    const at = plain + zoneOffset(midnight, zone) - zoneOffset(plain, zone)
    if (at > after) return at
  }
}

/** Asks for the backup of the plan once its time has come since `since`. A missed one, as after a stop, is made up for once. */
export async function scheduleBackup(meta: MetaStore, now: number, since: number): Promise<boolean> {
  const plan = await readPlan(meta)
  const last = await meta.db
    .selectFrom('maintenance_runs')
    .select('created_at')
    .where('kind', '=', 'backup')
    .where('account', '=', '')
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  const due = nextBackup(plan, last?.created_at ?? since)
  if (due === null || due > now) return false
  return (
    (await createRun(meta, { kind: 'backup', input: {}, account: '', not: ['backup', 'repair'] }, now)) !== undefined
  )
}
