import { GATEWAY_POLICY_NAMES, type GatewayPolicy } from '#domain/communication.ts'
import type { MetaStore } from '#storage/postgres/database.ts'
import { CHANNELS } from '#storage/postgres/schema.ts'

/** Row of the settings table. Without it gateways enforce: what a client sends in plain is refused until somebody allows it. */
const KEY = 'communication.policy'

export async function readGatewayPolicy({ db }: MetaStore): Promise<GatewayPolicy> {
  const row = await db.selectFrom('settings').select('value').where('key', '=', KEY).executeTakeFirst()
  const { policy } = (row?.value ?? {}) as { policy?: unknown }
  return GATEWAY_POLICY_NAMES.find((one) => one === policy) ?? 'enforce'
}

export async function writeGatewayPolicy(meta: MetaStore, policy: GatewayPolicy): Promise<void> {
  const value = JSON.stringify({ policy })
  await meta.db
    .insertInto('settings')
    .values({ key: KEY, value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
    .execute()
  await meta.notify(CHANNELS.changed, { what: 'communication' })
}
