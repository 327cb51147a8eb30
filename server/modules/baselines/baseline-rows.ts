import { type Kysely, type Selectable, sql } from 'kysely'
import type { Baseline } from '#contracts/http/baselines.ts'
import type { KnownBuilds } from '#domain/baseline.ts'
import type { Scope } from '#domain/query.ts'
import type { Database } from '#storage/postgres/schema.ts'
import { piratedCertificates } from '../monitoring/pirated-certificates.ts'

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

/** What the event store compares returns with: baselines, and certificates of pirated copies. */
export async function knownBuilds(db: Kysely<Database>, scope: Scope): Promise<KnownBuilds> {
  const [rows, pirated] = await Promise.all([baselineRows(db, scope), piratedCertificates(db, scope)])
  const baselines = rows.map((row) => ({
    app: Number(row.appid),
    version: row.version,
    packageName: row.package_name,
    signers: row.signers,
    hashes: row.hashes,
    channels: row.channels,
  }))
  return { baselines, pirated }
}

export function toBaseline({ application_id, username, by_user, ...row }: Row): Baseline {
  return { ...row, appid: String(application_id), by: username ?? '' }
}
