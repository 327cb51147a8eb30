import { expect, test } from 'vitest'
import { AuditFilters, NetworkFilters } from '#contracts/http/audit-log.ts'
import { readAuditFilters, readEntry, readNetworkFilters, readRange, readTab } from './log-filters.ts'

const params = (text: string) => new URLSearchParams(text)

test('[LOG-01] the address names tab, range, filters and the open entry', () => {
  const address = params('tab=network&range=-30d&find=files&kind=token&account=a%40b.c&address=10.0.0.1&result=error')
  expect(readTab(address)).toBe('network')
  expect(readRange(address)).toBe('-30d')
  expect(readNetworkFilters(address, { from: 5 })).toEqual({
    search: 'files',
    kind: 'token',
    account: 'a@b.c',
    address: '10.0.0.1',
    result: 'error',
    from: 5,
  })
  expect(readAuditFilters(params('action=changeUser&result=refused'), {})).toEqual({
    action: 'changeUser',
    result: 'refused',
  })
  expect(readEntry(params('entry=42'))).toBe(42)
})

test('[LOG-01] what the address cannot mean is left out, and the server takes what remains', () => {
  const wrong = params(
    `tab=x&range=forever&result=error&entry=-1&find=${'x'.repeat(300)}&kind=x&address=${'1'.repeat(99)}`,
  )
  expect([readTab(wrong), readRange(wrong), readEntry(wrong)]).toEqual(['audit', '-7d', null])
  expect(readEntry(params('entry=1.5'))).toBeNull()
  expect(readAuditFilters(wrong, {}).result).toBeUndefined()
  expect(AuditFilters.safeParse(readAuditFilters(wrong, {})).success).toBe(true)
  expect(NetworkFilters.safeParse(readNetworkFilters(wrong, {})).success).toBe(true)
})
