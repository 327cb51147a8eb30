import { connect } from 'node:net'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { userGroup } from '#contracts/http/accounts.ts'
import { createApplication } from '#contracts/http/applications.ts'
import { ENDPOINTS } from '#contracts/http/index.ts'
import { assetBed, SETTINGS_APK, TEST_APK } from '#tests/support/asset-bed.ts'
import { ConsoleClient } from '#tests/support/console-client.ts'
import { CODE, type HttpApp, PASSWORD, startHttpApp } from '#tests/support/http-app.ts'

/** Items of docs/security.md about every answer of the console's server. */

let app: HttpApp
let admin: ConsoleClient
beforeAll(async () => {
  app = await startHttpApp()
  await app.addUser('admin@example.com', 'administrator')
  admin = new ConsoleClient(app.url)
  await admin.signIn('admin@example.com', PASSWORD, CODE)
})
afterAll(() => app.close())

/** Tables that record or time each call, and the codes that verification images show. */
const NOTED = new Set(['network_log', 'request_nonces', 'sessions', 'audit_log', 'verify_codes'])

async function contents(): Promise<Map<string, string>> {
  const { rows } = await sql<{
    name: string
  }>`select tablename as name from pg_tables where schemaname = 'public'`.execute(app.meta.db)
  const found = new Map<string, string>()
  for (const { name } of rows) {
    if (NOTED.has(name)) continue
    const table = sql.table(name)
    const { rows: hashes } = await sql<{
      hash: string | null
    }>`select md5(string_agg(t::text, '' order by t::text)) as hash from ${table} t`.execute(app.meta.db)
    found.set(name, hashes[0]?.hash ?? '')
  }
  return found
}

test('no GET or HEAD changes a table, except logout, which is marked and signed', async () => {
  const reads = [...ENDPOINTS].filter(([, { method }]) => method === 'GET' || method === 'HEAD')
  expect(reads.length).toBeGreaterThan(50)
  expect(reads.filter(([, { changes }]) => changes).map(([name]) => name)).toEqual(['logout'])
  const before = await contents()
  expect(before.size).toBeGreaterThan(25)
  for (const [name, endpoint] of reads) if (name !== 'logout') await admin.call(endpoint)
  const after = await contents()
  const changed = [...after].filter(([name, hash]) => before.get(name) !== hash).map(([name]) => name)
  expect(changed).toEqual([])
})

/** What share links of reports lead to. */
const WITHOUT_REFERRER = ['sharedPage', 'sharedReport', 'sharedFile']
/** A refusal has nothing to keep from other sites, and the general header. */
function policyFits(name: string, policy: string | null): boolean {
  return policy === 'same-origin' || (policy === 'no-referrer' && WITHOUT_REFERRER.includes(name))
}

test('every endpoint answers with the headers that restrict sniffing, framing, referrers and caching, allowed or refused', async () => {
  const wrong: string[] = []
  for (const client of [admin, new ConsoleClient(app.url)])
    for (const [name, endpoint] of ENDPOINTS) {
      if (endpoint.changes) continue
      const { headers } = await client.call(endpoint)
      const policy = headers.get('content-security-policy') ?? ''
      const fits =
        headers.get('x-content-type-options') === 'nosniff' &&
        headers.get('x-frame-options') === 'DENY' &&
        policyFits(name, headers.get('referrer-policy')) &&
        policy.includes("default-src 'none'") &&
        policy.includes("frame-ancestors 'none'") &&
        /no-store|private/.test(headers.get('cache-control') ?? '') &&
        headers.get('access-control-allow-origin') === null &&
        headers.get('server') === null &&
        headers.get('x-powered-by') === null
      if (!fits) wrong.push(`${name} ${JSON.stringify(Object.fromEntries(headers))}`)
    }
  expect(wrong).toEqual([])
}, 60_000)

test('a page of another origin gets no answer that it may read, and its requests without X-Token are refused', async () => {
  const origin = { origin: 'https://evil.example' }
  const { headers } = await admin.call(userGroup, {}, { headers: origin })
  expect([...headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([])
  const preflight = { ...origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'x-token' }
  const answer = await admin.send('OPTIONS', createApplication.path, '', preflight)
  expect(answer.status).toBeGreaterThanOrEqual(400)
  expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([])
  const body = { name: 'Forged', mimetype_list: [1] }
  const forged = await admin.call(createApplication, { body }, { headers: { ...origin, 'x-token': undefined } })
  expect(forged.body['key']).toBe('request.signature')
})

test('TRACE, repositories, source maps, environment files, listings and debug pages do not exist', async () => {
  const paths = [
    ...[
      '.git/config',
      '.git/HEAD',
      '.env',
      '.DS_Store',
      'package.json',
      'server/main.ts',
      'assets/',
      'assets/index.js.map',
    ],
    ...[
      'debug',
      'debug/pprof/',
      'phpinfo.php',
      'actuator/env',
      'server-status',
      'console.js.map',
      'keys/kek',
      'api/debug/',
    ],
  ]
  for (const path of paths) {
    const { status, text } = await admin.send('GET', `/${path}`, '', {})
    // A path without an ending may be a page of the console, which this server has not.
    expect([path, status === 404 || !/\[core\]|"dependencies"|"mappings"|Index of/.test(text)]).toEqual([path, true])
    expect([path, status]).toEqual([path, 404])
  }
  const { port } = new URL(app.url)
  const answer = await new Promise<string>((resolve, fail) => {
    let text = ''
    const socket = connect(Number(port), '127.0.0.1', () =>
      socket.end('TRACE / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Secret: canary\r\nConnection: close\r\n\r\n'),
    )
    socket
      .on('data', (chunk) => (text += chunk))
      .on('end', () => resolve(text))
      .on('error', fail)
  })
  expect(answer).toMatch(/^HTTP\/1.1 4\d\d/)
  expect(answer).not.toContain('canary')
})

test('of fifty parallel creations one below the quota exactly one succeeds', { retry: 0 }, async () => {
  await app.addUser('quota@example.com', 'operator')
  await app.meta.db
    .updateTable('users')
    .set({ application_quota: 2 })
    .where('username', '=', 'quota@example.com')
    .execute()
  const client = new ConsoleClient(app.url)
  await client.signIn('quota@example.com', PASSWORD, CODE)
  const create = async (name: string) =>
    (await client.call(createApplication, { body: { name, mimetype_list: [1] } })).body['code']
  expect(await create('first')).toBe(0)
  const codes = await Promise.all(Array.from({ length: 50 }, (_, n) => create(`next ${n}`)))
  expect(codes.filter((code) => code === 0)).toHaveLength(1)
  expect(codes.filter((code) => code === 500006)).toHaveLength(49)
})

test('an upload that makes an application is bound by the quota too, and parallel uploads of one package make one', async () => {
  const bed = await assetBed()
  try {
    await bed.app.meta.db
      .updateTable('users')
      .set({ application_quota: 1 })
      .where('username', '=', 'owner@example.com')
      .execute()
    const send = () => bed.upload(TEST_APK, 'one.apk', { create: 'application' })
    const first = await Promise.all([send(), send(), send()])
    expect(first.map(({ body }) => body['code'])).toEqual([0, 0, 0])
    const second = await bed.upload(SETTINGS_APK, 'two.apk', { create: 'application' })
    expect(second).toMatchObject({ status: 429, body: { key: 'quota.reached' } })
    const rows = await bed.app.meta.db.selectFrom('applications').select('id').execute()
    expect(rows).toHaveLength(1)
  } finally {
    await bed.app.close()
  }
}, 120_000)
