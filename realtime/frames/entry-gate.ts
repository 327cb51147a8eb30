import { EVENT_FLAGS, type StoredEvent } from '#contracts/telemetry/stored-event.ts'
import type { StorePositions } from '#storage/events/port.ts'
import type { DecodedEntry } from './decoded-entry.ts'
import type { EventTest } from './event-filter.ts'

/**
 * Lets every matching event through once: decided ones at their entry, pending ones with the decision that accepts them (decision 16).
 * Entries already covered, decisions about what a seed holds, and repeated decisions let nothing through.
 */
export type EntryGate = {
  /** Continues from these positions; events pending before them are in the store's answer or will be read again. */
  start(positions: StorePositions): void
  apply(entry: DecodedEntry): void
  /** Where each journal is read up to. */
  positions(): StorePositions
  /** An entry was missing: the counts can't be trusted until the topic is reseeded. */
  broken(): boolean
}

export function createEntryGate(test: EventTest, through: (event: StoredEvent) => void): EntryGate {
  let seeded: StorePositions = {}
  let read: StorePositions = {}
  let broken = false
  /** By journal and position of a batch: 1 for each of its events that is still pending. One byte per event, imports included. */
  let pending = new Map<string, Uint8Array>()

  function batch({ journal, position, events }: DecodedEntry & { kind: 'batch' }): void {
    let waiting: Uint8Array | undefined
    for (const [index, event] of events.entries()) {
      if ((event.flags & EVENT_FLAGS.pending) !== 0) {
        waiting ??= new Uint8Array(events.length)
        waiting[index] = 1
      } else if (test(event)) through(event)
    }
    if (waiting) pending.set(`${journal}:${position}`, waiting)
  }
  function decisions({ journal, decisions, events }: DecodedEntry & { kind: 'decisions' }): void {
    if (decisions.position < (seeded[journal] ?? 0)) return
    const key = `${journal}:${decisions.position}`
    const waiting = pending.get(key)
    if (!waiting) return
    if (!events) {
      broken = true
      return
    }
    for (const index of decisions.accepted) {
      const event = events[index]
      if (waiting[index] === 1 && event && test(event)) through(event)
      waiting[index] = 0
    }
    for (const index of decisions.duplicates) waiting[index] = 0
    for (const { index } of decisions.quarantined) waiting[index] = 0
    if (!waiting.includes(1)) pending.delete(key)
  }

  return {
    start(positions) {
      seeded = { ...positions }
      read = { ...positions }
      pending = new Map()
      broken = false
    },
    apply(entry) {
      const expected = read[entry.journal]
      if (expected !== undefined && entry.position < expected) return
      if (expected !== undefined && entry.position > expected) broken = true
      read[entry.journal] = entry.end
      if (entry.kind === 'batch') batch(entry)
      else decisions(entry)
    },
    positions: () => ({ ...read }),
    broken: () => broken,
  }
}
