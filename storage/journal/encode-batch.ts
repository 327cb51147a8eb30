import type { EventTuple, JournalBatch } from '#contracts/telemetry/stored-event.ts'
import {
  ASCII,
  BINARY_FORMAT,
  FLAGS,
  HASH_LENGTH,
  HEAD,
  HEAD_BYTES,
  ID_LENGTH,
  MAX_WORDS,
  NULLS,
  ROW,
  ROW_BYTES,
  SAME_ADDRESS,
  UTF8,
  UTF16,
} from './batch-layout.ts'

const FIELDS = 30
/** No coding takes more bytes a character. */
const CHARACTER_BYTES = 3
const WORD_HEAD = 3
/** Characters whose bytes a word's length can always tell. */
const LONGEST_WORD = 20_000
const HALF_PAIR = /\p{Surrogate}/u

/** Entries are written one behind the other into a large buffer: one allocation for many of them, and nothing is copied. */
const SLAB_BYTES = 1024 * 1024
let slab = Buffer.alloc(0)
let view = new DataView(slab.buffer)
let used = 0

/** Makes room for `size` bytes from `used` on, of which `kept` are written already. */
function reserve(size: number, kept: number): void {
  if (used + size <= slab.length) return
  const fresh = Buffer.allocUnsafeSlow(Math.max(SLAB_BYTES, size))
  slab.copy(fresh, 0, used, used + kept)
  slab = fresh
  view = new DataView(slab.buffer)
  used = 0
}

/** The batch as batch-layout.ts says, behind `room` bytes that the caller fills. */
export function encodeBatch(batch: JournalBatch, room: number): Buffer {
  const { at, import: importing, events, quarantined } = batch
  const words = new Map<string, number>()
  const rows = room + HEAD_BYTES
  let size = rows + events.length * ROW_BYTES
  reserve(size, 0)
  let row = used + rows
  let keys = ''
  let text = ''
  let address = ''
  for (const event of events) {
    if (writeRow(event, row, words)) {
      keys += event[0] as string
      keys += event[10] as string
      if (event[11] !== null) keys += event[11] as string
      const from = event[28] as string
      if (from === address) view.setUint16(row + ROW.address, SAME_ADDRESS, true)
      else {
        text += from
        address = from
      }
      text += event[29] as string
    } else {
      const json = JSON.stringify(event)
      view.setUint8(row + ROW.nulls, NULLS.json)
      view.setUint32(row + ROW.length, json.length, true)
      text += json
    }
    row += ROW_BYTES
  }

  const rest = quarantined === undefined ? '' : JSON.stringify(quarantined)
  let characters = keys.length + text.length + rest.length
  for (const word of words.keys()) characters += word.length + WORD_HEAD
  reserve(size + characters * CHARACTER_BYTES, size)
  const head = used + room
  view.setUint8(head + HEAD.format, BINARY_FORMAT)
  view.setUint8(head + HEAD.flags, (importing ? FLAGS.import : 0) | (quarantined ? FLAGS.quarantined : 0))
  view.setUint32(head + HEAD.events, events.length, true)
  view.setFloat64(head + HEAD.at, at, true)
  size += part(HEAD.keys, writeKeys(keys, used + size, head + HEAD.keysCoding))
  size += part(HEAD.words, writeWords(words, used + size))
  size += part(HEAD.text, writeText(text, used + size, head + HEAD.textCoding))
  size += part(HEAD.quarantine, slab.write(rest, used + size, 'utf8'))
  const bytes = slab.subarray(used, used + size)
  used += size
  return bytes

  function part(place: number, length: number): number {
    view.setUint32(head + place, length, true)
    return length
  }
}

