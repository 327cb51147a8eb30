import { type Kysely, sql } from 'kysely'

/** Sign-ins with an OpenID Connect provider that have begun, and what such a session keeps. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table oidc_attempts (
    id text primary key, browser text not null, nonce text not null, verifier text not null, expires_at int8 not null)`.execute(
    db,
  )
  await sql`alter table sessions add column strong boolean not null default false,
    add column id_token text not null default ''`.execute(db)
}
