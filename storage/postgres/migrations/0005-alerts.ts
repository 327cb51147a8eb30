import { type Kysely, sql } from 'kysely'

/** Alert rules, what they found, and the notifications with their recipients. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const run = (text: string) => sql.raw(text).execute(db)
  await run(`create table alert_rules (
    id text primary key, name text not null, measure text not null, filters jsonb not null, by_field text, time_window text not null,
    condition jsonb not null, severity text not null, cooldown_minutes int not null, enabled boolean not null, apps int[],
    channels text[] not null, version int not null, created_by text not null, updated_by text not null, updated_at int8 not null,
    deleted_at int8)`)
  // How far each pass over the windows of a rule has come: the end of the last window that it judged.
  await run(`create table alert_progress (
    rule_id text not null references alert_rules(id) on delete cascade, pass int not null, upto int8 not null, primary key (rule_id, pass))`)
  await run(`create table alerts (
    id text primary key, rule_id text not null references alert_rules(id) on delete cascade, rule_name text not null, severity text not null,
    apps int[], measure text not null, by_field text, key text not null, filters jsonb not null, window_ms int8 not null,
    cooldown_ms int8 not null, condition jsonb not null, value int8 not null, expected float8 not null, usual float8, peak int8 not null,
    total int8 not null, first_end int8 not null, last_end int8 not null, raised_at int8 not null, resolved_at int8, ack_at int8,
    ack_by text, ack_note text, silenced boolean not null, late boolean not null, version int not null)`)
  await run(`create index alerts_raised on alerts (raised_at desc, id)`)
  await run(`create index alerts_rule on alerts (rule_id, key, last_end)`)
  await run(`create index alerts_open on alerts (raised_at) where resolved_at is null or ack_at is null`)
  // One row a window that breached: the key is why no window is ever reported twice.
  await run(`create table alert_windows (
    rule_id text not null, window_end int8 not null, key text not null, alert_id text not null references alerts(id) on delete cascade,
    value int8 not null, expected float8 not null, primary key (rule_id, window_end, key))`)
  await run(`create index alert_windows_alert on alert_windows (alert_id, window_end)`)
  await run(`create table alert_steps (
    id int8 generated always as identity primary key, alert_id text not null references alerts(id) on delete cascade, at int8 not null,
    step text not null, by_user text not null, note text not null)`)
  await run(`create index alert_steps_alert on alert_steps (alert_id, id)`)
  await run(`create table alert_silences (
    id text primary key, rule_id text not null references alert_rules(id) on delete cascade, key text, until int8 not null,
    note text not null, by_user text not null, created_at int8 not null)`)
  await run(`create index alert_silences_rule on alert_silences (rule_id, until)`)
  await run(`create table alert_channels (
    id text primary key, kind text not null, name text not null, target text not null, enabled boolean not null, turn int not null,
    created_by text not null, created_at int8 not null, deleted_at int8)`)
  await run(`create table alert_deliveries (
    id text primary key, channel_id text not null references alert_channels(id) on delete cascade,
    alert_id text not null references alerts(id) on delete cascade, event text not null, state text not null, attempts int not null,
    next_at int8, status int, answer text not null, created_at int8 not null, done_at int8, unique (channel_id, alert_id, event))`)
  await run(`create index alert_deliveries_due on alert_deliveries (next_at) where state = 'waiting'`)
}
