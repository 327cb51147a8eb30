import { type Kysely, sql } from 'kysely'

/** Accounts, applications, ingest keys, views, logs, jobs. Restricted to what PostgreSQL 15 understands. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const run = (text: string) => sql.raw(text).execute(db)
  await run(`create table settings (key text primary key, value jsonb not null)`)
  await run(`create table secrets (name text primary key, wrapped text not null, created_at int8 not null)`)
  await run(`create table roles (
    key text primary key, zh text not null, en text not null, built_in boolean not null, sees_all boolean not null, auth text[] not null)`)
  await run(`create table users (
    id int generated always as identity primary key, username text not null, password_hash text not null,
    password_history text[] not null default '{}', role text not null references roles(key), super boolean not null default false,
    must_change_password boolean not null default false, first_password_until int8, expires_at int8,
    disabled boolean not null default false, active_session text, created_at int8 not null, last_login_at int8)`)
  await run(`create unique index users_username on users (lower(username))`)
  await run(`create table sessions (
    id text primary key, user_id int not null references users(id) on delete cascade, label text not null, created_at int8 not null,
    last_input_at int8 not null, address text not null, agent text not null, ended_at int8, end_reason text)`)
  await run(`create index sessions_user on sessions (user_id)`)
  await run(`create table verify_codes (id text primary key, answer text not null, expires_at int8 not null)`)
  await run(`create table login_failures (
    id int8 generated always as identity primary key, account text not null, address text not null, at int8 not null)`)
  await run(`create index login_failures_account on login_failures (account, at)`)
  await run(`create index login_failures_address on login_failures (address, at)`)
  await run(`create table access_tokens (
    id text primary key, user_id int not null references users(id) on delete cascade, name text not null, hint text not null,
    hash text not null unique, scopes text[] not null, created_at int8 not null, expires_at int8 not null, last_used_at int8, revoked_at int8)`)
  await run(`create table display_tokens (
    id text primary key, user_id int not null references users(id) on delete cascade, name text not null, hint text not null,
    hash text not null unique, views jsonb not null, created_at int8 not null, last_used_at int8, revoked_at int8)`)
  await run(`create table live_tickets (id text primary key, subject jsonb not null, expires_at int8 not null)`)
  await run(`create table sites (
    id int generated always as identity primary key, name text not null, name_en text not null default '',
    longitude float8 not null, latitude float8 not null)`)
  await run(`create table applications (
    id int generated always as identity primary key, uuid uuid not null unique, name text not null, mime_type int not null,
    protect_type text not null default '0', has_file boolean not null default false, owner_id int not null references users(id),
    site_id int references sites(id) on delete set null, created_at int8 not null, deleted_at int8)`)
  await run(`create table application_members (
    application_id int not null references applications(id) on delete cascade,
    user_id int not null references users(id) on delete cascade, primary key (application_id, user_id))`)
  await run(`create table ingest_keys (
    id text primary key, application_id int not null references applications(id) on delete cascade, kind text not null,
    name text not null, hint text not null, hash text not null unique, text text, scopes text[] not null, created_at int8 not null,
    last_used_at int8, revoked_at int8)`)
  await run(`create table installs (
    id text primary key, ingest_key_id text not null references ingest_keys(id) on delete cascade,
    application_id int not null references applications(id) on delete cascade, device text not null, created_at int8 not null, revoked_at int8)`)
  await run(`create table saved_views (
    id text primary key, user_id int not null references users(id) on delete cascade, page text not null, name text not null,
    shared boolean not null, search text not null, version int not null, updated_at int8 not null)`)
  await run(`create table audit_log (
    id int8 generated always as identity primary key, at int8 not null, account text not null, role text not null, action text not null,
    target text not null, result text not null, address text not null, detail text not null, hash text not null)`)
  // No user can edit the audit trail, not even through SQL of the product; retention removes whole days by a function of its own.
  await run(`create function audit_log_is_append_only() returns trigger language plpgsql as $$
    begin
      if tg_op = 'DELETE' and current_setting('appwarden.retention', true) = 'on' then return old; end if;
      raise exception 'the audit log is append-only';
    end $$`)
  await run(`create trigger audit_log_guard before update or delete on audit_log
    for each row execute function audit_log_is_append_only()`)
  await run(`create table network_log (
    id int8 generated always as identity primary key, at int8 not null, kind text not null, account text not null, application_id int,
    address text not null, method text not null, path text not null, status int not null, code int not null, size int8 not null,
    milliseconds int not null)`)
  await run(`create index network_log_at on network_log (at)`)
  await run(`create table jobs (
    id text primary key, user_id int not null references users(id) on delete cascade, kind text not null, title text not null,
    state text not null, progress float8, note text not null default '', rows int8 not null default 0, bytes int8 not null default 0,
    input jsonb not null, file text, file_name text, created_at int8 not null, started_at int8, ended_at int8)`)
  await run(`create index jobs_user on jobs (user_id, created_at)`)
}
