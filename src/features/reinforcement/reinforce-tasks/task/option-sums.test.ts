import { expect, test } from 'vitest'
import type { OptionResult } from '#contracts/http/reinforce-tasks.ts'
import { countStates, inOrder, sumsOf } from './option-sums.ts'

const result: OptionResult = {
  option: 'log_removal',
  state: 'partial',
  applied: 7,
  skipped: 3,
  sums: [
    { outcome: 'skipped', text: 'kept', count: 1, places: 1 },
    { outcome: 'applied', text: 'removed', count: 7, places: 2 },
    { outcome: 'skipped', text: 'side effect', count: 2, places: 2 },
  ],
}

test('sums of one outcome are given, the largest first', () => {
  expect(sumsOf(result, 'skipped').map(({ text }) => text)).toEqual(['side effect', 'kept'])
  expect(sumsOf(result, 'absent')).toEqual([])
})

test('[HARD-06] options are counted by what became of them', () => {
  expect(countStates([result, { ...result, state: 'applied' }, result])).toEqual({
    applied: 1,
    partial: 2,
    skipped: 0,
    not_built: 0,
  })
})

test('options that this version does not carry out are listed last', () => {
  const options = (['not_built', 'applied', 'not_built', 'skipped'] as const).map((state) => ({ ...result, state }))
  expect(inOrder(options).map(({ state }) => state)).toEqual(['applied', 'skipped', 'not_built', 'not_built'])
})
