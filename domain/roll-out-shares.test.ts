import fc from 'fast-check'
import { expect, test } from 'vitest'
import { rollOutShares } from './roll-out-shares.ts'

const deployment = (id: string, percent: number, change: object = {}) => ({
  id,
  percent,
  app_versions: [] as string[],
  state: 'running',
  ...change,
})

test('[CONF-02] half of the devices with the new version leave the other half to the old one', () => {
  expect(rollOutShares([deployment('v2', 50), deployment('v1', 100)])).toEqual([
    { id: 'v2', percent: 50 },
    { id: 'v1', percent: 50 },
  ])
})

test('paused deployments and those for some versions of the app are not added up', () => {
  const live = [
    deployment('v3', 20, { state: 'paused' }),
    deployment('v2', 30, { app_versions: ['9.3'] }),
    deployment('v1', 80),
  ]
  expect(rollOutShares(live)).toEqual([{ id: 'v1', percent: 80 }])
})

test('the parts never add up to more than all devices', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 100 }), { maxLength: 8 }), (percents) => {
      const parts = rollOutShares(percents.map((percent, index) => deployment(String(index), percent)))
      expect(parts.every(({ percent }) => percent >= 0)).toBe(true)
      expect(parts.reduce((sum, { percent }) => sum + percent, 0)).toBe(Math.max(0, ...percents))
    }),
  )
})
