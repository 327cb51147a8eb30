import { expect, test } from 'vitest'
import { eventRow } from '#contracts/telemetry/event-row.ts'
import { madeEvent } from '#tests/support/made-events.ts'
import { concerns, focusArcs, focusBox } from './alert-focus.ts'

const places = {
  cities: new Map([
    ['440100', { point: [113.3, 23.1] }],
    ['440300', { point: [114.1, 22.5] }],
  ]),
} as never
const sites = [{ id: '1', name: '上海', name_en: '', longitude: 121.5, latitude: 31.2 }] as never

test('one arc a city and site, the thickest last; the box holds all ends', () => {
  const top = (counts: Record<string, number>) => ({
    kind: 'top' as const,
    groups: Object.entries(counts).map(([key, attacks]) => ({ key, row: { attacks } })),
    groupCount: 1,
    others: {},
  })
  const arcs = focusArcs(
    new Map([
      ['1', top({ '440100': 46, '440300': 71, '999999': 5 })],
      ['0', top({ '440300': 3 })],
    ]),
    sites,
    places,
  )
  expect(arcs.map(({ city, count, to }) => [city, count, to !== null])).toEqual([
    ['440300', 3, false],
    ['440100', 46, true],
    ['440300', 71, true],
  ])
  const [west, south, east, north] = focusBox(arcs, undefined) as [number, number, number, number]
  for (const [lon, lat] of [
    [113.3, 23.1],
    [114.1, 22.5],
    [121.5, 31.2],
  ] as const) {
    expect(lon > west && lon < east).toBe(true)
    expect(lat > south && lat < north).toBe(true)
  }
  const one = focusBox([{ city: 'x', from: [113, 23], to: null, count: 1 }], undefined) as [
    number,
    number,
    number,
    number,
  ]
  expect(one[2] - one[0]).toBeGreaterThan(6)
  expect(focusBox([], undefined)).toBeUndefined()
})

test('a line of the feed is concerned where all the fields that it shows agree', () => {
  const row = eventRow(madeEvent({ risk: 2, province: 440000 }))
  const filters = (risk: string, op: 'is' | 'not' = 'is') => ({
    measure: 'attacks' as const,
    filters: [
      { field: 'risk' as const, op, values: [risk] },
      { field: 'origin' as const, op: 'is' as const, values: ['live'] },
    ],
  })
  expect(concerns(filters('hook'), row)).toBe(true)
  expect(concerns(filters('root'), row)).toBe(false)
  expect(concerns(filters('hook', 'not'), row)).toBe(false)
})
