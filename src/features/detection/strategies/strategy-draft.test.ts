import { expect, test } from 'vitest'
import type { DetectionItem } from '#contracts/http/detection/tasks.ts'
import { draftOf, itemGroups, limitOf, rulesOf } from './strategy-draft.ts'

const item = (id: string, category: string, platform: 'android' | 'ios' = 'android'): DetectionItem => ({
  id,
  platform,
  category,
  level: 'high',
  confidence: 'high',
  name: { zh: `名 ${id}`, en: `Name ${id}` },
})
const ITEMS = [item('a', 'manifest'), item('b', 'network'), item('c', 'manifest'), item('i', 'network', 'ios')]
const GATE = {
  min_score: 75,
  max: { high: 0, middle: null, low: null },
  forbidden: ['c'],
  own_only: false,
  need_assessed: true,
  need_signature: true,
}
const draft = draftOf({ items: ['c', 'a'], levels: { a: 'low' }, gate: GATE }, 'Bank', '')

test('[DET-07] a strategy goes out as it came in, its items in the order of the rule pack', () => {
  expect(rulesOf(draft, ITEMS)).toEqual({ items: ['a', 'c'], levels: { a: 'low' }, gate: GATE })
  expect(rulesOf({ ...draft, items: null }, ITEMS)?.items).toBeNull()
})

test('an item that is not examined cannot be forbidden to fail', () => {
  expect(rulesOf({ ...draft, items: new Set(['a']) }, ITEMS)?.gate.forbidden).toEqual([])
})

test('nothing chosen and numbers that are none are not sent', () => {
  expect(rulesOf({ ...draft, items: new Set() }, ITEMS)).toBeUndefined()
  expect(rulesOf({ ...draft, minScore: '101' }, ITEMS)).toBeUndefined()
  expect(rulesOf({ ...draft, max: { ...draft.max, low: '-1' } }, ITEMS)).toBeUndefined()
  expect([limitOf('', 5), limitOf(' 3 ', 5), limitOf('6', 5), limitOf('1.5', 5), limitOf('x', 5)]).toEqual([
    null,
    3,
    undefined,
    undefined,
    undefined,
  ])
})

test('items stand by category in pack order; platform and words narrow them', () => {
  const ids = (find: string, platform: 'android' | 'ios' = 'android') =>
    itemGroups(ITEMS, { platform, find }).map((group) => [group.category, group.items.map((one) => one.id)])
  expect(ids('')).toEqual([
    ['manifest', ['a', 'c']],
    ['network', ['b']],
  ])
  expect(ids('名 C')).toEqual([['manifest', ['c']]])
  expect(ids('', 'ios')).toEqual([['network', ['i']]])
  expect(ids('nothing')).toEqual([])
})
