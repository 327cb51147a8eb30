import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fromTuple, toTuple } from '#contracts/telemetry/stored-event.ts'
import { NO_PLACE } from '#engines/geo/place.ts'
import { isPlain } from './event-fields.ts'
import { canonicalId } from './event-id.ts'
import { EventProblem } from './event-problem.ts'
import { keyedHash } from './keyed-hash.ts'
import { knownDevices } from './known-devices.ts'
import { type BatchContext, clockOffsetOf, readEvent } from './read-event.ts'

const hash = keyedHash(Buffer.alloc(32))
const arrival = Date.UTC(2026, 10, 21, 6)
const batch: BatchContext = {
  app: 3,
  site: 0,
  arrival,
  newest: arrival,
  plain: false,
  trusted: true,
  importing: false,
  retainedFrom: arrival - 184 * 86_400_000,
  clockOffset: 0,
  address: '10.0.0.1',
  enrolledDevice: '',
  hash,
  devices: knownDevices(hash, () => NO_PLACE),
  validAddress: () => true,
}
const readOne = (event: Record<string, unknown> | null, context: BatchContext) =>
  readEvent(event, canonicalId(event?.['event_id']), context)
const least = { event_id: 'a', type: 'start', device_id: 'd' }

describe('[OBS-01] reading one event', () => {
  test('the tuple has the order of the contract', () => {
    const tuple = readOne(least, batch) as ReturnType<typeof toTuple>
    expect(toTuple(fromTuple(tuple))).toEqual(tuple)
    expect(fromTuple(tuple)).toMatchObject({ app: 3, type: 1, receivedAt: arrival, address: '10.0.0.1', user: null })
  })

  test('any JSON value is read, quarantined or rejected with one line of text', () => {
    const hostile = fc.string({ unit: fc.constantFrom('a', '"', '\\', '\u0000', '\n', '\ud83d', '\ude00', '中', '{') })
    const value = fc.oneof(
      fc.jsonValue(),
      fc.record(
        {
          event_id: fc.oneof(fc.uuid(), fc.string(), fc.jsonValue()),
          type: fc.oneof(fc.constantFrom('start', 'risk', 'crash'), fc.jsonValue()),
          device_id: fc.oneof(fc.string(), fc.jsonValue()),
          occurred_at: fc.oneof(fc.double(), fc.string(), fc.date({ noInvalidDate: true }).map(Number)),
          reported_at: fc.oneof(fc.double(), fc.constant(arrival)),
          risk_type: fc.oneof(fc.constantFrom('hook', 'root'), fc.jsonValue()),
          user_id: hostile,
          detail: fc.jsonValue(),
          place: fc.jsonValue(),
          consent: fc.jsonValue(),
          session_id: hostile,
          package_name: hostile,
        },
        { requiredKeys: [] },
      ),
    )
    fc.assert(
      fc.property(value, (sent) => {
        try {
          const read = readOne(JSON.parse(JSON.stringify(sent)), batch)
          if (!Array.isArray(read)) return
          expect(read).toHaveLength(30)
          expect(read.every((one) => one === null || typeof one === 'string' || Number.isFinite(one))).toBe(true)
          const extra = read[29] as string
          if (extra !== '') JSON.parse(extra)
        } catch (error) {
          if (!(error instanceof EventProblem)) throw error
          expect(error.message).not.toMatch(/[\n\r]/)
        }
      }),
      { numRuns: 100 },
    )
  })

  test('a body that is plain reads as any other, and one that is not is not called so', () => {
    const character = fc.constantFrom('a', ' ', '{', '中', '😀', '\u007f', '\n', '"', '\\', '\ud83d')
    const field = fc.oneof(fc.string({ unit: character, maxLength: 6 }), fc.jsonValue())
    const sent = fc.record(
      {
        user_id: field,
        os: field,
        session_id: field,
        package_name: field,
        signer: field,
        detail: field,
        [' x']: field,
      },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(sent, (fields) => {
        const body = JSON.stringify({ ...least, ...fields })
        const read = (plain: boolean) => {
          try {
            return readOne(JSON.parse(body), { ...batch, plain })
          } catch (error) {
            return (error as EventProblem).message
          }
        }
        if (isPlain(body)) expect(read(true)).toEqual(read(false))
        const texts = Object.values(fields)
          .filter((one) => typeof one === 'string')
          .join('')
        if (['\u007f', '\n', '"', '\\'].some((odd) => texts.includes(odd))) expect(isPlain(body)).toBe(false)
      }),
      { numRuns: 500 },
    )
  })

  test('what is no column is kept, also when the events of a batch take turns', () => {
    const signer = 'AB'.repeat(32)
    const extra = (event: object) => (readOne({ ...least, ...event }, batch) as (string | null)[])[29]
    const one = { package_name: 'a"b', signer, session_id: 's', detail: { x: 1 } }
    expect(JSON.parse(extra(one) ?? '')).toEqual({ ...one, signer: signer.toLowerCase(), id: 'a' })
    expect(JSON.parse(extra({}) ?? '')).toEqual({ id: 'a' })
    expect(JSON.parse(extra({ package_name: 'c' }) ?? '')).toEqual({ package_name: 'c', id: 'a' })
    expect(JSON.parse(extra(one) ?? '')).toEqual({ ...one, signer: signer.toLowerCase(), id: 'a' })
    expect(extra({ event_id: crypto.randomUUID() })).toBe('')
  })

  test('null counts as absent, x_ fields are dropped', () => {
    expect(readOne({ ...least, user_id: null, place: null, detail: null, consent: null, x_a: [1] }, batch)).toEqual(
      readOne(least, batch),
    )
  })

  test('a small difference of clocks is no offset', () => {
    expect(clockOffsetOf(arrival / 1000 - 2, arrival)).toBe(0)
    expect(clockOffsetOf(arrival / 1000 - 300, arrival)).toBe(300_000)
    expect(clockOffsetOf(arrival / 1000 + 300, arrival)).toBe(-300_000)
  })
})
