import fc from 'fast-check'
import { expect, test } from 'vitest'
import { niceTop, PARTIAL_OPACITY, timeOption } from './time-option.ts'
import { layOut } from './time-series.ts'

const HOUR = 3_600_000
const now = Date.UTC(2026, 10, 21, 6, 32)
const span = { from: now - 24 * HOUR, to: now }
const colors = { text: 't', muted: 'm', surface: 's', hover: 'h', line: 'l', lineStrong: 'L' }
const layers = [
  { key: 'critical', label: 'Critical', color: 'red' },
  { key: 'info', label: 'Info', color: 'grey' },
]

test('axis tops are round, divide by four and hold the data', () => {
  fc.assert(
    fc.property(fc.nat(2e9), (max) => {
      const top = niceTop(max)
      expect(top).toBeGreaterThanOrEqual(max)
      expect(Number.isInteger(Math.round((top / 4) * 1e6) / 1e6)).toBe(true)
      expect(top).toBeLessThanOrEqual(Math.max(4, max * 2.6))
    }),
  )
  expect(niceTop(1170)).toBe(1200)
})

test('[STAT-02] bars stand critical first, with faint ends, a labelled peak and a dashed earlier period', () => {
  const at = Date.UTC(2026, 10, 21, 2)
  const series = layOut(
    {
      kind: 'series',
      bucket: 'hour',
      points: [
        { start: at, key: 'critical', row: { attacks: 34 } },
        { start: at, key: 'info', row: { attacks: 103 } },
        { start: at + HOUR, key: 'critical', row: { attacks: 5 } },
      ],
      previous: [{ start: at - 24 * HOUR, row: { attacks: 80 } }],
    },
    'attacks',
    span,
    { from: span.from - 24 * HOUR, to: span.from },
    'Asia/Shanghai',
  )
  const option = timeOption({
    series,
    layers,
    colors,
    zone: 'Asia/Shanghai',
    width: 800,
    title: 'Attacks',
    decal: true,
  })
  const all = option.series as {
    type: string
    name?: string
    data: { value: unknown; itemStyle: { opacity: number }; label: { show: boolean; formatter: string } }[]
  }[]
  expect(all.map((one) => one.type)).toEqual(['bar', 'bar', 'line', 'line'])
  expect(all[0]?.name).toBe('Critical')
  expect(all[0]?.data[0]?.itemStyle.opacity).toBe(PARTIAL_OPACITY)
  const labelled = all.slice(0, 2).flatMap((one) => one.data.filter((item) => item.label.show))
  expect(labelled.map((item) => item.label.formatter)).toEqual(['137'])
  expect(option.aria).toMatchObject({ enabled: true, decal: { show: true }, label: { description: 'Attacks: 142' } })
  expect(
    (
      timeOption({
        series: { ...series, previous: null },
        layers,
        colors,
        zone: 'UTC',
        width: 300,
        title: '',
        decal: false,
      }).series as unknown[]
    ).length,
  ).toBe(2)
})
