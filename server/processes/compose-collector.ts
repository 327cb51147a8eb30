import { request } from 'node:http'
import { type CollectLogLine, createIngest } from '#realtime/collect/collector.ts'
import { openPlaceLookup } from '#realtime/collect/read/place-lookup.ts'
import { recentEntries } from '#realtime/collect/recent-entries.ts'
import { followTail } from '#realtime/event-tail.ts'
import type { RelayStatus } from '#realtime/relay/relay.ts'
import { connectEventStore } from '#storage/events/serve/connect-event-store.ts'
import { openJournal } from '#storage/journal/open-journal.ts'
import { serveJournal } from '#storage/journal/serve-journal.ts'
import { findSocket } from '#storage/local-socket/socket-path.ts'
import { type DatabaseAddress, openDatabase, REQUEST_STATEMENT_MS } from '#storage/postgres/database.ts'
import type { Config, Role } from '../config.ts'
import { makeNetworkLog, type NetworkLine } from '../http/network-log.ts'
import { startSampler } from '../modules/environment/sampler.ts'
import { startThread } from '../programs.ts'
import { createForwarder } from '../public/forward.ts'
import { answerUnavailable, createPublicServer } from '../public/public-server.ts'
import { serveCollectorLink } from './collector-link.ts'
import { watchHealth } from './health.ts'
import { metricsText } from './metrics.ts'
import { nodeSampler } from './node-sampler.ts'
import { openFoundation } from './open-foundation.ts'

/** Durable bytes that the store has not taken yet; from there on batches are answered with 429. */
const MAX_BACKLOG_BYTES = 1024 * 1024 * 1024
const RELAY_ANSWER_MS = 2000

/**
 * Opens the journal, of which this process is the only writer, brings the metadata store up to date, and listens on the public port: the
 * collector's paths as the role `ingest` says, all others forwarded to the processes of this node. `ready` resolves when events are
 * taken. `close()` undoes it in the reverse order: no new requests, then the journal, then the database.
 */
export async function composeCollector(
  config: Config,
  database: DatabaseAddress,
): Promise<{ ready: Promise<void>; close(): Promise<void> }> {
  const now = Date.now
  const has = (role: Role) => config.roles.includes(role)
  const closers: (() => unknown)[] = []
  const closeLater = <T>(value: T, close: (value: T) => unknown): T => {
    closers.push(() => close(value))
    return value
  }

  const meta = closeLater(await openDatabase(database, { migrate: true, statementMs: REQUEST_STATEMENT_MS }), (one) =>
    one.close(),
  )
  const foundation = closeLater(await openFoundation({ config, meta, now, kek: process.env['APPWARDEN_KEK'] }), (one) =>
    one.close(),
  )
  const store = closeLater(connectEventStore(config.paths.storeSocket), (one) => one.close())
  const journal = closeLater(await openJournal(config.paths.journal, { maxBacklogBytes: MAX_BACKLOG_BYTES }), (one) =>
    one.close(),
  )
  closeLater(await serveJournal(journal, config.paths.journalSocket), (one) => one.close())
  const tail = closeLater(followTail(journal), (one) => one.close())
  const networkLog = closeLater(makeNetworkLog(meta), (one) => one.close())
  const ingest = has('ingest')
    ? closeLater(
        await createIngest({
          journal,
          recent: (since) => recentEntries(journal, since),
          maxBacklogBytes: MAX_BACKLOG_BYTES,
          meta,
          settings: foundation.settings,
          pepper: foundation.secret('telemetry.pepper'),
          deviceMaster: foundation.secret('telemetry.devices'),
          policySecret: foundation.secret('telemetry.policies'),
          now,
          trustProxy: config.trustProxy,
          retentionDays: () => foundation.settings().event_days,
          logRequest: (line) => networkLog.add(collectLine(line)),
          lookupPlaces: openPlaceLookup(),
          startReader: (data) => startThread('reading-thread', data),
        }),
        (one) => one.close(),
      )
    : undefined

  const forwarderTo = (path: string) => createForwarder({ path, unavailable: answerUnavailable })
  const back = {
    console: has('web') ? forwarderTo(config.paths.consoleSocket) : undefined,
    relay: has('relay') ? forwarderTo(config.paths.relaySocket) : undefined,
  }
  const sampler = nodeSampler({
    config,
    meta,
    journal,
    settings: foundation.settings,
    now,
    ingest: () => ingest?.status(),
    relay: async () => (back.relay ? askRelay(config.paths.relaySocket) : undefined),
    store: () => health.store(),
    health: () => health.health(),
  })
  const health = closeLater(
    watchHealth({
      config,
      meta,
      store,
      journal,
      back,
      ingestReady: () => ingest?.status().ready,
      alerts: sampler.alerts,
      startedAt: now(),
      now,
      onStored: (positions) => tail.release(positions[journal.name] ?? 0),
    }),
    (one) => one.close(),
  )
  const metrics = async () =>
    metricsText({
      ingest: ingest?.status(),
      relay: back.relay && (await askRelay(config.paths.relaySocket)),
      store: health.store(),
      journalBacklogBytes: journal.backlogBytes(),
    })
  closeLater(await serveCollectorLink(config.paths.collectorSocket, { tail, health: health.health, metrics }), (one) =>
    one.close(),
  )
  // Without a console no other process serves the command line.
  if (!has('web')) {
    const { serveAdmin } = await import('./admin/serve-admin.ts')
    const { openLicence } = await import('../platform/licence/open-licence.ts')
    const licence = closeLater(await openLicence({ ...foundation, config, meta, now }), (one) => one.close())
    closeLater(await serveAdmin({ ...foundation, config, meta, licence, now }), (one) => one.close())
  }
  const server = closeLater(
    await createPublicServer({
      config,
      now,
      ingestRoutes: ingest?.routes,
      back,
      health: health.health,
      metricsAccess: { meta, now },
      metrics,
    }),
    (one) => one.close(),
  )
  await server.listen({ host: config.host, port: config.port })
  closeLater(startSampler(sampler), (one) => one.stop())
  return {
    ready: ingest?.ready ?? Promise.resolve(),
    async close() {
      for (const close of closers.reverse()) await close()
    },
  }
}

/** One line a collector request (decision 21). */
function collectLine({ applicationId, ...line }: CollectLogLine): NetworkLine {
  return { ...line, kind: 'collect', account: '', application_id: applicationId, code: 0 }
}

/** The relay's counts; undefined while it is away. */
function askRelay(path: string): Promise<RelayStatus | undefined> {
  return new Promise((resolve) => {
    const call = request({ socketPath: findSocket(path), path: '/healthz', timeout: RELAY_ANSWER_MS }, (answer) => {
      let text = ''
      answer.setEncoding('utf8').on('data', (part: string) => {
        text += part
      })
      answer.on('end', () => {
        try {
          resolve((JSON.parse(text) as { relay: RelayStatus }).relay)
        } catch {
          resolve(undefined) // metrics without the relay's lines
        }
      })
    })
    call.on('timeout', () => call.destroy())
    call.on('error', () => resolve(undefined))
    call.end()
  })
}
