import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { canonicalId, conflictId, parseUuid, uuidText } from '../read/event-id.ts'
import { createDedup, DEDUP_WINDOW_MS } from './dedup.ts'

const MINUTE = 60_000
const start = Date.UTC(2026, 10, 21)
const id = (n: number) => Uint32Array.of((n * 2654435761) >>> 0, 0x4000, 0x80000000, n)

describe('[OBS-01] dedup', () => {
  test('decides exactly as a list of everything seen would', () => {
    const operation = fc.record({
      n: fc.nat(8),
      app: fc.integer({ min: 1, max: 2 }),
      reported: fc.option(fc.integer({ min: 0, max: 4 }), { nil: null }),
      forget: fc.boolean(),
    })
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 60 }), (operations) => {
        const dedup = createDedup(1)
        const first = new Map<string, number | null>()
        const conflicts = new Set<string>()
        for (const { n, app, reported, forget } of operations) {
          const reportedAt = reported === null ? null : start - reported * 1000
          const key = `${app} ${n}`
          const copy = `${key} ${reportedAt}`
          const known = first.get(key)
          const expected =
            known === undefined
              ? reportedAt === null
                ? 'pending'
                : 'new'
              : known === reportedAt || conflicts.has(copy)
                ? 'duplicate'
                : 'conflict'
          expect(dedup.decide(app, id(n), 0, reportedAt, start)).toBe(expected)
          if (expected === 'conflict') conflicts.add(copy)
          else if (known === undefined) first.set(key, reportedAt)
          if (forget && expected !== 'duplicate') {
            dedup.forget(app, id(n), 0, reportedAt)
            if (expected === 'conflict') conflicts.delete(copy)
            else first.delete(key)
          }
          expect(dedup.holds(app, id(n), 0)).toBe(first.has(key))
        }
      }),
    )
  })

  test('stays exact while it grows, and drops entries after the window', () => {
    const dedup = createDedup(64 * 1024 * 1024)
    const count = 60_000
    for (let n = 0; n < count; n++) if (dedup.decide(7, id(n), 0, start, start) !== 'new') expect(n).toBe(-1)
    for (let n = 0; n < count; n++) if (dedup.decide(7, id(n), 0, start, start) !== 'duplicate') expect(n).toBe(-1)
    expect(dedup.status(start)).toMatchObject({ entries: count, window_seconds: 960 })
    const { bytes } = dedup.status(start)
    const later = start + DEDUP_WINDOW_MS + 2 * MINUTE
    for (let n = count; n < count + 60_000; n++) dedup.decide(7, id(n), 0, later, later)
    expect(dedup.status(later).bytes).toBeLessThan(bytes * 1.1)
  })

  test('uses at most twice the memory of its entries and shrinks after a busy hour', () => {
    const dedup = createDedup()
    for (let n = 0; n < 200_000; n++) {
      dedup.decide(1, id(n), 0, start, start)
      if (n > 50_000 && n % 10_000 === 0) expect(dedup.status(start).bytes).toBeLessThan(n * 32 * 2)
    }
    const busy = dedup.status(start).bytes
    // A quiet time: one event a second, five minutes long, after the window has passed.
    const later = start + DEDUP_WINDOW_MS + MINUTE
    for (let n = 0; n < 300; n++) dedup.decide(1, id(900_000 + n), 0, later + n * 1000, later + n * 1000)
    expect(dedup.status(later).bytes).toBeLessThan(busy / 10)
    for (let n = 0; n < 300; n++)
      expect(dedup.decide(1, id(900_000 + n), 0, later + n * 1000, later + 300_000)).toBe('duplicate')
  })

  test('memory is bounded: a full table shortens its window and leaves older ids to the store', () => {
    const bytes = 4 * 1024 * 1024
    const dedup = createDedup(bytes)
    let now = start
    for (let n = 0; n < 300_000; n++) {
      now = start + n
      dedup.decide(1, id(n), 0, now, now)
    }
    const { bytes: used, window_seconds } = dedup.status(now)
    expect(used).toBeLessThanOrEqual(bytes)
    expect(window_seconds).toBeGreaterThan(20)
    expect(window_seconds).toBeLessThan(200)
    const inside = start + 300_000 - window_seconds * 1000 + 2000
    expect(dedup.decide(1, id(inside - start), 0, inside, now)).toBe('duplicate')
    expect(dedup.decide(1, id(999_999), 0, inside, now)).toBe('new')
    expect(dedup.decide(1, id(999_998), 0, start, now)).toBe('pending')
  })

  test('ids that arrived before the rebuilt memory starts are left to the store', () => {
    const dedup = createDedup()
    dedup.completeSince(start)
    expect(dedup.decide(1, id(1), 0, start + 4 * MINUTE, start + MINUTE)).toBe('pending')
    expect(dedup.decide(1, id(2), 0, start + 5 * MINUTE, start + 5 * MINUTE)).toBe('new')
    const whole = createDedup()
    whole.completeSince(0)
    expect(whole.decide(1, id(1), 0, start, start)).toBe('new')
  })

  test('a reported_at ahead is remembered past itself, not past arrival', () => {
    const dedup = createDedup(1)
    const ahead = start + 5 * MINUTE
    dedup.decide(1, id(1), 0, ahead, start)
    const late = ahead + DEDUP_WINDOW_MS
    for (let n = 2; n < 5000; n++) dedup.decide(1, id(n), 0, late, late)
    expect(dedup.decide(1, id(1), 0, ahead, late)).toBe('duplicate')
  })
})

describe('[OBS-01] event ids', () => {
  test('a UUID is lower-cased, a text becomes a UUID of version 8, anything else is refused', () => {
    expect(canonicalId('0191F6B0-1111-7222-8333-ABCDEFABCDEF')).toBe('0191f6b0-1111-7222-8333-abcdefabcdef')
    expect(canonicalId('order.1')).toBe(canonicalId('order.1'))
    expect(canonicalId('order.1')).not.toBe(canonicalId('order.2'))
    const words = new Uint32Array(6)
    const text = '0191f6b0-1111-7222-8333-abcdefabcdef'
    expect(parseUuid(text, words, 2)).toBe(true)
    expect(uuidText(words, 2)).toBe(text)
    expect(uuidText(Uint32Array.of(0, 1, 2, 3))).toBe('00000000-0000-0001-0000-000200000003')
    for (const bad of ['', ' ', 'ä', 'a b', 'x'.repeat(65), 'a\n']) expect(canonicalId(bad)).toBeUndefined()
    const shape = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Za-z0-9._:-]{1,35}$/), (text) => {
        expect(canonicalId(text)).toMatch(shape)
        expect(conflictId(canonicalId(text) as string, null)).toMatch(shape)
      }),
    )
  })
})
