import type { FileHandle } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import { BINARY_FORMAT, HEAD, HEAD_BYTES, ROW_BYTES } from './batch-layout.ts'

/** Bytes before each payload in a segment: its length (u32, little endian) and its CRC-32. */
export const FRAME_HEAD = 8
/** No payload is longer: a greater length belongs to a torn or damaged entry. */
const MAX_PAYLOAD = 64 * 1024 * 1024
const READ_BYTES = 1024 * 1024
const OPEN_BRACE = 0x7b
const QUOTE = 0x22
/** How an entry of decisions begins: it holds no event. */
const DECISIONS = Buffer.from('{"kind":"verdicts"')

/** Offsets in a segment file: `from` inclusive, `to` exclusive. */
export type ByteSpan = { from: number; to: number }

/** Length of the valid entry at offset `at`, head included, or 0 where the bytes hold no whole, valid entry. */
export function entryLength(bytes: Buffer, at: number): number {
  if (at + FRAME_HEAD > bytes.length) return 0
  const length = bytes.readUInt32LE(at)
  if (length === 0 || at + FRAME_HEAD + length > bytes.length) return 0
  const payload = bytes.subarray(at + FRAME_HEAD, at + FRAME_HEAD + length)
  return crc32(payload) === checksumAt(bytes, at) ? FRAME_HEAD + length : 0
}

/** The CRC-32 that the head of the entry at offset `at` holds. */
export function checksumAt(bytes: Buffer, at: number): number {
  return bytes.readUInt32LE(at + 4)
}

export async function readAt(handle: FileHandle, offset: number, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(Math.max(0, length))
  let filled = 0
  while (filled < length) {
    const { bytesRead } = await handle.read(bytes, filled, length - filled, offset + filled)
    if (bytesRead === 0) break
    filled += bytesRead
  }
  return bytes.subarray(0, filled)
}

/**
 * The spans of valid entries in the first `size` bytes of a segment. More than one span, or a first one that does not begin at 0, means
 * damage: an interrupted write leaves invalid bytes only behind the last span.
 */
export async function scanSegment(handle: FileHandle, size: number): Promise<ByteSpan[]> {
  const spans: ByteSpan[] = []
  for (let at: number | undefined = 0; at !== undefined && at < size; ) {
    const to = await endOfValidEntries(handle, at, size)
    if (to > at) spans.push({ from: at, to })
    at = to < size ? await nextValidEntry(handle, to, size) : undefined
  }
  return spans
}

/** Offset where the run of valid entries that begins at `from` ends. */
async function endOfValidEntries(handle: FileHandle, from: number, size: number): Promise<number> {
  let end = from
  let want = READ_BYTES
  for (;;) {
    const bytes = await readAt(handle, end, Math.min(want, size - end))
    let at = 0
    for (let length = entryLength(bytes, 0); length > 0; length = entryLength(bytes, at)) at += length
    if (at > 0) {
      end += at
      want = READ_BYTES
      continue
    }
    const declared = bytes.length >= FRAME_HEAD ? FRAME_HEAD + bytes.readUInt32LE(0) : 0
    if (declared <= bytes.length || declared > MAX_PAYLOAD || end + declared > size) return end
    want = declared
  }
}

/**
 * Offset of the first valid entry behind the invalid one at `from`, undefined where none follows. Looks first where the invalid entry says
 * that it ends, then at every byte.
 */
export async function nextValidEntry(handle: FileHandle, from: number, size: number): Promise<number | undefined> {
  const head = await readAt(handle, from, Math.min(FRAME_HEAD, size - from))
  if (head.length === FRAME_HEAD) {
    const declared = from + FRAME_HEAD + head.readUInt32LE(0)
    if (declared < size && (await isValidAt(handle, declared, size))) return declared
  }
  for (let start = from + 1; start + FRAME_HEAD < size; start += READ_BYTES) {
    // Windows overlap by what the look at one candidate needs.
    const bytes = await readAt(handle, start, Math.min(READ_BYTES + FRAME_HEAD + HEAD_BYTES, size - start))
    const last = Math.min(READ_BYTES, bytes.length - FRAME_HEAD)
    for (let at = 0; at < last; at++)
      if (mayBeEntry(bytes, at, size - start) && (await isValidAt(handle, start + at, size))) return start + at
  }
  return undefined
}

/** A cheap look at the head and the first bytes of the payload: keeps the search for the next entry from reading everything many times. */
function mayBeEntry(bytes: Buffer, at: number, room: number): boolean {
  const length = bytes.readUInt32LE(at)
  if (length < 2 || length > MAX_PAYLOAD || at + FRAME_HEAD + length > room) return false
  const payload = at + FRAME_HEAD
  if (bytes[payload] === OPEN_BRACE) return bytes[payload + 1] === QUOTE
  if (bytes[payload] !== BINARY_FORMAT || length < HEAD_BYTES || payload + HEAD_BYTES > bytes.length) return false
  const parts = [HEAD.keys, HEAD.words, HEAD.text, HEAD.quarantine]
  const held = parts.reduce((sum, part) => sum + bytes.readUInt32LE(payload + part), HEAD_BYTES)
  return held <= length
}

async function isValidAt(handle: FileHandle, offset: number, size: number): Promise<boolean> {
  const head = await readAt(handle, offset, Math.min(FRAME_HEAD, size - offset))
  if (head.length < FRAME_HEAD) return false
  const length = head.readUInt32LE(0)
  if (length === 0 || length > MAX_PAYLOAD || offset + FRAME_HEAD + length > size) return false
  return entryLength(await readAt(handle, offset, FRAME_HEAD + length), 0) > 0
}

/**
 * How many events the damaged bytes from `from` to `to` held, as the heads of the entries there say; undefined where these heads do not lead
 * from one end to the other, so that the number is lost too.
 */
export async function countEvents(handle: FileHandle, from: number, to: number): Promise<number | undefined> {
  let events = 0
  for (let at = from; at < to; ) {
    const head = await readAt(handle, at, Math.min(FRAME_HEAD + HEAD_BYTES, to - at))
    if (head.length < FRAME_HEAD + 2 || !mayBeEntry(head, 0, to - at)) return undefined
    const length = head.readUInt32LE(0)
    if (head[FRAME_HEAD] === BINARY_FORMAT) {
      const held = head.readUInt32LE(FRAME_HEAD + HEAD.events)
      if (held * ROW_BYTES > length) return undefined
      events += held
    } else if (!(await readAt(handle, at + FRAME_HEAD, DECISIONS.length)).equals(DECISIONS)) return undefined
    at += FRAME_HEAD + length
  }
  return events
}
