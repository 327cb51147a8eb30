import { connectEventStore } from '#storage/events/serve/connect-event-store.ts'
import { openLocalFiles } from '#storage/files/local-files.ts'
import { listenPrivate } from '#storage/local-socket/listen-private.ts'
import { type DatabaseAddress, openDatabase, REQUEST_STATEMENT_MS } from '#storage/postgres/database.ts'
import type { Config } from '../config.ts'
import { currentCall } from '../http/call-context.ts'
import { createHttp } from '../http/create-http.ts'
import { openEnvelopeKeys } from '../http/envelope-keys.ts'
import { ensureFirstAdministrator } from '../modules/accounts/first-administrator.ts'
import { tellLicence } from '../modules/notifications/licence-notices.ts'
import { tellTraining } from '../modules/training/training-notices.ts'
import { openLicence } from '../platform/licence/open-licence.ts'
import { aloneInCluster } from '../platform/queue/alone-in-cluster.ts'
import { repeat } from '../platform/queue/repeat.ts'
import { serveAdmin } from './admin/serve-admin.ts'
import { connectCollector } from './collector-link.ts'
import { openDemoAccounts } from './demo-accounts.ts'
import { HTTP_MODULES } from './http-modules.ts'
import { openFoundation } from './open-foundation.ts'

/** Whether the licence ends soon, and whether assigned courses are due, is looked at this often. */
const NOTICES_MS = 3_600_000

/**
 * Pages and API on the console's local socket, behind the collector's public port; the command line's socket. The collector has brought
 * the metadata store up to date before. `close()` undoes it in the reverse order.
 */
export async function composeConsole(config: Config, database: DatabaseAddress): Promise<{ close(): Promise<void> }> {
  const now = Date.now
  const closers: (() => unknown)[] = []
  const closeLater = <T>(value: T, close: (value: T) => unknown): T => {
    closers.push(() => close(value))
    return value
  }

  const meta = closeLater(await openDatabase(database, { migrate: false, statementMs: REQUEST_STATEMENT_MS }), (one) =>
    one.close(),
  )
  const foundation = closeLater(await openFoundation({ config, meta, now, kek: process.env['APPWARDEN_KEK'] }), (one) =>
    one.close(),
  )
  const licence = closeLater(await openLicence({ ...foundation, config, meta, now }), (one) => one.close())
  closeLater(
    repeat('licence notices', NOTICES_MS, () =>
      aloneInCluster(meta, 'licence-notices', () =>
        tellLicence(meta, licence, { zone: foundation.settings().zone, now: now() }),
      ),
    ),
    (one) => one.stop(),
  )
  closeLater(
    repeat('training notices', NOTICES_MS, () =>
      aloneInCluster(meta, 'training-notices', () =>
        tellTraining(meta, { zone: foundation.settings().zone, now: now() }),
      ),
    ),
    (one) => one.stop(),
  )
  const administrator = await ensureFirstAdministrator({ config, meta, now })
  const envelopeKeys = closeLater(await openEnvelopeKeys({ meta, secret: foundation.secret, now }), (one) =>
    one.close(),
  )
  const store = closeLater(connectEventStore(config.paths.storeSocket, currentCall), (one) => one.close())
  const collector = closeLater(connectCollector(config.paths.collectorSocket), (one) => one.close())
  const demoAccounts = config.demo ? await openDemoAccounts({ config, meta, now, administrator }) : []
  const deps = {
    config,
    meta,
    store,
    tail: collector,
    files: await openLocalFiles(config.paths.files),
    settings: foundation.settings,
    refreshSettings: foundation.refreshSettings,
    secret: foundation.secret,
    envelopeKeys,
    audit: foundation.audit,
    licence,
    now,
    health: collector.health,
    metrics: collector.metrics,
    openDemoAccounts: () => demoAccounts,
  }
  const http = closeLater(await createHttp(deps, HTTP_MODULES, 'socket'), (one) => one.close())
  closeLater(await serveAdmin(deps), (one) => one.close())
  await http.ready()
  await listenPrivate(http.server, config.paths.consoleSocket)
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
