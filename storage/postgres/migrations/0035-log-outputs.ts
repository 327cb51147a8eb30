import { type Kysely, sql } from 'kysely'

/** Signed checkpoints of the audit trail, which are append-only like it, and the outputs that copies of both go to. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table audit_checkpoints (
    id int8 primary key, at int8 not null, entry_id int8 not null, hash text not null, signature text not null)`.execute(
    db,
  )
  await sql`create trigger audit_checkpoints_guard before update or delete on audit_checkpoints
    for each row execute function audit_log_is_append_only()`.execute(db)
  await sql`create table log_outputs (
    id text primary key, kind text not null, name text not null, target text not null, enabled boolean not null,
    position int8 not null, checkpoint_position int8 not null, created_at int8 not null, last_sent_at int8, attempts int not null default 0,
    next_at int8, error text not null default '')`.execute(db)
  await sql`create index audit_log_at on audit_log (at)`.execute(db)
  await sql`create index audit_log_account on audit_log (account, id)`.execute(db)
}
