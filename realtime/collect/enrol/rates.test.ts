import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { openPlaceLookup } from '../read/place-lookup.ts'
import { recentCache } from '../read/recent-cache.ts'
import { clientAddress, networkOf } from './client-address.ts'
import { bucketsByKey, eventCeilings, hourlyLimit } from './rates.ts'
import { sequenceWindow } from './sequence-window.ts'

describe('[OBS-01] rates', () => {
  test('an hourly limit resets with the hour and returns how long to wait', () => {
    let now = 0
    const limit = hourlyLimit(() => now)
    expect([limit.take('a', 2), limit.take('a', 2), limit.take('b', 2)]).toEqual([0, 0, 0])
    now = 1_800_000
    expect(limit.take('a', 2)).toBe(1800)
    now = 3_600_000
    expect(limit.take('a', 2)).toBe(0)
  })

  test('limits by key remember a bounded number of keys and cost the same for each request', () => {
    const limit = bucketsByKey(() => 0, { burst: 2, perSecond: 1 }, 100)
    expect([limit.take('busy'), limit.take('busy'), limit.take('busy')]).toEqual([0, 0, 1])
    for (let n = 0; n < 50; n++) limit.take(`other ${n}`)
    expect([limit.wait('busy'), limit.wait('new')]).toEqual([1, 0])
    // A bounded memory forgets keys that are not used while hundreds of others are.
    for (let n = 0; n < 500; n++) limit.take(`more ${n}`)
    expect(limit.take('busy')).toBe(0)
    const many = bucketsByKey(() => 0, { burst: 2, perSecond: 1 })
    const started = performance.now()
    for (let n = 0; n < 300_000; n++) many.take(`key ${n}`)
    expect(performance.now() - started).toBeLessThan(3000)
  })

  test('a ceiling holds in the long run and never splits a batch', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: 1, max: 500 }), fc.integer({ min: 0, max: 3000 })), { maxLength: 60 }),
        (steps) => {
          let now = 0
          let taken = 0
          let largest = 0
          const ceilings = eventCeilings(() => now)
          for (const [events, wait] of steps) {
            now += wait
            if (ceilings.take(1, events, { app: 100, platform: 0 }) === 0) taken += events
            largest = Math.max(largest, events)
          }
          expect(taken).toBeLessThanOrEqual(100 + (now / 1000) * 100 + largest)
        },
      ),
    )
  })

  test('without a ceiling there is no limit', () => {
    const ceilings = eventCeilings(() => 0)
    for (let n = 0; n < 100; n++) expect(ceilings.take(1, 1000, { app: 0, platform: 0 })).toBe(0)
  })
})

describe('[OBS-01] sequence window', () => {
  test('accepts each sequence number and each nonce once, at most 64 behind the highest', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(200), { maxLength: 200 }), (sequences) => {
        const window = sequenceWindow()
        const taken = new Set<number>()
        let highest = -1
        for (const [n, sequence] of sequences.entries()) {
          const expected = !taken.has(sequence) && sequence > highest - 64
          expect(window.take(sequence, `nonce ${n}`, 0)).toBe(expected)
          if (expected) taken.add(sequence)
          highest = Math.max(highest, expected ? sequence : -1)
        }
      }),
    )
    const window = sequenceWindow()
    expect(window.take(1, 'same', 0)).toBe(true)
    expect(window.take(2, 'same', 1000)).toBe(false)
    expect(window.take(2, 'same', 21 * 60_000)).toBe(true)
  })
})

describe('[OBS-01] addresses', () => {
  test('the client address is the last hop that no trusted proxy added', () => {
    const of = clientAddress(['10.0.0.0/8', '::1'])
    expect(of('8.8.8.8', '1.2.3.4')).toBe('8.8.8.8')
    expect(of('10.1.1.1', '1.2.3.4, 8.8.8.8, 10.2.2.2')).toBe('8.8.8.8')
    expect(of('::1', '2400:3200::1')).toBe('2400:3200::1')
    expect(of('::ffff:10.1.1.1', '1.2.3.4')).toBe('1.2.3.4')
    expect(of('10.1.1.1', 'nonsense')).toBe('10.1.1.1')
    expect(of('10.1.1.1', undefined)).toBe('10.1.1.1')
    expect(clientAddress([])('::ffff:1.2.3.4', '9.9.9.9')).toBe('1.2.3.4')
  })

  test('enrolments are counted by network', () => {
    expect(networkOf('1.2.3.4')).toBe('1.2.3.0/24')
    expect(networkOf('2001:db8:1:2ff::1')).toBe(networkOf('2001:0db8:0001:0301::ffff'))
    expect(networkOf('2001:db8:1:200::1')).not.toBe(networkOf('2001:db8:2:200::1'))
    expect(networkOf('::1')).toBe('000000000000/48')
  })

  test('addresses map to places in China, abroad, and to no place for private and unknown addresses', () => {
    const lookup = openPlaceLookup()
    expect(lookup.state).toBe('ok')
    expect(lookup('114.114.114.114')).toMatchObject({
      country: 'CN',
      province: 320000,
      city: 320100,
      source: 2,
      precision: 3,
    })
    expect(lookup('203.198.23.1')).toMatchObject({ country: 'CN', province: 810000 })
    expect(lookup('203.69.66.1')).toMatchObject({ country: 'CN', province: 710000 })
    expect(lookup('2400:3200::1')).toMatchObject({ country: 'CN', city: 330100 })
    expect(lookup('8.8.8.8')).toMatchObject({ country: 'US', precision: 1 })
    for (const nowhere of [
      '10.0.0.1',
      '127.0.0.1',
      '192.168.1.1',
      '169.254.1.1',
      '100.64.0.1',
      '203.0.113.5',
      '::1',
      'fe80::1',
      'fc00::1',
      '',
      'x',
      '1.2.3',
    ])
      expect(lookup(nowhere)).toMatchObject({ country: '', lon: null, lat: null, source: 0, precision: 0 })
  })
})

describe('a cache of two generations', () => {
  test('keeps used entries and is bounded', () => {
    const cache = recentCache<number>(100)
    cache.set('used', 1)
    for (let n = 0; n < 1000; n++) {
      cache.set(String(n), n)
      expect(cache.get('used')).toBe(1)
    }
    expect(cache.get('0')).toBeUndefined()
    cache.clear()
    expect(cache.get('used')).toBeUndefined()
  })
})
