import { ProductError } from '#contracts/errors.ts'
import {
  EVENT_FLAGS,
  type EventTuple,
  type JournalBatch,
  type QuarantinedEvent,
  type QuarantineReason,
} from '#contracts/telemetry/stored-event.ts'
import type { CollectAnswer } from '#contracts/telemetry/wire.ts'
import type { JournalWriter } from '#storage/journal/port.ts'
import type { Dedup } from './dedup.ts'
import { EventProblem } from './event-problem.ts'
import type { Counters } from './ingest-counters.ts'
import { type BatchContext, type Quarantined, readEvent, TUPLE } from './read-event.ts'

const RAW_CHARACTERS = 2000
const CONFLICT = 'this id was reported at another time before'

/** A batch that was read and decided, but not yet written. */
type Reading = {
  app: number
  entry: JournalBatch
  pending: number
  /** What dedup remembers of it, to be taken back where the write fails. */
  remembered: { ids: string[]; reportedAts: (number | null)[] }
  /** Ids of duplicates. */
  seen: string[]
  rejected: { index: number; error: string; field: string }[]
}

/**
 * Takes a parsed batch: reads each event, decides it by the memory of dedup, and answers once the journal is on disk. A refused
 * batch (ProductError) leaves nothing behind.
 */
export function batchTaker(deps: { journal: JournalWriter; dedup: Dedup; counters: Counters }) {
  const { journal, dedup, counters } = deps
  const writing = new Set<Promise<unknown>>()

  /** Everything that needs the events as sent; what waits for the disk afterwards keeps only what it made of them. */
  function readBatch(events: readonly unknown[], batch: BatchContext): Reading {
    const { app, arrival } = batch
    const reading: Reading = {
      app,
      entry: { kind: 'batch', at: arrival, events: [] },
      pending: 0,
      remembered: { ids: [], reportedAts: [] },
      seen: [],
      rejected: [],
    }
    const { entry, remembered } = reading
    if (batch.importing) entry.import = true
    const ids = dedup.prepare(app, events)
    // All are read before one is decided: what a mistake here throws must find nothing remembered.
    const all = events.map((event, index) => readOrReject(event, ids[index], index))
    for (let index = 0; index < events.length; index++) {
      const read = all[index]
      if (!read) continue
      const id = ids[index] as string
      const tuple = Array.isArray(read) ? read : undefined
      const reportedAt = tuple ? (tuple[TUPLE.reportedAt] as number | null) : (read as Quarantined).reportedAt
      const verdict = dedup.decide(app, id, reportedAt, arrival, index)
      if (verdict === 'duplicate') {
        reading.seen.push(id)
        continue
      }
      remembered.ids.push(id)
      remembered.reportedAts.push(reportedAt)
      if (tuple && verdict !== 'conflict') {
        if (verdict === 'pending') {
          tuple[TUPLE.flags] = (tuple[TUPLE.flags] as number) | EVENT_FLAGS.pending
          reading.pending++
        }
        entry.events.push(tuple)
      } else {
        const why: Quarantined = tuple
          ? { id, reportedAt, device: tuple[TUPLE.device] as string, reason: 'id_conflict', note: CONFLICT }
          : (read as Quarantined)
        entry.quarantined ??= []
        entry.quarantined.push(quarantinedEvent(events[index] as { event_id: string }, why, batch))
      }
    }
    return reading

    function readOrReject(event: unknown, id: string | undefined, index: number): EventTuple | Quarantined | undefined {
      try {
        return readEvent(event, id, batch)
      } catch (error) {
        if (!(error instanceof EventProblem)) throw error
        reading.rejected.push({ index, error: error.message, field: error.field })
        return undefined
      }
    }
  }

  /** Gives the batch to the journal. What waits for the disk from here on is small: its events are bytes there. */
  function settle({ app, entry, pending, remembered, seen, rejected }: Reading): Promise<CollectAnswer> {
    const { events, quarantined = [], at } = entry
    const earlier = seen.length > 0 ? [...writing] : []
    const isEmpty = events.length + quarantined.length === 0
    const written = isEmpty ? undefined : write(app, entry, remembered)
    const reasons = quarantined.map(({ reason }) => reason)
    const answer: CollectAnswer = {
      accepted: events.length - pending,
      pending,
      duplicates: seen.length,
      quarantined: quarantined.length,
      rejected: rejected.map(({ index, error }) => ({ index, error })),
      server_time: at,
    }
    const isImport = entry.import === true
    return (async () => {
      await written
      if (seen.length > 0) await firstCopies(app, seen, earlier)
      count(answer, isImport, reasons)
      for (const { field } of rejected) counters.rejected(field)
      return answer
    })()
  }

  /** Duplicates are told once the first copies are on disk. Where a write of theirs failed meanwhile, the sender repeats. */
  async function firstCopies(app: number, ids: readonly string[], earlier: readonly Promise<unknown>[]): Promise<void> {
    await Promise.allSettled(earlier)
    await journal.barrier().catch(() => {
      throw new ProductError('collect.journal', {}, { retry_after: 1 })
    })
    if (!ids.every((id) => dedup.holds(app, id))) throw new ProductError('collect.journal', {}, { retry_after: 1 })
  }

  function count(
    { accepted, pending, duplicates }: CollectAnswer,
    isImport: boolean,
    reasons: QuarantineReason[],
  ): void {
    const { totals } = counters
    totals.batches++
    totals.accepted += accepted
    totals.pending += pending
    totals.duplicates += duplicates
    if (isImport) totals.imported += accepted + pending
    else counters.took(accepted + pending)
    for (const reason of reasons) totals.quarantined[reason]++
  }

  function write(app: number, entry: JournalBatch, { ids, reportedAts }: Reading['remembered']): Promise<unknown> {
    const done = journal.append(entry).catch((error: unknown) => {
      for (const [index, id] of ids.entries()) dedup.forget(app, id, reportedAts[index] as number | null)
      if (error instanceof ProductError)
        throw new ProductError(error.key, error.params, { retry_after: 5, ...error.extra })
      throw new ProductError('collect.journal', {}, { retry_after: 5 })
    })
    writing.add(done)
    const settled = () => writing.delete(done)
    done.then(settled, settled)
    return done
  }

  return (events: readonly unknown[], batch: BatchContext): Promise<CollectAnswer> => settle(readBatch(events, batch))
}

function quarantinedEvent(event: { event_id: string }, why: Quarantined, batch: BatchContext): QuarantinedEvent {
  const { arrival: receivedAt, app } = batch
  return { receivedAt, app, ...why, eventId: event.event_id, raw: rawText(event, batch) }
}

/** The event as sent, but device and user as keyed hashes, as everywhere behind this point. */
function rawText(event: object, batch: BatchContext): string {
  const copy: Record<string, unknown> = { ...event }
  for (const field of ['device_id', 'user_id'])
    if (typeof copy[field] === 'string') copy[field] = batch.hash(copy[field])
  try {
    // A cut may leave half of a character pair.
    return JSON.stringify(copy)
      .slice(0, RAW_CHARACTERS)
      .replace(/[\ud800-\udbff]$/, '')
  } catch {
    return '' // fields of the sender's own may be nested deeper than JSON can be written
  }
}
