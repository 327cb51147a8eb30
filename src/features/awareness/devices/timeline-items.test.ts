import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { EventRow } from '#domain/query.ts'
import { timelineItems } from './timeline-items.ts'

const NOON = Date.UTC(2026, 2, 10, 4)
const row = (id: number, minute: number, app = '1', type = 'start') =>
  ({ id: String(id), app, type, occurredAt: NOON - minute * 60_000 }) as EventRow

test('[STAT-03] the timeline heads days and sessions, newest first', () => {
  const items = timelineItems(
    [row(1, 0), row(2, 14, '1', 'risk'), row(3, 40), row(4, 41, '2'), row(5, 900)],
    'Asia/Shanghai',
  )
  expect(items.map((item) => (item.kind === 'event' ? item.row.id : item.kind))).toEqual([
    ...['day', 'session', '1', '2', 'session', '3', 'session', '4'],
    ...['day', 'session', '5'],
  ])
  expect(items[1]).toMatchObject({ events: 2, attacks: 1, from: NOON - 14 * 60_000, to: NOON })
})

test('every event is in the timeline once, and the headings count all of them', () => {
  const events = fc.array(fc.record({ minute: fc.nat({ max: 20_000 }), app: fc.constantFrom('1', '2') }), {
    maxLength: 80,
  })
  fc.assert(
    fc.property(events, (some) => {
      const rows = some.sort((a, b) => a.minute - b.minute).map(({ minute, app }, index) => row(index, minute, app))
      const items = timelineItems(rows, 'Asia/Shanghai')
      expect(items.flatMap((item) => (item.kind === 'event' ? [item.row] : []))).toEqual(rows)
      for (const kind of ['day', 'session'] as const) {
        const heads = items.flatMap((item) => (item.kind === kind ? [item.events] : []))
        expect(heads.reduce((sum, count) => sum + count, 0)).toBe(rows.length)
        expect(new Set(items.map(({ key }) => key)).size).toBe(items.length)
      }
    }),
  )
})
