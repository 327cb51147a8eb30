import { ProductError } from '#contracts/errors.ts'
import type { EventTuple, JournalBatch, QuarantinedEvent, QuarantineReason } from '#contracts/telemetry/stored-event.ts'
import { openBatchFrame } from '#storage/journal/segments.ts'
import { isPlain } from './event-fields.ts'
import { canonicalId } from './event-id.ts'
import { EventProblem } from './event-problem.ts'
import { type BodyForm, type BodyLimits, batchText, parseBatch } from './read-body.ts'
import { type BatchContext, readEvent } from './read-event.ts'

/** What is known of a batch before its body is read; plain data that can be passed to another thread. */
export type BatchFacts = Omit<BatchContext, 'plain' | keyof ReadingTools>
/** What reading needs besides the batch. */
export type ReadingTools = Pick<BatchContext, 'hash' | 'devices' | 'validAddress'>
export type BatchBody = { bytes: Buffer; form: BodyForm; limits: BodyLimits & { events: number } }
/** An event with at least an id. */
export type SentEvent = { event_id: string }

/** Outcome of reading one event as sent. */
export const EVENT_OUTCOMES = { rejected: 0, event: 1, quarantined: 2 } as const

/** The part of handling a batch that needs no memory of other batches. Bytes and plain data only, so that threads can exchange it. */
export type ReadBatch = {
  /** One per event as sent (EVENT_OUTCOMES). */
  outcomes: Uint8Array
  /** Four words of each event's canonical id (event-id.ts). */
  ids: Uint32Array
  /** NaN if absent. */
  reportedAts: Float64Array
  /** The journal frame with events and quarantined events in the order sent; absent without any. Its memory is reused: append it to
   * the journal before the next batch is read or the body is released. */
  frame: Buffer | undefined
  reasons: QuarantineReason[]
  rejected: { index: number; error: string; field: string }[]
}

const RAW_CHARACTERS = 2000

/** Reads a body: inflates, parses, and reads each event. Throws ProductError for a batch that cannot be read. */
export function readBatch(body: BatchBody, facts: BatchFacts, tools: ReadingTools): ReadBatch {
  const { form, limits } = body
  const text = batchText(body.bytes, form, limits)
  const sent = parseBatch(text, form)
  if (sent.length > limits.events) throw new ProductError('request.too_large', {}, { limit: limits.events })
  const batch: BatchContext = { ...facts, ...tools, plain: isPlain(text) }
  const read: ReadBatch = {
    outcomes: new Uint8Array(sent.length),
    ids: new Uint32Array(4 * sent.length),
    reportedAts: new Float64Array(sent.length),
    frame: undefined,
    reasons: [],
    rejected: [],
  }
  const frame = openBatchFrame(sent.length)
  // One tuple for all events: millions of short-lived tuples a minute would be promoted and pile up until a full garbage collection.
  const tuple: EventTuple = []
  let taken = 0
  const quarantined: QuarantinedEvent[] = []
  for (let index = 0; index < sent.length; index++) {
    const event = sent[index]
    try {
      const id = canonicalId((event as { event_id?: unknown } | null)?.event_id, read.ids, 4 * index)
      const found = readEvent(event, id, batch, tuple)
      if (Array.isArray(found)) {
        read.outcomes[index] = EVENT_OUTCOMES.event
        read.reportedAts[index] = (tuple[9] as number | null) ?? Number.NaN
        frame.add(tuple)
        taken++
      } else {
        read.outcomes[index] = EVENT_OUTCOMES.quarantined
        read.reportedAts[index] = found.reportedAt ?? Number.NaN
        read.reasons.push(found.reason)
        quarantined.push({
          receivedAt: facts.arrival,
          app: facts.app,
          ...found,
          ...pseudonymizedCopy(event as SentEvent, tools),
        })
      }
    } catch (error) {
      if (!(error instanceof EventProblem)) throw error
      read.rejected.push({ index, error: error.message, field: error.field })
    }
  }
  if (taken + quarantined.length > 0) read.frame = frame.end(journalHeader(facts, quarantined))
  return read
}

/** A journal batch without its events. Its time never goes back, so that a rebuild of dedup finds all that came after a time. */
export function journalHeader(
  { newest, importing }: Pick<BatchFacts, 'newest' | 'importing'>,
  quarantined: QuarantinedEvent[],
): Omit<JournalBatch, 'events'> {
  return {
    kind: 'batch',
    at: newest,
    ...(importing && { import: true }),
    ...(quarantined.length > 0 && { quarantined }),
  }
}

/** The copy of a sent event kept in quarantine: its own id, and the event with device and user as keyed hashes. */
export function pseudonymizedCopy(
  event: SentEvent,
  { hash }: Pick<ReadingTools, 'hash'>,
): Pick<QuarantinedEvent, 'eventId' | 'raw'> {
  const copy: Record<string, unknown> = { ...event }
  for (const field of ['device_id', 'user_id']) if (typeof copy[field] === 'string') copy[field] = hash(copy[field])
  return { eventId: event.event_id, raw: cutJson(copy) }
}

/** JSON of a quarantined event, cut at RAW_CHARACTERS; '' where it cannot be written. */
export function cutJson(value: object): string {
  try {
    // A cut may leave half of a surrogate pair.
    return JSON.stringify(value)
      .slice(0, RAW_CHARACTERS)
      .replace(/[\ud800-\udbff]$/, '')
  } catch {
    return '' // custom fields may be nested deeper than JSON.stringify can write
  }
}
