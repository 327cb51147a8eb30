import { type Kysely, sql } from 'kysely'

/** Policies of reinforcement. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const run = (text: string) => sql.raw(text).execute(db)
  await run(`create table reinforce_policies (
    id text primary key, name text not null, general boolean not null, industry text not null default '',
    application_id int references applications(id) on delete cascade, owner_id int references users(id) on delete set null,
    options jsonb not null, keep_rules text not null default '',
    signature_id text references signature_files(id) on delete set null, schemes jsonb not null, rev int not null,
    created_at int8 not null, updated_at int8 not null, updated_by int references users(id) on delete set null)`)
  await run('create index reinforce_policies_newest on reinforce_policies (updated_at desc, id)')
}

/** The version before knows no policies of reinforcement. */
export async function down(db: Kysely<unknown>): Promise<void> {
  await sql.raw('drop table reinforce_policies').execute(db)
}
