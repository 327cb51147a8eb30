import { type Kysely, sql } from 'kysely'

/** Work of platform maintenance: checks, repairs and backups, with what they found or made. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table maintenance_runs (
    id text primary key, kind text not null, state text not null, progress float8 not null default 0, step text,
    input jsonb not null, result jsonb, error text not null default '', account text not null, starts int not null default 0,
    created_at int8 not null, started_at int8, ended_at int8)`.execute(db)
  await sql`create index maintenance_runs_newest on maintenance_runs (kind, created_at desc)`.execute(db)
}
