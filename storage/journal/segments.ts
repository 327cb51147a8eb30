import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import type { JournalEntry } from '#contracts/telemetry/stored-event.ts'
import { type BatchEncoder, batchEncoder } from './encode-batch.ts'
import { encodeEntry } from './entry-codec.ts'
import { FRAME_HEAD } from './scan-segment.ts'

/**
 * A segment is a file named by the position of its first byte. It holds nothing but entries: length of the payload (u32, little
 * endian), CRC-32 of the payload, payload (entry-codec.ts). The next segment begins where the one before ends, or later: then the
 * positions between them hold nothing, because entries were damaged or the store had already used those positions.
 */
const SUFFIX = '.journal'

export type Segment = { start: number; file: string }

/** A position as it is written in file names, in which order by name is order by position. */
export function paddedPosition(position: number): string {
  return String(position).padStart(16, '0')
}

export function segmentFile(folder: string, start: number): string {
  return join(folder, `${paddedPosition(start)}${SUFFIX}`)
}

/** The segments of the folder in order of position. */
export async function listSegments(folder: string): Promise<Segment[]> {
  const names = (await readdir(folder)).filter((name) => /^\d{16}\.journal$/.test(name)).sort()
  return names.map((name) => ({ start: Number(name.slice(0, 16)), file: join(folder, name) }))
}

/** The entry as it is written to disk, its head not filled in yet (sealFrame); valid until the next one is encoded. */
export function openFrame(entry: JournalEntry): Buffer {
  return encodeEntry(entry, FRAME_HEAD)
}

/** The frame of a batch of at most `most` events that is written event by event; valid until the next one is encoded. */
export function openBatchFrame(most: number): BatchEncoder {
  return batchEncoder(FRAME_HEAD, most)
}

/** Fills in the head of what openFrame made. */
export function sealFrame(frame: Buffer): Buffer {
  frame.writeUInt32LE(frame.length - FRAME_HEAD, 0)
  frame.writeUInt32LE(crc32(frame.subarray(FRAME_HEAD)), 4)
  return frame
}

/** The payload of a frame. */
export function payloadOf(framed: Buffer): Buffer {
  return framed.subarray(FRAME_HEAD)
}
