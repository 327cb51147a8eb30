import { BIGINT, type DuckDBConnection, UINTEGER, VARCHAR } from '@duckdb/node-api'
import type { JournalPendingDecisions, QuarantinedEvent } from '#contracts/telemetry/stored-event.ts'
import type { JournalLink } from '../../journal/journal-reader.ts'
import type { PositionedEntry } from '../../journal/port.ts'
import { writeTexts, writeTimes, writeWords } from '../duckdb/column-writers.ts'
import type { DuckFile } from '../duckdb/duck-file.ts'
import { appendChunks } from '../duckdb/event-table.ts'
import { lit } from '../query/dialect.ts'
import { decidePending } from './decide-pending.ts'
import type { RowWriter } from './row-writer.ts'

/** A block is written once it holds this many events, or this long after its first entry came. */
const BLOCK_EVENTS = 8192
const BLOCK_MS = 300
const RETRY_MS = 1000
/** So often it is looked whether the write-ahead log may move into the file: when it is long and little is coming in. */
const CHECKPOINT_MS = 5000
const CHECKPOINT_BYTES = 16 * 1024 * 1024
const QUIET_EVENTS = 5000

export type Flushed = { journal: string; position: number; events: number; newest: number }

export type Flusher = {
  /** The last failure, until a block is written again. */
  failure(): Error | undefined
  /** Durable and not stored: events (those not read yet by the bytes they take), and when (epoch ms) the oldest one read came in. */
  waiting(): { events: number; since: number | undefined }
  /** Writes what it has read and stops reading. */
  close(): Promise<void>
}

/**
 * Follows the journal from `position`: rows, quarantine, verdicts and position of a block are one transaction, so each entry is stored
 * once however often the process dies. Verdicts then go into the journal; those that did not get there are sent by the next start.
 */
