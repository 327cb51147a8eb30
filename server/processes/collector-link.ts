import { ProductError } from '#contracts/errors.ts'
import type { EventRow } from '#domain/query.ts'
import type { EventTail } from '#realtime/event-tail.ts'
import { connectLocal } from '#storage/local-socket/connect-local.ts'
import { type LocalServer, serveLocal } from '#storage/local-socket/serve-local.ts'
import type { Health } from '../http/http-deps.ts'

/** What other processes of this node ask the collector, over its local socket. */
export type CollectorLink = {
  /** An accepted event that may not be stored yet; undefined where the collector does not hold it or is away. */
  event(app: number, id: string): Promise<EventRow | undefined>
  /** Throws server.starting while the collector is away. */
  health(): Promise<Health>
  /** Prometheus text. Throws server.starting while the collector is away. */
  metrics(): Promise<string>
  close(): void
}

/** The collector's side of CollectorLink. */
export function serveCollectorLink(
  socketPath: string,
  parts: { tail: EventTail; health(): Promise<Health>; metrics(): Promise<string> },
): Promise<LocalServer> {
  return serveLocal(socketPath, {
    calls: {
      event: (app: number, id: string) => parts.tail.event(app, id),
      health: () => parts.health(),
      metrics: () => parts.metrics(),
    },
  })
}

/** Connects at once and again whenever the collector was away. */
export function connectCollector(socketPath: string): CollectorLink {
  const client = connectLocal(socketPath, { unavailable: () => new ProductError('server.starting') })
  return {
    event: (app, id) =>
      client.call('event', app, id).then(
        (event) => event as EventRow | undefined,
        () => undefined,
      ),
    health: () => client.call('health') as Promise<Health>,
    metrics: () => client.call('metrics') as Promise<string>,
    close: client.close,
  }
}
