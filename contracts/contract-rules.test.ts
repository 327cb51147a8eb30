import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isUrl } from '#domain/url-check.ts'
import { SettingsSchema } from './http/settings.ts'
import { ALL_ITEMS, type Authority, BUILT_IN_ROLES, NO_EMPOWER, routeAllowed, SESSION_ROLES } from './permissions.ts'

test('[ROLE-01] the eight built-in roles with rights that exist', () => {
  expect(BUILT_IN_ROLES.map(({ en }) => en)).toEqual([
    'Administrator',
    'Operator',
    'Operator 2',
    'Auditor',
    'Trial role',
    'Multi-channel',
    'Strengthening detection',
    'Safety detection',
  ])
  const known = new Set<string>([...SESSION_ROLES, ...ALL_ITEMS])
  for (const { auth } of BUILT_IN_ROLES) for (const one of auth) expect(known.has(one)).toBe(true)
  const [administrator, , , auditor] = BUILT_IN_ROLES
  expect(administrator?.auth).not.toContain('log.delete')
  expect(auditor?.auth.some((one) => one.endsWith('.edit') || one === 'platform.settings')).toBe(false)
})

test('[APP-06] createapp may add and delete applications: only an owner of the role has the items', () => {
  const holders = (one: Authority) => BUILT_IN_ROLES.filter(({ auth }) => auth.includes(one)).map(({ key }) => key)
  expect(holders('createapp')).toEqual(['administrator', 'operator', 'trial'])
  expect(holders('application.create')).toEqual(holders('createapp'))
  expect(holders('application.delete')).toEqual(holders('createapp'))
})

describe('[GUARD-03] a route is shown', () => {
  test('when the lists overlap, or the user has noEmpower and the route lists it', () => {
    expect(routeAllowed(['maps'], ['maps', 'x'])).toBe(true)
    expect(routeAllowed(['maps'], ['statistics'])).toBe(false)
    expect(routeAllowed(['maps', NO_EMPOWER], [NO_EMPOWER])).toBe(true)
    expect(routeAllowed(['maps'], [NO_EMPOWER])).toBe(false)
    expect(routeAllowed([NO_EMPOWER], ['maps'])).toBe(false)
    expect(routeAllowed(['any'], [NO_EMPOWER])).toBe(false)
    expect(routeAllowed(['any'], ['maps'])).toBe(true)
    expect(routeAllowed(['any'], [])).toBe(false)
  })
  test('never because of something that neither list holds', () => {
    const list = fc.array(fc.constantFrom('maps', 'mssa', 'protect', 'platform'))
    fc.assert(
      fc.property(list, list, (route, user) => {
        expect(routeAllowed(route, user)).toBe(route.some((one) => user.includes(one)))
      }),
    )
  })
})

test('[RET-01] no setting keeps logs or rows for less than six months', () => {
  for (const name of ['log_days', 'event_days'] as const) {
    expect(SettingsSchema.safeParse({ [name]: 183 }).success).toBe(false)
    expect(SettingsSchema.safeParse({ [name]: 184 }).success).toBe(true)
    expect(SettingsSchema.parse({})[name]).toBeGreaterThanOrEqual(184)
  }
})

test('[REQ-05] http, https and ftp with a host or IP, an optional port and path', () => {
  for (const good of [
    'http://example.com',
    'https://example.com:8443/a/b?c=d#e',
    'ftp://10.0.0.1/file',
    'http://localhost:1',
    'https://[2001:db8::1]:443/',
    'http://a-b.example',
  ])
    expect(isUrl(good), good).toBe(true)
  for (const bad of [
    '',
    'example.com',
    'javascript:alert(1)',
    'file:///etc/passwd',
    'http://',
    'http://256.1.1.1',
    'http://1.2.3',
    'http://01.2.3.4',
    'http://example.com:0',
    'http://example.com:65536',
    'http://user@example.com',
    'http://exa mple.com',
    'http://example.com/a b',
    'http://-a.com',
    `http://${'a'.repeat(3000)}.com`,
  ])
    expect(isUrl(bad), bad).toBe(false)
  fc.assert(fc.property(fc.string(), (text) => void isUrl(text)))
})
