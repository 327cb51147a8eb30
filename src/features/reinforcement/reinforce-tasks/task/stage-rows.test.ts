import { expect, test } from 'vitest'
import type { ReinforceStage } from '#contracts/http/reinforce-tasks.ts'
import { stageRows, timeLeft } from './stage-rows.ts'

const begun = (stage: ReinforceStage, began_at: number) => ({ stage, began_at, done: 0, total: 0, current: '' })
const short = (rows: ReturnType<typeof stageRows>) => rows.map(({ stage, state, ms }) => [stage, state, ms])

test('[HARD-05] stages that ran have their time, the running one the time so far, passed-over ones are left out', () => {
  expect(short(stageRows('apk', [begun('read', 1000), begun('code', 2500)], 4000))).toEqual([
    ['read', 'done', 1500],
    ['code', 'last', 1500],
    ['resources', 'next', null],
    ['libraries', 'next', null],
    ['write', 'next', null],
    ['sign', 'next', null],
    ['check', 'next', null],
  ])
})

test('after success only stages that ran are shown, all of them done', () => {
  expect(short(stageRows('apk', [begun('read', 0), begun('write', 10), begun('check', 30)], 90, true))).toEqual([
    ['read', 'done', 10],
    ['write', 'done', 20],
    ['check', 'done', 60],
  ])
})

test('of a library neither a signature nor a second scan is to come, of a native library alone no code either', () => {
  const stages = (kind: 'aar' | 'so') => stageRows(kind, [], null).map(({ stage }) => stage)
  expect(stages('aar')).toEqual(['scripts', 'read', 'code', 'resources', 'libraries', 'write', 'compare'])
  expect(stages('so')).toEqual(['read', 'libraries', 'compare'])
})

test('a task that has not begun shows every stage, and a clock behind the server gives no negative time', () => {
  expect(stageRows('apk', [], 5).every(({ state }) => state === 'next')).toBe(true)
  expect(
    stageRows('apk', [begun('read', 1000)], 900)[1]?.ms ?? stageRows('apk', [begun('read', 1000)], 900)[0]?.ms,
  ).toBe(0)
})

test('the time left follows the speed so far, once that says something', () => {
  expect(timeLeft(1000, 0.5)).toBe(1000)
  expect(timeLeft(9000, 0.9)).toBeCloseTo(1000)
  expect(timeLeft(1000, 0.01)).toBeNull()
  expect(timeLeft(1000, 1)).toBeNull()
})
