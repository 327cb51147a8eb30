import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { userGroup } from '#contracts/http/accounts.ts'
import { answersByStatus } from '#contracts/http/endpoint.ts'
import { ENDPOINTS } from '#contracts/http/index.ts'
import { liveTicket } from '#contracts/http/observatory.ts'
import { changeRole, createRole, type Role } from '#contracts/http/roles.ts'
import { statistics } from '#contracts/http/statistics.ts'
import { createAccessToken } from '#contracts/http/tokens.ts'
import { changeUser } from '#contracts/http/users.ts'
import type { Topic } from '#contracts/live/messages.ts'
import { PAGE_NAMES, PAGES, type PageEntry } from '#contracts/pages.ts'
import { ALL_ITEMS, AUDITOR_ONLY, BUILT_IN_ROLES, SESSION_ROLES } from '#contracts/permissions.ts'
import { decideNavigation } from '#src/app/guard.ts'
import { menuFor } from '#src/app/menu.ts'
import { ConsoleClient } from '#tests/support/console-client.ts'
import { CODE, type HttpApp, PASSWORD, startHttpApp } from '#tests/support/http-app.ts'
import { bareClient, type RelayBed, relayBed, STREAM, WALL } from '#tests/support/relay-bed.ts'

/** Every built-in role and three random custom ones, against every endpoint, page and live topic of the contracts. */

type Subject = { name: string; auth: readonly string[]; client: ConsoleClient; user: number }

let app: HttpApp
let bed: RelayBed
let relayUrl: string
let admin: ConsoleClient
const subjects: Subject[] = []

async function signedIn(username: string, role: string): Promise<{ client: ConsoleClient; user: number }> {
  const user = await app.addUser(username, role)
  const client = new ConsoleClient(app.url)
  await client.signIn(username, PASSWORD, CODE)
  return { client, user }
}
const makeRole = async (name: string, auth: readonly string[], administrator = false) => {
  const { body } = await admin.call(createRole, { body: { name, administrator, auth } })
  expect(body['code']).toBe(0)
  return body['data'] as Role
}

beforeAll(async () => {
  ;[app, bed] = await Promise.all([startHttpApp(), relayBed()])
  ;({ client: admin } = await signedIn('maker@example.com', 'administrator'))
  relayUrl = (await bed.relay({ meta: app.meta, now: app.deps.now, subjectCheckMs: 1000 })).url
  for (const { key, auth } of BUILT_IN_ROLES)
    subjects.push({ name: key, auth, ...(await signedIn(`${key}@example.com`, key)) })
  const grantable = [...SESSION_ROLES, ...ALL_ITEMS.filter((item) => !AUDITOR_ONLY.includes(item))]
  const random = fc.sample(fc.tuple(fc.subarray(grantable, { minLength: 1 }), fc.boolean()), {
    seed: Number(process.env['FAST_CHECK_SEED'] ?? 20_261_121),
    numRuns: 3,
  })
  for (const [at, [auth, administrator]] of random.entries()) {
    const name = `Random ${at + 1}`
    const { key } = await makeRole(name, auth, administrator)
    subjects.push({ name, auth, ...(await signedIn(`random${at}@example.com`, key)) })
  }
}, 60_000)
afterAll(async () => {
  await bed.close()
  await app.close()
})

test('[ROLE-01] every endpoint for every role: open to users with the permission, 500018 with HTTP 200 to the rest', async () => {
  const wrong: string[] = []
  for (const { name: role, auth, client } of subjects) {
    for (const [name, endpoint] of ENDPOINTS) {
      if (endpoint.access === 'public' || endpoint.changes) continue
      const reply = await client.call(endpoint)
      const mayCall = endpoint.access === 'session' || endpoint.access.some((item) => auth.includes(item))
      const byStatus = answersByStatus(endpoint)
      const refused = endpoint.method === 'HEAD' ? reply.status === 403 : reply.body['code'] === 500018
      // A navigation is no call of the console: its refusal does not end the session, and a 200 would be saved as the file.
      const status = mayCall ? reply.status : byStatus ? 403 : 200
      const signsOut = !byStatus && [401, 403].includes(reply.status)
      if (refused === mayCall || reply.status !== status || signsOut)
        wrong.push(`${role} ${name}: ${reply.status} ${reply.body['code']}`)
    }
  }
  expect(wrong).toEqual([])
}, 120_000)

