import { expect, test } from 'vitest'
import { collectedBy } from './collected-by.ts'

test('[DET-07] who collects what: own code first, then SDKs by their chains, the most collected data first', () => {
  const checks = [
    {
      chains: [
        { info: 'IMEI', owner: 'umeng' },
        { info: 'IMEI', owner: null },
        { info: 'MAC', owner: 'jpush' },
      ],
    },
    {
      chains: [
        { info: 'IMEI', owner: 'jpush' },
        { info: 'IMEI', owner: 'jpush' },
      ],
    },
    { chains: [{ info: '', owner: null }] },
  ]
  expect(collectedBy(checks)).toEqual([
    {
      info: 'IMEI',
      owners: [
        { owner: null, chains: 1 },
        { owner: 'jpush', chains: 2 },
        { owner: 'umeng', chains: 1 },
      ],
    },
    { info: 'MAC', owners: [{ owner: 'jpush', chains: 1 }] },
  ])
})
