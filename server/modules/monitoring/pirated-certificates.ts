import { type Kysely, sql } from 'kysely'
import type { PiratedCertificate, Verdict } from '#contracts/http/monitoring/tasks.ts'
import type { PiratedCertificates } from '#domain/baseline.ts'
import type { Scope } from '#domain/query.ts'
import type { Database } from '#storage/postgres/schema.ts'

/**
 * Certificates of pirated copies, as copies are judged now: a certificate comes with the first copy that is judged (by the product or by a
 * person) as made out of a package of the application, and goes with the last. One that signs a verified package of the application, or that
 * a baseline names, is never among them: then every genuine return would be abnormal.
 */

/** Each certificate of a copy: a phone reports one of them. In the words of the index monitor_copies_pirated. A look-alike holds none of the application's code, so that it reports nothing. */
const MADE_OF_OURS = sql<boolean>`copy.certificates <> '{}' and coalesce(copy.manual_verdict, copy.verdict) in ('re-signed', 'repackaged', 'clone')`
const NOT_OURS = sql<boolean>`not exists (select 1 from app_files file where file.application_id = task.application_id
    and file.signature = 'verified' and signer.certificate = any(file.signers))
  and not exists (select 1 from baselines known where known.application_id = task.application_id
    and signer.certificate = any(known.signers))`

const EACH_CERTIFICATE = sql<{ certificate: string }>`(select unnest(copy.certificates) as certificate)`.as('signer')

const selectPirated = (db: Kysely<Database>, { apps }: Scope) => {
  const select = db
    .selectFrom('monitor_copies as copy')
    .innerJoin('monitor_tasks as task', 'task.id', 'copy.task_id')
    .innerJoinLateral(EACH_CERTIFICATE, (join) => join.onTrue())
    .innerJoin('applications', 'applications.id', 'task.application_id')
    .where('applications.deleted_at', 'is', null)
    .where(MADE_OF_OURS)
    .where(NOT_OURS)
  return apps === 'all' ? select : select.where('task.application_id', '=', sql<number>`any(${[...apps]}::int[])`)
}

/** Certificates by application, as the event store compares returns with them. */
export async function piratedCertificates(db: Kysely<Database>, scope: Scope): Promise<PiratedCertificates[]> {
  const rows = await selectPirated(db, scope)
    .groupBy('task.application_id')
    .select(['task.application_id as app', sql<string[]>`array_agg(distinct signer.certificate)`.as('certificates')])
    .orderBy('app')
    .execute()
  return rows
}

/** Each of these certificates that is a pirated one, with a copy that it signs and their number; of one application where it is named. */
export async function copiesSignedBy(
  db: Kysely<Database>,
  scope: Scope,
  certificates: readonly string[],
  app?: number,
): Promise<PiratedCertificate[]> {
  const wanted = [...new Set(certificates.filter((one) => one !== ''))]
  if (wanted.length === 0) return []
  let select = selectPirated(db, scope).where('signer.certificate', 'in', wanted)
  if (app !== undefined) select = select.where('task.application_id', '=', app)
  const rows = await select
    .distinctOn(['task.application_id', 'signer.certificate'])
    .select(['task.application_id', 'signer.certificate', 'copy.task_id', 'copy.id', 'copy.label', 'copy.package_name'])
    .select(['copy.version', sql<Verdict>`coalesce(copy.manual_verdict, copy.verdict)`.as('verdict')])
    .select(sql<number>`(count(*) over (partition by task.application_id, signer.certificate))::int`.as('copies'))
    .orderBy('task.application_id')
    .orderBy('signer.certificate')
    .orderBy(sql`coalesce(copy.manual_verdict, copy.verdict) = 'clone'`)
    .orderBy('copy.first_seen', 'desc')
    .orderBy('copy.id')
    .execute()
  return rows.map(({ application_id, certificate, task_id, id, label, package_name, version, verdict, copies }) => ({
    appid: String(application_id),
    ...{ certificate, task: task_id, copy: id, label: label || package_name, version, verdict, copies },
  }))
}

/** Certificates that a copy makes known pirated ones. */
export async function certificateRule(db: Kysely<Database>, copy: string): Promise<string[]> {
  const rows = await selectPirated(db, { apps: 'all' })
    .where('copy.id', '=', copy)
    .select('signer.certificate')
    .orderBy('signer.certificate')
    .execute()
  return rows.map(({ certificate }) => certificate)
}

/** What a judgement changes about the certificates of its copy, for the audit; '' where it changes nothing. */
export function ruleChange(before: readonly string[], after: readonly string[]): string {
  return [
    ...after.filter((one) => !before.includes(one)).map((one) => `certificate ${one} is known as pirated`),
    ...before
      .filter((one) => !after.includes(one))
      .map((one) => `certificate ${one} is not known as pirated by this copy any more`),
  ].join('; ')
}
