import { log } from '#runtime/log.ts'
import { processOptions, startProcess, stopWith, tellSupervisor } from '#runtime/start-process.ts'
import { connectJournal } from '../../journal/connect-journal.ts'
import { manageStore } from './managed-store.ts'
import { serveEventStore } from './serve-event-store.ts'

/**
 * The store program: owns the DuckDB file, follows the journal, answers over its socket. Its options:
 * {folder, journalFolder, storeSocket, journalSocket, memoryMb, threads}. Sends {ready: true} to its parent once it answers, also while
 * the file cannot be opened (status().problem). Ends with code 1 where DuckDB has invalidated the open file, to be started again; with 0,
 * after writing what it holds, on SIGTERM or SIGINT and when the parent goes away.
 */
type StoreProcessOptions = {
  folder: string
  journalFolder: string
  storeSocket: string
  journalSocket: string
  memoryMb: number
  threads: number
}

startProcess('store')
// Event files hold personal data: readable by this account alone, also those that DuckDB creates.
process.umask(0o077)
const options = processOptions<StoreProcessOptions>()
const stop = new AbortController()
const store = manageStore({
  ...options,
  // What is not stored yet is in the journal; a clean close would use the invalidated database.
  onFatal: () => process.exit(1),
})
const server = await serveEventStore(store, options.storeSocket)
await store.settled.catch((err: unknown) => {
  log.fatal({ err }, 'event store: another process has the file open')
  process.exit(1)
})
// Under another journal the next start of this process begins at that one's own position.
const onReplaced = () => endOnce()
const following = connectJournal(options.journalFolder, options.journalSocket, stop.signal, onReplaced).then(
  (journal) => {
    store.follow(journal)
    return journal
  },
  () => undefined, // stopped before the journal's owner came
)

const end = async () => {
  stop.abort()
  await server.close()
  const journal = await following
  await store.close()
  journal?.close()
}
const endOnce = stopWith(end)
tellSupervisor({ ready: true })
