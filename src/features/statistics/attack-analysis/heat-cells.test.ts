import { expect, test } from 'vitest'
import { shadeOf } from '../../../shared/charts/shade.ts'
import { joinedDays, layOutHeat } from './heat-cells.ts'

test('[STAT-05] cells of a heat map add up by day and in all, the peak is named, classes grow', () => {
  const cells = layOutHeat(
    {
      kind: 'heat',
      cells: [
        { weekday: 0, hour: 3, row: { attacks: 10 } },
        { weekday: 2, hour: 10, row: { attacks: 1239 } },
        { weekday: 2, hour: 11, row: { attacks: 300 } },
      ],
    },
    'attacks',
  )
  expect(cells.byDay).toEqual([10, 0, 1539, 0, 0, 0, 0])
  expect(cells.total).toBe(1549)
  expect(cells.peak).toEqual({ weekday: 2, hour: 10, count: 1239 })
  expect([...cells.breaks].sort((a, b) => a - b)).toEqual(cells.breaks)
  expect([0, 10, 300, 1239].map((count) => shadeOf(count, cells.breaks))).toEqual([0, 1, 2, 5])
})

test('a week that begins at noon holds one weekday twice, a week of whole days none', () => {
  const DAY = 86_400_000
  const midnight = Date.UTC(2026, 10, 14, 16) // Sunday in Shanghai
  expect(joinedDays({ from: midnight, to: midnight + 7 * DAY }, 'Asia/Shanghai')).toEqual([])
  expect(joinedDays({ from: midnight + DAY / 2, to: midnight + 7.5 * DAY }, 'Asia/Shanghai')).toEqual([0])
  expect(joinedDays({ from: midnight, to: midnight + DAY }, 'Asia/Shanghai')).toEqual([])
})
