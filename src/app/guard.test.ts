import fc from 'fast-check'
import { expect, test } from 'vitest'
import { PAGE_NAMES, PAGES, pageOf } from '#contracts/pages.ts'
import { BUILT_IN_ROLES, NO_EMPOWER } from '#contracts/permissions.ts'
import { decideNavigation, safeNext } from './guard.ts'
import { menuFor, redirectOf } from './menu.ts'

const admin = BUILT_IN_ROLES[0]?.auth as readonly string[]
const auditor = BUILT_IN_ROLES.find((role) => role.key === 'auditor')?.auth as readonly string[]
const go = (path: string, auth: readonly string[] | null, rest = {}) => decideNavigation(path, path, { auth, ...rest })

test('[GUARD-01] signed out, only login and auth-redirect are reachable', () => {
  for (const name of PAGE_NAMES) {
    const path = PAGES[name].path.replace(':id', '7').replace('*', 'home')
    const decision = go(path, null)
    if (name === 'login' || name === 'auth_redirect') expect(decision).toEqual({ kind: 'stay', page: name })
    else expect(decision).toMatchObject({ kind: 'go', to: expect.stringMatching(/^\/login/) })
  }
  expect(decideNavigation('/nowhere', '/nowhere?a=1', { auth: null })).toEqual({
    kind: 'go',
    to: '/login?next=%2Fnowhere%3Fa%3D1',
  })
})

test('[LOGIN-05] signed in, login leads to the root, and the root to the home page', () => {
  expect(go('/login', admin)).toEqual({ kind: 'go', to: '/' })
  expect(go('/', admin)).toEqual({ kind: 'go', to: '/home' })
})

test('[GUARD-04] a known page without permission: message and login; an empty auth_list leaves', () => {
  expect(go('/maps', auditor)).toEqual({ kind: 'go', to: '/login', message: true })
  expect(go('/statistics', auditor)).toEqual({ kind: 'go', to: '/login', message: true })
  expect(go('/home', [])).toEqual({ kind: 'leave' })
})

test('[GUARD-08] an unknown path goes to /404', () => {
  expect(go('/nowhere', admin)).toEqual({ kind: 'go', to: '/404' })
  expect(go('/404', admin)).toEqual({ kind: 'stay', page: 'not_found' })
  expect(go('/redirect/home', admin)).toEqual({ kind: 'stay', page: 'redirect' })
})

test('[GUARD-06] a parent leads to its first visible child and shows only with one', () => {
  expect(redirectOf('/statistics', admin)).toBe('/statistics/user_analyzer')
  expect(redirectOf('/awareness', admin)).toBe('/maps')
  expect(redirectOf('/construction', admin)).toBe('/construction/index')
  expect(redirectOf('/platform/', auditor)).toBe('/platform/reportManage')
  const groups = menuFor(auditor).map(({ group }) => group)
  expect(groups).toContain('platform')
  expect(groups).not.toContain('statistics')
  for (const { pages } of menuFor(admin)) for (const page of pages) expect(page.hidden).toBeUndefined()
})

test('[GUARD-03] noEmpower opens what lists it and nothing else', () => {
  expect(go('/home', [NO_EMPOWER])).toEqual({ kind: 'stay', page: 'home' })
  expect(go('/about', [NO_EMPOWER])).toEqual({ kind: 'stay', page: 'about' })
  expect(go('/maps', [NO_EMPOWER])).toMatchObject({ message: true })
})

test('a tab with a display token reaches its wall only', () => {
  for (const path of ['/', '/home', '/login', '/platform/settings', '/nowhere'])
    expect(go(path, null, { wall: true })).toEqual({ kind: 'go', to: '/maps' })
  expect(go('/maps', null, { wall: true })).toEqual({ kind: 'stay', page: 'observatory' })
})

test('a first password must be changed before anything else; the page that was asked for opens afterwards', () => {
  expect(go('/maps', admin, { mustPrepare: true })).toEqual({ kind: 'go', to: '/login?next=%2Fmaps' })
  expect(go('/', admin, { mustPrepare: true })).toEqual({ kind: 'go', to: '/login' })
  expect(go('/login', admin, { mustPrepare: true })).toEqual({ kind: 'stay', page: 'login' })
})

test('the guard always ends: following its verdicts never circles', () => {
  const auths = [null, [], admin, auditor, [NO_EMPOWER], ['statistics']]
  fc.assert(
    fc.property(fc.webPath(), fc.constantFrom(...auths), (path, auth) => {
      let at = path || '/'
      for (let step = 0; step < 6; step++) {
        const decision = decideNavigation(at.split('?')[0] as string, at, { auth })
        if (decision.kind !== 'go') return
        at = decision.to
      }
      throw new Error(`circles at ${path}`)
    }),
  )
})

test('pages are found with and without a slash at the end', () => {
  expect(pageOf('/statistics/user_check/17/')).toBe('device_activity')
  expect(pageOf('/statistics/user_check/17')).toBe('device_activity')
  expect(pageOf('/home/')).toBe('home')
})

test('the path after signing in never leads to another site', () => {
  expect(['/home?x=1', '//evil.example', '/\\evil.example', 'https://evil.example', '', null].map(safeNext)).toEqual([
    '/home?x=1',
    '/',
    '/',
    '/',
    '/',
    '/',
  ])
})
