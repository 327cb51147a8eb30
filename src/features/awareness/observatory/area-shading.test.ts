import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ArcTuple } from '#contracts/live/messages.ts'
import { readPlaces } from '../../../shared/map/places.ts'
import { clusterPoints, mergeArcs, weightedPoints } from './aggregate.ts'
import { areaShading, createMinuteCounts } from './area-shading.ts'
import { axisTicks, barSpan } from './time-axis.ts'

const view = {
  provinces: [
    ['440000', 5000],
    ['540000', 12],
  ] as [string, number][],
  cities: [
    ['440300', 4000],
    ['440100', 900],
    ['510100', 70],
  ] as [string, number][],
  countries: [
    ['CN', 5012],
    ['SG', 40],
  ] as [string, number][],
}

describe('[OBS-01] shades by scope', () => {
  test('China by province, a province by its own cities, the world by country with China as one', () => {
    const china = areaShading(view, 'china', ['440000', '540000', '710000'])
    expect(china.of).toBe('byProvince')
    expect(china.provinces.get('440000')).toBe(6)
    expect(china.provinces.get('540000')).toBe(1)
    const province = areaShading(view, '440000', ['440000'])
    expect([...province.cities.keys()]).toEqual(['440300', '440100'])
    const world = areaShading(view, 'world', ['440000', '540000', '710000'])
    expect(new Set(world.provinces.values())).toEqual(new Set([world.countries.get('CN')]))
    expect(world.provinces.size).toBe(3)
  })

  test('the last minute is the difference of exact counts, and restarts after midnight', () => {
    const minute = createMinuteCounts()
    expect(minute.add(0, [['a', 100]]).get('a')).toBe(0)
    expect(minute.add(30_000, [['a', 130]]).get('a')).toBe(30)
    expect(minute.add(61_500, [['a', 150]]).get('a')).toBe(20)
    expect(minute.add(65_000, [['a', 3]]).get('a')).toBe(0)
  })
})

describe('[OBS-01] aggregations lose no count', () => {
  const places = readPlaces({
    countries: [
      ['CN', '中国', 'China', 104, 35],
      ['SG', '新加坡', 'Singapore', 103.8, 1.35],
    ],
    provinces: [
      [440000, '广东', '广东省', 'Guangdong', 113.4, 23.4],
      [540000, '西藏', '西藏自治区', 'Xizang', 88, 31],
    ],
    cities: [
      [440300, '深圳', '深圳市', 'Shenzhen', 114.1, 22.6, 440000],
      [440100, '广州', '广州市', 'Guangzhou', 113.5, 23.3, 440000],
    ],
  })

  test('cities, what is only known by province, and countries abroad, once each', () => {
    const points = weightedPoints({ ...view, cities: view.cities.slice(0, 2) }, places)
    const sum = points.reduce((all, { count }) => all + count, 0)
    expect(sum).toBe(5000 + 12 + 40)
  })

  test('clusters of points keep the sum of their counts', () => {
    const point = fc.record({
      point: fc.tuple(fc.integer({ min: -179, max: 179 }), fc.integer({ min: -80, max: 80 })),
      count: fc.integer({ min: 1, max: 9999 }),
    })
    fc.assert(
      fc.property(fc.array(point, { maxLength: 60 }), (points) => {
        const before = points.reduce((all, { count }) => all + count, 0)
        expect(clusterPoints(points).reduce((all, { count }) => all + count, 0)).toBe(before)
      }),
    )
  })

  test('merged arcs count each drawn arc once and end at its site', () => {
    const arc = (id: string, lon: number, level: number, site = 1): ArcTuple => [id, lon, 30, site, level, 1, 0]
    const merged = mergeArcs(
      [arc('a', 100.1, 2), arc('b', 100.2, 5), arc('b', 100.2, 5), arc('c', 90, 3), arc('d', 90, 3, 7)],
      new Map([[1, [121, 31]]]),
    )
    expect(merged).toHaveLength(2)
    expect(merged[0]).toMatchObject({ count: 2, level: 5, to: [121, 31] })
  })
})

describe('[OBS-01] the time axis', () => {
  const zone = 'Asia/Shanghai'
  test('round clock times of the zone, at most 13', () => {
    const from = Date.UTC(2026, 10, 20, 5, 33)
    const ticks = axisTicks(from, 60_000, 60, zone)
    expect(ticks[0]).toEqual({ slot: 2, text: '13:35' })
    expect(ticks).toHaveLength(12)
    for (const count of [1, 7, 60, 144]) expect(axisTicks(from, 600_000, count, zone).length).toBeLessThanOrEqual(13)
    expect(axisTicks(from, 60_000, 0, zone)).toEqual([])
  })
  test('a bar of the time axis names its span', () => {
    expect(barSpan(Date.UTC(2026, 10, 20, 5, 33), 60_000, zone)).toBe('13:33')
    expect(barSpan(Date.UTC(2026, 10, 20, 5, 30), 600_000, zone)).toBe('13:30 – 13:40')
  })
})
