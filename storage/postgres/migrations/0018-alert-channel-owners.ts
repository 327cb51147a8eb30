import { type Kysely, sql } from 'kysely'

/**
 * Alert channels get an owner. Until now every editor could use every channel: those of accounts that see all applications stay
 * available to others (`shared`), the rest become private. Channels of accounts that are gone belong to the first administrator.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const run = (text: string) => sql.raw(text).execute(db)
  await run('alter table alert_channels add column owner_id int references users(id) on delete set null')
  await run('alter table alert_channels add column shared boolean not null default false')
  await run(`update alert_channels set owner_id = coalesce(
    (select id from users where username = alert_channels.created_by),
    (select users.id from users join roles on roles.key = users.role where roles.sees_all and not users.disabled
     order by users.role = 'administrator' desc, users.id limit 1))`)
  await run(`update alert_channels set shared = true where owner_id in
    (select users.id from users join roles on roles.key = users.role where roles.sees_all)`)
}
