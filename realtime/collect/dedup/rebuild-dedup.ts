import type { PositionedEntry } from '#storage/journal/port.ts'
import { parseUuid } from '../read/event-id.ts'
import type { Dedup } from './dedup.ts'

/**
 * Fills the dedup memory from the entries that arrived since `since` (oldest first; older ones may be included). If the journal
 * starts later than that, memory decides only events reported after the journal's start.
 */
export async function rebuildDedup(
  dedup: Dedup,
  entries: AsyncIterable<PositionedEntry>,
  since: number,
): Promise<void> {
  let completeSince: number | undefined
  let count = 0
  const words = new Uint32Array(4)
  function remember(app: number, id: string, reportedAt: number | null, arrival: number): void {
    if (!parseUuid(id, words)) throw new Error(`not a canonical id: ${id}`)
    dedup.decide(app, words, 0, reportedAt, arrival)
  }
  for await (const { position, entry } of entries) {
    completeSince ??= position === 0 || entry.at < since ? 0 : entry.at
    if (entry.kind !== 'batch' || entry.at < since) continue
    for (const tuple of entry.events)
      remember(tuple[1] as number, tuple[0] as string, tuple[9] as number | null, entry.at)
    for (const { app, id, reportedAt } of entry.quarantined ?? [])
      if (id !== undefined) remember(app, id, reportedAt ?? null, entry.at)
    if (++count % 64 === 0) await new Promise((resume) => setImmediate(resume))
  }
  dedup.completeSince(completeSince ?? 0)
}
