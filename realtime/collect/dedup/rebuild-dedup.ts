import type { PositionedEntry } from '#storage/journal/port.ts'
import { parseUuid } from '../read/event-id.ts'
import type { Dedup } from './dedup.ts'

/**
 * Fills the memory of dedup from the entries that arrived since `since` (oldest first; older ones may come along). Where entries are
 * missing, at the beginning, in between or before `end` (position of the journal's end), memory alone decides only what was reported
 * later than the first entry after them, or than `now`. Answers the newest time of an entry, 0 without any.
 */
export async function rebuildDedup(
  dedup: Dedup,
  entries: AsyncIterable<PositionedEntry>,
  since: number,
  journal: { end: number; now: number },
): Promise<number> {
  let completeSince = 0
  let newest = 0
  let expected: number | undefined
  let count = 0
  const words = new Uint32Array(4)
  function remember(app: number, id: string, reportedAt: number | null, arrival: number): void {
    if (!parseUuid(id, words)) throw new Error(`not a canonical id: ${id}`)
    dedup.decide(app, words, 0, reportedAt, arrival)
  }
  for await (const { position, end, entry } of entries) {
    const isMissing = expected === undefined ? position > 0 && entry.at >= since : position !== expected
    if (isMissing) completeSince = entry.at
    expected = end
    newest = Math.max(newest, entry.at)
    if (entry.kind !== 'batch' || entry.at < since) continue
    for (const tuple of entry.events)
      remember(tuple[1] as number, tuple[0] as string, tuple[9] as number | null, entry.at)
    for (const { app, id, reportedAt } of entry.quarantined ?? [])
      if (id !== undefined) remember(app, id, reportedAt ?? null, entry.at)
    if (++count % 64 === 0) await new Promise((resume) => setImmediate(resume))
  }
  dedup.completeSince((expected ?? 0) < journal.end ? journal.now : completeSince)
  return newest
}
