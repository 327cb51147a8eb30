import { type Kysely, sql } from 'kysely'

/** Channel monitoring: own markets, tasks with their runs, what markets offer, and the copies that were found. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const run = (text: string) => sql.raw(text).execute(db)
  await run(`create table monitor_markets (
    id text primary key, built_in boolean not null, name_zh text not null, name_en text not null, kind text not null, region text not null,
    home text not null, hosts text[] not null default '{}', interval_ms int not null, connector jsonb not null,
    enabled boolean not null default true, by_user int references users(id) on delete set null, updated_at int8 not null)`)
  await run(`create table monitor_tasks (
    id text primary key, application_id int not null references applications(id) on delete cascade,
    by_user int references users(id) on delete set null, keywords text[] not null default '{}', kinds text[] not null default '{}',
    markets text[] not null default '{}', schedule text not null, state text not null, note text not null default '', run int not null default 0,
    starts int not null default 0, created_at int8 not null, started_at int8, ended_at int8, next_at int8)`)
  await run('create index monitor_tasks_application on monitor_tasks (application_id, created_at desc)')
  await run(`create table monitor_runs (
    task_id text not null references monitor_tasks(id) on delete cascade, run int not null, started_at int8 not null, ended_at int8,
    asked int not null default 0, unasked int not null default 0, pirated int not null default 0, fresh int not null default 0,
    gone int not null default 0, primary key (task_id, run))`)
  await run(`create table monitor_asks (
    task_id text not null references monitor_tasks(id) on delete cascade, market text not null, run int not null, state text not null,
    problem text not null default '', detail text not null default '', pages int not null default 0, items int not null default 0,
    asked_at int8, primary key (task_id, market))`)
  await run('create index monitor_asks_market on monitor_asks (market, asked_at desc)')
  await run(`create table monitor_copies (
    id text primary key, task_id text not null references monitor_tasks(id) on delete cascade, sha256 text not null, size int8 not null,
    label text not null, package_name text not null, version text not null, version_code text not null, certificate text not null,
    verdict text not null, confidence int not null, judgement jsonb not null, manual_verdict text, manual_reason text not null default '',
    manual_by int references users(id) on delete set null, manual_at int8, first_run int not null, first_seen int8 not null,
    last_seen int8 not null, unique (task_id, sha256))`)
  await run(`create table monitor_listings (
    id bigint generated always as identity primary key, task_id text not null references monitor_tasks(id) on delete cascade,
    market text not null, download text not null, page text not null, name text not null, package_name text not null, version text not null,
    developer text not null, downloads int8, etag text not null default '', sha256 text, problem text not null default '',
    first_seen int8 not null, last_seen int8 not null, last_run int not null, unique (task_id, market, download))`)
  await run('create index monitor_listings_copy on monitor_listings (task_id, sha256)')
  await run(
    'create table package_prints (sha256 text primary key, format int not null, print jsonb, problem text not null, made_at int8 not null)',
  )
}

/** The version before knows no monitoring; copies are removed as files that no record names. */
export async function down(db: Kysely<unknown>): Promise<void> {
  const tables = [
    'package_prints',
    'monitor_listings',
    'monitor_copies',
    'monitor_asks',
    'monitor_runs',
    'monitor_tasks',
    'monitor_markets',
  ]
  for (const table of tables) await sql.raw(`drop table ${table}`).execute(db)
}