test('[ROLE-01] every page for every role: opens and is in the menu where role and item allow it, else leads away', async () => {
  const wrong: string[] = []
  for (const { name: role, auth, client } of subjects) {
    const given = (await client.call(userGroup)).body['auth_list'] as string[]
    expect(given).toEqual([...auth])
    const menu = new Set(menuFor(given).flatMap(({ pages }) => pages.map((page) => page.name)))
    for (const name of PAGE_NAMES) {
      const page: PageEntry = PAGES[name]
      if (name === 'login' || name === 'auth_redirect') continue
      const path = page.path.replace(':id', '7').replace('*', 'home')
      const byRole = page.roles.length === 0 || page.roles.some((one) => one === 'any' || auth.includes(one))
      const opens = byRole && (!page.items || page.items.some((item) => auth.includes(item)))
      const decision = decideNavigation(path, path, { auth: given })
      const right = opens ? decision.kind === 'stay' : decision.kind === 'go' && decision.message === true
      if (!right || menu.has(name) !== (opens && page.built && !page.hidden))
        wrong.push(`${role} ${name}: ${JSON.stringify(decision)}, in the menu: ${menu.has(name)}`)
    }
  }
  expect(wrong).toEqual([])
})

test('[ROLE-01] every live topic for every role: events only with events.read, addresses only with personal.reveal', async () => {
  const address: Topic = { kind: 'stream', filters: [{ field: 'address', op: 'is', values: ['203.0.113.9'] }] }
  const wrong: string[] = []
  for (const { name: role, auth, client } of subjects) {
    const { body } = await client.call(liveTicket)
    expect(body['code']).toBe(0)
    const live = await bareClient(relayUrl, body['ticket'] as string)
    const reads = auth.includes('events.read')
    const cases: [Topic, boolean][] = [
      [WALL, reads],
      [STREAM, reads],
      [address, reads && auth.includes('personal.reveal')],
    ]
    for (const [topic, allowed] of cases) {
      const answer = await live.subscribe(topic)
      if ('topic' in answer !== allowed) wrong.push(`${role} ${JSON.stringify(topic)}: ${JSON.stringify(answer)}`)
      if ('error' in answer) expect(answer.error).toBe(500018)
    }
    live.socket.disconnect()
  }
  expect(wrong).toEqual([])
}, 60_000)

describe('[ROLE-01] a changed role', () => {
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
  const readsEvents = async (client: ConsoleClient) => (await client.call(statistics)).body['code'] !== 500018

  test('reaches an open session, its live connection and its access tokens within two seconds', async () => {
    const role = await makeRole('Changing', ['maps', 'events.read', 'token.create'])
    const { client } = await signedIn('changing@example.com', role.key)
    const token = (await client.call(createAccessToken, { body: { name: 't', scopes: ['events.read'], days: 1 } }))
      .body['token'] as string
    const byToken = async () =>
      (await new ConsoleClient(app.url).send('POST', statistics.path, '{}', bearer(token))).body['code'] !== 500018
    const live = await bareClient(relayUrl, (await client.call(liveTicket)).body['ticket'] as string)
    expect('topic' in (await live.subscribe(WALL))).toBe(true)
    expect([await readsEvents(client), await byToken()]).toEqual([true, true])

    const started = performance.now()
    const { key, rev, name, administrator } = role
    const body = { key, rev, name: name.en, administrator, auth: ['maps', 'token.create'] }
    expect((await admin.call(changeRole, { body })).body['code']).toBe(0)
    expect([await readsEvents(client), await byToken()]).toEqual([false, false])
    await live.disconnected
    expect(performance.now() - started).toBeLessThan(2000)
    expect(live.heard.at(-1)).toEqual({ type: 'revoked', reason: 'scope_changed' })
    const again = await bareClient(relayUrl, (await client.call(liveTicket)).body['ticket'] as string)
    expect('error' in (await again.subscribe(WALL))).toBe(true)
    again.socket.disconnect()
  })

  test('is heard by a connection that no topic depends on, so that the open page can follow', async () => {
    const role = await makeRole('Reader', ['asset.read', 'asset.delete'])
    const { client } = await signedIn('reader@example.com', role.key)
    const live = await bareClient(relayUrl, (await client.call(liveTicket)).body['ticket'] as string)
    const body = { key: role.key, rev: role.rev, name: 'Reader', administrator: false, auth: ['asset.read'] }
    const started = performance.now()
    await admin.call(changeRole, { body })
    await live.disconnected
    expect(performance.now() - started).toBeLessThan(2000)
    expect(live.heard.at(-1)).toEqual({ type: 'revoked', reason: 'scope_changed' })
  })

  test('leaves accounts of other roles connected, and another role of an account counts like a changed one', async () => {
    const role = await makeRole('Left', ['asset.read'])
    const stays = await signedIn('stays@example.com', 'trial')
    const moves = await signedIn('moves@example.com', role.key)
    const [unmoved, moved] = await Promise.all(
      [stays, moves].map(async ({ client }) =>
        bareClient(relayUrl, (await client.call(liveTicket)).body['ticket'] as string),
      ),
    )
    await admin.call(changeUser, { body: { id: moves.user, role: 'multi_channel' } })
    await moved?.disconnected
    expect(unmoved?.socket.connected).toBe(true)
    unmoved?.socket.disconnect()
  })
})
