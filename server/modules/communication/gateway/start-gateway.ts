import { randomBytes, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { GatewayPolicy } from '#domain/communication.ts'
import { clientAddress } from '#realtime/collect/enrol/client-address.ts'
import { log } from '#runtime/log.ts'
import type { MetaStore } from '#storage/postgres/database.ts'
import { makeByteBudget } from '../../../http/byte-budget.ts'
import { makeRateLimit } from '../../../http/rate-limit.ts'
import { repeat } from '../../../platform/queue/repeat.ts'
import { type GatewayStatus, makeGateway } from './gateway.ts'
import { openGatewayKeys } from './gateway-keys.ts'
import { makeMinuteCounts } from './minute-counts.ts'
import { type EventReporter, reportEvents } from './report-events.ts'
import { makeSharedSessions } from './shared-sessions.ts'
import { TRACE_SECRET } from './trace.ts'
import { makeUpstream } from './upstream.ts'
import { makeUsedNumbers } from './used-numbers.ts'

/** Counts reach the console within this time. */
const FLUSH_MS = 5000
const HEARTBEAT_MS = 10_000
const CLEAN_MS = 60_000
const CHECK_CONNECTIONS_MS = 1000
/** What runs when the gateway is stopped has so long. */
const DRAIN_MS = 10_000

export const GATEWAY_LIMITS = {
  maxBodyBytes: 1024 * 1024,
  maxAnswerBytes: 8 * 1024 * 1024 - 1024,
  /** Memory of all bodies together, sealed and opened. */
  memoryBytes: 256 * 1024 * 1024,
  upstreamMs: 15_000,
  /** Of the whole request, headers and body. */
  requestMs: 15_000,
  /** Of a connection without traffic: a client that does not read its answer. */
  idleMs: 30_000,
  connections: 5000,
  upstreamConnections: 200,
  /** Requests: at once, and a second in the long run. */
  handshakes: { burst: 20, perSecond: 5 },
  addresses: { burst: 400, perSecond: 200 },
  sessions: { burst: 100, perSecond: 50 },
} as const
type Rate = { burst: number; perSecond: number }
export type GatewayLimits = {
  [Name in keyof typeof GATEWAY_LIMITS]: (typeof GATEWAY_LIMITS)[Name] extends number ? number : Rate
}

export type GatewayOptions = {
  meta: MetaStore
  secret(name: string): Buffer
  now(): number
  upstream: URL
  host: string
  port: number
  tls?: { cert: string; key: string } | undefined
  /** Addresses of proxies whose X-Forwarded-For is believed. */
  trustProxy: readonly string[]
  policy?: GatewayPolicy | undefined
  limits?: Partial<GatewayLimits>
  version: string
  /** How the console names and reaches it; absent: it is not listed there and counts nothing. */
  listed?: { name: string; address?: string | undefined }
  /** Where refusals are reported, and with what. */
  events?: { url: string; ingestKeys: ReadonlyMap<number, string> } | undefined
}

export type RunningGateway = {
  url: string
  port: number
  status(): GatewayStatus & {
    sessionsInMemory: number
    bytesHeld: number
    events: ReturnType<EventReporter['status']> | undefined
  }
  /** Resolves when changes of keys and policy made before the call are known. */
  refresh(): Promise<void>
  /** Takes no more connections, answers what runs, writes its counts. */
  close(): Promise<void>
}

/** A gateway on a port of its own. Rejects where the port is taken or the database is away. */
export async function startGateway(options: GatewayOptions): Promise<RunningGateway> {
  const { meta, secret, now, upstream: url, listed } = options
  const limits: GatewayLimits = { ...GATEWAY_LIMITS, ...options.limits }
  const keys = await openGatewayKeys({ meta, secret, now })
  const sessions = makeSharedSessions({ meta, secret, now })
  const counts = makeMinuteCounts(meta, now)
  const events = options.events && reportEvents({ ...options.events, now })
  const budget = makeByteBudget(limits.memoryBytes)
  const upstream = makeUpstream({
    url,
    timeoutMs: limits.upstreamMs,
    maxAnswerBytes: limits.maxAnswerBytes,
    connections: limits.upstreamConnections,
  })
  const addressOf = clientAddress([...options.trustProxy])
  const gateway = makeGateway({
    ...{ keys, sessions, upstream, now },
    used: makeUsedNumbers(meta),
    counts: listed ? counts : { add: () => {} },
    report: (refused) => events?.add(refused),
    limits: {
      maxBodyBytes: limits.maxBodyBytes,
      budget,
      handshakes: makeRateLimit(now, limits.handshakes),
      addresses: makeRateLimit(now, limits.addresses),
      sessions: makeRateLimit(now, limits.sessions),
      bodyMs: limits.requestMs,
    },
    policy: options.policy,
    traceSecret: secret(TRACE_SECRET),
    addressOf(request) {
      const forwarded = request.headers['x-forwarded-for']
      return addressOf(request.socket.remoteAddress ?? '', Array.isArray(forwarded) ? forwarded.join(',') : forwarded)
    },
    random: (length) => randomBytes(length),
  })

  const running = new Set<Promise<void>>()
  let isClosing = false
  const listener: RequestListener = (request: IncomingMessage, response: ServerResponse) => {
    if (isClosing) response.setHeader('connection', 'close')
    const work = gateway
      .handle(request, response)
      .catch((err: unknown) => {
        log.error({ err }, 'gateway: a request failed')
        response.destroy()
      })
      .finally(() => running.delete(work))
    running.add(work)
  }
  const serverOptions = {
    connectionsCheckingInterval: CHECK_CONNECTIONS_MS,
    headersTimeout: limits.requestMs,
    requestTimeout: limits.requestMs,
    keepAliveTimeout: 5000,
    maxHeaderSize: 32 * 1024,
  }
  const server = options.tls
    ? createTlsServer({ ...serverOptions, ...options.tls }, listener)
    : createServer(serverOptions, listener)
  server.maxConnections = limits.connections
  server.setTimeout(limits.idleMs + limits.upstreamMs, (socket) => socket.destroy())
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(options.port, options.host, () => resolve())
    })
  } catch (error) {
    keys.close()
    upstream.close()
    throw error
  }
  const { port } = server.address() as AddressInfo
  const host = options.host === '0.0.0.0' || options.host === '::' ? '127.0.0.1' : options.host
  const own = `${options.tls ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${port}`

  const id = randomUUID()
  const started = now()
  const heartbeat = async () => {
    if (!listed) return
    const row = {
      ...{ id, name: listed.name, address: listed.address ?? own, upstream: url.origin, version: options.version },
      ...{ policy: options.policy ?? null, started_at: started, seen_at: now() },
    }
    await meta.db
      .insertInto('communication_gateways')
      .values(row)
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ seen_at: row.seen_at }))
      .execute()
  }
  const loops = [
    repeat('gateway heartbeat', HEARTBEAT_MS, heartbeat),
    repeat('gateway counts', FLUSH_MS, counts.flush),
    repeat('gateway clean-up', CLEAN_MS, sessions.clean),
  ]
  return {
    url: own,
    port,
    status: () => ({
      ...gateway.status(),
      sessionsInMemory: sessions.inMemory(),
      bytesHeld: budget.used(),
      events: events?.status(),
    }),
    refresh: keys.refresh,
    async close() {
      isClosing = true
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeIdleConnections()
      await Promise.race([Promise.all(running), sleep(DRAIN_MS, undefined, { ref: false })])
      server.closeAllConnections()
      await closed
      await Promise.all(loops.map((loop) => loop.stop()))
      await events?.close()
      await counts.flush().catch((err: Error) => log.warn({ err }, 'gateway: the last counts could not be written'))
      if (listed)
        await meta.db
          .deleteFrom('communication_gateways')
          .where('id', '=', id)
          .execute()
          // The console drops it by its age.
          .catch((err: Error) => log.warn({ err }, 'gateway: its end could not be written'))
      keys.close()
      upstream.close()
    },
  }
}
