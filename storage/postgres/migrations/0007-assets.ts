import { type Kysely, sql } from 'kysely'

/** Uploaded packages. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const run = (text: string) => sql.raw(text).execute(db)
  await run(`create table app_files (
    id int primary key generated always as identity, application_id int references applications(id) on delete set null,
    by_user int references users(id) on delete set null, name text not null, file_name text not null, version text not null,
    version_code text not null, size int8 not null, md5 text not null, sha256 text not null, package_name text not null,
    kind text not null, file_type text not null, platform text not null, type text not null, protection text not null,
    packer text not null, signers text[] not null, signature text not null, icon text,
    baseline_id text references baselines(id) on delete set null, facts jsonb not null, uploaded_at int8 not null)`)
  await run(`create index app_files_application on app_files (application_id, uploaded_at desc)`)
  await run(`create index app_files_uploaded on app_files (uploaded_at desc, id desc)`)
  await run(`create index app_files_sha256 on app_files (sha256)`)
  await run(`create index app_files_icon on app_files (icon) where icon is not null`)
}
