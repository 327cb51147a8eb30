import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { openCursor } from './segment-cursor.ts'
import { listSegments } from './segments.ts'

/** Which positions a journal on disk still holds. */
export type JournalSpan = {
  name: string
  /** First position and the end of the last segment file. */
  from: number
  to: number
  /** Arrival (epoch ms) of the first batch; null: none. */
  at: number | null
}

/** Reads the span without opening the journal: its owner may be writing. Undefined where the folder holds no journal. */
export async function readJournalSpan(folder: string): Promise<JournalSpan | undefined> {
  const segments = await listSegments(folder).catch(() => []) // no folder: no journal
  const [first] = segments
  const last = segments.at(-1)
  // A folder without a name holds no journal.
  const name = (await readFile(join(folder, 'name'), 'utf8').catch(() => '')).trim()
  if (!first || !last || name === '') return undefined
  const to = last.start + (await stat(last.file)).size
  return { name, from: first.start, to, at: await firstArrival(folder, first.start, to) }
}

async function firstArrival(folder: string, from: number, to: number): Promise<number | null> {
  const cursor = openCursor(folder, from)
  try {
    while (cursor.position() < to) {
      const placed = await cursor.next(to)
      const batch = placed.find(({ entry }) => entry.kind === 'batch')
      if (batch?.entry.kind === 'batch') return batch.entry.at
      if (placed.length === 0) return null
    }
  } catch {
    // An unreadable start of the journal: its time is unknown.
  } finally {
    await cursor.close()
  }
  return null
}
