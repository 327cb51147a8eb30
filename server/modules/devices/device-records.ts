import { type Kysely, sql } from 'kysely'
import type { DeviceEnrolment, DeviceVerdictEntry } from '#contracts/http/devices.ts'
import type { Scope } from '#domain/query.ts'
import type { Database } from '#storage/postgres/schema.ts'

/** What the metadata store knows of devices, within a scope: verdicts, their history, enrolments. */

const HISTORY = 100
/** Rows of the applications in scope, by their column. */
export const inScope = ({ apps }: Scope, column: string) =>
  apps === 'all' ? sql<boolean>`true` : sql<boolean>`${sql.ref(column)} = any(${[...apps]}::int[])`

/** Verdicts that stand; a device may have one in each application. */
export async function currentDeviceVerdicts(
  db: Kysely<Database>,
  scope: Scope,
  devices: readonly string[],
): Promise<(DeviceVerdictEntry & { device: string; verdict: NonNullable<DeviceVerdictEntry['verdict']> })[]> {
  if (devices.length === 0) return []
  const rows = await db
    .selectFrom('device_verdicts')
    .leftJoin('users', 'users.id', 'device_verdicts.by_user')
    .selectAll('device_verdicts')
    .select('users.username')
    .where('device', 'in', [...devices])
    .where(inScope(scope, 'application_id'))
    .orderBy('at', 'desc')
    .orderBy('application_id')
    .execute()
  return rows.map((row) => ({
    id: `${row.application_id}`,
    device: row.device,
    appid: String(row.application_id),
    verdict: row.verdict,
    note: row.note,
    by: row.username ?? '',
    at: row.at,
  }))
}

/** Every change, newest first. */
export async function deviceVerdictHistory(
  db: Kysely<Database>,
  scope: Scope,
  device: string,
): Promise<DeviceVerdictEntry[]> {
  const rows = await db
    .selectFrom('device_verdict_changes')
    .leftJoin('users', 'users.id', 'device_verdict_changes.by_user')
    .selectAll('device_verdict_changes')
    .select('users.username')
    .where('device', '=', device)
    .where(inScope(scope, 'application_id'))
    .orderBy('device_verdict_changes.id', 'desc')
    .limit(HISTORY)
    .execute()
  return rows.map((row) => ({
    id: String(row.id),
    appid: String(row.application_id),
    verdict: row.verdict,
    note: row.note,
    by: row.username ?? '',
    at: row.at,
  }))
}

export async function enrolmentsOf(db: Kysely<Database>, scope: Scope, device: string): Promise<DeviceEnrolment[]> {
  const rows = await db
    .selectFrom('installs')
    .innerJoin('ingest_keys', 'ingest_keys.id', 'installs.ingest_key_id')
    .select(['installs.application_id', 'ingest_keys.name', 'installs.created_at', 'installs.revoked_at'])
    .where('installs.device', '=', device)
    .where(inScope(scope, 'installs.application_id'))
    .orderBy('installs.created_at', 'desc')
    .limit(HISTORY)
    .execute()
  return rows.map((row) => ({
    appid: String(row.application_id),
    key_name: row.name,
    enrolled_at: row.created_at,
    revoked_at: row.revoked_at,
  }))
}
