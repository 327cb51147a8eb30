import { type Kysely, sql } from 'kysely'

/** The kind of the package that a task reinforces: those of before are APKs. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(`alter table reinforce_tasks add column kind text not null default 'apk'`).execute(db)
  await sql.raw('alter table reinforce_tasks alter column kind drop default').execute(db)
}

/** The version before takes every task for one of an APK: those of libraries go, their results are application files. */
export async function down(db: Kysely<unknown>): Promise<void> {
  await sql.raw(`delete from reinforce_tasks where kind <> 'apk'`).execute(db)
  await sql.raw('alter table reinforce_tasks drop column kind').execute(db)
}
