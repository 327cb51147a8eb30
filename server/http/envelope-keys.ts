import type { MetaStore } from '#storage/postgres/database.ts'
import { refreshOnChange } from '#storage/postgres/refresh-on-change.ts'
import { CHANNELS } from '#storage/postgres/schema.ts'
import { sm2Decrypt, sm2PublicKey } from './gm-node.ts'

/** A replaced key still opens requests for so long: pages that are open learn the new one at their next refusal. */
const OVERLAP_MS = 86_400_000
/** A key is replaced at this age without anybody asking. */
const LIFETIME_MS = 365 * 86_400_000
const AGE_CHECK_MS = 3_600_000

/** One key of the list, newest first. `opensUntil`: null for the current one. */
export type EnvelopeKeyInfo = { kid: number; madeAt: number; opensUntil: number | null }

/** The SM2 key pairs that open `encrypt_data`. The pairs are derived from the master secret; the table holds their numbers and ages. */
export type EnvelopeKeys = {
  current(): { kid: number; publicKey: Uint8Array }
  /** Of those that still open requests. */
  list(): readonly EnvelopeKeyInfo[]
  /** The secret under the private key `kid`; 'unknown' where no valid key has that number, undefined where it does not open. */
  unwrap(kid: number, wrapped: Uint8Array): Uint8Array | 'unknown' | undefined
  /** Makes the next key the current one, in all processes; answers its number. */
  rotate(): Promise<number>
  close(): void
}

/** Makes the first key in an empty table, and the next one where the current one is older than a year. */
export async function openEnvelopeKeys(deps: {
  meta: MetaStore
  secret(name: string): Buffer
  now(): number
}): Promise<EnvelopeKeys> {
  const { meta, secret, now } = deps
  const pairs = new Map<number, { privateKey: Buffer; publicKey: Uint8Array }>()
  let rows: { kid: number; made_at: number }[] = []

  async function add(kid: number): Promise<void> {
    await meta.db
      .insertInto('envelope_keys')
      .values({ kid, made_at: now() })
      .onConflict((conflict) => conflict.column('kid').doNothing())
      .execute()
  }
  const load = async () => {
    rows = await meta.db.selectFrom('envelope_keys').selectAll().orderBy('kid', 'desc').limit(16).execute()
  }
  async function read(): Promise<void> {
    await load()
    const [newest] = rows
    if (newest && now() - newest.made_at <= LIFETIME_MS) return
    await add((newest?.kid ?? 0) + 1)
    await load()
  }
  function pairOf(kid: number) {
    let pair = pairs.get(kid)
    if (!pair) {
      const privateKey = secret(`envelope.${kid}`)
      pair = { privateKey, publicKey: sm2PublicKey(privateKey) }
      pairs.set(kid, pair)
    }
    return pair
  }
  /** Until when the key at this place of the list opens requests: the next one replaced it. */
  const opensUntil = (at: number) => (at === 0 ? null : (rows[at - 1]?.made_at ?? 0) + OVERLAP_MS)

  const { refresh, close } = await refreshOnChange(meta, read, { changes: ['envelope_keys'], everyMs: AGE_CHECK_MS })
  const kidNow = () => rows[0]?.kid ?? 1
  const list = () =>
    rows
      .map(({ kid, made_at }, at) => ({ kid, madeAt: made_at, opensUntil: opensUntil(at) }))
      .filter((key) => key.opensUntil === null || key.opensUntil > now())
  return {
    current: () => ({ kid: kidNow(), publicKey: pairOf(kidNow()).publicKey }),
    list,
    unwrap: (kid, wrapped) =>
      list().some((key) => key.kid === kid) ? sm2Decrypt(pairOf(kid).privateKey, wrapped) : 'unknown',
    async rotate() {
      const kid = kidNow() + 1
      await add(kid)
      await refresh()
      await meta.notify(CHANNELS.changed, { what: 'envelope_keys' })
      return kid
    },
    close,
  }
}
