import { log } from '#runtime/log.ts'
import type { MetaStore } from '#storage/postgres/database.ts'

const CLEAN_EVERY_MS = 60_000

/** Nonces of signed requests that every web process on this PostgreSQL shares, so that a request is accepted by one of them, once. */
export type SharedNonces = {
  /** False where this nonce was used before, by this or another process. Throws where the database is away. */
  use(nonce: string): Promise<boolean>
}

/** `keepMs`: nonces are kept so long, at least twice the time window of a request. */
export function makeSharedNonces(meta: MetaStore, now: () => number, keepMs: number): SharedNonces {
  let cleanAt = now() + CLEAN_EVERY_MS

  function clean(): void {
    cleanAt = now() + CLEAN_EVERY_MS
    meta.db
      .deleteFrom('request_nonces')
      .where('used_at', '<', now() - keepMs)
      .execute()
      // The rows stay, and the next minute tries again.
      .catch((err: Error) => log.warn({ err }, 'old nonces could not be removed'))
  }

  return {
    async use(nonce) {
      // A clock that was set back is far below the mark.
      if (now() >= cleanAt || now() < cleanAt - 2 * CLEAN_EVERY_MS) clean()
      const added = await meta.db
        .insertInto('request_nonces')
        .values({ nonce, used_at: now() })
        .onConflict((conflict) => conflict.column('nonce').doNothing())
        .executeTakeFirst()
      return added.numInsertedOrUpdatedRows === 1n
    },
  }
}
