import {
  EVENT_FLAGS,
  fromTuple,
  type JournalPendingDecisions,
  type StoredEvent,
} from '#contracts/telemetry/stored-event.ts'
import type { JournalReader, PositionedEntry } from '#storage/journal/port.ts'

/** A journal entry read once for all topics. `durableAt`: when this process saw it on disk, epoch ms. */
export type DecodedEntry = {
  journal: string
  position: number
  end: number
  durableAt: number
} & (
  | { kind: 'batch'; events: readonly StoredEvent[] }
  /** `events` are those of the batch that is decided; undefined where the journal no longer holds it. */
  | { kind: 'decisions'; decisions: JournalPendingDecisions; events: readonly StoredEvent[] | undefined }
)

/** Maximum cached events of undecided batches; beyond it a pending decision re-reads its batch from the journal. */
const EVENTS_KEPT = 50_000

/**
 * Decodes the entries of one journal in order. Batches with pending events are kept until they are decided; an import may leave a million
 * of them pending, so that is bounded: the rest is read again when it is decided.
 */
export function createEntryDecoder(
  journal: JournalReader,
  kept = EVENTS_KEPT,
): (placed: PositionedEntry, durableAt: number) => DecodedEntry | Promise<DecodedEntry> {
  const undecided = new Map<number, readonly StoredEvent[]>()
  let held = 0

  async function readAgain(position: number): Promise<readonly StoredEvent[] | undefined> {
    const stop = new AbortController()
    try {
      for await (const placed of journal.read(position, stop.signal))
        return placed.position === position && placed.entry.kind === 'batch'
          ? placed.entry.events.map(fromTuple)
          : undefined
    } catch {
      // The segment was removed: topics that need the batch are reseeded from the store, which has it.
    } finally {
      stop.abort()
    }
    return undefined
  }

  return ({ position, end, entry }, durableAt) => {
    const span = { journal: journal.name, position, end, durableAt }
    if (entry.kind === 'verdicts') {
      const decisions = { ...span, kind: 'decisions' as const, decisions: entry }
      const events = undecided.get(entry.position)
      if (!events) return readAgain(entry.position).then((read) => ({ ...decisions, events: read }))
      undecided.delete(entry.position)
      held -= events.length
      return { ...decisions, events }
    }
    const events = entry.events.map(fromTuple)
    if (held + events.length <= kept && events.some((event) => (event.flags & EVENT_FLAGS.pending) !== 0)) {
      undecided.set(position, events)
      held += events.length
    }
    return { ...span, kind: 'batch', events }
  }
}
