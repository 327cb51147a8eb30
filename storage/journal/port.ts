import type { JournalEntry } from '#contracts/telemetry/stored-event.ts'

/**
 * The journal: an append-only log on disk that makes an accepted batch durable before it is acknowledged or shown (decision 15).
 * A position is a byte offset that only grows, over all segments of one journal. One process owns the writer; any process of the machine
 * may read what is durable.
 */
export type JournalPosition = number

/** Which entry it is: the bytes it covers, position (inclusive) to end (exclusive) = position of the next one, and its CRC-32 on disk. */
export type EntryMark = {
  readonly position: JournalPosition
  readonly end: JournalPosition
  readonly checksum: number
}

export type PositionedEntry = EntryMark & { readonly entry: JournalEntry }

/**
 * An entry as it lies on disk. Its bytes belong to the journal and are valid during the call only. `entry` is decoded when it is
 * first asked for, since few of the writer's followers ask; `copy` is for those that ask later.
 */
export type DurableEntry = PositionedEntry & { readonly payload: Buffer; copy(): PositionedEntry }

export type JournalState = 'ok' | 'full' | 'down'

/**
 * Positions that hold no entry. damaged: the bytes are no valid entry; missing: no segment holds them; renumbered: the journal was older
 * than the store and went on beyond the store's position, nothing was lost. `events`: how many a damaged span held, where its heads still say.
 */
export type JournalGap = {
  from: JournalPosition
  to: JournalPosition
  reason: 'damaged' | 'missing' | 'renumbered'
  events?: number
}
/** A gap as health and log name it. `at`: when it was found, epoch ms. */
export type JournalIncident = JournalGap & { at: number }

export interface JournalWriter {
  /** Name of this journal in frames and in the store's positions. */
  readonly name: string
  /**
   * `entry`: an entry, or a batch as openFrame wrote it, which is copied. Resolves with the entry's positions once it is on disk
   * (fdatasync); entries that wait together share one sync. Rejects when the write fails: no reader ever gets that entry.
   */
  append(entry: JournalEntry | Buffer): Promise<{ position: JournalPosition; end: JournalPosition }>
  /** Everything before this is on disk. */
  durable(): JournalPosition
  /** Called, in order, with each entry once it is durable, without reading it back. Returns the unsubscribe function. */
  follow(listener: (placed: DurableEntry) => void): () => void
  /** Resolves when everything appended so far is on disk: what a duplicate waits for before it is acknowledged. */
  barrier(): Promise<void>
  /** Called when positions were skipped or entries found damaged. Returns the unsubscribe function. */
  onGap(listener: (gap: JournalGap) => void): () => void
  /**
   * The flusher has stored everything before this; older segments may be removed. Less than before where the store's file was exchanged
   * for an older one: what it reads again is kept until it is stored.
   */
  release(position: JournalPosition): void
  /** Position of the oldest byte still on disk. */
  oldest(): JournalPosition
  /**
   * Removes what was accepted before the position from disk as soon as it is released and readers had a moment to read on. Resolves with
   * whether it is gone by now: ask again until it is.
   */
  dropBefore(position: JournalPosition): Promise<boolean>
  /**
   * The journal is older than the store: goes on beyond the position, unless it reaches that far already. Resolves with the first position
   * of the new segment.
   */
  startBeyond(position: JournalPosition): Promise<JournalPosition>
  /**
   * A reader met positions without a valid entry: kept for health and the log. A segment that is damaged there is set aside as
   * `NAME.damaged`, and its valid spans become segments at the same positions.
   */
  reportGap(gap: JournalGap): void
  /** What was found damaged, missing or renumbered in the last days, oldest first. */
  incidents(): JournalIncident[]
  /** Bytes that are durable and not yet released: the backlog that 429 is bound to. */
  backlogBytes(): number
  state(): JournalState
  close(): Promise<void>
}

export interface JournalReader {
  readonly name: string
  /**
   * Durable entries from `position` on, in order; waits for more at the end until the signal aborts. Steps over positions without a valid
   * entry, each time calling `onGap`.
   */
  read(
    position: JournalPosition,
    signal?: AbortSignal,
    onGap?: (gap: JournalGap) => void,
  ): AsyncIterable<PositionedEntry>
  durable(): JournalPosition
}
