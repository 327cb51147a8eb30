import { createServer } from 'node:http'
import { DEFAULT_ZONE } from '#domain/time-range.ts'
import { connectEventStore } from '#storage/events/serve/connect-event-store.ts'
import { connectJournal } from '#storage/journal/connect-journal.ts'
import { type DatabaseAddress, type MetaStore, openDatabase } from '#storage/postgres/database.ts'
import { refreshOnChange } from '#storage/postgres/refresh-on-change.ts'
import packageFile from '../package.json' with { type: 'json' }
import { openPlaceLookup } from './collect/read/place-lookup.ts'
import { createRelay } from './relay/relay.ts'

/**
 * The relay as a separate program: follows the journal of another process on this machine and serves sockets on a separate port.
 * Its only argument is JSON: {journalFolder, journalSocket, storeSocket, database, host, port, demo}. Sends {ready: true, port} to its parent
 * once it listens; ends on SIGTERM, on SIGINT and when the parent goes away. `GET /healthz` returns its counters.
 */
type RelayProcessOptions = {
  journalFolder: string
  journalSocket: string
  storeSocket: string
  database: DatabaseAddress
  host: string
  port: number
  demo?: boolean
}

const options = JSON.parse(process.argv[2] ?? '{}') as RelayProcessOptions
const stop = new AbortController()
const meta = await openDatabase(options.database, { migrate: false, connections: 2 })
const store = connectEventStore(options.storeSocket)
const journal = await connectJournal(options.journalFolder, options.journalSocket, stop.signal)
const zone = await followZone(meta)
const geo = openPlaceLookup(1).state

const server = createServer((request, response) => {
  const known = request.method === 'GET' && request.url === '/healthz'
  response.writeHead(known ? 200 : 404, { 'content-type': 'application/json' })
  response.end(known ? JSON.stringify({ version: packageFile.version, relay: relay.status() }) : '{}')
})
const relay = await createRelay(server, {
  reader: journal,
  store,
  meta,
  settings: () => ({ zone: zone() }),
  now: Date.now,
  random: Math.random,
  version: packageFile.version,
  demo: options.demo ?? false,
  geo: () => geo,
  journalState: () => (journal.connected() ? 'ok' : 'down'),
})
server.listen(options.port, options.host, () => {
  const address = server.address()
  process.send?.({ ready: true, port: typeof address === 'object' ? address?.port : options.port })
})

let ending = false
async function end(): Promise<void> {
  if (ending) return
  ending = true
  stop.abort()
  await relay.close()
  server.close()
  journal.close()
  await store.close()
  await meta.close()
  process.exit(0)
}
process.on('SIGTERM', end)
process.on('SIGINT', end)
process.on('disconnect', end)

/** The platform's zone as the settings have it. */
async function followZone(meta: MetaStore): Promise<() => string> {
  let current = DEFAULT_ZONE
  const read = async () => {
    const row = await meta.db
      .selectFrom('settings')
      .select('value')
      .where('key', '=', 'setting.zone')
      .executeTakeFirst()
    const value = (row?.value as { value?: unknown } | undefined)?.value
    current = typeof value === 'string' ? value : DEFAULT_ZONE
  }
  await refreshOnChange(meta, read, { changes: ['settings'] })
  return () => current
}
