import { open, stat } from 'node:fs/promises'
import type { JournalPendingDecisions } from '#contracts/telemetry/stored-event.ts'
import type { DiskJournal } from './open-journal.ts'
import type { DurableEntry, EntryMark, JournalGap, JournalReader, PositionedEntry } from './port.ts'
import { checksumAt, FRAME_HEAD, readAt } from './scan-segment.ts'
import { openCursor } from './segment-cursor.ts'
import { listSegments } from './segments.ts'

/** What may wait in memory for a slow reader; beyond that it goes back to the disk. */
const QUEUE_ENTRIES = 256
const QUEUE_BYTES = 4 * 1024 * 1024

/** What a reader needs from its journal: its folder, how far it is durable, and a call when it has grown. */
export type ReadableJournal = {
  name: string
  folder: string
  durable(): number
  /** Called after the durable position moved, with the entry where the caller has it at hand. Returns the unsubscribe function. */
  follow(listener: (placed?: DurableEntry) => void): () => void
}

/** What the event store's flusher needs of a journal: entries, and calls to its owner, which reject while the owner is not reachable. */
export type JournalLink = JournalReader & {
  readonly folder: string
  /**
   * Resolves once the owner is reachable, with a signal that aborts when it no longer is, or when `stop` aborts. The folder may be exchanged
   * while no owner holds it: what is read after that belongs to a journal that has to be compared with the store again.
   */
  session(stop: AbortSignal): Promise<AbortSignal>
  /** The durable end as the owner has it now. */
  end(): Promise<number>
  /** Position of the oldest byte on disk. */
  oldest(): Promise<number>
  /** Rejects when they could not be made durable. */
  appendDecisions(decisions: JournalPendingDecisions): Promise<void>
  /** Everything before the position is stored. */
  release(position: number): void
  /** As JournalWriter's. */
  dropBefore(position: number): Promise<boolean>
  startBeyond(position: number): Promise<number>
  reportGap(gap: JournalGap): void
}

/** Reads a journal of this process from any older position on: from the disk first, then what the writer passes on. */
export function journalReader(writer: DiskJournal): JournalLink {
  return {
    ...createReader({
      name: writer.name,
      folder: writer.folder,
      durable: writer.durable,
      follow(listener) {
        const unfollow = writer.follow(listener)
        const unfollowGaps = writer.onGap(() => listener())
        return () => {
          unfollow()
          unfollowGaps()
        }
      },
    }),
    folder: writer.folder,
    session: async (stop) => stop,
    end: async () => writer.durable(),
    oldest: async () => writer.oldest(),
    async appendDecisions(decisions) {
      await writer.append(decisions)
    },
    release: writer.release,
    dropBefore: writer.dropBefore,
    startBeyond: writer.startBeyond,
    reportGap: writer.reportGap,
  }
}

export function createReader(journal: ReadableJournal): JournalReader {
  return {
    name: journal.name,
    durable: journal.durable,
    read: (position, signal, onGap) => read(journal, position, signal, onGap),
  }
}

/** Entries between two positions that are on disk. */
export async function* readSpan(folder: string, from: number, to: number): AsyncGenerator<PositionedEntry> {
  const cursor = openCursor(folder, from)
  try {
    while (cursor.position() < to) yield* await cursor.next(to)
  } finally {
    await cursor.close()
  }
}

/** The positions around `position`, between two segments, that neither of them holds; undefined where it is not between two. */
export async function gapAround(folder: string, position: number): Promise<{ from: number; to: number } | undefined> {
  const segments = await listSegments(folder)
  const next = segments.find(({ start }) => start > position)
  const before = segments.findLast(({ start }) => start <= position)
  if (!next || !before) return undefined
  const from = before.start + (await stat(before.file)).size
  return from < position ? { from, to: next.start } : undefined
}

/**
 * Whether the journal of the folder may be the one that the entry was read from: it holds the entry, or begins behind it, since stored
 * segments are removed. Compares the head alone: an entry that was damaged since is still that entry.
 */
export async function mayHaveHeld(folder: string, { position, end, checksum }: EntryMark): Promise<boolean> {
  const segments = await listSegments(folder)
  const [oldest] = segments
  if (!oldest || oldest.start >= end) return true
  const segment = segments.findLast(({ start }) => start <= position)
  if (!segment) return false
  const handle = await open(segment.file, 'r')
  try {
    const head = await readAt(handle, position - segment.start, FRAME_HEAD)
    if (head.length < FRAME_HEAD) return false
    return position + FRAME_HEAD + head.readUInt32LE(0) === end && checksumAt(head, 0) === checksum
  } finally {
    await handle.close()
  }
}

async function* read(
  journal: ReadableJournal,
  from: number,
  signal?: AbortSignal,
  onGap?: (gap: JournalGap) => void,
): AsyncGenerator<PositionedEntry> {
  let queue: PositionedEntry[] = []
  let queuedBytes = 0
  let wake = () => {}
  const unfollow = journal.follow((placed) => {
    if (placed && queue.length < QUEUE_ENTRIES && queuedBytes < QUEUE_BYTES) {
      queue.push(placed.copy())
      queuedBytes += placed.end - placed.position
    }
    wake()
  })
  const onAbort = () => wake()
  signal?.addEventListener('abort', onAbort)
  let cursor = openCursor(journal.folder, from, onGap)
  let position = from
  try {
    while (!signal?.aborted) {
      const batch = queue
      queue = []
      queuedBytes = 0
      const next = batch.findIndex((one) => one.position === position)
      if (next >= 0) {
        for (const placed of batch.slice(next)) {
          if (signal?.aborted) return
          if (placed.position !== position) break // the journal went on beyond a gap: the disk says so
          position = placed.end
          yield placed
        }
      } else if (position < journal.durable()) {
        if (cursor.position() !== position) {
          await cursor.close()
          cursor = openCursor(journal.folder, position, onGap)
        }
        for (const placed of await cursor.next(journal.durable())) {
          if (signal?.aborted) return
          position = placed.end
          yield placed
        }
        position = cursor.position()
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
