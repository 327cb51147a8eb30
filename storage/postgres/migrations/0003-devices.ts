import { type Kysely, sql } from 'kysely'

/** Verdicts on devices with their history, baselines of released versions, and what was deleted on request. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const run = (text: string) => sql.raw(text).execute(db)
  await run(`create table device_verdicts (
    application_id int not null references applications(id) on delete cascade, device text not null, verdict text not null,
    by_user int references users(id) on delete set null, at int8 not null, note text not null, primary key (application_id, device))`)
  await run(`create index device_verdicts_device on device_verdicts (device)`)
  // Append-only but for deletion of the device's data: one row a change, verdict null where it was taken back.
  await run(`create table device_verdict_changes (
    id int8 generated always as identity primary key, application_id int not null references applications(id) on delete cascade,
    device text not null, verdict text, by_user int references users(id) on delete set null, at int8 not null, note text not null)`)
  await run(`create index device_verdict_changes_device on device_verdict_changes (device, id)`)
  await run(`create table baselines (
    id text primary key, application_id int not null references applications(id) on delete cascade, version text not null,
    package_name text not null, signers text[] not null, hashes jsonb not null, channels text[] not null, note text not null,
    rev int not null, by_user int references users(id) on delete set null, updated_at int8 not null)`)
  await run(`create unique index baselines_version on baselines (application_id, version)`)
  await run(`create table erasures (
    id text primary key, kind text not null, subject text not null, applications int[] not null,
    by_user int references users(id) on delete set null, asked_at int8 not null, done_at int8,
    events int8 not null default 0, quarantined int8 not null default 0, installs int8 not null default 0, verdicts int8 not null default 0)`)
  await run(`create index installs_device on installs (device)`)
}
