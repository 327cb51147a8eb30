import type { DiskJournal } from '#storage/journal/open-journal.ts'
import type { PositionedEntry } from '#storage/journal/port.ts'
import { openCursor } from '#storage/journal/segment-cursor.ts'
import { listSegments, type Segment } from '#storage/journal/segments.ts'

/**
 * The durable entries of a journal that arrived since a time, oldest first, up to what is durable when it ends; begins with the last
 * segment that starts before that time, or with the oldest one there is. Reports the damage that it meets.
 */
export async function* recentEntries(journal: DiskJournal, since: number): AsyncGenerator<PositionedEntry> {
  const end = journal.durable()
  const cursor = openCursor(
    journal.folder,
    await startOf(await listSegments(journal.folder), journal.folder, since, end),
    (gap) => gap.reason === 'damaged' && journal.reportGap(gap),
  )
  try {
    while (cursor.position() < end) yield* await cursor.next(end)
  } finally {
    await cursor.close()
  }
}

async function startOf(segments: Segment[], folder: string, since: number, end: number): Promise<number> {
  for (const { start } of segments.toReversed()) {
    if (start >= end) continue
    const cursor = openCursor(folder, start)
    try {
      // Of the collector: times of the store's decisions go back with its clock.
      const first = (await cursor.next(end)).find(({ entry }) => entry.kind === 'batch')
      if (first && first.entry.at < since) return start
    } finally {
      await cursor.close()
    }
  }
  return segments[0]?.start ?? end
}
