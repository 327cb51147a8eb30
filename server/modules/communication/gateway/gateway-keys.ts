import { type GatewayPolicy, isKeyAccepted, keyState } from '#domain/communication.ts'
import { fromHex } from '#engines/gm/bytes.ts'
import type { MetaStore } from '#storage/postgres/database.ts'
import { refreshOnChange } from '#storage/postgres/refresh-on-change.ts'
import { readGatewayPolicy } from '../gateway-policy.ts'
import { openPrivateKey } from '../key-rows.ts'

/** A change that no notice announced is seen after so long. */
const REREAD_MS = 15_000
const NONE = new Uint8Array(0)

export type GatewayKey = { kid: number; applicationId: number; privateKey: Uint8Array; publicKey: Uint8Array }

/** Keys and policy in memory, current within a moment after a change in the console. */
export type GatewayKeys = {
  /** The key, or why no message under it is accepted. */
  find(kid: number): GatewayKey | 'key_unknown' | 'key_expired' | 'key_revoked'
  policy(): GatewayPolicy
  /** Keys whose messages are accepted now. */
  accepted(): number
  /** Resolves when every change made before the call is known. */
  refresh(): Promise<void>
  close(): void
}

export async function openGatewayKeys(deps: {
  meta: MetaStore
  secret(name: string): Buffer
  now(): number
}): Promise<GatewayKeys> {
  const { meta, secret, now } = deps
  type Known = GatewayKey & { expires_at: number; closes_at: number | null; revoked_at: number | null }
  let keys = new Map<number, Known>()
  let policy: GatewayPolicy = 'enforce'

  async function read(): Promise<void> {
    const [rows, nextPolicy] = await Promise.all([
      meta.db
        .selectFrom('communication_keys')
        .innerJoin('applications', 'applications.id', 'communication_keys.application_id')
        .selectAll('communication_keys')
        .where('applications.deleted_at', 'is', null)
        .execute(),
      readGatewayPolicy(meta),
    ])
    const next = new Map<number, Known>()
    for (const row of rows) {
      const { kid, expires_at, closes_at, revoked_at } = row
      // The private key of an ended one is not kept in memory. A clock that was wrong may bring the key back, and then it is read again.
      const known = keys.get(kid)?.privateKey ?? NONE
      const privateKey = !isKeyAccepted(row, now()) ? NONE : known.length > 0 ? known : openPrivateKey(secret, row)
      const publicKey = fromHex(row.public_key)
      next.set(kid, {
        privateKey,
        publicKey,
        kid,
        applicationId: row.application_id,
        expires_at,
        closes_at,
        revoked_at,
      })
    }
    keys = next
    policy = nextPolicy
  }

  const { refresh, close } = await refreshOnChange(meta, read, {
    changes: ['communication', 'applications'],
    everyMs: REREAD_MS,
  })
  return {
    find(kid) {
      const key = keys.get(kid)
      if (!key) return 'key_unknown'
      const state = keyState(key, now())
      if (state === 'revoked') return 'key_revoked'
      return state === 'expired' || key.privateKey === NONE ? 'key_expired' : key
    },
    policy: () => policy,
    accepted: () => [...keys.values()].filter((key) => isKeyAccepted(key, now())).length,
    refresh,
    close,
  }
}
