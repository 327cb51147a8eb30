import { ProductError } from '#contracts/errors.ts'
import { connectLocal } from '../local-socket/connect-local.ts'
import type { EventStore } from './port.ts'

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
  const client = connectLocal(socketPath, { away: () => new ProductError('server.store_down') })
  type Calls = Omit<EventStore, 'stream' | 'load' | 'close'>
  const call =
    <K extends keyof Calls>(method: K) =>
    (...args: Parameters<Calls[K]>) =>
      client.call(method, ...args) as ReturnType<Calls[K]>
  return {
    answer: call('answer'),
    links: call('links'),
    findKeys: call('findKeys'),
    event: call('event'),
    count: call('count'),
    seed: call('seed'),
    replay: call('replay'),
    quarantined: call('quarantined'),
    status: call('status'),
    retain: call('retain'),
    scores: call('scores'),
    hits: call('hits'),
    profile: call('profile'),
    sessions: call('sessions'),
    contradictions: call('contradictions'),
    contradicting: call('contradicting'),
    erase: call('erase'),
    exceptionGroups: call('exceptionGroups'),
    exceptionVersions: call('exceptionVersions'),
    exceptionSamples: call('exceptionSamples'),
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
