import { type LocalServer, serveLocal } from '../local-socket/serve-local.ts'
import type { EventStore } from './port.ts'

/** Offers the store to other processes (connectEventStore). Closing the server leaves the store open. */
export function serveEventStore(store: EventStore, socketPath: string): Promise<LocalServer> {
  const {
    answer,
    links,
    findKeys,
    event,
    count,
    seed,
    replay,
    quarantined,
    status,
    retain,
    load,
    scores,
    hits,
    profile,
    sessions,
    contradictions,
    contradicting,
    erase,
    exceptionGroups,
    exceptionVersions,
    exceptionSamples,
  } = store
  return serveLocal(socketPath, {
    calls: {
      answer,
      links,
      findKeys,
      event,
      count,
      seed,
      replay,
      quarantined,
      status,
      retain,
      load,
      scores,
      hits,
      profile,
      sessions,
      contradictions,
      contradicting,
      erase,
      exceptionGroups,
      exceptionVersions,
      exceptionSamples,
    },
    streams: { stream: (signal, query: Parameters<EventStore['stream']>[0]) => store.stream(query, signal) },
  })
}
