import { type Kysely, sql } from 'kysely'

/** Strategies, tasks with their logs and failed items, suppressions. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const run = (text: string) => sql.raw(text).execute(db)
  await run(`create table detection_strategies (
    id text primary key, name text not null, note text not null, rules jsonb not null, rev int not null,
    by_user int references users(id) on delete set null, updated_at int8 not null)`)
  await run(`create table detection_tasks (
    id text primary key, application_id int references applications(id) on delete set null,
    file_id int references app_files(id) on delete set null, owner_id int references users(id) on delete set null,
    by_user int references users(id) on delete set null, name text not null, package_id text not null, version text not null,
    package_kind text not null, platform text not null, size int8 not null, md5 text not null, sha256 text not null,
    application_type text not null, kinds text[] not null, strategy_id text not null, strategy_name jsonb not null,
    strategy jsonb not null, engine text not null, identity text not null, priority int not null, state text not null,
    stage text not null, progress float8 not null, note text not null, note_detail text not null, stages jsonb not null,
    isolation text[] not null, attempt int not null, result_file text, score float8, counts jsonb, gate text,
    suppressed int not null, not_assessed int not null, packer text, privacy jsonb, created_at int8 not null,
    started_at int8, ended_at int8)`)
  await run(`create unique index detection_tasks_identity on detection_tasks (identity)
    where state in ('waiting', 'detecting', 'detected')`)
  await run(`create index detection_tasks_created on detection_tasks (created_at desc, id)`)
  await run(`create index detection_tasks_application on detection_tasks (application_id, created_at desc)`)
  await run(`create index detection_tasks_package on detection_tasks (package_id, ended_at desc)`)
  await run(`create index detection_tasks_file on detection_tasks (file_id)`)
  await run(`create index detection_tasks_sha256 on detection_tasks (sha256)`)
  await run(`create index detection_tasks_live on detection_tasks (priority desc, created_at)
    where state in ('waiting', 'detecting')`)
  await run(`create index detection_tasks_result on detection_tasks (result_file) where result_file is not null`)
  await run(`create table detection_log (
    id int8 primary key generated always as identity, task_id text not null references detection_tasks(id) on delete cascade,
    at int8 not null, stage text not null, level text not null, zh text not null, en text not null)`)
  await run(`create index detection_log_task on detection_log (task_id, id)`)
  await run(`create table detection_failures (
    task_id text not null references detection_tasks(id) on delete cascade, item text not null, level text not null,
    category text not null, hits int not null, owner text, muted boolean not null, primary key (task_id, item))`)
  await run(`create index detection_failures_item on detection_failures (item)`)
  await run(`create table detection_suppressions (
    id text primary key, application_id int references applications(id) on delete cascade,
    owner_id int references users(id) on delete set null, package_id text not null, platform text not null, item text not null,
    fingerprint text not null, reason text not null, until int8, by_user int references users(id) on delete set null,
    approver_id int references users(id) on delete set null, task_id text references detection_tasks(id) on delete set null,
    created_at int8 not null, approved_at int8, ended boolean not null)`)
  await run(`create unique index detection_suppressions_one on detection_suppressions
    (coalesce(application_id, 0), coalesce(owner_id, 0), package_id, platform, item, fingerprint) where not ended`)
  await run(`create index detection_suppressions_package on detection_suppressions (package_id)`)
}
