import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { EventRow } from '#domain/query.ts'
import { distanceKm, PAUSE_MS } from '#domain/trail.ts'
import { foldTrail } from './fold-trail.ts'

const MINUTE = 60_000
const PLACES = {
  shenzhen: { country: 'CN', province: '440000', city: '440300', lon: 114.06, lat: 22.54, placePrecision: 'city' },
  guangdong: { country: 'CN', province: '440000', city: '', lon: 113.4, lat: 23.4, placePrecision: 'province' },
  china: { country: 'CN', province: '', city: '', lon: 104, lat: 35.8, placePrecision: 'country' },
  urumqi: { country: 'CN', province: '650000', city: '650100', lon: 87.6, lat: 43.8, placePrecision: 'city' },
  chengdu: { country: 'CN', province: '510000', city: '510100', lon: 104.07, lat: 30.66, placePrecision: 'city' },
  singapore: { country: 'SG', province: '', city: '', lon: 103.8, lat: 1.35, placePrecision: 'country' },
  none: { country: '', province: '', city: '', lon: null, lat: null, placePrecision: 'none' },
} as const

function row(at: number, place: keyof typeof PLACES, more: Partial<EventRow> = {}): EventRow {
  return {
    id: `id-${at}-${more.id ?? ''}`,
    app: '1',
    type: 'risk',
    risk: 'hook',
    level: 'critical',
    action: 'report',
    platform: 'android',
    occurredAt: at,
    receivedAt: at,
    reportedAt: null,
    device: 'd1',
    user: '',
    version: '1.0',
    channel: '',
    os: '',
    model: '',
    brand: '',
    network: '',
    sdk: '',
    placeSource: 'address',
    site: '',
    address: '203.0.113.7',
    corrected: false,
    imported: false,
    extra: {},
    ...PLACES[place],
    ...more,
  } as EventRow
}

describe('[MSSA-01] a trail', () => {
  test('is stops in order, each with its steps, pauses and the movement to it', () => {
    const stops = foldTrail(
      [
        row(0, 'shenzhen', { type: 'start', risk: '', level: '' }),
        row(MINUTE, 'shenzhen'),
        row(2 * MINUTE, 'shenzhen', { action: 'block' }),
        row(2 * MINUTE + PAUSE_MS + 1, 'shenzhen'),
        row(22 * MINUTE + PAUSE_MS + 1, 'urumqi'),
      ],
      'device',
    )
    expect(stops.map(({ number, events, attacks }) => [number, events, attacks])).toEqual([
      [1, 4, 3],
      [2, 1, 1],
    ])
    expect(stops[0]?.steps.map(({ type, count, blocked, pause }) => [type, count, blocked, pause])).toEqual([
      ['start', 1, 0, 0],
      ['risk', 2, 1, 0],
      ['risk', 1, 0, PAUSE_MS + 1],
    ])
    expect(stops[1]?.move).toMatchObject({ judged: true, impossible: true, ms: 20 * MINUTE })
    expect(stops[1]?.move?.km).toBeCloseTo(distanceKm(PLACES.shenzhen, PLACES.urumqi), 6)
    expect(stops[0]?.networks).toEqual(['203.0.113.0/24'])
  })

  test('calls nothing impossible that both precisions may explain, and does not judge a country alone', () => {
    const [, near] = foldTrail([row(0, 'shenzhen'), row(90 * MINUTE, 'chengdu')], 'device')
    expect(near?.move).toMatchObject({ impossible: false, judged: true })
    const [, fast] = foldTrail([row(0, 'shenzhen'), row(60 * MINUTE, 'chengdu')], 'device')
    expect(fast?.move?.impossible).toBe(true)
    const [, abroad] = foldTrail([row(0, 'shenzhen'), row(MINUTE, 'singapore')], 'device')
    expect(abroad?.move).toMatchObject({ judged: false, impossible: false })
  })

  test('an event without a place, or with a coarser one, is no movement; a finer one names the stop', () => {
    const stops = foldTrail(
      [row(0, 'china'), row(1, 'none'), row(2, 'guangdong'), row(3, 'shenzhen'), row(4, 'guangdong')],
      'device',
    )
    expect(stops).toHaveLength(1)
    expect(stops[0]?.place.city).toBe('440300')
    expect(foldTrail([row(0, 'guangdong'), row(1, 'urumqi')], 'device')).toHaveLength(2)
    expect(foldTrail([row(0, 'none')], 'device')[0]?.move).toBeNull()
  })

  test('events of one millisecond stand at one stop, and steps of a user say their device', () => {
    expect(foldTrail([row(5, 'shenzhen'), row(5, 'urumqi', { id: 'b' })], 'device')).toHaveLength(1)
    const [stop] = foldTrail([row(5, 'shenzhen'), row(6, 'shenzhen', { device: 'd2' })], 'user')
    expect(stop?.steps.map(({ device }) => device)).toEqual(['d1', 'd2'])
  })

  const events = fc.array(
    fc.record({
      at: fc.integer({ min: 0, max: 30 }).map((half) => half * 40 * MINUTE),
      place: fc.constantFrom(...(Object.keys(PLACES) as (keyof typeof PLACES)[])),
      type: fc.constantFrom('start', 'risk'),
      app: fc.constantFrom('1', '2'),
      device: fc.constantFrom('d1', 'd2'),
    }),
    { maxLength: 60 },
  )

  test('holds every event once, in order; the kind and times of a step name exactly its events', () => {
    fc.assert(
      fc.property(events, fc.constantFrom('device', 'user', 'address'), (list, subject) => {
        const rows = list.map(({ at, place, type, app, device }, index) =>
          row(at, place, { id: String(index), type, risk: type === 'risk' ? 'hook' : '', app, device }),
        )
        const stops = foldTrail(rows, subject)
        expect(stops.flatMap((stop) => stop.rows.map(({ id }) => id)).sort()).toEqual(rows.map(({ id }) => id).sort())
        expect(stops.map(({ number }) => number)).toEqual(stops.map((_, index) => index + 1))
        const times = stops.flatMap(({ from, to }) => [from, to])
        expect(times).toEqual([...times].sort((a, b) => a - b))
        for (const step of stops.flatMap((stop) => stop.steps)) {
          const behind = rows.filter(
            (one) =>
              one.occurredAt >= step.from &&
              one.occurredAt <= step.to &&
              one.type === step.type &&
              one.risk === step.risk &&
              one.app === step.app &&
              (step.device === '' || one.device === step.device),
          )
          expect(behind).toHaveLength(step.count)
        }
        // Whatever order rows come in, the trail is the same.
        expect(foldTrail([...rows].reverse(), subject)).toEqual(stops)
      }),
      { numRuns: 150 },
    )
  })
})
