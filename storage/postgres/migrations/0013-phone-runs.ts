import { type Kysely, sql } from 'kysely'

/** Dynamic detection: on which phone, how long, and the screenshots of its result. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`alter table detection_tasks add column phone jsonb, add column pictures text[] not null default '{}'`)
    .execute(db)
}
