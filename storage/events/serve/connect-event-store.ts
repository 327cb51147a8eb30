import { ProductError } from '#contracts/errors.ts'
import { connectLocal } from '../../local-socket/connect-local.ts'
import type { EventStore } from '../port.ts'
import { STORE_CALLS } from './store-calls.ts'

/** Events that one frame carries to the store. */
const LOAD_EVENTS = 20_000

export type RemoteEventStore = EventStore & {
  /** Resolves once the store answers; rejects with server.store_down after `milliseconds`. */
  ready(milliseconds: number): Promise<void>
}

/**
 * The event store of another process. Connects by itself and again after a loss; while the store is away everything throws
 * ProductError server.store_down at once.
 */
export function connectEventStore(socketPath: string): RemoteEventStore {
  const client = connectLocal(socketPath, { unavailable: () => new ProductError('server.store_down') })
  const calls = Object.fromEntries(
    STORE_CALLS.map((method) => [method, (...args: unknown[]) => client.call(method, ...args)]),
  ) as Pick<EventStore, (typeof STORE_CALLS)[number]>
  return {
    ...calls,
    stream: (query, signal) => client.stream('stream', [query], signal) as ReturnType<EventStore['stream']>,
    async load(events) {
      for (let from = 0; from < events.length; from += LOAD_EVENTS)
        await client.call('load', events.slice(from, from + LOAD_EVENTS))
    },
    ready: client.ready,
    async close() {
      client.close()
    },
  }
}
