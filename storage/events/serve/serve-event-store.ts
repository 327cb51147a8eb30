import { type LocalServer, serveLocal } from '../../local-socket/serve-local.ts'
import type { QueryContext } from '../duckdb/reader-pool.ts'
import type { EventStore } from '../port.ts'
import type { MendedTables } from './examine-tables.ts'
import type { ManagedStore } from './managed-store.ts'
import { STORE_CALLS } from './store-calls.ts'

/** Longest time of a query for a user, and for the platform's own work (exports, alert rules). */
export const QUERY_TIMEOUT_MS = { user: 30_000, platform: 120_000 }

/** What is served: a store, or one that is managed. */
type Served = Pick<ManagedStore, 'within' | 'status'> & Partial<Pick<ManagedStore, 'repair' | 'examine' | 'mend'>>

/**
 * Offers the store to other processes (connectEventStore). Each query gets a time limit, and is cancelled when its client cancels it or
 * disconnects. Closing the server leaves the store open.
 */
export function serveEventStore(store: Served, socketPath: string, timeoutMs = QUERY_TIMEOUT_MS): Promise<LocalServer> {
  const contextOf = (signal: AbortSignal, user: string | undefined): QueryContext => ({
    signal,
    timeoutMs: user === undefined ? timeoutMs.platform : timeoutMs.user,
    ...(user !== undefined && { user }),
  })
  const cancellable = Object.fromEntries(
    [...STORE_CALLS, 'load' as const].map((method) => [
      method,
      (signal: AbortSignal, user: string | undefined, ...args: never[]) => {
        const call = store.within(contextOf(signal, user))[method] as (...args: never[]) => unknown
        return call(...args)
      },
    ]),
  )
  return serveLocal(socketPath, {
    calls: {
      status: () => store.status(),
      ...(store.repair && { repair: (restored?: string) => store.repair?.(restored) }),
      ...(store.examine && { examine: () => store.examine?.() }),
      ...(store.mend && { mend: (what: readonly MendedTables[]) => store.mend?.(what) }),
    },
    cancellable,
    streams: {
      stream: (signal, user: string | undefined, query: Parameters<EventStore['stream']>[0]) =>
        store.within(contextOf(signal, user)).stream(query, signal),
    },
  })
}
