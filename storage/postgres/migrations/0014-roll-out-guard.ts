import { type Kysely, sql } from 'kysely'

/** Roll-outs that stop by themselves: which are watched, since when, and what a change was about. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const run = (text: string) => sql.raw(text).execute(db)
  await run(`alter table policy_deployments add column guarded boolean not null default true`)
  await run(`alter table policy_deployment_changes add column detail jsonb`)
}
