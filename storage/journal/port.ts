import type { JournalEntry } from '#contracts/telemetry/stored-event.ts'

/**
 * The journal: an append-only log on disk that makes an accepted batch durable before it is acknowledged or shown (decision 15).
 * A position is a byte offset that grows for ever over all segments of one journal. One process owns the writer; any process
 * of the machine may read what is durable.
 */
export type JournalPosition = number

/** An entry with the bytes it covers: position (inclusive) to end (exclusive) = position of the next one. */
export type PositionedEntry = {
  readonly position: JournalPosition
  readonly end: JournalPosition
  readonly entry: JournalEntry
}

/**
 * An entry as it lies on disk. Its bytes are the journal's, and are there during the call alone. `entry` is read from them when it is
 * first asked for, since few of the writer's followers ask; `keep` is for those that ask later.
 */
export type DurableEntry = PositionedEntry & { readonly payload: Buffer; copy(): PositionedEntry }

export type JournalState = 'ok' | 'full' | 'down'

export interface JournalWriter {
  /** Name of this journal in frames and in the store's positions. */
  readonly name: string
  /**
   * `entry`: an entry, or a batch as openFrame wrote it, which is copied. Resolves with the entry's place once it is on disk (fdatasync); entries that wait together share one sync.
   * Rejects when the write fails (disk full): nothing of that entry is then ever read.
   */
  append(entry: JournalEntry | Buffer): Promise<{ position: JournalPosition; end: JournalPosition }>
  /** Everything before this is on disk. */
  durable(): JournalPosition
  /** Called, in order, with each entry once it is durable, without reading it back. Answers the unsubscribe function. */
  follow(listener: (placed: DurableEntry) => void): () => void
  /** Resolves when everything appended so far is on disk: what a duplicate waits for before it is acknowledged. */
  barrier(): Promise<void>
  /** The flusher has stored everything before this; older segments may go. */
  release(position: JournalPosition): void
  /** Bytes that are durable and not yet released: the backlog that 429 is bound to. */
  backlogBytes(): number
  state(): JournalState
  close(): Promise<void>
}

export interface JournalReader {
  readonly name: string
  /** Durable entries from `position` on, in order; waits for more at the end until the signal aborts. */
  read(position: JournalPosition, signal?: AbortSignal): AsyncIterable<PositionedEntry>
  durable(): JournalPosition
}
