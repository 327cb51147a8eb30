import { ProductError } from '#contracts/errors.ts'
import { eventRow } from '#contracts/telemetry/event-row.ts'
import { EVENT_FLAGS, type EventTuple, fromTuple, type QuarantineReason } from '#contracts/telemetry/stored-event.ts'
import type { CollectAnswer } from '#contracts/telemetry/wire.ts'
import { decodeBatch } from '#storage/journal/decode-batch.ts'
import { flagEvent } from '#storage/journal/flag-event.ts'
import type { JournalWriter } from '#storage/journal/port.ts'
import { openFrame, payloadOf } from '#storage/journal/segments.ts'
import type { Dedup, DedupDecision } from '../dedup/dedup.ts'
import { type BatchFacts, cutJson, EVENT_OUTCOMES, journalHeader, type ReadBatch } from '../read/read-batch.ts'
import type { Counters } from './ingest-counters.ts'

const CONFLICT = 'this id was reported at another time before'

/** A batch with all dedup decisions, not yet written. */
type Decided = {
  /** One per event as sent; undefined for a rejected one. */
  decisions: (DedupDecision | undefined)[]
  accepted: number
  pending: number
  /** Indexes of duplicates. */
  seen: number[]
  reasons: QuarantineReason[]
  frame: Buffer | undefined
}

/**
 * Accepts a batch that was read: decides each event against the dedup memory, and answers once the journal is on disk. A refused
 * batch (ProductError) has no effect.
 */
export function batchAcceptor(deps: { journal: JournalWriter; dedup: Dedup; counters: Counters }) {
  const { journal, dedup, counters } = deps

  function decide(read: ReadBatch, facts: BatchFacts): Decided {
    const { outcomes, ids, frame, reasons } = read
    const { app, newest } = facts
    const decided: Decided = { decisions: [], accepted: 0, pending: 0, seen: [], reasons, frame }
    const { decisions, seen } = decided
    dedup.prefetch(app, ids)
    const payload = frame && payloadOf(frame)
    let row = 0
    let isAsRead = true
    for (let index = 0; index < outcomes.length; index++) {
      const outcome = outcomes[index]
      if (outcome === EVENT_OUTCOMES.rejected) {
        decisions.push(undefined)
        continue
      }
      const decision = dedup.decide(app, ids, 4 * index, timeOf(read, index), newest)
      decisions.push(decision)
      if (decision === 'duplicate') seen.push(index)
      if (decision === 'duplicate' || (decision === 'conflict' && outcome === EVENT_OUTCOMES.event)) isAsRead = false
      else if (outcome === EVENT_OUTCOMES.event) {
        decided.accepted++
        if (decision === 'pending') {
          decided.pending++
          isAsRead = flagEvent(payload as Buffer, row, EVENT_FLAGS.pending) && isAsRead
        }
      }
      if (outcome === EVENT_OUTCOMES.event) row++
    }
    if (!isAsRead) Object.assign(decided, withoutDuplicates(read, decisions, facts))
    decided.accepted -= decided.pending
    return decided
  }

  /** Appends the batch to the journal; only small state is kept while it waits for the disk. */
  function settle(read: ReadBatch, decided: Decided, { app, arrival, importing }: BatchFacts): Promise<CollectAnswer> {
    const { ids, rejected } = read
    const { seen, reasons, accepted, pending } = decided
    const written = decided.frame && write(app, read, decided.decisions, decided.frame)
    const answer: CollectAnswer = {
      accepted,
      pending,
      duplicates: seen.length,
      quarantined: reasons.length,
      rejected: rejected.map(({ index, error }) => ({ index, error })),
      server_time: arrival,
    }
    return (async () => {
      await written
      if (seen.length > 0) await awaitFirstCopies(app, ids, seen)
      count(answer, importing, reasons)
      for (const { field } of rejected) counters.rejected(field)
      return answer
    })()
  }

  /** Duplicates are acknowledged once the first copies are on disk. If their write failed meanwhile, the sender retries. */
  async function awaitFirstCopies(app: number, ids: Uint32Array, seen: readonly number[]): Promise<void> {
    await journal.barrier().catch(() => {
      throw new ProductError('collect.journal', {}, { retry_after: 1 })
    })
    if (!seen.every((index) => dedup.holds(app, ids, 4 * index)))
      throw new ProductError('collect.journal', {}, { retry_after: 1 })
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

  function write(app: number, read: ReadBatch, decisions: Decided['decisions'], frame: Buffer): Promise<unknown> {
    return journal.append(frame).catch((error: unknown) => {
      for (const [index, decision] of decisions.entries())
        if (decision && decision !== 'duplicate') dedup.forget(app, read.ids, 4 * index, timeOf(read, index))
      if (error instanceof ProductError)
        throw new ProductError(error.key, error.params, { retry_after: 5, ...error.extra })
      throw new ProductError('collect.journal', {}, { retry_after: 5 })
    })
  }

  return (read: ReadBatch, facts: BatchFacts): Promise<CollectAnswer> => settle(read, decide(read, facts), facts)
}

function timeOf({ reportedAts }: ReadBatch, index: number): number | null {
  const time = reportedAts[index] as number
  return Number.isNaN(time) ? null : time
}

/** The batch without duplicates and with id conflicts in quarantine. Rare, so encoding it a second time is acceptable. */
function withoutDuplicates(
  { outcomes, frame }: ReadBatch,
  decisions: Decided['decisions'],
  facts: BatchFacts,
): Pick<Decided, 'frame' | 'reasons'> {
  const batch = decodeBatch(payloadOf(frame as Buffer))
  const events: typeof batch.events = []
  const quarantined: NonNullable<typeof batch.quarantined> = []
  let row = 0
  let quarantineRow = 0
  for (const [index, decision] of decisions.entries()) {
    const event = outcomes[index] === EVENT_OUTCOMES.event ? batch.events[row++] : undefined
    const other = outcomes[index] === EVENT_OUTCOMES.quarantined ? batch.quarantined?.[quarantineRow++] : undefined
    if (decision === 'duplicate') continue
    if (other) quarantined.push(other)
    if (!event) continue
    const [id, , , , , , , , , reportedAt, device] = event as [string, ...unknown[]]
    if (decision === 'conflict')
      quarantined.push({
        receivedAt: facts.arrival,
        app: facts.app,
        id,
        reportedAt: reportedAt as number | null,
        device: device as string,
        reason: 'id_conflict',
        note: CONFLICT,
        ...copyOfEvent(event),
      })
    else events.push(event)
    if (decision === 'pending') event[FLAGS] = (event[FLAGS] as number) | EVENT_FLAGS.pending
  }
  const isEmpty = events.length + quarantined.length === 0
  return {
    frame: isEmpty ? undefined : openFrame({ ...journalHeader(facts, quarantined), events }),
    reasons: quarantined.map(({ reason }) => reason),
  }
}
/** Index of the flags in an event's tuple. */
const FLAGS = 27

/**
 * What quarantine keeps of an event with an id conflict: its id as sent, and the event as it was read, device and user as keyed
 * hashes. It comes from the tuple: parsing the body again for each conflict would let one batch block the process.
 */
function copyOfEvent(event: EventTuple): { eventId: string; raw: string } {
  const { id, app: _app, address: _address, extra, ...row } = eventRow(fromTuple(event))
  const { id: textId, ...rest } = extra as { id?: string }
  const eventId = textId ?? id
  return { eventId, raw: cutJson({ event_id: eventId, ...row, ...rest }) }
}
