import { ProductError } from '#contracts/errors.ts'
import type { EventTuple, JournalBatch, QuarantinedEvent, QuarantineReason } from '#contracts/telemetry/stored-event.ts'
import { openBatchFrame } from '#storage/journal/segments.ts'
import { isPlain } from './event-fields.ts'
import { canonicalId } from './event-id.ts'
import { EventProblem } from './event-problem.ts'
import { type BodyForm, type BodyLimits, bodyText, parseBatch } from './read-body.ts'
import { type BatchContext, readEvent } from './read-event.ts'

/** What is known of a batch before its body is read; plain data, so that it can cross to another thread. */
export type BatchFacts = Omit<BatchContext, 'plain' | keyof ReadingTools>
/** What reading needs besides the batch. */
export type ReadingTools = Pick<BatchContext, 'hash' | 'devices' | 'validAddress'>
export type BatchBody = { bytes: Buffer; form: BodyForm; limits: BodyLimits & { events: number } }
/** An event that has an id at least. */
export type SentEvent = { event_id: string }

/** What became of an event as it was sent. */
export const FATES = { rejected: 0, event: 1, quarantined: 2 } as const

/** All of a batch that needs no memory of other batches. Bytes and plain data only: it crosses threads, and is small while it waits. */
export type ReadBatch = {
  /** Of each event as sent. */
  fates: Uint8Array
  /** Four words of each event's canonical id (event-id.ts). */
  ids: Uint32Array
  /** NaN for none. */
  reportedAts: Float64Array
  /** The batch as the journal takes it, its events and what is quarantined in the order they were sent; absent for nothing of both. It lies in memory that
   * is used again: appended to the journal before the next batch is read, or the body given back. */
  frame: Buffer | undefined
  reasons: QuarantineReason[]
  rejected: { index: number; error: string; field: string }[]
}

const RAW_CHARACTERS = 2000

/** Reads a body: inflates, parses, and reads each event. Throws ProductError for a batch of which nothing can be taken. */
export function readBatch(body: BatchBody, facts: BatchFacts, tools: ReadingTools): ReadBatch {
  const { form, limits } = body
  const text = bodyText(body.bytes, form, limits)
  const sent = parseBatch(text, form)
  if (sent.length > limits.events) throw new ProductError('request.too_large', {}, { limit: limits.events })
  const batch: BatchContext = { ...facts, ...tools, plain: isPlain(text) }
  const read: ReadBatch = {
    fates: new Uint8Array(sent.length),
    ids: new Uint32Array(4 * sent.length),
    reportedAts: new Float64Array(sent.length),
    frame: undefined,
    reasons: [],
    rejected: [],
  }
  const frame = openBatchFrame(sent.length)
  // One for all: millions of short-lived tuples a minute are taken for long-lived ones by the machine and pile up until the whole heap is collected.
  const tuple: EventTuple = []
  let taken = 0
  const quarantined: QuarantinedEvent[] = []
  for (let index = 0; index < sent.length; index++) {
    const event = sent[index]
    try {
      const id = canonicalId((event as { event_id?: unknown } | null)?.event_id, read.ids, 4 * index)
      const found = readEvent(event, id, batch, tuple)
      if (Array.isArray(found)) {
        read.fates[index] = FATES.event
        read.reportedAts[index] = (tuple[9] as number | null) ?? Number.NaN
        frame.add(tuple)
        taken++
      } else {
        read.fates[index] = FATES.quarantined
        read.reportedAts[index] = found.reportedAt ?? Number.NaN
        read.reasons.push(found.reason)
        quarantined.push({
          receivedAt: facts.arrival,
          app: facts.app,
          ...found,
          ...asSent(event as SentEvent, tools),
        })
      }
    } catch (error) {
      if (!(error instanceof EventProblem)) throw error
      read.rejected.push({ index, error: error.message, field: error.field })
    }
  }
  if (taken + quarantined.length > 0) read.frame = frame.end(headOf(facts, quarantined))
  return read
}

/** The events of a body that was read before. */
export function eventsOf({ bytes, form, limits }: BatchBody): unknown[] {
  return parseBatch(bodyText(bytes, form, limits), form)
}

/** A journal batch but for its events. */
export function headOf(
  { arrival, importing }: Pick<BatchFacts, 'arrival' | 'importing'>,
  quarantined: QuarantinedEvent[],
): Omit<JournalBatch, 'events'> {
  return {
    kind: 'batch',
    at: arrival,
    ...(importing && { import: true }),
    ...(quarantined.length > 0 && { quarantined }),
  }
}

/** What a quarantined event keeps of what was sent: its own id, and the event with device and user as keyed hashes, as everywhere behind this point. */
export function asSent(
  event: SentEvent,
  { hash }: Pick<ReadingTools, 'hash'>,
): Pick<QuarantinedEvent, 'eventId' | 'raw'> {
  const copy: Record<string, unknown> = { ...event }
  for (const field of ['device_id', 'user_id']) if (typeof copy[field] === 'string') copy[field] = hash(copy[field])
  return { eventId: event.event_id, raw: cutJson(copy) }
}

function cutJson(value: object): string {
  try {
    // A cut may leave half of a character pair.
    return JSON.stringify(value)
      .slice(0, RAW_CHARACTERS)
      .replace(/[\ud800-\udbff]$/, '')
  } catch {
    return '' // fields of the sender's own may be nested deeper than JSON can be written
  }
}
