import { type Kysely, sql } from 'kysely'

/** Jobs count their starts, so that one which ends its worker each time is given up with a reason. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('alter table jobs add column starts int not null default 0').execute(db)
}
