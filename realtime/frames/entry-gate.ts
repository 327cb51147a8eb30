import { EVENT_FLAGS, type StoredEvent } from '#contracts/telemetry/stored-event.ts'
import type { StorePositions } from '#storage/events/port.ts'
import type { DecodedEntry } from './decoded-entry.ts'
import type { EventTest } from './event-filter.ts'

/** Pending events that one topic remembers at most; beyond it the topic is seeded anew (by reference: about 24 bytes each). */
const PENDING_LIMIT = 200_000

/**
 * Lets every matching event through once: decided ones at their entry, pending ones with the verdict that accepts them (decision 16).
 * Entries already covered, verdicts about what a seed holds, and repeated verdicts let nothing through.
 */
export type EntryGate = {
  /** Goes on from these positions; whatever was pending before is in the store's answer or will be read again. */
  start(positions: StorePositions): void
  apply(entry: DecodedEntry): void
  /** Where each journal is read up to. */
  positions(): StorePositions
  /** An entry was missing or too much was pending: the counts can't be trusted until the topic is seeded anew. */
  broken(): boolean
}

export function createEntryGate(
  test: EventTest,
  through: (event: StoredEvent) => void,
  limit = PENDING_LIMIT,
): EntryGate {
  let seeded: StorePositions = {}
  let read: StorePositions = {}
  let broken = false
  /** By journal and position of the batch: its pending events that match, by their index. */
  let pending = new Map<string, Map<number, StoredEvent>>()
  let held = 0

  function batch(entry: DecodedEntry & { kind: 'batch' }): void {
    let waiting: Map<number, StoredEvent> | undefined
    for (const [index, event] of entry.events.entries()) {
      if (!test(event)) continue
      if ((event.flags & EVENT_FLAGS.pending) === 0) through(event)
      else if (held >= limit) broken = true
      else {
        waiting ??= new Map()
        waiting.set(index, event)
        held++
      }
    }
    if (waiting) pending.set(`${entry.journal}:${entry.position}`, waiting)
  }
  function verdicts({ journal, verdicts }: DecodedEntry & { kind: 'verdicts' }): void {
    if (verdicts.position < (seeded[journal] ?? 0)) return
    const key = `${journal}:${verdicts.position}`
    const waiting = pending.get(key)
    if (!waiting) return
    const decide = (index: number): StoredEvent | undefined => {
      const event = waiting.get(index)
      if (waiting.delete(index)) held--
      return event
    }
    for (const index of verdicts.accepted) {
      const event = decide(index)
      if (event) through(event)
    }
    for (const index of verdicts.duplicates) decide(index)
    for (const { index } of verdicts.quarantined) decide(index)
    if (waiting.size === 0) pending.delete(key)
  }

  return {
    start(positions) {
      seeded = { ...positions }
      read = { ...positions }
      pending = new Map()
      held = 0
      broken = false
    },
    apply(entry) {
      const expected = read[entry.journal]
      if (expected !== undefined && entry.position < expected) return
      if (expected !== undefined && entry.position > expected) broken = true
      read[entry.journal] = entry.end
      if (entry.kind === 'batch') batch(entry)
      else verdicts(entry)
    },
    positions: () => ({ ...read }),
    broken: () => broken,
  }
}
