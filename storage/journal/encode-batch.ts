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

const FIELDS = 31
/** The texts that many events share: version to country. */
const FIRST_WORD = 12
const WORD_FIELDS = 8
/** No coding takes more bytes a character. */
const CHARACTER_BYTES = 3
const WORD_HEAD = 3
/** Characters whose bytes a word's length can always tell. */
const MAX_WORD_LENGTH = 20_000
const LONE_SURROGATE = /\p{Surrogate}/u

/** Every batch is written here, and taken away before the next one is: nothing is allocated. */
let slab = Buffer.alloc(0)
let view = new DataView(slab.buffer)
const SLAB_BYTES = 1024 * 1024
/** What a batch that was larger took is given back. */
const MAX_RETAINED_BYTES = 8 * 1024 * 1024
/** Which batch is being written. */
let currentBatch = 0

/** Makes room for `size` bytes, of which `kept` are written already. */
function reserve(size: number, kept: number): void {
  if (size <= slab.length) return
  const fresh = Buffer.allocUnsafeSlow(Math.max(SLAB_BYTES, 2 ** Math.ceil(Math.log2(size))))
  slab.copy(fresh, 0, 0, kept)
  slab = fresh
  view = new DataView(slab.buffer)
}

/** Writes a batch event by event, as batch-layout.ts says. One at a time: what it made is there until the next one is begun. */
export type BatchEncoder = {
  /** Keeps nothing of the tuple. */
  add(event: EventTuple): void
  /** The batch, behind the room that the caller fills. */
  end(batch: Omit<JournalBatch, 'events'>): Buffer
}

/** `room`: bytes before the batch; `most`: events that it may get. */
export function batchEncoder(room: number, most: number): BatchEncoder {
  const words = createDictionary()
  const rows = room + HEAD_BYTES
  if (slab.length > MAX_RETAINED_BYTES) slab = Buffer.alloc(0)
  reserve(rows + most * ROW_BYTES, 0)
  const into = view
  const mine = ++currentBatch
  let count = 0
  let keys = ''
  let text = ''
  let address = ''

  function add(event: EventTuple): void {
    if (currentBatch !== mine || count === most)
      throw new Error('batch encoder: another batch was begun, or it is full')
    const row = rows + count++ * ROW_BYTES
    if (writeRow(event, into, row, words)) {
      keys += event[0] as string
      keys += event[10] as string
      if (event[11] !== null) keys += event[11] as string
      const from = event[28] as string
      if (from === address) into.setUint16(row + ROW.address, SAME_ADDRESS, true)
      else {
        text += from
        address = from
      }
      text += event[29] as string
    } else {
      const json = JSON.stringify(event)
      into.setUint8(row + ROW.nulls, NULLS.json)
      into.setUint32(row + ROW.length, json.length, true)
      text += json
    }
  }

  function end({ at, import: importing, quarantined }: Omit<JournalBatch, 'events'>): Buffer {
    if (currentBatch !== mine) throw new Error('batch encoder: another batch was begun')
    const rest = quarantined === undefined ? '' : JSON.stringify(quarantined)
    let characters = keys.length + text.length + rest.length
    for (const word of words.all()) characters += word.length + WORD_HEAD
    let size = rows + count * ROW_BYTES
    reserve(size + characters * CHARACTER_BYTES, size)
    const head = room
    view.setUint8(head + HEAD.format, BINARY_FORMAT)
    view.setUint8(head + HEAD.flags, (importing ? FLAGS.import : 0) | (quarantined ? FLAGS.quarantined : 0))
    view.setUint32(head + HEAD.events, count, true)
    view.setFloat64(head + HEAD.at, at, true)
    size += part(HEAD.keys, writeKeys(keys, size, head + HEAD.keysCoding))
    size += part(HEAD.words, writeWords(words, size))
    size += part(HEAD.text, writeText(text, size, head + HEAD.textCoding))
    size += part(HEAD.quarantine, slab.write(rest, size, 'utf8'))
    return slab.subarray(0, size)

    function part(offset: number, length: number): number {
      view.setUint32(head + offset, length, true)
      return length
    }
  }

  return { add, end }
}

/** The batch as batch-layout.ts says, behind `room` bytes that the caller fills; there until the next one is encoded. */
export function encodeBatch({ events, ...batch }: JournalBatch, room: number): Buffer {
  const encoder = batchEncoder(room, events.length)
  for (const event of events) encoder.add(event)
  return encoder.end(batch)
}

/**
 * Writes what has a field in the row; false where the event does not fit into one, and then what was written does not count. One long
 * function with few calls: it runs for every event that comes in.
 */
