import { type Kysely, sql } from 'kysely'

const PIRATED = "coalesce(manual_verdict, verdict) in ('re-signed', 'repackaged', 'clone')"

/** All certificates of a copy instead of the first alone: phones report one of them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const run = (text: string) => sql.raw(text).execute(db)
  await run(`alter table monitor_copies add column certificates text[] not null default '{}'`)
  await run(
    `update monitor_copies copy set certificates = case when certificate = '' then '{}' else array[certificate] end`,
  )
  await run(`update monitor_copies copy set certificates = known.certificates
    from (select sha256, array(select jsonb_array_elements_text(print->'signer'->'certificates')) as certificates
      from package_prints where jsonb_typeof(print->'signer'->'certificates') = 'array') known
    where known.sha256 = copy.sha256`)
  await run('drop index monitor_copies_pirated')
  await run('alter table monitor_copies drop column certificate')
  await run(`create index monitor_copies_pirated on monitor_copies (task_id) where certificates <> '{}' and ${PIRATED}`)
}

/** The version before knows the first one. */
export async function down(db: Kysely<unknown>): Promise<void> {
  const run = (text: string) => sql.raw(text).execute(db)
  await run('drop index monitor_copies_pirated')
  await run(`alter table monitor_copies add column certificate text not null default ''`)
  await run(`update monitor_copies set certificate = coalesce(certificates[1], '')`)
  await run('alter table monitor_copies drop column certificates')
  await run(
    `create index monitor_copies_pirated on monitor_copies (task_id, certificate) where certificate <> '' and ${PIRATED}`,
  )
}
