import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createServer as createTlsServer, type Server as TlsServer } from 'node:tls'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type Checkpoint,
  deleteLogOutput,
  type LogOutput,
  logOutputs,
  saveLogOutput,
  testLogOutput,
} from '#contracts/http/audit-log.ts'
import { saveSettings } from '#contracts/http/settings.ts'
import { type DeliverLogsDeps, deliverLogs } from '#server/modules/audit-log/deliver-logs.ts'
import { makeCheckpoint } from '#server/platform/audit/checkpoints.ts'
import { webhookSignature } from '#server/platform/outgoing/webhook-signature.ts'
import { selfSigned } from '#server/platform/tls/self-signed.ts'
import { ConsoleClient } from '#tests/support/console-client.ts'
import { CODE, type HttpApp, PASSWORD, startHttpApp } from '#tests/support/http-app.ts'

let app: HttpApp
let admin: ConsoleClient
let auditor: ConsoleClient
let deps: DeliverLogsDeps

async function signedIn(username: string, role: string): Promise<ConsoleClient> {
  await app.addUser(username, role)
  const client = new ConsoleClient(app.url, () => Date.now() + app.clock.offset)
  await client.signIn(username, PASSWORD, CODE)
  return client
}
/** The fields of an answer that was not refused. */
async function ok<T>(answer: Promise<{ body: Record<string, unknown> }>): Promise<T> {
  const { body } = await answer
  expect(body['code'], String(body['codemsg'])).toBe(0)
  return body as T
}
beforeAll(async () => {
  app = await startHttpApp()
  admin = await signedIn('admin@example.com', 'administrator')
  auditor = await signedIn('auditor@example.com', 'auditor')
  deps = {
    meta: app.meta,
    secret: app.deps.secret,
    now: () => Date.now() + app.clock.offset,
    file: app.config.paths.auditCheckpoints,
    internal: () => true,
  }
}, 60_000)
afterAll(() => app.close())

