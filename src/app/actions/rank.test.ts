import { expect, test } from 'vitest'
import type { Action } from '#src/shared/ui/actions.ts'
import { rank } from './rank.ts'

const action = (label: string, group: string, words = ''): Action => ({
  id: label,
  label,
  group,
  words,
  run: () => undefined,
})
const all = [
  action('Home', 'Go to', '首页 /home'),
  action('Log management', 'Go to', '日志管理'),
  action('Log off', 'General'),
  action('Dark theme', 'Look'),
]
const labels = (search: string) => rank(all, search).map((one) => one.label)

test('every word must be found, in label, group or other words', () => {
  expect(labels('log')).toEqual(['Log management', 'Log off'])
  expect(labels('log gen')).toEqual(['Log off'])
  expect(labels('日志')).toEqual(['Log management'])
  expect(labels('nothing')).toEqual([])
})

test('a label that begins with the word comes first, groups stay together', () => {
  expect(labels('off')).toEqual(['Log off'])
  expect(labels('')).toEqual(['Home', 'Log management', 'Log off', 'Dark theme'])
  expect(rank([action('A log', 'x'), action('Log', 'y')], 'log').map((one) => one.label)).toEqual(['Log', 'A log'])
})
