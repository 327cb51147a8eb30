import { createServer } from 'node:http'
import { SettingsSchema } from '#contracts/http/settings.ts'
import { connectEventStore } from '#storage/events/serve/connect-event-store.ts'
import { connectJournal } from '#storage/journal/connect-journal.ts'
import { type DatabaseAddress, type MetaStore, openDatabase } from '#storage/postgres/database.ts'
import { refreshOnChange } from '#storage/postgres/refresh-on-change.ts'
import packageFile from '../package.json' with { type: 'json' }
import { openPlaceLookup } from './collect/read/place-lookup.ts'
import { createRelay, type RelayDeps } from './relay/relay.ts'

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
const settings = await followSettings(meta)
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
  settings,
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

/** The current values of the settings that the relay uses. */
async function followSettings(meta: MetaStore): Promise<RelayDeps['settings']> {
  const schema = SettingsSchema.pick({ zone: true, idle_minutes: true, absolute_hours: true })
  let current = schema.parse({})
  const read = async () => {
    const rows = await meta.db
      .selectFrom('settings')
      .select(['key', 'value'])
      .where('key', 'in', ['setting.zone', 'setting.idle_minutes', 'setting.absolute_hours'])
      .execute()
    const stored = rows.map(({ key, value }) => [key.slice('setting.'.length), (value as { value?: unknown }).value])
    const parsed = schema.safeParse(Object.fromEntries(stored))
    if (parsed.success) current = parsed.data
  }
  await refreshOnChange(meta, read, { changes: ['settings'] })
  return () => current
}
