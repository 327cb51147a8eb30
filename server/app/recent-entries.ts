import type { DiskJournal } from '#storage/journal/open-journal.ts'
import type { PlacedEntry } from '#storage/journal/port.ts'
import { listSegments, openCursor } from '#storage/journal/segments.ts'

/** What the journal still holds, oldest first, up to what is durable now: for rebuilding memory at start. */
export async function* recentEntries(journal: DiskJournal): AsyncGenerator<PlacedEntry> {
  const end = journal.durable()
  const [oldest] = await listSegments(journal.folder)
  const cursor = openCursor(journal.folder, oldest?.start ?? end)
  try {
    while (cursor.position() < end) yield* await cursor.next(end)
  } finally {
    await cursor.close()
  }
}
