import type { EventTuple, JournalBatch, QuarantinedEvent } from '#contracts/telemetry/stored-event.ts'
import {
  ASCII,
  BINARY_FORMAT,
  CODINGS,
  FLAGS,
  HASH_LENGTH,
  HEAD,
  HEAD_BYTES,
  ID_LENGTH,
  NULLS,
  ROW,
  ROW_BYTES,
  SAME_ADDRESS,
  UTF8,
  UTF16,
} from './batch-layout.ts'

/** What encodeBatch wrote. Throws Error where it is anything else. */
export function decodeBatch(bytes: Buffer): JournalBatch {
  if (bytes.length < HEAD_BYTES || bytes[0] !== BINARY_FORMAT) throw damaged('head')
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const count = view.getUint32(HEAD.events, true)
  const keysFrom = HEAD_BYTES + count * ROW_BYTES
  const wordsFrom = keysFrom + view.getUint32(HEAD.keys, true)
  const textFrom = wordsFrom + view.getUint32(HEAD.words, true)
  const restFrom = textFrom + view.getUint32(HEAD.text, true)
  if (restFrom + view.getUint32(HEAD.quarantine, true) !== bytes.length) throw damaged('lengths')

  const keysCoding = codingOf(view.getUint8(HEAD.keysCoding))
  if (keysCoding === CODINGS[UTF8]) throw damaged('keys')
  const width = keysCoding === CODINGS[UTF16] ? 2 : 1
  const words = readWords(bytes, view, wordsFrom, textFrom)
  const text = bytes.toString(codingOf(view.getUint8(HEAD.textCoding)), textFrom, restFrom)
  let keyAt = keysFrom
  const key = (length: number) => {
    const from = keyAt
    keyAt += length * width
    return bytes.toString(keysCoding, from, keyAt)
  }
  let textAt = 0
  let address = ''
  const events: EventTuple[] = []
  for (let row = HEAD_BYTES; row < keysFrom; row += ROW_BYTES) {
    const nulls = view.getUint8(row + ROW.nulls)
    if (nulls & NULLS.json) {
      const from = textAt
      textAt += view.getUint32(row + ROW.length, true)
      events.push(readTuple(text.slice(from, textAt)))
      continue
    }
    const id = key(ID_LENGTH)
    const device = key(HASH_LENGTH)
    const user = nulls & NULLS.user ? null : key(HASH_LENGTH)
    const addressLength = view.getUint16(row + ROW.address, true)
    if (addressLength !== SAME_ADDRESS) {
      address = text.slice(textAt, textAt + addressLength)
      textAt += addressLength
    }
    const extraFrom = textAt
    textAt += view.getUint16(row + ROW.extra, true)
    // The order of contracts/telemetry/stored-event.ts.
    events.push([
      id,
      view.getUint32(row + ROW.app, true),
      view.getUint8(row + ROW.type),
      view.getUint8(row + ROW.risk),
      view.getUint8(row + ROW.level),
      view.getUint8(row + ROW.action),
      view.getUint8(row + ROW.platform),
      view.getFloat64(row + ROW.occurredAt, true),
      view.getFloat64(row + ROW.receivedAt, true),
      nulls & NULLS.reportedAt ? null : view.getFloat64(row + ROW.reportedAt, true),
      device,
      user,
      word(words, view.getUint16(row + ROW.words, true)),
      word(words, view.getUint16(row + ROW.words + 2, true)),
      word(words, view.getUint16(row + ROW.words + 4, true)),
      word(words, view.getUint16(row + ROW.words + 6, true)),
      word(words, view.getUint16(row + ROW.words + 8, true)),
      word(words, view.getUint16(row + ROW.words + 10, true)),
      word(words, view.getUint16(row + ROW.words + 12, true)),
      word(words, view.getUint16(row + ROW.words + 14, true)),
      view.getUint32(row + ROW.province, true),
      view.getUint32(row + ROW.city, true),
      view.getUint8(row + ROW.placeSource),
      view.getUint8(row + ROW.placePrecision),
      nulls & NULLS.lon ? null : view.getFloat64(row + ROW.lon, true),
      nulls & NULLS.lat ? null : view.getFloat64(row + ROW.lat, true),
      view.getUint32(row + ROW.site, true),
      view.getUint8(row + ROW.flags),
      address,
      text.slice(extraFrom, textAt),
      nulls & NULLS.grouped ? word(words, view.getUint16(row + ROW.group, true)) : '',
    ])
  }
  if (keyAt !== wordsFrom) throw damaged('keys')
  if (textAt !== text.length) throw damaged('text')

  const flags = view.getUint8(HEAD.flags)
  const batch: JournalBatch = { kind: 'batch', at: view.getFloat64(HEAD.at, true), events }
  if (flags & FLAGS.import) batch.import = true
  if (flags & FLAGS.quarantined) batch.quarantined = JSON.parse(bytes.toString('utf8', restFrom)) as QuarantinedEvent[]
  return batch
}

/** Whether the payload of an entry is a batch of events as they happen: neither imported history nor decisions on pending events. */
export function isLiveBatch(payload: Buffer): boolean {
  return payload[HEAD.format] === BINARY_FORMAT && ((payload[HEAD.flags] as number) & FLAGS.import) === 0
}

/** Whether the batch may hold an event of this canonical id; false is certain. Far cheaper than to decode it. */
export function mayHoldId(payload: Buffer, id: string): boolean {
  return payload[HEAD.keysCoding] !== ASCII || payload.includes(id, HEAD_BYTES, 'latin1')
}

function readWords(bytes: Buffer, view: DataView, from: number, end: number): string[] {
  const words: string[] = []
  let at = from
  while (at < end) {
    if (at + 3 > end) throw damaged('words')
    const next = at + 3 + view.getUint16(at + 1, true)
    if (next > end) throw damaged('words')
    words.push(bytes.toString(codingOf(view.getUint8(at)), at + 3, next))
    at = next
  }
  return words
}

function word(words: readonly string[], number: number): string {
  const found = words[number]
  if (found === undefined) throw damaged('words')
  return found
}

function readTuple(json: string): EventTuple {
  const tuple: unknown = JSON.parse(json)
  if (!Array.isArray(tuple)) throw damaged('event')
  return tuple
}

function codingOf(number: number): (typeof CODINGS)[number] {
  const coding = CODINGS[number]
  if (coding === undefined) throw damaged('coding')
  return coding
}

function damaged(part: string): Error {
  return new Error(`journal entry: ${part} cannot be read`)
}
