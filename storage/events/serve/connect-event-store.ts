import { ProductError } from '#contracts/errors.ts'
import { connectLocal } from '../../local-socket/connect-local.ts'
import type { EventStore, StoreStatus } from '../port.ts'
import type { MendedTables, TableFindings } from './examine-tables.ts'
import type { RepairReport } from './repair-store.ts'
import { STORE_CALLS } from './store-calls.ts'

/** Maximum number of events in one frame to the store. */
const LOAD_EVENTS = 20_000
const STATUS_TIMEOUT_MS = 5000
/** A little longer than the store's own limits (serve-event-store.ts): only a process that hangs meets these. */
const USER_TIMEOUT_MS = 35_000
const PLATFORM_TIMEOUT_MS = 130_000
/** Calls that change or copy as many rows as there are. */
const LONG_CALLS: readonly string[] = ['retain', 'erase', 'snapshot']
const LONG_TIMEOUT_MS = 3_600_000

/** For whom a call is made, and until when. */
export type CallContext = { user: string; signal: AbortSignal }

export type RemoteEventStore = EventStore & {
  /** Resolves once the store's process answers; rejects with server.store_down after `milliseconds`. */
  ready(milliseconds: number): Promise<void>
  /** Replaces a damaged store, from a file of a backup where one is given. Throws Error where the store is not damaged. */
  repair(restored?: string): Promise<RepairReport>
  /** Reads every block and compares the tables of the open store. */
  examine(): Promise<TableFindings>
  /** Repairs tables; the store is away for that long. */
  mend(what: readonly MendedTables[]): Promise<void>
}

/**
 * The event store of another process. Connects by itself and again after a loss; while the store is away everything throws
 * ProductError server.store_down at once. `contextOf` names the user that waits for the present call, if any: his queries are limited,
 * and cancelled with the signal.
 */
export function connectEventStore(
  socketPath: string,
  contextOf: () => CallContext | undefined = () => undefined,
): RemoteEventStore {
  const client = connectLocal(socketPath, { unavailable: () => new ProductError('server.store_down') })
  const request = (method: string, args: unknown[]) => {
    const context = contextOf()
    const timeoutMs = LONG_CALLS.includes(method) ? LONG_TIMEOUT_MS : context ? USER_TIMEOUT_MS : PLATFORM_TIMEOUT_MS
    const signal = LONG_CALLS.includes(method) ? undefined : context?.signal
    return client.request(method, [context?.user, ...args], { timeoutMs, ...(signal && { signal }) })
  }
  const calls = Object.fromEntries(
    STORE_CALLS.map((method) => [method, (...args: unknown[]) => request(method, args)]),
  ) as Pick<EventStore, (typeof STORE_CALLS)[number]>
  return {
    ...calls,
    status: () => client.request('status', [], { timeoutMs: STATUS_TIMEOUT_MS }) as Promise<StoreStatus>,
    stream: (query, signal) =>
      client.stream('stream', [contextOf()?.user, query], signal) as ReturnType<EventStore['stream']>,
    async load(events) {
      for (let from = 0; from < events.length; from += LOAD_EVENTS)
        await client.request('load', [undefined, events.slice(from, from + LOAD_EVENTS)], {
          timeoutMs: LONG_TIMEOUT_MS,
        })
    },
    repair: (restored) => client.request('repair', [restored], { timeoutMs: LONG_TIMEOUT_MS }) as Promise<RepairReport>,
    examine: () => client.request('examine', [], { timeoutMs: LONG_TIMEOUT_MS }) as Promise<TableFindings>,
    mend: (what) => client.request('mend', [what], { timeoutMs: LONG_TIMEOUT_MS }) as Promise<void>,
    ready: client.ready,
    async close() {
      client.close()
    },
  }
}
