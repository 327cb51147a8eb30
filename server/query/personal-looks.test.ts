import { expect, test } from 'vitest'
import type { Caller } from '../http/module.ts'
import type { AuditEntry } from '../platform/audit/audit-trail.ts'
import { personalLooks } from './personal-looks.ts'

test('[E2-14] a page that asks again writes one entry an hour for each session and target', async () => {
  const entries: AuditEntry[] = []
  let now = 0
  const look = personalLooks({ audit: async (entry) => void entries.push(entry), now: () => now })
  const caller = (credential: string) => ({ credential, username: 'a', role: 'r', address: '::1' }) as Caller
  for (const at of [0, 1000, 3_599_999]) {
    now = at
    await look(caller('one'), 'links device:1')
  }
  expect(entries).toEqual([
    expect.objectContaining({ account: 'a', action: 'personal.addresses', target: 'links device:1' }),
  ])
  await look(caller('one'), 'links device:2')
  await look(caller('two'), 'links device:1')
  expect(entries).toHaveLength(3)
  now = 3_600_000
  await look(caller('one'), 'links device:1')
  expect(entries).toHaveLength(4)
  for (let n = 0; n < 6000; n++) await look(caller('one'), `links device:${n}`)
  await look(caller('two'), 'links device:1')
  expect(entries.length).toBeGreaterThan(6000)
})
