import { type FileHandle, open } from 'node:fs/promises'
import type { JournalEntry } from '#contracts/telemetry/stored-event.ts'
import { decodeEntry } from './entry-codec.ts'
import type { JournalGap, PositionedEntry } from './port.ts'
import { checksumAt, entryLength, FRAME_HEAD, nextValidEntry, readAt } from './scan-segment.ts'
import { listSegments } from './segments.ts'

const READ_BYTES = 1024 * 1024

export type SegmentCursor = {
  /** Where the next entry is read. */
  position(): number
  /**
   * Entries from the position on, about a megabyte of them, none that ends after `to`. Steps over positions that hold no valid entry, and
   * may then return none. Throws where the last segment ends before `to`: those bytes were durable, so its file is not readable now.
   */
  next(to: number): Promise<PositionedEntry[]>
  close(): Promise<void>
}

type OpenSegment = { start: number; handle: FileHandle; size: number }

/**
 * Reads entries from disk beginning at `position`. Only durable bytes may be asked for. `onGap` is called with each span of positions
 * that was stepped over.
 */
export function openCursor(folder: string, position: number, onGap?: (gap: JournalGap) => void): SegmentCursor {
  let at = position
  let current: OpenSegment | undefined

  function stepOver(to: number, reason: JournalGap['reason']): void {
    const from = at
    at = to
    onGap?.({ from, to, reason })
  }

  /** The segment that holds `at`; undefined after a step over positions that no segment holds. */
  async function seek(to: number): Promise<OpenSegment | undefined> {
    // The length of a moment ago may end in the middle of an entry that was being written then.
    if (current && to > current.start + current.size) current.size = (await current.handle.stat()).size
    if (current && at >= current.start && at < current.start + current.size) return current
    await current?.handle.close()
    current = undefined
    const segments = await listSegments(folder)
    const segment = segments.findLast(({ start }) => start <= at)
    if (segment) {
      const handle = await open(segment.file, 'r')
      const { size } = await handle.stat()
      if (at < segment.start + size) {
        current = { start: segment.start, handle, size }
        return current
      }
      await handle.close()
    }
    const later = segments.find(({ start }) => start > at)
    // Never beyond what is known to be durable: an empty folder, say a file system not mounted now, is waited for.
    if (!later || later.start > to) throw new Error(`journal ${folder} lacks position ${at}`)
    stepOver(later.start, 'missing')
    return undefined
  }

  return {
    position: () => at,
    async next(to) {
      if (at >= to) return []
      const segment = await seek(to)
      if (!segment || at >= to) return []
      const { start, handle, size } = segment
      const readable = Math.min(to, start + size) - at
      let bytes = await readAt(handle, at - start, Math.min(READ_BYTES, readable))
      const first = bytes.length >= FRAME_HEAD ? FRAME_HEAD + bytes.readUInt32LE(0) : 0
      if (first > bytes.length && first <= readable) bytes = await readAt(handle, at - start, first)
      const entries: PositionedEntry[] = []
      let offset = 0
      for (let length = entryLength(bytes, 0); length > 0; length = entryLength(bytes, offset)) {
        const entry = decode(bytes.subarray(offset + FRAME_HEAD, offset + length))
        if (!entry) break
        const position = at + offset
        entries.push({ position, end: position + length, checksum: checksumAt(bytes, offset), entry })
        offset += length
      }
      if (entries.length > 0) {
        at += offset
        return entries
      }
      // A whole entry that cannot be decoded, or bytes that are no entry.
      const undecodable = entryLength(bytes, 0)
      const next = undecodable > 0 ? at - start + undecodable : await nextValidEntry(handle, at - start, size)
      stepOver(Math.min(start + (next ?? size), start + size, to), 'damaged')
      return []
    },
    async close() {
      await current?.handle.close()
      current = undefined
    },
  }
}

function decode(payload: Buffer): JournalEntry | undefined {
  try {
    return decodeEntry(payload)
  } catch {
    return undefined // the reader steps over it and reports the gap
  }
}
