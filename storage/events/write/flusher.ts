import type { DuckDBConnection } from '@duckdb/node-api'
import { log } from '#runtime/log.ts'
import { gapAround, type JournalLink, mayHaveHeld, readSpan } from '../../journal/journal-reader.ts'
import type { EntryMark, JournalGap, PositionedEntry } from '../../journal/port.ts'
import type { DuckFile } from '../duckdb/duck-file.ts'
import { lit } from '../query/dialect.ts'
import { appendQuarantine, notYetQuarantined } from './append-quarantine.ts'
import { decidePending } from './decide-pending.ts'
import { decisionOutbox } from './decision-outbox.ts'
import type { RowWriter } from './row-writer.ts'

/** A block is written once it holds this much, or this long after its first entry came. */
const BLOCK_EVENTS = 8192
const BLOCK_BYTES = 8 * 1024 * 1024
const BLOCK_MS = 300
const RETRY_MS = 1000
/** How often to check whether the write-ahead log may move into the file: when it is long and little is coming in. */
const CHECKPOINT_MS = 5000
const CHECKPOINT_BYTES = 16 * 1024 * 1024
const QUIET_EVENTS = 5000

export type Flushed = { journal: string; position: number; events: number; newest: number }

export type Flusher = {
  /** The last failure, until a block is written again. */
  failure(): Error | undefined
  /** Durable and not stored: events (those not read yet estimated by their bytes), and when (epoch ms) the oldest one read arrived. */
  waiting(): { events: number; since: number | undefined }
  /** Since when (epoch ms) what the journal holds is being compared with the store, as an older journal came back; undefined: it is not. */
  recoveringSince(): number | undefined
  /** Writes what it has read and stops reading. */
  close(): Promise<void>
}

type Block = { entries: PositionedEntry[]; events: number; bytes: number; since: number | undefined }

const emptyBlock = (): Block => ({ entries: [], events: 0, bytes: 0, since: undefined })

