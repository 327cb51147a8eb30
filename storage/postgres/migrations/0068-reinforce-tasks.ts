import { type Kysely, sql } from 'kysely'

/** Reinforcement tasks, and what they did to each place of a package. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const run = (text: string) => sql.raw(text).execute(db)
  await run(`create table reinforce_tasks (
    id text primary key, application_id int references applications(id) on delete set null,
    by_user int references users(id) on delete set null, file_id int references app_files(id) on delete set null,
    name text not null, file_name text not null, package_name text not null, version text not null, sha256 text not null,
    size int8 not null, state text not null, stage text, stages jsonb not null, progress float8 not null default 0,
    policy_id text references reinforce_policies(id) on delete set null, policy_name text not null, policy_rev int not null,
    options jsonb not null, keep_rules text not null, schemes jsonb not null,
    signature_id text references signature_files(id) on delete set null, signature_name text not null, seed text not null,
    output text, output_size int8, result_file_id int references app_files(id) on delete set null, report jsonb,
    note text not null default '', note_detail text not null default '', starts int not null default 0,
    created_at int8 not null, started_at int8, ended_at int8)`)
  await run('create index reinforce_tasks_newest on reinforce_tasks (created_at desc, id)')
  await run(
    `create unique index reinforce_tasks_live on reinforce_tasks (file_id) where state in ('waiting', 'reinforcing')`,
  )
  await run(`create table reinforce_lines (
    task_id text not null references reinforce_tasks(id) on delete cascade, number int not null, option text not null,
    outcome text not null, file text not null, place text not null, text text not null, detail text not null, count int not null,
    primary key (task_id, option, number))`)
}

/** The version before knows no reinforcement tasks; packages that they made are application files. */
export async function down(db: Kysely<unknown>): Promise<void> {
  for (const table of ['reinforce_lines', 'reinforce_tasks']) await sql.raw(`drop table ${table}`).execute(db)
}
