import { type Kysely, sql } from 'kysely'

/** Privacy policies as owners of applications gave them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`create table privacy_policies (
    application_id int primary key references applications(id) on delete cascade, name text not null, content text not null,
    sha256 text not null, rev int not null, by_user int references users(id) on delete set null, updated_at int8 not null)`)
    .execute(db)
}