describe('[LOG-01] outputs', () => {
  let receiver: Server
  let syslog: TlsServer
  let authority: string
  let answer = 200
  const posts: { headers: Record<string, unknown>; body: string }[] = []
  let received = ''
  beforeAll(async () => {
    await ok(admin.call(saveSettings, { body: { webhook_private: true } }))
    receiver = createServer((request, response) => {
      const parts: Buffer[] = []
      request.on('data', (part: Buffer) => parts.push(part))
      request.on('end', () => {
        if (answer === 200) posts.push({ headers: request.headers, body: Buffer.concat(parts).toString('utf8') })
        response.writeHead(answer).end()
      })
    })
    await new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done))
    const { cert, key } = await selfSigned(['localhost'], 10, Date.now())
    authority = cert
    syslog = createTlsServer({ cert, key }, (socket) => {
      socket.setEncoding('utf8').on('data', (text: string) => {
        received += text
      })
      socket.on('end', () => socket.end()).on('error', () => {})
    })
    await new Promise<void>((done) => syslog.listen(0, '127.0.0.1', done))
  })
  afterAll(() => {
    receiver.close()
    syslog.close()
  })
  const portOf = (server: Server | TlsServer) => (server.address() as AddressInfo).port
  const entry = {
    account: 'é"]\\',
    role: '',
    action: 'x',
    target: '目标',
    result: 'input.invalid',
    address: '::1',
    detail: 'd',
  }

  test('a webhook gets every entry once, in order and signed; after a failure it is tried again later', async () => {
    const { data, secret } = await ok<{ data: LogOutput; secret: string }>(
      admin.call(saveLogOutput, {
        body: { kind: 'webhook', name: 'SIEM', enabled: true, url: `http://127.0.0.1:${portOf(receiver)}/log?key=abc` },
      }),
    )
    expect(secret).toMatch(/^aw_wh_/)
    const seen = await ok<{ data: LogOutput[] }>(auditor.call(logOutputs))
    expect(seen.data[0]?.target).toBe(`http://127.0.0.1:${portOf(receiver)}/•••`)
    answer = 503
    for (let i = 0; i < 250; i++) await app.deps.audit(entry)
    await deliverLogs(deps)
    const failed = (await ok<{ data: LogOutput[] }>(admin.call(logOutputs))).data[0] as LogOutput
    expect(failed).toMatchObject({ error: 'no valid answer from a private address', position: data.position })
    expect(failed.waiting).toBeGreaterThan(250)
    answer = 200
    await deliverLogs(deps)
    expect(posts).toEqual([])
    app.clock.offset = 5001
    await deliverLogs(deps)
    const rows = await app.meta.db
      .selectFrom('audit_log')
      .select(['id', 'hash'])
      .where('id', '>', data.position)
      .orderBy('id')
      .execute()
    const sent = posts.flatMap(({ body }) => (JSON.parse(body) as { entries: { id: number; hash: string }[] }).entries)
    expect(sent.map(({ id, hash }) => ({ id, hash }))).toEqual(rows)
    for (const { headers, body } of posts) {
      const header = headers['x-aw-signature'] as string
      expect(header).toBe(webhookSignature(secret, Number(/^t=(\d+)/.exec(header)?.[1]), body))
    }
    app.clock.offset = 2 * 3_600_000
    const checkpoint = (await makeCheckpoint(deps)) as Checkpoint
    await deliverLogs(deps)
    app.clock.offset = 0
    expect(JSON.parse(posts.at(-1)?.body ?? '')).toMatchObject({ entries: [], checkpoints: [checkpoint] })
    await ok(admin.call(deleteLogOutput, { body: { id: data.id } }))
  })

  test('a syslog server gets RFC 5424 messages in octet-counted frames over TLS, from a certificate it can prove', async () => {
    const save = (ca: string) =>
      ok<{ data: LogOutput }>(
        admin.call(saveLogOutput, {
          body: { kind: 'syslog', name: 'syslog', enabled: true, host: 'localhost', port: portOf(syslog), ca },
        }),
      )
    const untrusted = (await save('')).data
    const test = async (id: string) =>
      (await ok<{ data: { sent: boolean; error: string } }>(admin.call(testLogOutput, { body: { id } }))).data
    expect(await test(untrusted.id)).toMatchObject({ sent: false, error: expect.stringContaining('self-signed') })
    expect(received).toBe('')
    await ok(admin.call(deleteLogOutput, { body: { id: untrusted.id } }))
    const { data } = await save(authority)
    expect(await test(data.id)).toEqual({ sent: true, error: '' })
    received = ''
    await app.deps.audit(entry)
    await deliverLogs(deps)
    const messages: string[] = []
    for (let rest = Buffer.from(received); rest.length > 0; ) {
      const space = rest.indexOf(' ')
      const size = Number(rest.subarray(0, space).toString())
      messages.push(rest.subarray(space + 1, space + 1 + size).toString('utf8'))
      rest = rest.subarray(space + 1 + size)
    }
    const last = messages.at(-1) as string
    const form =
      /^<(\d{1,3})>1 (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z) ([!-~]+) appwarden - x \[appwarden@32473((?: [a-z_]+="(?:[^"\\\]]|\\["\\\]])*")*)\] \ufeff(.*)$/s
    const [, priority, , , parameters, text] = form.exec(last) ?? []
    expect([Number(priority), text]).toEqual([13 * 8 + 4, 'd'])
    expect(parameters).toContain('account="é\\"\\]\\\\"')
    expect(parameters).toContain('target="目标"')
    await ok(admin.call(deleteLogOutput, { body: { id: data.id } }))
  })

  test('who may not change settings sees outputs and changes none; targets are checked', async () => {
    const operator = await signedIn('operator@example.com', 'operator')
    const body = { kind: 'syslog', name: 'x', enabled: true, host: 'log.example.com', port: 6514 } as const
    expect((await auditor.call(saveLogOutput, { body })).body['code']).toBe(500018)
    expect((await operator.call(logOutputs)).body['code']).toBe(500018)
    const wrong = async (more: object) => (await admin.call(saveLogOutput, { body: { ...body, ...more } })).body['key']
    expect(await wrong({ host: 'a b' })).toBe('input.invalid')
    expect(await wrong({ host: 'x'.repeat(64) })).toBe('input.invalid')
    expect(await wrong({ ca: 'no certificate' })).toBe('input.invalid')
    expect(await wrong({ port: 70_000 })).toBe('input.invalid')
    expect(
      (await admin.call(saveLogOutput, { body: { kind: 'webhook', name: 'x', enabled: true, url: 'ftp://x' } })).body[
        'key'
      ],
    ).toBe('input.invalid')
    expect((await ok<{ data: LogOutput[] }>(admin.call(logOutputs))).data).toEqual([])
  })
})
