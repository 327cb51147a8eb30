import { type LocalServer, serveLocal } from '../local-socket/serve-local.ts'
import type { EventStore } from './port.ts'

/** Offers the store to other processes (connectEventStore). Closing the server leaves the store open. */
export function serveEventStore(store: EventStore, socketPath: string): Promise<LocalServer> {
  const { answer, event, count, seed, replay, quarantined, status, retain, load } = store
  return serveLocal(socketPath, {
    calls: { answer, event, count, seed, replay, quarantined, status, retain, load },
    streams: { stream: (signal, query: Parameters<EventStore['stream']>[0]) => store.stream(query, signal) },
  })
}
