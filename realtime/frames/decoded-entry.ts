import { fromTuple, type JournalVerdicts, type StoredEvent } from '#contracts/telemetry/stored-event.ts'
import type { PlacedEntry } from '#storage/journal/port.ts'

/** A journal entry read once for all topics. `durableAt`: when this process saw it on disk, epoch ms. */
export type DecodedEntry = {
  journal: string
  position: number
  end: number
  durableAt: number
} & ({ kind: 'batch'; events: readonly StoredEvent[] } | { kind: 'verdicts'; verdicts: JournalVerdicts })

export function decodeEntry(journal: string, { position, end, entry }: PlacedEntry, durableAt: number): DecodedEntry {
  const place = { journal, position, end, durableAt }
  if (entry.kind === 'verdicts') return { ...place, kind: 'verdicts', verdicts: entry }
  return { ...place, kind: 'batch', events: entry.events.map(fromTuple) }
}