export function startFlusher(
  file: DuckFile,
  writer: RowWriter,
  journal: JournalLink,
  position: number,
  now: () => number,
  onFlushed: (flushed: Flushed) => void,
): Flusher {
  const stop = new AbortController()
  let block: PositionedEntry[] = []
  let blockEvents = 0
  let writingEvents = 0
  let since: number | undefined
  let failure: Error | undefined
  let timer: NodeJS.Timeout | undefined
  let checkpointTimer: NodeJS.Timeout | undefined
  /** Events written since that was last looked at. */
  let lately = 0
  let writing: Promise<void> = Promise.resolve()
  let reached = position
  /** A block could not be written before the end: none after it may be. */
  let abandoned = false
  /** Positions whose verdict stands in the journal: their outbox rows go with the next block. */
  let journaled: number[] = []
  /** What was read so far: tells how many events the bytes not read yet hold, about. */
  const read = { events: 1, bytes: 400 }

  async function pump(): Promise<void> {
    if (position > journal.durable())
      failure = new Error(`the journal ends at ${journal.durable()}, before what is stored of it (${position})`)
    journal.release(position)
    await sendOutbox()
    while (!stop.signal.aborted) {
      try {
        for await (const placed of journal.read(reached, stop.signal)) {
          reached = placed.end
          take(placed)
          if (blockEvents >= BLOCK_EVENTS) {
            flush()
            await writing
          }
        }
      } catch (error) {
        failure = error as Error
        console.error('event store: cannot read the journal:', failure.message)
        await pause()
      }
    }
  }

  function take(placed: PositionedEntry): void {
    block.push(placed)
    if (placed.entry.kind === 'batch') {
      blockEvents += placed.entry.events.length
      read.events += placed.entry.events.length
      read.bytes += placed.end - placed.position
      since ??= placed.entry.at
    }
    timer ??= setTimeout(flush, BLOCK_MS)
  }

  function flush(): void {
    clearTimeout(timer)
    timer = undefined
    if (block.length === 0) return
    const entries = block
    writingEvents += blockEvents
    const events = blockEvents
    block = []
    blockEvents = 0
    writing = writing.then(async () => {
      while (!abandoned && !(await writeBlock(entries))) if (!(await pause())) abandoned = true
      if (abandoned) return
      writingEvents -= events
      if (block.length === 0) since = undefined
      else since = block.find(({ entry }) => entry.kind === 'batch')?.entry.at
    })
  }

  async function writeBlock(entries: readonly PositionedEntry[]): Promise<boolean> {
    const end = (entries.at(-1) as PositionedEntry).end
    const gone = journaled
    try {
      const decided = await writer.write(async (connection, append) => {
        const result = await decidePending(connection, entries, writer.ids, now())
        await append(result.rows)
        await appendQuarantine(connection, result.quarantined)
        if (gone.length > 0) await connection.run(`DELETE FROM verdicts WHERE position IN (${gone.join(', ')})`)
        const outbox = result.verdicts.map((one) => `(${one.position}, ${lit(JSON.stringify(one))})`)
        if (outbox.length > 0) await connection.run(`INSERT INTO verdicts VALUES ${outbox.join(', ')}`)
        await setPosition(connection, journal.name, end)
        return result
      })
      journaled = journaled.slice(gone.length)
      failure = undefined
      const newest = decided.rows.reduce((latest, tuple) => Math.max(latest, tuple[8] as number), 0)
      onFlushed({ journal: journal.name, position: end, events: decided.rows.length, newest })
      journal.release(end)
      for (const verdict of decided.verdicts) void send(verdict)
      lately += decided.rows.length
      checkpointTimer ??= setTimeout(checkpointWhenQuiet, CHECKPOINT_MS)
      return true
    } catch (error) {
      failure = error as Error
      console.error('event store: cannot write:', failure.message)
      return false
    }
  }

  async function sendOutbox(): Promise<void> {
    const rows = await file.read((select) => select('SELECT body FROM verdicts ORDER BY position'))
    for (const [body] of rows) void send(JSON.parse(body as string) as JournalPendingDecisions)
  }

  async function send(verdict: JournalPendingDecisions): Promise<void> {
    for (;;) {
      try {
        await journal.appendDecisions(verdict)
        journaled.push(verdict.position)
        return
      } catch {
        if (!(await pause())) return // it stays in the outbox
      }
    }
  }

  async function checkpointWhenQuiet(): Promise<void> {
    const quiet = lately < QUIET_EVENTS
    lately = 0
    checkpointTimer = undefined
    const { log } = await file.size()
    if (log < CHECKPOINT_BYTES || stop.signal.aborted) return
    if (quiet) await file.checkpoint()
    else checkpointTimer ??= setTimeout(checkpointWhenQuiet, CHECKPOINT_MS)
  }

  /** Waits; answers false where the flusher was closed meanwhile. */
  function pause(): Promise<boolean> {
    return new Promise((resolve) => {
      if (stop.signal.aborted) return resolve(false)
      const onAbort = () => {
        clearTimeout(wait)
        resolve(false)
      }
      const wait = setTimeout(() => {
        stop.signal.removeEventListener('abort', onAbort)
        resolve(true)
      }, RETRY_MS)
      stop.signal.addEventListener('abort', onAbort, { once: true })
    })
  }

  const pumping = pump()
  return {
    failure: () => failure,
    waiting() {
      const unread = Math.max(0, journal.durable() - reached)
      return { events: blockEvents + writingEvents + Math.ceil((unread * read.events) / read.bytes), since }
    },
    async close() {
      stop.abort()
      clearTimeout(checkpointTimer)
      await pumping
      flush()
      await writing
      clearTimeout(checkpointTimer)
    },
  }
}

async function setPosition(connection: DuckDBConnection, journal: string, position: number): Promise<void> {
  const name = lit(journal)
  const { rowsChanged } = await connection.run(`UPDATE positions SET position = ${position} WHERE journal = ${name}`)
  if (rowsChanged === 0) await connection.run(`INSERT INTO positions VALUES (${name}, ${position})`)
}

const QUARANTINE_TEXTS = ['reason', 'eventId', 'device', 'note', 'raw'] as const
const QUARANTINE_TYPES = [BIGINT, BIGINT, UINTEGER, ...QUARANTINE_TEXTS.map(() => VARCHAR)]

async function appendQuarantine(connection: DuckDBConnection, events: readonly QuarantinedEvent[]): Promise<void> {
  if (events.length === 0) return
  const [[last] = [0]] = (await connection.runAndReadAll('SELECT coalesce(max(seq), 0) FROM quarantine')).getRowsJS()
  await appendChunks(connection, 'quarantine', QUARANTINE_TYPES, events.length, (vector, column, from, count) => {
    const one = (row: number) => events[from + row] as QuarantinedEvent
    if (column === 0) writeTimes(vector, count, (row) => Number(last) + 1 + from + row)
    else if (column === 1) writeTimes(vector, count, (row) => one(row).receivedAt)
    else if (column === 2) writeWords(vector, count, (row) => one(row).app)
    else writeTexts(vector, count, (row) => one(row)[QUARANTINE_TEXTS[column - 3] as 'note'])
  })
}
