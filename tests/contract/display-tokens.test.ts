import { afterAll, beforeAll, expect, test } from 'vitest'
import { applicationList, createApplication } from '#contracts/http/applications.ts'
import { liveTicket } from '#contracts/http/observatory.ts'
import { savedViews } from '#contracts/http/saved-views.ts'
import { statistics } from '#contracts/http/statistics.ts'
import { createDisplayToken, displayTokens, wallSelf } from '#contracts/http/tokens.ts'
import { takeTicket } from '#realtime/relay/live-ticket.ts'
import { ConsoleClient } from '#tests/support/console-client.ts'
import { CODE, type HttpApp, PASSWORD, startHttpApp } from '#tests/support/http-app.ts'

const DAY = 86_400_000

let app: HttpApp
let maker: ConsoleClient
beforeAll(async () => {
  app = await startHttpApp()
  await app.addUser('maker@example.com', 'administrator')
  maker = new ConsoleClient(app.url)
  await maker.signIn('maker@example.com', PASSWORD, CODE)
})
afterAll(() => app.close())

async function makeToken(name: string): Promise<{ headers: Record<string, string>; id: string }> {
  const { body } = await maker.call(createDisplayToken, { body: { name } })
  const { token, data } = body as { token: string; data: { id: string } }
  return { headers: { authorization: `Bearer ${token}` }, id: data.id }
}
const send = (path: string, headers: Record<string, string>, body?: unknown) =>
  new ConsoleClient(app.url).send(body ? 'POST' : 'GET', path, body ? JSON.stringify(body) : '', headers)

test('a display token expires after one year by default, is listed with its expiry and opens no socket beyond it', async () => {
  const { headers, id } = await makeToken('Lobby')
  const list = (await maker.call(displayTokens)).body['data'] as {
    id: string
    created_at: number
    expires_at: number
  }[]
  const listed = list.find((one) => one.id === id)
  expect((listed?.expires_at ?? 0) - (listed?.created_at ?? 0)).toBe(365 * DAY)
  const { ticket } = (await send(liveTicket.path, headers, {})).body as { ticket: string }
  expect(await takeTicket(app.meta, ticket, app.deps.now())).toMatchObject({
    kind: 'display',
    until: listed?.expires_at,
  })
  app.clock.offset = 365 * DAY - 60_000
  expect((await send(wallSelf.path, headers)).status).toBe(200)
  app.clock.offset = 365 * DAY + 1000
  expect(await send(wallSelf.path, headers)).toMatchObject({ status: 401, body: { code: 500502 } })
  app.clock.offset = 0
})

test('a display token reads no e-mail addresses, no saved views of others, and filters by no device or user', async () => {
  await maker.call(createApplication, { body: { name: 'Bank', mimetype_list: [1] } })
  const { headers } = await makeToken('Hall')
  const answer = await send(applicationList.path, headers)
  expect(answer.status).toBe(200)
  expect(JSON.stringify(answer.body)).toContain('Bank')
  expect(JSON.stringify(answer.body)).not.toContain('@')
  expect((await send(savedViews.path, headers)).status).toBe(403)
  for (const field of ['device', 'user', 'address']) {
    const query = { range: 'today', filters: [{ field, op: 'is', values: ['a'.repeat(32)] }] }
    expect((await send(statistics.path, headers, { query, parts: {} })).status).toBe(403)
  }
})
