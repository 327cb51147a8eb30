import fc from 'fast-check'
import type { StoredEvent } from '#contracts/telemetry/stored-event.ts'

/** Events over a small world, so that groups, ties and repeated devices and users are frequent; a day around `noon`. */
export const NOON = Date.UTC(2026, 2, 10, 4)
const HOUR = 3_600_000

const keyOf = (kind: string) => (index: number) => `${kind}${String(index).padStart(31, '0')}`
export const deviceKey = keyOf('d')
export const userKey = keyOf('a')

export const storedEvent: fc.Arbitrary<Omit<StoredEvent, 'id'>> = fc
  .record({
    app: fc.integer({ min: 1, max: 4 }),
    type: fc.oneof({ weight: 3, arbitrary: fc.constant(2) }, { weight: 2, arbitrary: fc.integer({ min: 1, max: 7 }) }),
    risk: fc.integer({ min: 1, max: 5 }),
    level: fc.integer({ min: 1, max: 5 }),
    action: fc.integer({ min: 0, max: 4 }),
    platform: fc.integer({ min: 0, max: 3 }),
    receivedAt: fc.integer({ min: NOON - 36 * HOUR, max: NOON + 36 * HOUR }),
    delay: fc.oneof(fc.constant(0), fc.integer({ min: -300_000, max: 30 * HOUR })),
    reportedAt: fc.option(fc.integer({ min: NOON - 36 * HOUR, max: NOON + 36 * HOUR })),
    device: fc.integer({ min: 0, max: 12 }).map(deviceKey),
    user: fc.option(fc.integer({ min: 0, max: 8 }).map(userKey)),
    version: fc.constantFrom('', '1.0', '1.1', "2'0", '版本'),
    channel: fc.constantFrom('', 'huawei', 'app store'),
    model: fc.constantFrom('A', 'B', ''),
    country: fc.constantFrom('', 'CN', 'US'),
    province: fc.constantFrom(0, 110_000, 440_000),
    city: fc.constantFrom(0, 440_100, 440_300),
    placeSource: fc.integer({ min: 0, max: 2 }),
    site: fc.integer({ min: 0, max: 2 }),
    flags: fc.constantFrom(0, 1, 2, 8),
    group: fc.constantFrom('', '0123456789abcdef', 'longtask'),
    address: fc.constantFrom('', '203.0.113.7', '2001:db8:1:2::3'),
    extra: fc.constantFrom(
      '',
      '{"detail":{"page":"/pay"}}',
      '{"detail":{"page":{"page":"/pay"}}}',
      '{"detail":{"a":1}}',
      '{"package_name":"com.x","detail":{"b":"{}"}}',
    ),
  })
  .map(({ delay, risk, level, ...one }) => ({
    ...one,
    risk: one.type === 2 ? risk : 0,
    level: one.type === 2 ? level : 0,
    occurredAt: one.receivedAt - delay,
    os: 'Android 14',
    brand: 'Brand',
    network: 'wifi',
    sdk: '3.2.1',
    placePrecision: one.placeSource === 0 ? 0 : 2,
    lon: one.placeSource === 0 ? null : 113.25,
    lat: one.placeSource === 0 ? null : 23.125,
  }))

/** Events with ids of their own. */
export function numbered(events: readonly Omit<StoredEvent, 'id'>[], from = 1): StoredEvent[] {
  return events.map((event, index) => ({ ...event, id: eventId(from + index) }))
}

export function eventId(index: number): string {
  return `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`
}
