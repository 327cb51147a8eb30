import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { signin, verifyImage } from '#contracts/http/accounts.ts'
import { siteList } from '#contracts/http/sites.ts'
import { statistics } from '#contracts/http/statistics.ts'
import { accessTokens, createAccessToken } from '#contracts/http/tokens.ts'
import { closeLog, openLog } from '#runtime/log.ts'
import { openDatabase } from '#storage/postgres/database.ts'
import { apiWith } from '#tests/support/api.ts'
import { ConsoleClient } from '#tests/support/console-client.ts'
import { CODE, type HttpApp, PASSWORD, startHttpApp } from '#tests/support/http-app.ts'

let app: HttpApp
let folder: string
beforeAll(async () => {
  app = await startHttpApp({}, 3000)
  folder = mkdtempSync(join(tmpdir(), 'appwarden-log-'))
  openLog({ process: 'console', folder })
  await app.addUser('admin@example.com', 'administrator')
})
afterAll(async () => {
  closeLog()
  await app.close()
  rmSync(folder, { recursive: true, force: true })
})
const logged = () =>
  readFileSync(join(folder, 'console.log'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { msg: string; key?: string; err?: { message: string; stack: string } })

test('a part of the product that is away answers 5xx, and the log has a line with the cause', async () => {
  const client = new ConsoleClient(app.url)
  await client.signIn('admin@example.com', PASSWORD, CODE)
  const made = await client.call(createAccessToken, { body: { name: 'log', scopes: ['events.read'], days: 1 } })
  const api = apiWith(app.url, made.body['token'] as string)
  const parts = { all: { kind: 'total' as const, measures: ['events' as const] } }
  const query = { range: '-24h' as const, timeBasis: 'received' as const }
  await expect(api(statistics, { body: { query, parts } })).rejects.toThrow(/ 503 /)
  expect(logged().at(-1)).toMatchObject({
    msg: `POST ${statistics.path} failed`,
    key: 'server.store_down',
    err: { stack: expect.stringContaining('at ') },
  })
})

test('a statement beyond its limit answers the time-out of queries, others are answered meanwhile, and the log has its line', async () => {
  const client = new ConsoleClient(app.url)
  await client.signIn('admin@example.com', PASSWORD, CODE)
  const other = await openDatabase(app.database, { migrate: false, connections: 1 })
  try {
    // Another transaction holds the table of tokens: the call that lists them waits for it.
    await other.db.transaction().execute(async (holder) => {
      await sql`lock table access_tokens in access exclusive mode`.execute(holder)
      const waiting = client.call(accessTokens)
      expect(await client.call(siteList)).toMatchObject({ body: { code: 0 } })
      expect(await waiting).toMatchObject({ status: 200, body: { key: 'server.query_timeout' } })
    })
  } finally {
    await other.close()
  }
  expect(logged().at(-1)).toMatchObject({ msg: `GET ${accessTokens.path} failed`, key: 'server.query_timeout' })
  expect(await client.call(accessTokens)).toMatchObject({ body: { code: 0 } })
})

test('[LOGIN-02] a sign-in while PostgreSQL restarts answers 503 server.starting, and its cause is in the log', async () => {
  const client = new ConsoleClient(app.url)
  await client.call(verifyImage)
  await app.stopDatabase()
  const body = { username: 'admin@example.com', password: PASSWORD, verify_code: CODE }
  const answer = await client.call(signin, { body })
  expect(answer).toMatchObject({ status: 503, body: { key: 'server.starting' } })
  expect(answer.headers.get('retry-after')).toBe('2')
  expect(logged().at(-1)).toMatchObject({
    msg: `POST ${signin.path} failed`,
    key: 'server.starting',
    err: { message: expect.stringMatching(/connect|terminat|shutting down/i) },
  })
})
