import { type Kysely, sql } from 'kysely'

/** What the nodes measured of themselves, and the alerts about it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const run = (text: string) => sql.raw(text).execute(db)
  await run(`create table environment_nodes (
    node text primary key, first_at int8 not null, at int8 not null, snapshot jsonb not null)`)
  await run(`create table environment_samples (
    node text not null, step int not null, at int8 not null, stats jsonb not null, primary key (node, step, at))`)
  await run(`create table environment_alerts (
    id text primary key, node text not null, metric text not null, opened_at int8 not null, closed_at int8, value float8 not null,
    peak float8 not null, limit_value float8 not null)`)
  await run(`create index environment_alerts_opened on environment_alerts (opened_at desc)`)
}
