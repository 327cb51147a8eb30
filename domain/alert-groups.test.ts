import { expect, test } from 'vitest'
import { groupSiblings } from './alert-groups.ts'

const alert = (id: string, change: object = {}) => ({
  id,
  rule: { id: 'burst', name: 'burst' },
  by: 'app' as const,
  key: id,
  raised_at: 1_000_000,
  state: 'firing' as const,
  ...change,
})
const ids = (groups: { id: string }[][]) => groups.map((group) => group.map(({ id }) => id).join(''))

test('alerts of one rule for several applications within two minutes are one group, in the order of the list', () => {
  const list = [
    alert('a'),
    alert('b', { raised_at: 990_000 }),
    alert('x', { rule: { id: 'o', name: 'o' } }),
    alert('c'),
  ]
  expect(ids(groupSiblings(list))).toEqual(['abc', 'x'])
})

test('what was raised later, has another state or no split is a group of its own', () => {
  const list = [
    alert('a'),
    alert('b', { raised_at: 1_200_000 }),
    alert('c', { state: 'resolved' }),
    alert('d', { by: null }),
    alert('e', { key: 'a' }),
  ]
  expect(ids(groupSiblings(list))).toEqual(['a', 'b', 'c', 'd', 'e'])
})
