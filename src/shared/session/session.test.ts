// @vitest-environment jsdom
import { beforeEach, expect, test } from 'vitest'
import type { Application } from '#contracts/http/applications.ts'
import { setApplicationList, setCurrentApplication, useApplications } from './application-store.ts'
import { displayToken, takeDisplayToken } from './display-token.ts'
import { loginFlag, markSignedIn, markSignedOut, pageAllowed, sessionOfCookie, useSession } from './session-store.ts'

const app = (id: string) => ({ id, name: `app ${id}` }) as Application
const jwt = (claims: object) => `h.${btoa(JSON.stringify(claims)).replace(/=/g, '')}.s`

beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
  setCurrentApplication('all', false)
})

test('[STORE-01] the current application is kept as appid, locally and as a cookie', () => {
  setCurrentApplication('12')
  expect(localStorage.getItem('appid')).toBe('12')
  expect(document.cookie).toContain('appid=12')
})

test('[APP-05] a current application that is gone gives way, and its stored appid goes', () => {
  setCurrentApplication('12')
  setApplicationList([app('1'), app('2')])
  expect(useApplications.getState().current).toBe('all')
  expect(localStorage.getItem('appid')).toBeNull()
  setApplicationList([app('3')])
  expect(useApplications.getState().current).toBe('3')
  setApplicationList([])
  expect(useApplications.getState().current).toBe('all')
  expect(document.cookie).not.toContain('appid=')
})

test('[LOGIN-03] signing out clears the login flag and the appid cookie', () => {
  markSignedIn('s1', 1800)
  setCurrentApplication('4')
  expect(loginFlag()).toBe(true)
  markSignedOut()
  expect(loginFlag()).toBe(false)
  expect(document.cookie).not.toContain('appid=')
  expect(useSession.getState().user).toBeNull()
})

test('[GUARD-07] the session is read from the jwt_token cookie', () => {
  expect(sessionOfCookie(`a=1; jwt_token=${jwt({ sid: 's-2' })}; b=2`)).toBe('s-2')
  for (const bad of [
    '',
    'jwt_token=',
    'jwt_token=a.b.c',
    `jwt_token=${jwt({})}`,
    `jwt_token=${jwt({ sid: 1 })}`,
    'xjwt_token=a.b',
  ])
    expect(sessionOfCookie(bad)).toBeNull()
})

test('[GUARD-03] a page needs its role and, where it names items, one of them', () => {
  expect(pageAllowed({ roles: ['statistics'] }, ['statistics'])).toBe(true)
  expect(pageAllowed({ roles: ['statistics'] }, ['maps'])).toBe(false)
  expect(pageAllowed({ roles: ['any'], items: ['log.view'] }, ['maps'])).toBe(false)
  expect(pageAllowed({ roles: ['any'], items: ['log.view'] }, ['log.view'])).toBe(true)
  expect(pageAllowed({ roles: ['any', 'noEmpower'] }, ['noEmpower'])).toBe(true)
  expect(pageAllowed({ roles: [] }, [])).toBe(true)
})

test('a display token moves from the address into the tab', () => {
  history.replaceState(null, '', `/maps?range=-1h#token=aw_dt_${'x'.repeat(43)}`)
  takeDisplayToken()
  expect(displayToken()).toBe(`aw_dt_${'x'.repeat(43)}`)
  expect(location.hash).toBe('')
  expect(location.search).toBe('?range=-1h')
})
