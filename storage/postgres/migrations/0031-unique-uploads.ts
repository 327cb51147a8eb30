import { type Kysely, sql } from 'kysely'

/**
 * A package is one file of an application, and one of a user where it belongs to no application; parallel uploads made two. Copies that
 * exist are merged into the oldest: detections move to it. An application made of an upload names the package, once for its owner.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const run = (text: string) => sql.raw(text).execute(db)
  await run(`create temporary table merged_files on commit drop as
    select id, min(id) over (partition by sha256, application_id, case when application_id is null then by_user end) as kept
    from app_files`)
  await run('delete from merged_files where id = kept')
  await run(
    'update detection_tasks set file_id = kept from merged_files where detection_tasks.file_id = merged_files.id',
  )
  await run('delete from app_files using merged_files where app_files.id = merged_files.id')
  await run(
    'create unique index app_files_of_application on app_files (sha256, application_id) where application_id is not null',
  )
  await run('create unique index app_files_of_user on app_files (sha256, by_user) where application_id is null')
  await run('alter table applications add column created_from text')
  await run(
    'create unique index applications_created_from on applications (owner_id, created_from) where deleted_at is null',
  )
}
