import { BUILT_IN_ROLES } from '#contracts/permissions.ts'
import type { MetaStore } from '#storage/postgres/database.ts'

/** Writes the built-in roles as this version knows them; custom roles stay as they are. */
export async function seedRoles(meta: MetaStore): Promise<void> {
  for (const { key, zh, en, seesAll, auth } of BUILT_IN_ROLES) {
    const role = { zh, en, built_in: true, sees_all: seesAll, auth: [...auth] }
    await meta.db
      .insertInto('roles')
      .values({ key, ...role })
      .onConflict((conflict) => conflict.column('key').doUpdateSet(role))
      .execute()
  }
}
