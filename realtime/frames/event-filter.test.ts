import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { eventRow } from '#contracts/telemetry/event-row.ts'
import { DIMENSIONS, type Dimension, type EventRow } from '#domain/query.ts'
import { arbitraryEvent, hashKey, madeEvent } from '#tests/support/made-events.ts'
import { matches } from './event-filter.ts'

const ALL = { apps: 'all' } as const
const ZONE = 'Asia/Shanghai'
/** 2026-03-10 is a Tuesday; 23:30 in UTC the day before, 7:30 in the platform's zone. */
const event = madeEvent({
  user: hashKey(9),
  action: 4,
  site: 2,
  group: '0123456789abcdef',
  receivedAt: Date.UTC(2026, 2, 9, 23, 30),
})

/** Every dimension: a text that the event has, one that it has not. */
const CASES: Record<Dimension, [has: string, lacks: string]> = {
  app: ['1', '2'],
  type: ['risk', 'start'],
  risk: ['root', 'hook'],
  level: ['high', 'critical'],
  action: ['block', 'none'],
  outcome: ['blocked', 'observed'],
  platform: ['android', 'ios'],
  country: ['CN', 'US'],
  province: ['330000', '440000'],
  city: ['330100', ''],
  place: ['declared', 'none'],
  site: ['2', '0'],
  version: ['1.0.0', ''],
  channel: ['store', 'web'],
  os: ['Android 14', 'iOS 18'],
  model: ['P1', ''],
  network: ['wifi', '5g'],
  device: [hashKey(1), hashKey(2)],
  user: [hashKey(9), ''],
  address: ['203.0.113.7', '203.0.113.8'],
  group: ['0123456789abcdef', ''],
  origin: ['live', 'imported'],
  surface: ['native', 'web'],
  page: ['', '/pay'],
  weekday: ['2', '1'],
  hour: ['7', '23'],
}

describe('[OBS-01] filters of a live topic', () => {
  test.each(Object.keys(DIMENSIONS) as Dimension[])('%s: is and not, one and several values', (field) => {
    const [has, lacks] = CASES[field]
    const hit = (op: 'is' | 'not', values: string[]) => matches([{ field, op, values }], ALL, ZONE)(event)
    expect(hit('is', [has])).toBe(true)
    expect(hit('is', [lacks])).toBe(false)
    expect(hit('is', [lacks, has])).toBe(true)
    expect(hit('not', [has])).toBe(false)
    expect(hit('not', [lacks])).toBe(true)
    expect(hit('not', [lacks, has])).toBe(false)
  })

  test('what no event can be matches nothing, and its exclusion everything', () => {
    for (const field of ['risk', 'level', 'type', 'app', 'province', 'site'] as const)
      for (const value of ['no-such-word', '__proto__', 'constructor', '-1', '1e3', '99999999999999999999']) {
        expect(matches([{ field, op: 'is', values: [value] }], ALL, ZONE)(event)).toBe(false)
        expect(matches([{ field, op: 'is', values: [value, 'x'] }], ALL, ZONE)(event)).toBe(false)
        expect(matches([{ field, op: 'not', values: [value] }], ALL, ZONE)(event)).toBe(true)
      }
  })

  test('an empty text in a live filter matches unknown values', () => {
    const bare = madeEvent({ province: 0, city: 0, country: '', platform: 0, user: null, version: '' })
    for (const field of ['province', 'city', 'country', 'platform', 'user', 'version'] as const) {
      expect(matches([{ field, op: 'is', values: [''] }], ALL, ZONE)(bare)).toBe(true)
      expect(matches([{ field, op: 'is', values: [''] }], ALL, ZONE)(event)).toBe(false)
    }
  })

  test("only the scope's applications pass, for any filter", () => {
    const app1 = [{ field: 'app', op: 'is', values: ['1'] }] as const
    expect(matches([], { apps: [] }, ZONE)(event)).toBe(false)
    expect(
      matches(
        [...app1].map((f) => ({ ...f, values: ['1'] })),
        { apps: [2] },
        ZONE,
      )(event),
    ).toBe(false)
    expect(matches([], { apps: [2, 1] }, ZONE)(event)).toBe(true)
  })

  test('agrees with what a row of the event says, in every field', () => {
    const fields = [
      'app',
      'type',
      'risk',
      'level',
      'action',
      'platform',
      'country',
      'province',
      'city',
      'version',
      'device',
      'user',
    ] as const
    fc.assert(
      fc.property(
        arbitraryEvent(1e12, 2e12),
        arbitraryEvent(1e12, 2e12),
        fc.constantFrom(...fields),
        (one, other, field) => {
          const [x, y] = [eventRow(one), eventRow(other)]
          const value = y[field as keyof EventRow] as string
          // 'none' is a separate action; an unknown type has no text.
          expect(matches([{ field, op: 'is', values: [value] }], ALL, ZONE)(one)).toBe(
            x[field as keyof EventRow] === value,
          )
          expect(matches([{ field, op: 'not', values: [value] }], ALL, ZONE)(one)).toBe(
            x[field as keyof EventRow] !== value,
          )
        },
      ),
    )
  })
})
