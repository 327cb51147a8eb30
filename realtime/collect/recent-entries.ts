import type { DiskJournal } from '#storage/journal/open-journal.ts'
import type { PositionedEntry } from '#storage/journal/port.ts'
import { openCursor } from '#storage/journal/segment-cursor.ts'
import { listSegments, type Segment } from '#storage/journal/segments.ts'

/**
 * The durable entries of a journal that arrived since a time, oldest first, up to what is durable when it ends; begins with the last
 * segment that starts, as all before it, before that time, or with the oldest one there is. A segment that starts before the time and
 * follows one that does not was begun after the clock had been set back.
 */
export async function* recentEntries(journal: DiskJournal, since: number): AsyncGenerator<PositionedEntry> {
  const end = journal.durable()
  const cursor = openCursor(
    journal.folder,
    await startOf(await listSegments(journal.folder), journal.folder, since, end),
  )
  try {
    while (cursor.position() < end) yield* await cursor.next(end)
  } finally {
    await cursor.close()
  }
}

async function startOf(segments: Segment[], folder: string, since: number, end: number): Promise<number> {
  let found = segments[0]?.start ?? end
  for (const { start } of segments) {
    if (start >= end) break
    const cursor = openCursor(folder, start)
    try {
      const [first] = await cursor.next(end)
      if (first && first.entry.at >= since) break
      if (first) found = start
    } finally {
      await cursor.close()
    }
  }
  return found
}
