import { expect, test } from 'vitest'
import type { ItemLine } from '#contracts/http/detection/result.ts'
import { scoreParts } from './score-parts.ts'

const item = (id: string, level: ItemLine['level']) => ({ id, level })

test('[DET-03] the parts of the score add up to what is missing to 100, caps apart', () => {
  const items = [item('a', 'high'), item('b', 'middle'), item('c', 'middle'), item('d', 'low')]
  const deductions = [
    { item: 'a', points: 10 },
    { item: 'b', points: 1.5 },
    { item: 'd', points: 0.5 },
    { item: 'cap-high', points: -2 },
  ]
  const { levels, others } = scoreParts(deductions, items)
  expect(levels.map((one) => [one.level, one.points])).toEqual([
    ['high', 10],
    ['middle', 1.5],
    ['low', 0.5],
    ['info', 0],
  ])
  expect(others).toEqual([{ item: 'cap-high', points: -2 }])
  const sum = [...levels, ...others].reduce((total, { points }) => total + points, 0)
  expect(sum).toBe(deductions.reduce((total, { points }) => total + points, 0))
})
