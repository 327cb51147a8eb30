import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { EventTuple, JournalBatch, JournalEntry } from '#contracts/telemetry/stored-event.ts'
import { decodeEntry, encodeEntry } from './entry-codec.ts'

const TUPLE: EventTuple = [
  ...['0d8f6f0e-5a31-4cf7-9b6e-1f2a3b4c5d6e', 7, 1, 3, 2, 1, 1],
  ...[1_763_700_000_000, 1_763_700_000_100, 1_763_700_000_050, 'a'.repeat(32), 'b'.repeat(32)],
  ...['3.1.4', '华为', '14', 'Mate 60 Pro', 'HUAWEI', '5g', '1.4.2', 'CN', 310000, 310100, 2, 3, 121.47, 31.23],
  ...[1, 8, '202.96.1.2', '{"detail":{"lib":"libfrida.so"}}', ''],
]

const text = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.constantFrom('', '\ud800', 'x\udc00y', '漢字', '\u0000', '"\\', 'CN'),
)
const number = fc.oneof(
  fc.nat(300),
  fc.integer(),
  fc.double(),
  fc.constantFrom(-0, 255, 256, 2 ** 32 - 1, 2 ** 32, 2 ** 53, -1, 0.5, 1e308, Number.NaN, Number.POSITIVE_INFINITY),
)
/** A stored event with anything, of any kind, in some of its fields. */
const tuple = fc
  .tuple(fc.array(fc.tuple(fc.nat(29), fc.oneof(text, number, fc.constant(null))), { maxLength: 4 }), fc.nat(40))
  .map(([changes, length]) => {
    const changed = [...TUPLE]
    for (const [field, value] of changes) changed[field] = value
    return length < 3 ? changed.slice(0, length) : changed
  })
/** Events as the collector makes them: all fields in their ranges. */
const hex = (length: number) => fc.stringMatching(new RegExp(`^[0-9a-f]{${length}}$`))
const u32 = fc.nat(2 ** 32 - 1)
const byte = fc.nat(255)
const time = fc.integer({ min: 946_684_800_000, max: 4_102_444_799_999 })
const coordinate = fc.option(fc.double({ min: -180, max: 180, noNaN: true }))
const taken = fc.tuple(
  ...[fc.uuid(), u32, byte, byte, byte, byte, byte, time, time, fc.option(time), hex(32), fc.option(hex(32))],
  ...Array.from({ length: 8 }, () => text),
  ...[u32, u32, byte, byte, coordinate, coordinate, u32, byte, text, text, fc.oneof(fc.constant(''), text)],
)
const quarantined = fc.record(
  {
    receivedAt: time,
    app: u32,
    reason: fc.constantFrom('too_old' as const, 'id_conflict' as const),
    eventId: text,
    id: fc.uuid(),
    reportedAt: fc.option(time),
    device: hex(32),
    note: text,
    raw: text,
  },
  { requiredKeys: ['receivedAt', 'app', 'reason', 'eventId', 'device', 'note', 'raw'] },
)
const batch: fc.Arbitrary<JournalBatch> = fc.record(
  {
    kind: fc.constant('batch' as const),
    at: time,
    import: fc.constant(true as const),
    events: fc.array(fc.oneof(tuple, taken), { maxLength: 8 }),
    quarantined: fc.array(quarantined, { maxLength: 3 }),
  },
  { requiredKeys: ['kind', 'at', 'events'] },
)
const decisions: fc.Arbitrary<JournalEntry> = fc.record({
  kind: fc.constant('verdicts' as const),
  at: time,
  position: fc.nat(),
  accepted: fc.array(fc.nat()),
  duplicates: fc.array(fc.nat()),
  quarantined: fc.array(fc.record({ index: fc.nat(), reason: fc.constant('id_conflict' as const) })),
})