/**
 * Follows the journal from `position`: rows, quarantine, decisions and position of a block are one transaction, so each entry is stored
 * once, whenever the process dies. Decisions then go into the journal (decision-outbox.ts). At most one block is being written and one
 * filled, so memory stays bounded while the store cannot write: the journal keeps the backlog, and its bound turns senders away.
 *
 * Positions without a valid entry are stepped over and reported to the journal's owner. Where the store is at a position that the journal
 * does not have, or where another entry than the last stored one lies before it, the journal is older than the store: its owner goes on
 * beyond what either has, and each event that the journal still holds is looked up in the store before the rest is read. This is
 * checked at the start, and whenever the journal's owner was away: its folder may have been exchanged meanwhile.
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
  let block = emptyBlock()
  let writing: { block: Block; done: Promise<void> } | undefined
  let failure: Error | undefined
  let timer: NodeJS.Timeout | undefined
  let checkpointTimer: NodeJS.Timeout | undefined
  let eventsSinceCheck = 0
  /** What was read ends here. The position of the store while nothing read waits to be written. */
  let reached = position
  /** Until the last stored entry was found in the journal, the position of the store may be one of another journal. */
  let recovering = position > 0 ? now() : undefined
  /** A block could not be written before the end: none after it may be. */
  let abandoned = false
  /** What was read so far: estimates how many events the bytes not read yet hold. */
  const read = { events: 1, bytes: 400 }
  const outbox = decisionOutbox(file, journal, pause)

  async function run(): Promise<void> {
    while (!stop.signal.aborted) {
      const session = await journal.session(stop.signal)
      try {
        await writeRead()
        await recoverFromOlderJournal(session)
        if (session.aborted) continue
        journal.release(reached)
        outbox.wake()
        const onGap = (gap: JournalGap) => session.aborted || journal.reportGap(gap)
        for await (const placed of journal.read(reached, session, onGap)) {
          reached = placed.end
          add(placed)
          if (!isFull(block)) continue
          await writing?.done
          flush()
        }
      } catch (error) {
        if (session.aborted) continue
        fail('cannot follow the journal', error)
        await pause()
      }
    }
  }

  async function writeRead(): Promise<void> {
    await writing?.done
    flush()
    await writing?.done
  }

  function fail(what: string, error: unknown): void {
    const first = failure === undefined
    failure = error as Error
    if (first) log.error({ err: failure }, `event store: ${what}, tried again every second`)
  }

  async function recoverFromOlderJournal(session: AbortSignal): Promise<void> {
    recovering = reached > 0 ? now() : undefined
    if (reached > journal.durable()) await journal.startBeyond(reached)
    let gap = await gapAround(journal.folder, reached)
    if (!gap) {
      const last = await lastEntry(file, journal.name, reached)
      if (!last || (await mayHaveHeld(journal.folder, last))) {
        recovering = undefined
        return
      }
      gap = await moveIntoGap()
    }
    recovering ??= now()
    log.warn({ position: reached, ...gap }, 'event store: the journal is older than the store, its events are compared')
    let part = emptyBlock()
    const write = async (end: number, entries: Block) => {
      await writeBlock(entries, end, true)
    }
    for await (const placed of readSpan(journal.folder, await journal.oldest(), gap.from)) {
      if (session.aborted) return
      addTo(part, placed)
      if (!isFull(part)) continue
      await write(reached, part)
      part = emptyBlock()
    }
    if (session.aborted) return
    // Until this commit the store is inside the gap, so that a restart compares again.
    await write(gap.to, part)
    reached = gap.to
    recovering = undefined
    failure = undefined
  }

  /** More was accepted since than the journal had lost: its owner goes on beyond its own end, and the store moves between the two. */
  async function moveIntoGap(): Promise<{ from: number; to: number }> {
    for (;;) {
      const inside = (await journal.end()) + 1
      await journal.startBeyond(inside)
      const gap = await gapAround(journal.folder, inside)
      if (!gap) continue // so much was accepted meanwhile that the journal reached this far by itself
      await writeBlock(emptyBlock(), inside, true)
      reached = inside
      return gap
    }
  }

  function addTo(one: Block, placed: PositionedEntry): void {
    one.entries.push(placed)
    one.bytes += placed.end - placed.position
    if (placed.entry.kind !== 'batch') return
    one.events += placed.entry.events.length
    one.since ??= placed.entry.at
    read.events += placed.entry.events.length
    read.bytes += placed.end - placed.position
  }

  function add(placed: PositionedEntry): void {
    addTo(block, placed)
    timer ??= setTimeout(flush, BLOCK_MS)
  }

  /** Begins to write the block, unless one is being written: then the block goes on filling until that one is done, or it is full. */
  function flush(): void {
    clearTimeout(timer)
    timer = undefined
    if (writing || block.entries.length === 0) return
    const full = block
    block = emptyBlock()
    const done = writeUntilDone(full).then(() => {
      writing = undefined
      if (block.entries.length > 0) timer ??= setTimeout(flush, BLOCK_MS)
    })
    writing = { block: full, done }
  }

  async function writeUntilDone(full: Block): Promise<void> {
    const end = (full.entries.at(-1) as PositionedEntry).end
    while (!abandoned) {
      try {
        return await writeBlock(full, end)
      } catch (error) {
        fail('cannot write', error)
        if (!(await pause())) abandoned = true
      }
    }
  }

  /** `compare`: the entries may have been stored before. Throws what the store throws, and then nothing was written. */
  async function writeBlock(full: Block, end: number, compare = false): Promise<void> {
    const sent = outbox.sent()
    const { rows, decisions } = await writer.write(async (connection, append) => {
      const result = await decidePending(connection, full.entries, writer.ids, now(), compare)
      await append(result.rows)
      const quarantined = compare ? await notYetQuarantined(connection, result.quarantined) : result.quarantined
      await appendQuarantine(connection, quarantined)
      if (sent.length > 0) await connection.run(`DELETE FROM verdicts WHERE position IN (${sent.join(', ')})`)
      const outboxRows = result.decisions.map((one) => `(${one.position}, ${lit(JSON.stringify(one))})`)
      if (outboxRows.length > 0) await connection.run(`INSERT INTO verdicts VALUES ${outboxRows.join(', ')}`)
      await setPosition(connection, journal.name, end, full.entries.at(-1))
      return result
    })
    outbox.forget(sent)
    if (failure) log.info({ position: end }, 'event store: writes again')
    failure = undefined
    const newest = rows.reduce((latest, tuple) => Math.max(latest, tuple[8] as number), 0)
    onFlushed({ journal: journal.name, position: end, events: rows.length, newest })
    if (!compare) journal.release(end)
    if (decisions.length > 0) outbox.wake()
    eventsSinceCheck += rows.length
    checkpointTimer ??= setTimeout(checkpointWhenQuiet, CHECKPOINT_MS)
  }

  async function checkpointWhenQuiet(): Promise<void> {
    const quiet = eventsSinceCheck < QUIET_EVENTS
    eventsSinceCheck = 0
    checkpointTimer = undefined
    const { log: logBytes } = await file.size()
    if (logBytes < CHECKPOINT_BYTES || stop.signal.aborted) return
    if (quiet) await file.checkpoint()
    else checkpointTimer ??= setTimeout(checkpointWhenQuiet, CHECKPOINT_MS)
  }

  /** Waits; resolves with false where the flusher was closed meanwhile. */
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

  const running = run()
  return {
    failure: () => failure,
    recoveringSince: () => recovering,
    waiting() {
      const unread = Math.max(0, journal.durable() - reached)
      const events = block.events + (writing?.block.events ?? 0) + Math.ceil((unread * read.events) / read.bytes)
      return { events, since: writing?.block.since ?? block.since }
    },
    async close() {
      stop.abort()
      clearTimeout(checkpointTimer)
      await running
      await writeRead()
      clearTimeout(timer)
      await outbox.close()
      clearTimeout(checkpointTimer)
    },
  }
}

function isFull({ events, bytes }: Block): boolean {
  return events >= BLOCK_EVENTS || bytes >= BLOCK_BYTES
}

/** `last`: what was stored last, unless it does not end at the position (an older journal is being compared). */
async function setPosition(
  connection: DuckDBConnection,
  journal: string,
  position: number,
  last: EntryMark | undefined,
): Promise<void> {
  const name = lit(journal)
  const { rowsChanged } = await connection.run(`UPDATE positions SET position = ${position} WHERE journal = ${name}`)
  if (rowsChanged === 0) await connection.run(`INSERT INTO positions VALUES (${name}, ${position})`)
  if (last?.end !== position) return
  const { position: entry, end, checksum } = last
  const marked = await connection.run(
    `UPDATE last_entries SET entry = ${entry}, entry_end = ${end}, checksum = ${checksum} WHERE journal = ${name}`,
  )
  if (marked.rowsChanged === 0)
    await connection.run(`INSERT INTO last_entries VALUES (${name}, ${entry}, ${end}, ${checksum})`)
}

/** The stored entry that ends at the position; undefined where an earlier version stored it. */
async function lastEntry(file: DuckFile, journal: string, position: number): Promise<EntryMark | undefined> {
  const [row] = await file.read((select) =>
    select(`SELECT entry, checksum FROM last_entries WHERE journal = ${lit(journal)} AND entry_end = ${position}`),
  )
  return row && { position: Number(row[0]), end: position, checksum: Number(row[1]) }
}
