import { type Kysely, sql } from 'kysely'

/** Accounts that come from an LDAP directory or an identity provider. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table users add column origin text not null default 'local'`.execute(db)
  await sql`create table external_identities (
    user_id int primary key references users(id) on delete cascade, origin text not null, issuer text not null, subject text not null,
    login_name text not null default '', checked_at int8 not null, unique (origin, issuer, subject))`.execute(db)
}
