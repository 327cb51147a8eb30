import { type Kysely, sql } from 'kysely'

/** Reports keep their document model beside the file, and say which applications they tell of; lists of them are sorted by time. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('alter table jobs add column document text').execute(db)
  await sql
    .raw(
      `update jobs set input = input || jsonb_build_object('of', 'detection', 'apps', coalesce(
         (select jsonb_build_array(application_id) from detection_tasks
          where id::text = jobs.input->>'task' and application_id is not null), '[]'::jsonb))
       where kind = 'report' and input ? 'task'`,
    )
    .execute(db)
  await sql.raw('create index jobs_kind_created on jobs (kind, created_at)').execute(db)
}