describe('journal entries', () => {
  test('come back as JSON would bring them back, whatever they contain', () => {
    fc.assert(
      fc.property(fc.oneof(batch, decisions), fc.nat(16), (entry, room) => {
        const bytes = encodeEntry(entry, room)
        expect(decodeEntry(bytes.subarray(room))).toEqual(JSON.parse(JSON.stringify(entry)))
      }),
      { numRuns: 1000 },
    )
  })

  test('that were written one after the other do not disturb each other, however large they are', () => {
    const entries = [1, 900, 3, 0, 5000, 1, 12_000, 2].map(
      (events, at): JournalBatch => ({
        kind: 'batch',
        at,
        events: Array.from({ length: events }, (_, index) =>
          TUPLE.map((field, column) => (column === 29 ? `{"n":"${at} ${index} 漢"}` : field)),
        ),
      }),
    )
    const written = entries.map((entry) => decodeEntry(encodeEntry(entry, 8).subarray(8)))
    expect(written).toEqual(entries)
  })

  test('of the collector take less room than JSON, with words written once', () => {
    const events = Array.from({ length: 100 }, () => [...TUPLE])
    const entry: JournalBatch = { kind: 'batch', at: 1, events }
    expect(encodeEntry(entry).length).toBeLessThan(JSON.stringify(entry).length * 0.75)
  })

  test('keep texts and words up to their longest', () => {
    const long = (length: number) => '漢'.repeat(length)
    const events = [0, 65_534, 65_535, 65_536, 20_000, 20_001].flatMap((length) =>
      [12, 28, 29].map((column) => TUPLE.map((field, at) => (at === column ? long(length) : field))),
    )
    const entry: JournalBatch = { kind: 'batch', at: 1, events }
    expect(decodeEntry(encodeEntry(entry))).toEqual(entry)
  })

  test('keep more different words than words have numbers', () => {
    const events = Array.from({ length: 9000 }, (_, index) =>
      TUPLE.map((field, column) => (column >= 12 && column < 20 ? `${index} ${column}` : field)),
    )
    const entry: JournalBatch = { kind: 'batch', at: 1, events }
    expect(decodeEntry(encodeEntry(entry))).toEqual(entry)
  })

  test('of the time when all were JSON are read', () => {
    const entry: JournalBatch = { kind: 'batch', at: 5, import: true, events: [TUPLE] }
    expect(decodeEntry(Buffer.from(JSON.stringify(entry)))).toEqual(entry)
  })

  test('that are nonsense are an Error, at once', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), fc.constantFrom(undefined, 1, 2, 0x7b), (bytes, first) => {
        const hostile = Buffer.from(bytes)
        if (first !== undefined && hostile.length > 0) hostile[0] = first
        expect(() => decodeEntry(hostile)).toThrow(Error)
      }),
      { numRuns: 2000 },
    )
    expect(() => decodeEntry(Buffer.from('{}'))).toThrow('of no known kind')
    const announced = Buffer.alloc(32)
    announced[0] = 1
    announced.fill(0xff, 4, 8) // four thousand million events
    expect(() => decodeEntry(announced)).toThrow('journal entry')
  })

  test('with bytes changed, cut or added either decode or are an Error', () => {
    const entry: JournalBatch = { kind: 'batch', at: 1, events: [TUPLE, ['short'], TUPLE], quarantined: [] }
    const whole = Buffer.from(encodeEntry(entry))
    const change = fc.tuple(fc.nat(whole.length - 1), fc.nat(255))
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 4 }), (changes) => {
        const bytes = Buffer.from(whole)
        for (const [at, value] of changes) bytes[at] = value
        try {
          expect(decodeEntry(bytes).kind).toBe('batch')
        } catch (error) {
          expect(error).toBeInstanceOf(Error)
        }
      }),
      { numRuns: 2000 },
    )
    for (let length = 0; length < whole.length; length++)
      expect(() => decodeEntry(whole.subarray(0, length))).toThrow(Error)
    expect(() => decodeEntry(Buffer.concat([whole, Buffer.from([0])]))).toThrow('journal entry')
  })
})
