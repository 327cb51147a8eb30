import { createServer } from 'node:http'
import { SettingsSchema } from '#contracts/http/settings.ts'
import { log } from '#runtime/log.ts'
import { processOptions, startProcess, stopWith, tellSupervisor } from '#runtime/start-process.ts'
import { connectEventStore } from '#storage/events/serve/connect-event-store.ts'
import { connectJournal } from '#storage/journal/connect-journal.ts'
import { listenPrivate } from '#storage/local-socket/listen-private.ts'
import { type DatabaseAddress, type MetaStore, openDatabase, REQUEST_STATEMENT_MS } from '#storage/postgres/database.ts'
import { refreshOnChange } from '#storage/postgres/refresh-on-change.ts'
import packageFile from '../package.json' with { type: 'json' }
import { openPlaceLookup } from './collect/read/place-lookup.ts'
import { createRelay, type Relay, type RelayDeps } from './relay/relay.ts'

/**
 * The relay process: follows the journal of the collector on this machine and serves live sockets at a Unix socket behind the public port,
 * or, for tests, on a port of its own. Sends {ready: true} to its parent once it listens, with its port where it
 * has one; ends on SIGTERM and when the parent goes away. `GET /healthz` answers its counts.
 */
type RelayProcessOptions = {
  journalFolder: string
  journalSocket: string
  storeSocket: string
  database: DatabaseAddress
  listen: { socket: string } | { host: string; port: number }
  demo?: boolean
}

startProcess('relay')
const options = processOptions<RelayProcessOptions>()
const meta = await openDatabase(options.database, { migrate: false, connections: 2, statementMs: REQUEST_STATEMENT_MS })
const store = connectEventStore(options.storeSocket)
// Under another journal all positions are meaningless: the supervisor starts this process again, which begins at that one's end.
const onReplaced = () => {
  log.warn('relay: the journal was replaced by another one, ending to begin there')
  process.exit(1)
}
let relay: Relay | undefined
// Without a relay yet nothing has read: it begins at the end that the journal has then.
const onShorter = () => {
  log.warn('relay: the journal came back shorter, an older copy: going on from its end')
  relay?.restartReading()
}
const journal = await connectJournal(options.journalFolder, options.journalSocket, undefined, onReplaced, onShorter)
const settings = await followSettings(meta)
const geo = openPlaceLookup(1).state

const server = createServer((request, response) => {
  const known = request.method === 'GET' && request.url === '/healthz'
  response.writeHead(known ? 200 : 404, { 'content-type': 'application/json' })
  response.end(known ? JSON.stringify({ version: packageFile.version, relay: relay?.status() }) : '{}')
})
relay = await createRelay(server, {
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
stopWith(async () => {
  await relay?.close()
  server.close()
  server.closeAllConnections()
  journal.close()
  await store.close()
  await meta.close()
})
const { listen } = options
if ('socket' in listen) await listenPrivate(server, listen.socket)
else await new Promise<void>((listening) => server.listen(listen.port, listen.host, listening))
const address = server.address()
const port = typeof address === 'object' && address ? { port: address.port } : {}
tellSupervisor({ ready: true, ...port })

/** The current values of the settings that the relay uses. */
async function followSettings(meta: MetaStore): Promise<RelayDeps['settings']> {
  const schema = SettingsSchema.pick({ zone: true, idle_minutes: true, absolute_hours: true, console_addresses: true })
  let current = schema.parse({})
  const read = async () => {
    const rows = await meta.db
      .selectFrom('settings')
      .select(['key', 'value'])
      .where(
        'key',
        'in',
        Object.keys(schema.shape).map((name) => `setting.${name}`),
      )
      .execute()
    const stored = rows.map(({ key, value }) => [key.slice('setting.'.length), (value as { value?: unknown }).value])
    const parsed = schema.safeParse(Object.fromEntries(stored))
    if (parsed.success) current = parsed.data
  }
  await refreshOnChange(meta, read, { changes: ['settings'] })
  return () => current
}
