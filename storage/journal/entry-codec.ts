import type { JournalEntry } from '#contracts/telemetry/stored-event.ts'
import { decodeBatch } from './decode-batch.ts'
import { encodeBatch } from './encode-batch.ts'

const BRACE = 0x7b

/**
 * The payload of a journal entry, behind `room` bytes that the caller fills; there until the next one is encoded. Batches are
 * binary; decisions (kind `verdicts`), which are few, are JSON.
 */
export function encodeEntry(entry: JournalEntry, room = 0): Buffer {
  if (entry.kind === 'batch') return encodeBatch(entry, room)
  const text = JSON.stringify(entry)
  const length = Buffer.byteLength(text)
  const bytes = Buffer.allocUnsafe(room + length)
  bytes.write(text, room, 'utf8')
  return bytes
}

/** The entry of a payload; batches that older versions wrote are JSON too. Throws Error if it is not an entry. */
export function decodeEntry(payload: Buffer): JournalEntry {
  if (payload[0] !== BRACE) return decodeBatch(payload)
  const entry = JSON.parse(payload.toString('utf8')) as JournalEntry
  if (entry.kind !== 'batch' && entry.kind !== 'verdicts') throw new Error('journal entry: of no known kind')
  return entry
}
