import { type LocalServer, serveLocal } from '../../local-socket/serve-local.ts'
import type { EventStore } from '../port.ts'
import { STORE_CALLS } from './store-calls.ts'

/** Offers the store to other processes (connectEventStore). Closing the server leaves the store open. */
export function serveEventStore(store: EventStore, socketPath: string): Promise<LocalServer> {
  const { load } = store
  const calls = Object.fromEntries(STORE_CALLS.map((method) => [method, store[method]]))
  return serveLocal(socketPath, {
    calls: { ...calls, load },
    streams: { stream: (signal, query: Parameters<EventStore['stream']>[0]) => store.stream(query, signal) },
  })
}
