import { type Kysely, sql } from 'kysely'

/** Promotion channels of applications, and which packages for them were made and verified. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const run = (text: string) => sql.raw(text).execute(db)
  await run(`create table reinforce_channels (
    id int generated always as identity primary key, application_id int not null references applications(id) on delete cascade,
    key text not null, name text not null, group_name text not null, created_at int8 not null, updated_at int8 not null,
    updated_by int references users(id) on delete set null, unique (application_id, key))`)
  await run(`create table reinforce_channel_packages (
    channel_id int not null references reinforce_channels(id) on delete cascade,
    file_id int not null references app_files(id) on delete cascade,
    place text not null, size int8 not null, whole boolean not null, made_at int8 not null, primary key (channel_id, file_id))`)
  await run('create index reinforce_channel_packages_file on reinforce_channel_packages (file_id)')
}

/** The version before makes channel packages on the command line alone. */
export async function down(db: Kysely<unknown>): Promise<void> {
  for (const table of ['reinforce_channel_packages', 'reinforce_channels'])
    await sql.raw(`drop table ${table}`).execute(db)
}
