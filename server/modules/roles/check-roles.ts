import { ProductError } from '#contracts/errors.ts'
import type { GroupRole } from '#contracts/http/ldap.ts'
import type { MetaStore } from '#storage/postgres/database.ts'
import type { Caller } from '../../http/module.ts'
import { isGrantable } from './grantable.ts'

/**
 * Whether the caller may let the members of these groups have these roles; entries that were there before stay. Throws user.role_unknown,
 * user.role_not_grantable.
 */
export async function checkRoles(
  meta: MetaStore,
  caller: Pick<Caller, 'auth' | 'scope'>,
  mapping: readonly GroupRole[],
  before: readonly GroupRole[],
): Promise<void> {
  const roles = await meta.db.selectFrom('roles').selectAll().execute()
  for (const { group, role: key } of mapping) {
    const role = roles.find((one) => one.key === key)
    if (!role) throw new ProductError('user.role_unknown', { detail: key })
    const stays = before.some((one) => one.group === group && one.role === key)
    if (!stays && !isGrantable(caller, role)) throw new ProductError('user.role_not_grantable')
  }
}