/** Writes what has a place in the row; false where the event does not fit into one, and then what was written does not count. */
function writeRow(event: EventTuple, row: number, words: Map<string, number>): boolean {
  const id = event[0]
  const device = event[10]
  const user = event[11]
  const reportedAt = event[9]
  const lon = event[24]
  const lat = event[25]
  const address = event[28]
  const extra = event[29]
  if (
    event.length !== FIELDS ||
    typeof id !== 'string' ||
    id.length !== ID_LENGTH ||
    typeof device !== 'string' ||
    device.length !== HASH_LENGTH ||
    (user !== null && (typeof user !== 'string' || user.length !== HASH_LENGTH)) ||
    typeof address !== 'string' ||
    address.length >= SAME_ADDRESS ||
    typeof extra !== 'string' ||
    extra.length > 0xffff ||
    words.size > MAX_WORDS - 8
  )
    return false
  let nulls = user === null ? NULLS.user : 0
  if (reportedAt === null) nulls |= NULLS.reportedAt
  if (lon === null) nulls |= NULLS.lon
  if (lat === null) nulls |= NULLS.lat
  view.setUint8(row + ROW.nulls, nulls)
  view.setUint16(row + ROW.address, address.length, true)
  view.setUint16(row + ROW.extra, extra.length, true)
  let place = row + ROW.words
  for (let field = 12; field < 20; field++) {
    const word = event[field]
    if (typeof word !== 'string' || word.length > LONGEST_WORD) return false
    let number = words.get(word)
    if (number === undefined) {
      number = words.size
      words.set(word, number)
    }
    view.setUint16(place, number, true)
    place += 2
  }
  return (
    writeByte(row + ROW.type, event[2]) &&
    writeByte(row + ROW.risk, event[3]) &&
    writeByte(row + ROW.level, event[4]) &&
    writeByte(row + ROW.action, event[5]) &&
    writeByte(row + ROW.platform, event[6]) &&
    writeByte(row + ROW.placeSource, event[22]) &&
    writeByte(row + ROW.placePrecision, event[23]) &&
    writeByte(row + ROW.flags, event[27]) &&
    writeWhole(row + ROW.app, event[1]) &&
    writeWhole(row + ROW.site, event[26]) &&
    writeWhole(row + ROW.province, event[20]) &&
    writeWhole(row + ROW.city, event[21]) &&
    writeNumber(row + ROW.occurredAt, event[7]) &&
    writeNumber(row + ROW.receivedAt, event[8]) &&
    (reportedAt === null || writeNumber(row + ROW.reportedAt, reportedAt)) &&
    (lon === null || writeNumber(row + ROW.lon, lon)) &&
    (lat === null || writeNumber(row + ROW.lat, lat))
  )
}

type Field = EventTuple[number] | undefined

function writeByte(place: number, value: Field): boolean {
  if (((value as number) & 0xff) !== value) return false
  view.setUint8(place, value)
  return true
}
function writeWhole(place: number, value: Field): boolean {
  if ((value as number) >>> 0 !== value) return false
  view.setUint32(place, value, true)
  return true
}
function writeNumber(place: number, value: Field): boolean {
  if (typeof value !== 'number' || !Number.isFinite(value)) return false
  view.setFloat64(place, value + 0, true) // JSON has no minus zero either
  return true
}

function writeWords(words: Map<string, number>, from: number): number {
  let place = from
  for (const word of words.keys()) {
    const bytes = writeText(word, place + WORD_HEAD, place)
    view.setUint16(place + 1, bytes, true)
    place += WORD_HEAD + bytes
  }
  return place - from
}

/** Every key has its width in characters: one byte or two each. */
function writeKeys(keys: string, place: number, coding: number): number {
  const bytes = slab.write(keys, place, 'utf8')
  const ascii = bytes === keys.length
  view.setUint8(coding, ascii ? ASCII : UTF16)
  return ascii ? bytes : slab.write(keys, place, 'utf16le')
}

function writeText(text: string, place: number, coding: number): number {
  const bytes = slab.write(text, place, 'utf8')
  const halves = bytes !== text.length && HALF_PAIR.test(text)
  view.setUint8(coding, halves ? UTF16 : bytes === text.length ? ASCII : UTF8)
  return halves ? slab.write(text, place, 'utf16le') : bytes
}
