import { type Kysely, type Selectable, sql } from 'kysely'
import type { Baseline } from '#contracts/http/baselines.ts'
import type { BaselineFacts } from '#domain/baseline.ts'
import type { Scope } from '#domain/query.ts'
import type { Database } from '#storage/postgres/schema.ts'

type Row = Selectable<Database['baselines']> & { username: string | null }

/** Baselines of the scope's applications, newest change first; of one application where it is named. */
export async function baselineRows(db: Kysely<Database>, { apps }: Scope, app?: number): Promise<Baseline[]> {
  let select = db
    .selectFrom('baselines')
    .innerJoin('applications', 'applications.id', 'baselines.application_id')
    .leftJoin('users', 'users.id', 'baselines.by_user')
    .selectAll('baselines')
    .select('users.username')
    .where('applications.deleted_at', 'is', null)
  if (apps !== 'all') select = select.where('application_id', '=', sql<number>`any(${[...apps]}::int[])`)
  if (app !== undefined) select = select.where('application_id', '=', app)
  const rows = await select.orderBy('baselines.updated_at', 'desc').orderBy('baselines.id').execute()
  return rows.map(toBaseline)
}

/** What the event store compares returns with. */
export async function baselineFacts(db: Kysely<Database>, scope: Scope): Promise<BaselineFacts[]> {
  return (await baselineRows(db, scope)).map((row) => ({
    app: Number(row.appid),
    version: row.version,
    packageName: row.package_name,
    signers: row.signers,
    hashes: row.hashes,
    channels: row.channels,
  }))
}

export function toBaseline({ application_id, username, by_user, ...row }: Row): Baseline {
  return { ...row, appid: String(application_id), by: username ?? '' }
}
