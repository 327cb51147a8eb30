import { expect, test } from 'vitest'
import { makeTurns } from './make-turns.ts'

test('no more work than allowed runs at one time, in order, and work that fails frees its turn', async () => {
  const inTurn = makeTurns(2)
  const began: number[] = []
  let [running, most] = [0, 0]
  const work = (index: number) =>
    inTurn(async () => {
      began.push(index)
      most = Math.max(most, ++running)
      await new Promise((later) => setImmediate(later))
      running--
      if (index % 3 === 0) throw new Error(`work ${index}`)
      return index
    })
  const ends = await Promise.allSettled(Array.from({ length: 20 }, (_, index) => work(index)))
  expect(began).toEqual(Array.from({ length: 20 }, (_, index) => index))
  expect(most).toBe(2)
  expect(ends.filter(({ status }) => status === 'rejected')).toHaveLength(7)
  // Every turn came back.
  expect(await Promise.all([1, 2, 4].map(work))).toEqual([1, 2, 4])
})
