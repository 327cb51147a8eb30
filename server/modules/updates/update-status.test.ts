import { expect, test } from 'vitest'
import { statusOf } from './updates-module.ts'

const update = { kind: 'update', state: 'updated', began_at: 1000, ended_at: 2000 } as const
const waiting = { problem: null, uploaded_at: 3000, expires_at: 9000 }

test('[UPD-01] a package that waits has status 202, and 407 once it has expired', () => {
  expect(statusOf(update, waiting, 8999)).toBe(202)
  expect(statusOf(update, waiting, 9000)).toBe(407)
  expect(statusOf(undefined, waiting, 9000)).toBe(407)
})

test('[UPD-01] an expired package is no status of an update that runs or began after it, nor is one that cannot be installed', () => {
  expect(statusOf({ ...update, ended_at: null }, waiting, 9000)).toBe(102)
  expect(statusOf({ ...update, began_at: 4000, ended_at: 5000 }, waiting, 9000)).toBe(200)
  expect(statusOf(update, { ...waiting, problem: { key: 'older', detail: '' } }, 9000)).toBe(200)
})
