import { type Kysely, sql } from 'kysely'

/** A site that scene construction took from a browser's time zone is assumed until somebody confirms it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table sites add column assumed boolean not null default false`.execute(db)
}

/** Keeps the rows: in the earlier version an assumed site is an ordinary site. */
export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`alter table sites drop column assumed`.execute(db)
}
