import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { chinaShapes } from './china-shapes.ts'
import { shadeBreaks, shadeOf } from './shade.ts'

const read = (name: string) => JSON.parse(readFileSync(`public/geo/${name}`, 'utf8'))
const shapes = chinaShapes(read('china-provinces.topo.json'), read('dash.json'))

test('[STAT-02] all 34 province-level units are drawn, Hainan and Taiwan in the land view, islands and ten dashes in the inset', () => {
  expect(shapes.provinces).toHaveLength(34)
  for (const { code, path } of shapes.provinces) expect(path, code).toMatch(/^M[\d.]+ [\d.]+[Lh]/)
  expect(shapes.inset.islands.length).toBeGreaterThan(3)
  expect(shapes.inset.dashes.match(/M/g)).toHaveLength(10)
  expect(shapes.inset.provinces.map(({ code }) => code)).toEqual(expect.arrayContaining(['460000', '710000', '440000']))
})

test('points lie where a map of China has them', () => {
  const [beijing, guangzhou, kashgar] = [
    shapes.project(116.4, 39.9),
    shapes.project(113.3, 23.1),
    shapes.project(75.9, 39.5),
  ]
  expect(kashgar[0]).toBeLessThan(guangzhou[0])
  expect(guangzhou[1]).toBeGreaterThan(beijing[1])
  for (const [x, y] of [beijing, guangzhou, kashgar]) {
    expect(x).toBeGreaterThan(0)
    expect(x).toBeLessThan(shapes.width)
    expect(y).toBeLessThan(shapes.height)
  }
})

test('shades grow with the count and the highest reaches the last class', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(5_000_000), { maxLength: 34 }), (counts) => {
      const breaks = shadeBreaks(counts)
      expect(breaks).toHaveLength(4)
      expect([...breaks].sort((a, b) => a - b)).toEqual(breaks)
      expect(new Set(breaks).size).toBe(4)
      const top = Math.max(0, ...counts)
      if (top >= 8) expect(shadeOf(top, breaks)).toBe(5)
      expect(shadeOf(0, breaks)).toBe(0)
    }),
  )
})