function writeRow(event: EventTuple, into: DataView, row: number, words: Dictionary): boolean {
  const id = event[0]
  const app = event[1] as number
  const type = event[2] as number
  const risk = event[3] as number
  const level = event[4] as number
  const action = event[5] as number
  const platform = event[6] as number
  const reportedAt = event[9] as number | null
  const device = event[10]
  const user = event[11]
  const province = event[20] as number
  const city = event[21] as number
  const placeSource = event[22] as number
  const placePrecision = event[23] as number
  const lon = event[24] as number | null
  const lat = event[25] as number | null
  const site = event[26] as number
  const flags = event[27] as number
  const address = event[28]
  const extra = event[29]
  const group = event[30]
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
    (type & 0xff) !== type ||
    (risk & 0xff) !== risk ||
    (level & 0xff) !== level ||
    (action & 0xff) !== action ||
    (platform & 0xff) !== platform ||
    (placeSource & 0xff) !== placeSource ||
    (placePrecision & 0xff) !== placePrecision ||
    (flags & 0xff) !== flags ||
    app >>> 0 !== app ||
    site >>> 0 !== site ||
    province >>> 0 !== province ||
    city >>> 0 !== city ||
    !isNumber(event[7]) ||
    !isNumber(event[8]) ||
    (reportedAt !== null && !isNumber(reportedAt)) ||
    (lon !== null && !isNumber(lon)) ||
    (lat !== null && !isNumber(lat)) ||
    typeof group !== 'string' ||
    group.length > MAX_WORD_LENGTH ||
    !words.write(event, into, row + ROW.words)
  )
    return false
  into.setUint8(
    row + ROW.nulls,
    (user === null ? NULLS.user : 0) |
      (reportedAt === null ? NULLS.reportedAt : 0) |
      (lon === null ? NULLS.lon : 0) |
      (lat === null ? NULLS.lat : 0) |
      (group === '' ? 0 : NULLS.grouped),
  )
  into.setUint8(row + ROW.type, type)
  into.setUint8(row + ROW.risk, risk)
  into.setUint8(row + ROW.level, level)
  into.setUint8(row + ROW.action, action)
  into.setUint8(row + ROW.platform, platform)
  into.setUint8(row + ROW.placeSource, placeSource)
  into.setUint8(row + ROW.placePrecision, placePrecision)
  into.setUint8(row + ROW.flags, flags)
  into.setUint16(row + ROW.address, address.length, true)
  into.setUint16(row + ROW.extra, extra.length, true)
  if (group !== '') into.setUint16(row + ROW.group, words.number(group), true)
  into.setUint32(row + ROW.app, app, true)
  into.setUint32(row + ROW.site, site, true)
  into.setUint32(row + ROW.province, province, true)
  into.setUint32(row + ROW.city, city, true)
  // JSON has no minus zero either.
  into.setFloat64(row + ROW.occurredAt, (event[7] as number) + 0, true)
  into.setFloat64(row + ROW.receivedAt, (event[8] as number) + 0, true)
  if (reportedAt !== null) into.setFloat64(row + ROW.reportedAt, reportedAt + 0, true)
  if (lon !== null) into.setFloat64(row + ROW.lon, lon + 0, true)
  if (lat !== null) into.setFloat64(row + ROW.lat, lat + 0, true)
  return true
}

function isNumber(value: unknown): boolean {
  return typeof value === 'number' && value - value === 0 // not so for NaN and both infinities
}

type Dictionary = ReturnType<typeof createDictionary>

/** The words of a batch and their numbers. Most events have the words of the one before. */
function createDictionary() {
  const numbers = new Map<string, number>()
  const last = Array<string>(WORD_FIELDS).fill('')
  const lastNumber = Array<number>(WORD_FIELDS).fill(0)
  numbers.set('', 0)
  const number = (word: string) => {
    const known = numbers.get(word)
    if (known !== undefined) return known
    numbers.set(word, numbers.size)
    return numbers.size - 1
  }
  return {
    number,
    all: () => numbers.keys(),
    /** Writes the numbers of the event's words; false where one of them cannot have any. */
    write(event: EventTuple, into: DataView, from: number): boolean {
      if (numbers.size > MAX_WORDS - WORD_FIELDS - 1) return false
      for (let field = 0; field < WORD_FIELDS; field++) {
        const word = event[FIRST_WORD + field]
        let code = lastNumber[field] as number
        if (word !== last[field]) {
          if (typeof word !== 'string' || word.length > MAX_WORD_LENGTH) return false
          code = number(word)
          last[field] = word
          lastNumber[field] = code
        }
        into.setUint16(from + field * 2, code, true)
      }
      return true
    },
  }
}

function writeWords(words: Dictionary, from: number): number {
  let offset = from
  for (const word of words.all()) {
    const bytes = writeText(word, offset + WORD_HEAD, offset)
    view.setUint16(offset + 1, bytes, true)
    offset += WORD_HEAD + bytes
  }
  return offset - from
}

/** Every key has its width in characters: one byte or two each. */
function writeKeys(keys: string, offset: number, coding: number): number {
  const bytes = slab.write(keys, offset, 'utf8')
  const ascii = bytes === keys.length
  view.setUint8(coding, ascii ? ASCII : UTF16)
  return ascii ? bytes : slab.write(keys, offset, 'utf16le')
}

function writeText(text: string, offset: number, coding: number): number {
  const bytes = slab.write(text, offset, 'utf8')
  const halves = bytes !== text.length && LONE_SURROGATE.test(text)
  view.setUint8(coding, halves ? UTF16 : bytes === text.length ? ASCII : UTF8)
  return halves ? slab.write(text, offset, 'utf16le') : bytes
}
