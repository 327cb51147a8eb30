import { type FileHandle, open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import type { JournalEntry } from '#contracts/telemetry/stored-event.ts'
import { type BatchEncoder, batchEncoder } from './encode-batch.ts'
import { decodeEntry, encodeEntry } from './entry-codec.ts'
import type { PositionedEntry } from './port.ts'

/**
 * A segment is a file named by the position of its first byte. It holds nothing but entries: length of the payload (u32, little
 * endian), CRC-32 of the payload, payload (entry-codec.ts). The next segment begins where the one before ends.
 */
const HEAD = 8
/** No payload is longer; a greater length is a torn or foreign head. */
const MAX_PAYLOAD = 64 * 1024 * 1024
const READ_BYTES = 1024 * 1024
const SUFFIX = '.journal'

export type Segment = { start: number; file: string }

export function segmentFile(folder: string, start: number): string {
  return join(folder, `${String(start).padStart(16, '0')}${SUFFIX}`)
}

/** The segments of the folder in order. */
export async function listSegments(folder: string): Promise<Segment[]> {
  const names = (await readdir(folder)).filter((name) => /^\d{16}\.journal$/.test(name)).sort()
  return names.map((name) => ({ start: Number(name.slice(0, 16)), file: join(folder, name) }))
}

/** The entry as it will lie on disk, its head still open (sealFrame); there until the next one is made. */
export function openFrame(entry: JournalEntry): Buffer {
  return encodeEntry(entry, HEAD)
}

/** The frame of a batch of at most `most` events that is written event by event; there until the next one is made. */
export function openBatchFrame(most: number): BatchEncoder {
  return batchEncoder(HEAD, most)
}

/** Fills in the head of what openFrame made. */
export function sealFrame(frame: Buffer): Buffer {
  frame.writeUInt32LE(frame.length - HEAD, 0)
  frame.writeUInt32LE(crc32(frame.subarray(HEAD)), 4)
  return frame
}

/** The payload of a frame. */
export function payloadOf(framed: Buffer): Buffer {
  return framed.subarray(HEAD)
}

/** Bytes of the valid entry at `at`, or 0 where there is none or it is not whole. */
function entryLength(bytes: Buffer, at: number): number {
  if (at + HEAD > bytes.length) return 0
  const length = bytes.readUInt32LE(at)
  if (length === 0 || at + HEAD + length > bytes.length) return 0
  const payload = bytes.subarray(at + HEAD, at + HEAD + length)
  return crc32(payload) === bytes.readUInt32LE(at + 4) ? HEAD + length : 0
}

/** How many bytes of the file are whole, valid entries: what follows is a torn tail. */
export async function validLength(handle: FileHandle, size: number): Promise<number> {
  let valid = 0
  let want = READ_BYTES
  for (;;) {
    const bytes = await readAt(handle, valid, Math.min(want, size - valid))
    let at = 0
    for (let length = entryLength(bytes, 0); length > 0; length = entryLength(bytes, at)) at += length
    if (at > 0) {
      valid += at
      want = READ_BYTES
      continue
    }
    const declared = bytes.length >= HEAD ? HEAD + bytes.readUInt32LE(0) : 0
    if (declared <= bytes.length || declared > MAX_PAYLOAD || valid + declared > size) return valid
    want = declared
  }
}

async function readAt(handle: FileHandle, offset: number, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(Math.max(0, length))
  let filled = 0
  while (filled < length) {
    const { bytesRead } = await handle.read(bytes, filled, length - filled, offset + filled)
    if (bytesRead === 0) break
    filled += bytesRead
  }
  return bytes.subarray(0, filled)
}

export type SegmentCursor = {
  /** Where the next entry is read. */
  position(): number
  /** Entries from the position on, about a megabyte of them, none that ends after `to`. Throws where the journal lacks them. */
  next(to: number): Promise<PositionedEntry[]>
  close(): Promise<void>
}

/** Reads entries from disk beginning at `position`, which must be the start of an entry. Only durable bytes may be asked for. */
export function openCursor(folder: string, position: number): SegmentCursor {
  let at = position
  let current: { start: number; handle: FileHandle } | undefined

  async function seek(): Promise<{ start: number; handle: FileHandle }> {
    if (current && at < current.start + (await current.handle.stat()).size) return current
    await current?.handle.close()
    current = undefined
    const segment = (await listSegments(folder)).findLast((one) => one.start <= at)
    if (!segment) throw new Error(`journal ${folder} no longer holds position ${at}`)
    const handle = await open(segment.file, 'r')
    current = { start: segment.start, handle }
    if (at >= segment.start + (await handle.stat()).size) throw new Error(`journal ${folder} lacks position ${at}`)
    return current
  }

  return {
    position: () => at,
    async next(to) {
      if (at >= to) return []
      const { start, handle } = await seek()
      let bytes = await readAt(handle, at - start, Math.min(READ_BYTES, to - at))
      const first = bytes.length >= HEAD ? HEAD + bytes.readUInt32LE(0) : 0
      if (first > bytes.length && first <= to - at) bytes = await readAt(handle, at - start, first)
      const placed: PositionedEntry[] = []
      let offset = 0
      for (let length = entryLength(bytes, 0); length > 0; length = entryLength(bytes, offset)) {
        const entry = decodeEntry(bytes.subarray(offset + HEAD, offset + length))
        placed.push({ position: at + offset, end: at + offset + length, entry })
        offset += length
      }
      if (placed.length === 0) throw new Error(`journal ${folder} is damaged at position ${at}`)
      at += offset
      return placed
    },
    async close() {
      await current?.handle.close()
      current = undefined
    },
  }
}
