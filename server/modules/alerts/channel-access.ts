import { ProductError } from '#contracts/errors.ts'
import { mayRead } from '#domain/alerts.ts'
import type { MetaStore } from '#storage/postgres/database.ts'
import type { Caller } from '../../http/module.ts'
import { scopeOf } from '../../platform/scope.ts'
import type { AlertRow } from './alert-row.ts'
import type { ChannelRow } from './channel-target.ts'
import { sees } from './rule-row.ts'

type Owned = Pick<ChannelRow, 'owner_id' | 'shared'>

/** Everything may be done, and the target is shown in full. */
export const isOwner = (caller: Pick<Caller, 'userId'>, { owner_id }: Owned): boolean => owner_id === caller.userId

/** Owners manage their channels; administrators (all applications) may also switch off, delete or take over any other one. */
export const mayManage = (caller: Pick<Caller, 'userId' | 'scope'>, channel: Owned): boolean =>
  isOwner(caller, channel) || caller.scope.apps === 'all'

/** A channel can be seen and put into rules by those who manage it, and by all others if its owner shares it. */
export const maySee = (caller: Pick<Caller, 'userId' | 'scope'>, channel: Owned): boolean =>
  channel.shared || mayManage(caller, channel)

/** Throws data.missing for a channel that the caller cannot see, permission.missing for one that he cannot manage. */
export function checkManaged(caller: Caller, channel: ChannelRow | undefined): ChannelRow {
  if (!channel || !maySee(caller, channel)) throw new ProductError('data.missing')
  if (!mayManage(caller, channel)) throw new ProductError('permission.missing', { permission: 'alert.edit' })
  return channel
}

/**
 * Whether a channel may receive an alert: its owner must be allowed to see all of its applications (null: the whole platform) and to read its
 * figure now, regardless of who wrote the rule.
 */
export async function mayReceive(
  meta: MetaStore,
  channel: Owned,
  { apps, measure }: Pick<AlertRow, 'apps' | 'measure'>,
): Promise<boolean> {
  const owner = await ownerOf(meta, channel)
  if (!owner || !mayRead(owner.auth, measure)) return false
  return sees(await scopeOf(meta, { id: owner.id, seesAll: owner.sees_all }), apps)
}

/** Whether a channel may receive alerts of environment monitoring: its owner must be allowed to see that page now. */
export async function mayMaintain(meta: MetaStore, channel: Owned): Promise<boolean> {
  return (await ownerOf(meta, channel))?.auth.includes('platform.maintain') ?? false
}

/** Whether an enabled account owns the channel. */
export async function hasOwner(meta: MetaStore, channel: Owned): Promise<boolean> {
  return (await ownerOf(meta, channel)) !== undefined
}

/** The owner of the channel with what the role allows; undefined where no enabled account is left. */
async function ownerOf(meta: MetaStore, { owner_id }: Owned) {
  if (owner_id === null) return undefined
  const owner = await meta.db
    .selectFrom('users')
    .innerJoin('roles', 'roles.key', 'users.role')
    .select(['users.id', 'users.disabled', 'roles.sees_all', 'roles.auth'])
    .where('users.id', '=', owner_id)
    .executeTakeFirst()
  return owner?.disabled ? undefined : owner
}
