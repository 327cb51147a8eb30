import type { JournalPendingDecisions } from '#contracts/telemetry/stored-event.ts'
import type { DiskJournal } from './open-journal.ts'
import type { DurableEntry, JournalReader, PositionedEntry } from './port.ts'
import { openCursor } from './segments.ts'

/** Entries that may wait in memory for a slow reader; beyond that it goes back to the disk. */
const QUEUE_ENTRIES = 256

/** What a reader needs from its journal: where it lies, how far it goes, and a call when it has grown. */
export type ReadableJournal = {
  name: string
  folder: string
  durable(): number
  /** Called after the durable position moved, with the entry where the caller has it at hand. Answers the unsubscribe function. */
  follow(listener: (placed?: DurableEntry) => void): () => void
}

/** What the event store's flusher needs: entries to read, and two things to tell the owner. */
export type JournalLink = JournalReader & {
  /** Rejects when it could not be made durable. */
  appendDecisions(verdicts: JournalPendingDecisions): Promise<void>
  /** Everything before the position is stored. */
  release(position: number): void
}

/** Reads a journal of this process from any older position on: from the disk first, then what the writer hands over. */
export function journalReader(writer: DiskJournal): JournalLink {
  return {
    ...createReader(writer),
    async appendDecisions(verdicts) {
      await writer.append(verdicts)
    },
    release: writer.release,
  }
}

export function createReader(journal: ReadableJournal): JournalReader {
  return {
    name: journal.name,
    durable: journal.durable,
    read: (position, signal) => read(journal, position, signal),
  }
}

async function* read(journal: ReadableJournal, from: number, signal?: AbortSignal): AsyncGenerator<PositionedEntry> {
  let queue: PositionedEntry[] = []
  let wake = () => {}
  const unfollow = journal.follow((placed) => {
    if (placed && queue.length < QUEUE_ENTRIES) queue.push(placed.copy())
    wake()
  })
  const onAbort = () => wake()
  signal?.addEventListener('abort', onAbort)
  let cursor = openCursor(journal.folder, from)
  let position = from
  try {
    while (!signal?.aborted) {
      const batch = queue
      queue = []
      const fresh = batch.findIndex((one) => one.position === position)
      if (fresh >= 0) {
        for (const placed of batch.slice(fresh)) {
          if (signal?.aborted) return
          position = placed.end
          yield placed
        }
      } else if (position < journal.durable()) {
        if (cursor.position() !== position) {
          await cursor.close()
          cursor = openCursor(journal.folder, position)
        }
        for (const placed of await cursor.next(journal.durable())) {
          if (signal?.aborted) return
          position = placed.end
          yield placed
        }
      } else {
        await new Promise<void>((resolve) => {
          wake = resolve
          if (signal?.aborted || position < journal.durable()) resolve()
        })
      }
    }
  } finally {
    unfollow()
    signal?.removeEventListener('abort', onAbort)
    await cursor.close()
  }
}
