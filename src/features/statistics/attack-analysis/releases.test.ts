import { expect, test } from 'vitest'
import { releaseMarks } from './releases.ts'

const release = (version: string, firstAt: number) => ({ version, firstAt, events: 100 })

test('[STAT-05] releases that lie close to each other share one mark; those outside the span have none', () => {
  const span = { from: 1000, to: 1800 }
  const list = [release('late', 1800), release('c', 1500), release('b', 1099), release('a', 1010), release('old', 999)]
  expect(releaseMarks(list, span, 3)).toEqual([
    { versions: ['a', 'b'], at: 1010 },
    { versions: ['c'], at: 1500 },
  ])
  expect(releaseMarks(list, span, 2)).toEqual([
    { versions: ['b'], at: 1099 },
    { versions: ['c'], at: 1500 },
  ])
  expect(releaseMarks([], span, 3)).toEqual([])
})
