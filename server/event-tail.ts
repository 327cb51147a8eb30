import type { EventRow } from '#contracts/query.ts'
import { eventRow } from '#contracts/telemetry/event-row.ts'
import { EVENT_FLAGS, fromTuple, type JournalBatch } from '#contracts/telemetry/stored-event.ts'
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
  let batches: { position: number; batch: JournalBatch }[] = []
  const unfollow = journal.follow(({ position, entry }) => {
    if (entry.kind !== 'batch' || entry.import || entry.events.length === 0) return
    batches.push({ position, batch: entry })
    if (batches.length > MAX_BATCHES) batches = batches.slice(-MAX_BATCHES / 2)
  })
  return {
    event(app, id) {
      for (let i = batches.length - 1; i >= 0; i--) {
        for (const tuple of batches[i]?.batch.events ?? []) {
          if (tuple[0] !== id || tuple[1] !== app) continue
          const event = fromTuple(tuple)
          if (!(event.flags & EVENT_FLAGS.pending)) return eventRow(event)
        }
      }
      return undefined
    },
    release(position) {
      const first = batches.findIndex((one) => one.position >= position)
      batches = first < 0 ? [] : batches.slice(first)
    },
    close: unfollow,
  }
}
