import { once } from 'node:events'
import { performance } from 'node:perf_hooks'
import { startProgram } from '#server/programs.ts'
import type { EventStore } from '#storage/events/port.ts'
import { connectEventStore } from '#storage/events/serve/connect-event-store.ts'
import { openDuckStore } from '#storage/events/serve/open-duck-store.ts'
import { openJournal } from '#storage/journal/open-journal.ts'
import { serveJournal } from '#storage/journal/serve-journal.ts'
import { type BenchLine, line } from './bench-line.ts'
import type { Population } from './store-population.ts'

const DAYS = 30
const DAY = 86_400_000
const BLOCK = 20_000

/** The store in a process of its own, following a journal of this one. */
export type StoreBed = {
  store: EventStore
  append: Awaited<ReturnType<typeof openJournal>>['append']
  /** Of the store's process. */
  pid: number
  close(): Promise<void>
}

/** `folder` holds journal and sockets, `events` the loaded rows. */
export async function startStoreBed(folder: string, events: string): Promise<StoreBed> {
  const journalFolder = `${folder}/j`
  const [storeSocket, journalSocket] = [`${folder}/s.sock`, `${folder}/j.sock`]
  const journal = await openJournal(journalFolder, { maxBacklogBytes: 1 << 30 })
  const link = await serveJournal(journal, journalSocket)
  const options = { folder: events, journalFolder, storeSocket, journalSocket }
  const child = startProgram('store-process', [JSON.stringify(options)])
  await once(child, 'message')
  const store = connectEventStore(storeSocket)
  await store.ready(10_000)
  return {
    store,
    append: journal.append,
    pid: child.pid as number,
    async close() {
      const gone = once(child, 'exit')
      child.kill('SIGTERM')
      await gone
      await store.close()
      await link.close()
      await journal.close()
    },
  }
}

/** Fills the store up to `rows` events of the last 30 days, past the journal. */
export async function loadRows(folder: string, population: Population, rows: number): Promise<BenchLine[]> {
  const store = await openDuckStore({ folder })
  const stored = (await store.status()).rows
  const end = Date.now()
  let loading = 0
  for (let from = stored; from < rows; from += BLOCK) {
    const events = Array.from({ length: Math.min(BLOCK, rows - from) }, (_, i) =>
      population.event(Math.floor(end - DAYS * DAY + ((from + i) / rows) * DAYS * DAY)),
    )
    const began = performance.now()
    await store.load(events)
    loading += performance.now() - began
  }
  await store.close()
  const loaded = Math.max(0, rows - stored)
  return loaded > 0 ? [line('load', (loaded * 1000) / loading, 'rows/s', null, null, '', true)] : []
}
