import type { Server } from 'node:http'
import { type CollectLogLine, createIngest } from '#realtime/collect/collector.ts'
import { openPlaceLookup } from '#realtime/collect/read/place-lookup.ts'
import { recentEntries } from '#realtime/collect/recent-entries.ts'
import { followTail } from '#realtime/event-tail.ts'
import { createRelay, type Relay } from '#realtime/relay/relay.ts'
import { connectEventStore } from '#storage/events/serve/connect-event-store.ts'
import { openLocalFiles } from '#storage/files/local-files.ts'
import { journalReader } from '#storage/journal/journal-reader.ts'
import { openJournal } from '#storage/journal/open-journal.ts'
import { serveJournal } from '#storage/journal/serve-journal.ts'
import { type DatabaseAddress, openDatabase } from '#storage/postgres/database.ts'
import type { Config } from '../config.ts'
import { createHttp } from '../http/create-http.ts'
import { makeNetworkLog, type NetworkLine } from '../http/network-log.ts'
import { ensureFirstAdministrator } from '../modules/accounts/first-administrator.ts'
import { startThread } from '../programs.ts'
import { serveAdmin } from './admin/serve-admin.ts'
import { openDemoAccounts } from './demo-accounts.ts'
import { openFoundation } from './foundation.ts'
import { watchHealth } from './health.ts'
import { HTTP_MODULES } from './http-modules.ts'
import { metricsText } from './metrics.ts'

/** Durable bytes that the store has not taken yet; from there on batches are answered with 429. */
const MAX_BACKLOG_BYTES = 1024 * 1024 * 1024

/**
 * Opens the stores, mounts web, collector and relay as the roles say, and listens. `close()` undoes it in the reverse order: no new
 * requests, then the journal, then the database.
 */
export async function composeApp(config: Config, database: DatabaseAddress): Promise<{ close(): Promise<void> }> {
  const now = Date.now
  const has = (role: Config['roles'][number]) => config.roles.includes(role)
  const closers: (() => unknown)[] = []
  const closeLater = <T>(value: T, close: (value: T) => unknown): T => {
    closers.push(() => close(value))
    return value
  }

  const meta = closeLater(await openDatabase(database, { migrate: true }), (one) => one.close())
  const foundation = closeLater(await openFoundation({ config, meta, now, kek: process.env['APPWARDEN_KEK'] }), (one) =>
    one.close(),
  )
  const administrator = await ensureFirstAdministrator({ config, meta, now })
  const store = closeLater(connectEventStore(config.paths.storeSocket), (one) => one.close())
  const journal = closeLater(await openJournal(config.paths.journal, { maxBacklogBytes: MAX_BACKLOG_BYTES }), (one) =>
    one.close(),
  )
  closeLater(await serveJournal(journal, config.paths.journalSocket), (one) => one.close())
  const tail = closeLater(followTail(journal), (one) => one.close())
  const lookupPlaces = openPlaceLookup()
  const collectLog = closeLater(makeNetworkLog(meta), (one) => one.close())
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
          logRequest: (line) => collectLog.add(collectLine(line)),
          lookupPlaces,
          startReader: (data) => startThread('reading-thread', data),
        }),
        (one) => one.close(),
      )
    : undefined
  const health = closeLater(
    watchHealth({
      config,
      meta,
      store,
      journal,
      startedAt: now(),
      now,
      onStored: (positions) => tail.release(positions[journal.name] ?? 0),
    }),
    (one) => one.close(),
  )
  let relay: Relay | undefined
  const demoAccounts = config.demo ? await openDemoAccounts({ config, meta, now, administrator }) : []
  const deps = {
    config,
    meta,
    store,
    tail,
    files: await openLocalFiles(config.paths.files),
    settings: foundation.settings,
    refreshSettings: foundation.refreshSettings,
    secret: foundation.secret,
    audit: foundation.audit,
    now,
    health: health.health,
    metrics: () =>
      metricsText({
        ingest: ingest?.status(),
        relay: relay?.status(),
        store: health.store(),
        journalBacklogBytes: journal.backlogBytes(),
      }),
    openDemoAccounts: () => demoAccounts,
    ...(ingest && { ingestRoutes: ingest.routes }),
  }
  const http = closeLater(await createHttp(deps, HTTP_MODULES), (one) => one.close())
  if (has('relay'))
    relay = closeLater(
      await createRelay(http.server as Server, {
        reader: journalReader(journal),
        store,
        meta,
        settings: foundation.settings,
        now,
        random: Math.random,
        version: config.version,
        demo: config.demo,
        geo: () => lookupPlaces.state,
        journalState: journal.state,
      }),
      (one) => one.close(),
    )
  closeLater(await serveAdmin(deps), (one) => one.close())
  await ingest?.ready
  await http.listen({ host: config.host, port: config.port })
  if (administrator.password && !config.demo)
    console.log(
      `First administrator: ${administrator.email}  ${administrator.password}  (change it at first sign-in, within 24 hours)`,
    )

  return {
    async close() {
      for (const close of closers.reverse()) await close()
    },
  }
}

/** One line a collector request (decision 21). */
function collectLine({ applicationId, ...line }: CollectLogLine): NetworkLine {
  return { ...line, kind: 'collect', account: '', application_id: applicationId, code: 0 }
}
