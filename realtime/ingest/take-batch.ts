import { ProductError } from '#contracts/errors.ts'
import {
  EVENT_FLAGS,
  type EventTuple,
  type JournalBatch,
  type QuarantinedEvent,
} from '#contracts/telemetry/stored-event.ts'
import type { CollectAnswer } from '#contracts/telemetry/wire.ts'
import type { JournalWriter } from '#storage/journal/port.ts'
import type { Dedup } from './dedup.ts'
import { EventProblem } from './event-problem.ts'
import type { Counters } from './ingest-counters.ts'
import { type BatchContext, type Quarantined, readEvent, TUPLE } from './read-event.ts'

const RAW_CHARACTERS = 2000

/**
 * Takes a parsed batch: reads each event, decides it by the memory of dedup, and answers once the journal is on disk. A refused
 * batch (ProductError) leaves nothing behind.
 */
export function batchTaker(deps: { journal: JournalWriter; dedup: Dedup; counters: Counters }) {
  const { journal, dedup, counters } = deps
  const writing = new Set<Promise<unknown>>()

  async function take(events: readonly unknown[], batch: BatchContext): Promise<CollectAnswer> {
    const { app, arrival } = batch
    const taken: EventTuple[] = []
    const quarantined: QuarantinedEvent[] = []
    const rejected: { index: number; error: string; field: string }[] = []
    const remembered: [id: string, reportedAt: number | null][] = []
    const seen: string[] = []
    let pending = 0
    const quarantine = (index: number, { id, reportedAt, device, reason, note }: Quarantined) => {
      const raw = events[index] as { event_id: string }
      quarantined.push({
        receivedAt: arrival,
        app,
        reason,
        eventId: raw.event_id,
        id,
        reportedAt,
        device,
        note,
        raw: rawText(raw, batch),
      })
    }

    for (let index = 0; index < events.length; index++) {
      let read: EventTuple | Quarantined
      try {
        read = readEvent(events[index], batch)
      } catch (error) {
        if (!(error instanceof EventProblem)) throw error
        rejected.push({ index, error: error.message, field: error.field })
        continue
      }
      const tuple = Array.isArray(read) ? read : undefined
      const id = tuple ? (tuple[TUPLE.id] as string) : (read as Quarantined).id
      const reportedAt = tuple ? (tuple[TUPLE.reportedAt] as number | null) : (read as Quarantined).reportedAt
      const verdict = dedup.decide(app, id, reportedAt, arrival)
      if (verdict === 'duplicate') {
        seen.push(id)
        continue
      }
      remembered.push([id, reportedAt])
      if (verdict === 'conflict') {
        const device = tuple ? (tuple[TUPLE.device] as string) : (read as Quarantined).device
        quarantine(index, {
          id,
          reportedAt,
          device,
          reason: 'id_conflict',
          note: 'this id was reported at another time before',
        })
      } else if (!tuple) quarantine(index, read as Quarantined)
      else {
        if (verdict === 'pending') {
          tuple[TUPLE.flags] = (tuple[TUPLE.flags] as number) | EVENT_FLAGS.pending
          pending++
        }
        taken.push(tuple)
      }
    }

    const earlier = seen.length > 0 ? [...writing] : []
    if (remembered.length > 0) {
      const entry: JournalBatch = { kind: 'batch', at: arrival, events: taken }
      if (batch.importing) entry.import = true
      if (quarantined.length > 0) entry.quarantined = quarantined
      await write(entry, app, remembered)
    }
    if (seen.length > 0) {
      await Promise.allSettled(earlier)
      await journal.barrier().catch(() => {
        throw new ProductError('collect.journal', {}, { retry_after: 1 })
      })
      // The write of the first copy may have failed meanwhile: then this one is no duplicate, and the sender repeats it.
      if (!seen.every((id) => dedup.holds(app, id))) throw new ProductError('collect.journal', {}, { retry_after: 1 })
    }

    const { totals } = counters
    totals.batches++
    totals.accepted += taken.length - pending
    totals.pending += pending
    totals.duplicates += seen.length
    if (batch.importing) totals.imported += taken.length
    else counters.took(taken.length)
    for (const { reason } of quarantined) totals.quarantined[reason]++
    for (const { field } of rejected) counters.rejected(field)
    return {
      accepted: taken.length - pending,
      pending,
      duplicates: seen.length,
      quarantined: quarantined.length,
      rejected: rejected.map(({ index, error }) => ({ index, error })),
      server_time: arrival,
    }
  }

  async function write(entry: JournalBatch, app: number, remembered: [string, number | null][]): Promise<void> {
    const done = journal.append(entry).catch((error: unknown) => {
      for (const [id, reportedAt] of remembered) dedup.forget(app, id, reportedAt)
      if (error instanceof ProductError)
        throw new ProductError(error.key, error.params, { retry_after: 5, ...error.extra })
      throw new ProductError('collect.journal', {}, { retry_after: 5 })
    })
    writing.add(done)
    try {
      await done
    } finally {
      writing.delete(done)
    }
  }
  return take
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
