import { type Kysely, sql } from 'kysely'

/**
 * Numbers and ages of the keys that open encrypted requests, and the nonces of signed requests. The nonces need not survive a crash: what
 * was signed before a process began is refused by its time.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table envelope_keys (kid int primary key, made_at int8 not null)`.execute(db)
  await sql`create unlogged table request_nonces (nonce text primary key, used_at int8 not null)`.execute(db)
  await sql`create index request_nonces_used_at on request_nonces (used_at)`.execute(db)
}
