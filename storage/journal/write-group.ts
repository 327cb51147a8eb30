import { sealFrame } from './segments.ts'

export type EntrySpan = { position: number; end: number }
export type PendingAppend = {
  /** Bytes of its frame. */
  length: number
  done(): Promise<EntrySpan>
  resolve(span: EntrySpan): void
  reject(error: Error): void
}

/**
 * Entries that wait for one write, their frames one behind the other. Two groups take turns, and their memory is used again: what is
 * allocated for each entry counts as waste until the whole heap is collected, several times a second under load.
 */
export type WriteGroup = {
  /** In their order. A list, not a set: a set that grows leaves its old table behind, which keeps all later ones alive once it is old itself. */
  entries: PendingAppend[]
  /** Copies the frame and fills in its head. */
  add(frame: Uint8Array): Promise<EntrySpan>
  /** All frames; they lie there until `clear`. */
  bytes(): Buffer
  clear(): void
}

const FIRST_BYTES = 1024 * 1024
/** A group that grew beyond this gives its memory back. */
const MAX_RETAINED_BYTES = 8 * 1024 * 1024

export function writeGroup(): WriteGroup {
  let memory = Buffer.alloc(0)
  let used = 0
  const group: WriteGroup = {
    entries: [],
    add(frame) {
      if (used + frame.length > memory.length) grow(used + frame.length)
      memory.set(frame, used)
      sealFrame(memory.subarray(used, used + frame.length))
      used += frame.length
      const done = new Promise<EntrySpan>((resolve, reject) => {
        group.entries.push({ length: frame.length, resolve, reject, done: () => done })
      })
      return done
    },
    bytes: () => memory.subarray(0, used),
    clear() {
      group.entries = []
      used = 0
      if (memory.length > MAX_RETAINED_BYTES) memory = Buffer.alloc(0)
    },
  }
  return group

  function grow(size: number): void {
    const larger = Buffer.allocUnsafeSlow(Math.max(FIRST_BYTES, 2 ** Math.ceil(Math.log2(size))))
    memory.copy(larger, 0, 0, used)
    memory = larger
  }
}
