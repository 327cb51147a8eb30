import { type Kysely, sql } from 'kysely'

/** JS protection: uploaded scripts, what measuring them found, and their results. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const run = (text: string) => sql.raw(text).execute(db)
  await run(`create table script_files (
    id text primary key, measure_id text not null unique,
    application_id int references applications(id) on delete set null,
    by_user int references users(id) on delete set null, operator_id int references users(id) on delete set null,
    name text not null, kind text not null, size int8 not null, sha256 text not null, files int not null, scripts int not null,
    state text not null, options jsonb, seed int8 not null, progress float8 not null default 0, current text not null default '',
    done int not null default 0, stepped int not null default 0, kept int not null default 0,
    outcomes jsonb not null default '[]', output text, output_size int8, map text, note text not null default '',
    note_detail text not null default '', measure_state text not null, measure jsonb not null, functions jsonb not null default '[]',
    starts int not null default 0, created_at int8 not null, started_at int8, ended_at int8)`)
  await run('create index script_files_newest on script_files (created_at desc, id)')
  await run('create index script_files_application on script_files (application_id, created_at desc)')
}

/** The version before knows no scripts; their files are removed as files that no record names. */
export async function down(db: Kysely<unknown>): Promise<void> {
  await sql.raw('drop table script_files').execute(db)
}
