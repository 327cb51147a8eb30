import { expect, test } from 'vitest'
import type { UpdateRecord, UpdatesAnswer } from '#contracts/http/updates.ts'
import { withBegun } from './use-show-begun.ts'

const record: UpdateRecord = {
  ...{ id: 'u-2', kind: 'rollback', from: '1.6.0', to: '1.5.3', by: 'admin', began_at: 2, ended_at: null },
  ...{ state: 'returning', problem: null, steps: [], log: [] },
}
const known: UpdatesAnswer = {
  ...{ packaged: true, version: '1.6.0', status: 200, message: '', has_keys: true, limit_bytes: 1, uploaded: null },
  current: { version: '1.6.0', migrations: 1, events_format: 1, postgres: 18 },
  ...{ active: null, return_point: null, records: [] },
}

test('[UPD-01] a rollback that ends the service at once is shown as in progress', () => {
  expect(withBegun(known, record)).toMatchObject({ status: 102, active: record, records: [record] })
})

test('[UPD-01] what the server has answered since is not replaced', () => {
  const ended = { ...known, records: [{ ...record, ended_at: 9, state: 'returned' as const }] }
  expect(withBegun(ended, record)).toBe(ended)
  const running = { ...known, active: { ...record, log: [{ at: 3, text: 'back_stop', warning: false }] } }
  expect(withBegun(running, record)).toBe(running)
})
