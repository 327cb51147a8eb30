import type { EventRow } from '#contracts/query.ts'
import { eventRow } from '#contracts/telemetry/event-row.ts'
import { EVENT_FLAGS, fromTuple } from '#contracts/telemetry/stored-event.ts'
import { mayHoldId } from '#storage/journal/decode-batch.ts'
import { decodeEntry } from '#storage/journal/entry-codec.ts'
import type { JournalWriter } from '#storage/journal/port.ts'

/** At most so many batches are looked through: the flusher is normally less than a second behind. */
const MAX_BATCHES = 20_000

export type EventTail = {
  event(app: number, id: string): EventRow | undefined
  release(position: number): void
  close(): void
}

/** What is durable but may not be stored yet, so that whatever a screen shows can be opened at once (decision 15). */
export function followTail(journal: JournalWriter): EventTail {
  // Bytes alone: what another follower reads from an entry is not kept alive here.
  let waiting: { position: number; payload: Buffer }[] = []
  const unfollow = journal.follow(({ position, payload }) => {
    waiting.push({ position, payload })
    if (waiting.length > MAX_BATCHES) waiting = waiting.slice(-MAX_BATCHES / 2)
  })
  return {
    event(app, id) {
      for (const { payload } of waiting.toReversed()) {
        if (!mayHoldId(payload, id)) continue
        const entry = decodeEntry(payload)
        if (entry.kind !== 'batch' || entry.import) continue
        const tuple = entry.events.find(([eventId, owner]) => eventId === id && owner === app)
        const event = tuple && fromTuple(tuple)
        if (event && !(event.flags & EVENT_FLAGS.pending)) return eventRow(event)
      }
      return undefined
    },
    release(position) {
      const first = waiting.findIndex((one) => one.position >= position)
      waiting = first < 0 ? [] : waiting.slice(first)
    },
    close: unfollow,
  }
}
