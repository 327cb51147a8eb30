import { type Kysely, sql } from 'kysely'

/**
 * Display tokens expire one year after they were made. Tokens made before this migration keep at least 60 days from now, so that
 * their owners see the notice of expiry (30 days ahead) before a wall goes dark.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const day = '86400000::int8'
  await sql.raw('alter table display_tokens add column expires_at int8').execute(db)
  await sql
    .raw(`update display_tokens set expires_at =
      greatest(created_at + 365 * ${day}, (extract(epoch from now()) * 1000)::int8 + 60 * ${day})`)
    .execute(db)
  await sql.raw('alter table display_tokens alter column expires_at set not null').execute(db)
}
