// @vitest-environment jsdom
import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { beforeEach, expect, test } from 'vitest'
import { setCredentials } from '#src/shared/api/credentials.ts'
import { KEPT, KEPT_MS } from '#src/shared/query/kept.ts'
import { markSignedIn, markSignedOut, useSession } from '#src/shared/session/session-store.ts'
import { keepAnswers, restoreAnswers } from './kept-answers.ts'

const cookieOf = (sid: string) => {
  // biome-ignore lint/suspicious/noDocumentCookie: as the server sets it
  document.cookie = `jwt_token=h.${btoa(JSON.stringify({ sid }))}.s; path=/`
}
const signIn = (sid: string, isEncrypt = false) => {
  cookieOf(sid)
  markSignedIn(sid, 1800)
  setCredentials({ signatureKey: new Uint8Array(32), token: 't', jwt: 'j', sid, username: 'a', isEncrypt })
}
const answered = async (key: string, data: unknown, meta: { kept?: true } = KEPT, client = new QueryClient()) => {
  await client.fetchQuery({ queryKey: [key], queryFn: () => data, meta })
  return client
}
const restored = (now?: number) => {
  const client = new QueryClient()
  restoreAnswers(client, now)
  return client
}

beforeEach(() => {
  sessionStorage.clear()
  signIn('s1')
})

test('the page that is loaded next has the last answers with their age, once, and refreshes them', async () => {
  const before = await answered('a', { total: 7 })
  keepAnswers(before)
  const after = restored()
  expect(after.getQueryData(['a'])).toEqual({ total: 7 })
  expect(after.getQueryState(['a'])?.dataUpdatedAt).toBe(before.getQueryState(['a'])?.dataUpdatedAt)
  let asked = 0
  const observer = new QueryObserver(after, {
    queryKey: ['a'],
    queryFn: () => ({ total: 8 + asked++ }),
    staleTime: 0,
  })
  const stop = observer.subscribe(() => undefined)
  expect(observer.getCurrentResult().data).toEqual({ total: 7 })
  await expect.poll(() => observer.getCurrentResult().data).toEqual({ total: 8 })
  stop()
  expect(restored().getQueryData(['a'])).toBeUndefined()
})

test('what is not marked, failed, or older than half an hour is not kept, nor what a clock that was set back made', async () => {
  const client = await answered('secret', 1, {})
  await client
    .fetchQuery({ queryKey: ['bad'], queryFn: () => Promise.reject(new Error('x')), meta: KEPT, retry: false })
    .catch(() => undefined)
  await answered('a', 2, KEPT, client)
  for (const [now, found] of [
    [Date.now() + 1000, 2],
    [Date.now() + KEPT_MS + 1000, undefined],
    [Date.now() - 60_000, undefined],
  ] as const) {
    keepAnswers(client)
    expect(sessionStorage.getItem('keptAnswers')).not.toMatch(/secret|bad/)
    expect(restored(now).getQueryData(['a'])).toBe(found)
  }
})

test('answers of another session, of a signed-out one and of encrypted calls are not shown', async () => {
  const client = await answered('a', 1)
  keepAnswers(client)
  signIn('s2')
  expect(restored().getQueryData(['a'])).toBeUndefined()
  expect(sessionStorage.length).toBe(0)
  signIn('s2', true)
  keepAnswers(client)
  expect(sessionStorage.length).toBe(0)
  signIn('s2')
  keepAnswers(client)
  expect(sessionStorage.length).toBe(1)
  cookieOf('s3')
  keepAnswers(client)
  expect(sessionStorage.length).toBe(0)
  signIn('s2')
  useSession.setState({ sid: null })
  keepAnswers(client)
  expect(sessionStorage.length).toBe(0)
})

test('a sign-out, and a session that is found to be over, removes what was kept', async () => {
  keepAnswers(await answered('a', 1))
  expect(sessionStorage.length).toBe(1)
  markSignedOut()
  expect(sessionStorage.length).toBe(0)
})

test('a million characters are kept at most, the newest answers first; what cannot be read is dropped', async () => {
  const client = new QueryClient()
  for (const name of ['old', 'middle', 'new']) {
    await answered(name, name.padEnd(400_000, '.'), KEPT, client)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  keepAnswers(client)
  expect(sessionStorage.getItem('keptAnswers')?.length).toBeLessThan(1_000_000)
  const after = restored()
  expect(['old', 'middle', 'new'].map((name) => after.getQueryData([name]) !== undefined)).toEqual([false, true, true])
  for (const text of [
    '',
    '{',
    '7',
    'null',
    '{"sid":"s1"}',
    '{"sid":"s1","queries":[null]}',
    '{"sid":"s1","queries":[{"state":{}}]}',
  ]) {
    sessionStorage.setItem('keptAnswers', text)
    expect(restored().getQueryCache().getAll()).toEqual([])
    expect(sessionStorage.length).toBe(0)
  }
})
