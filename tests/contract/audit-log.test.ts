import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { text as textOf } from 'node:stream/consumers'
import { sql } from 'kysely'
import { sm2 } from 'sm-crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  auditCheckpoints,
  auditEntry,
  auditLog,
  auditState,
  auditSummary,
  auditVerify,
  type Checkpoint,
  checkpointText,
  deleteLogs,
  exportLog,
  networkLog,
  networkSummary,
} from '#contracts/http/audit-log.ts'
import { readSettings, saveSettings } from '#contracts/http/settings.ts'
import { runExport } from '#server/modules/exports/export-job.ts'
import { retainAudit } from '#server/platform/audit/audit-trail.ts'
import { makeCheckpoint, verifyAudit } from '#server/platform/audit/checkpoints.ts'
import { openLocalFiles } from '#storage/files/local-files.ts'
import { ConsoleClient } from '#tests/support/console-client.ts'
import { CODE, type HttpApp, PASSWORD, startHttpApp } from '#tests/support/http-app.ts'

const DAY_MS = 86_400_000
let app: HttpApp
let admin: ConsoleClient
let auditor: ConsoleClient
let deps: Parameters<typeof makeCheckpoint>[0]

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
type Page = {
  data: { id: number; action: string; result: string; account: string; role: string }[]
  next_cursor: number | null
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
  }
  await ok(admin.call(saveSettings, { body: { log_days: 400 } }))
  await ok(admin.call(saveSettings, { body: { zone: 'Europe/Berlin' } }))
  await auditor.call(saveSettings, { body: { log_days: 500 } })
}, 60_000)
afterAll(() => app.close())

/** Changes rows that a trigger protects, as somebody with the database in his hands can. */
function tamper(statement: ReturnType<typeof sql>): Promise<void> {
  return app.meta.db.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx)
    await statement.execute(tx)
  })
}

describe('[LOG-01] the audit trail', () => {
  test('is filtered by account, action, result, time and words, page by page, and counted over time', async () => {
    const of = async (query: Record<string, unknown>) => (await ok<Page>(auditor.call(auditLog, { query }))).data
    expect((await of({ account: 'admin@example.com', action: 'saveSettings' })).map(({ result }) => result)).toEqual([
      'ok',
      'ok',
    ])
    expect(await of({ result: 'refused', action: 'saveSettings' })).toMatchObject([
      { account: 'auditor@example.com', result: 'permission.missing' },
    ])
    expect(await of({ to: 1 })).toEqual([])
    expect(
      (await of({ from: Date.now() - 60_000, search: 'ZONE' })).every(({ action }) => action === 'saveSettings'),
    ).toBe(true)
    const all = await of({})
    const paged: number[] = []
    for (let cursor: number | null | undefined; cursor !== null; ) {
      const page: Page = await ok(auditor.call(auditLog, { query: { limit: 2, ...(cursor && { cursor }) } }))
      paged.push(...page.data.map(({ id }) => id))
      cursor = page.next_cursor
    }
    expect(paged).toEqual(all.map(({ id }) => id))
    const { data } = await ok<{
      data: {
        total: number
        accounts: string[]
        actions: string[]
        histogram: { spans: { ok: number; refused: number }[] }
      }
    }>(auditor.call(auditSummary))
    expect(data.total).toBe(all.length)
    expect(data.histogram.spans.reduce((sum, one) => sum + one.ok + one.refused, 0)).toBe(all.length)
    expect(data.actions).toContain('saveSettings')
    expect(data.accounts).toContain('admin@example.com')
  })

  test('shows an entry with its values before and after, its place in the chain and what else the account did', async () => {
    const { data: rows } = await ok<Page>(auditor.call(auditLog, { query: { search: 'zone', action: 'saveSettings' } }))
    const { data } = await ok<{ data: Record<string, unknown> & { around: { action: string }[] } }>(
      auditor.call(auditEntry, { query: { id: rows[0]?.id as number } }),
    )
    expect(data).toMatchObject({
      changes: [{ field: 'zone', before: 'Asia/Shanghai', after: 'Europe/Berlin' }],
      changed: 1,
      fits: true,
      role_name: { zh: '管理员', en: 'Administrator' },
      checkpoint: null,
      outputs: [],
    })
    expect(data['last_login_at']).toBeGreaterThan(Date.now() - 600_000)
    expect(data.around.map(({ action }) => action)).toContain('signin')
    expect((await auditor.call(auditEntry, { query: { id: 9_999_999 } })).body['key']).toBe('data.missing')
  })

  test('a changed or removed entry breaks the chain from there on, and the database refuses both', async () => {
    const { db } = app.meta
    await expect(db.updateTable('audit_log').set({ account: 'x' }).execute()).rejects.toThrow(/append-only/)
    await expect(db.deleteFrom('audit_log').execute()).rejects.toThrow(/append-only/)
    expect((await ok<{ data: object }>(auditor.call(auditVerify))).data).toMatchObject({
      broken_at: null,
      missing: null,
    })
    const third = await db
      .selectFrom('audit_log')
      .selectAll()
      .orderBy('id')
      .offset(2)
      .limit(1)
      .executeTakeFirstOrThrow()
    await tamper(sql`update audit_log set account = 'somebody else' where id = ${third.id}`)
    expect(await verifyAudit(deps)).toMatchObject({ broken_at: third.id })
    await tamper(sql`update audit_log set account = ${third.account} where id = ${third.id}`)
    expect((await verifyAudit(deps)).broken_at).toBeNull()
    await tamper(sql`delete from audit_log where id = ${third.id}`)
    expect((await verifyAudit(deps)).broken_at).toBe(third.id + 1)
    const { id, at, account, role, action, target, result, address, detail, changes, hash } = third
    await tamper(
      sql`insert into audit_log (id, at, account, role, action, target, result, address, detail, changes, hash) overriding system value
        values (${id}, ${at}, ${account}, ${role}, ${action}, ${target}, ${result}, ${address}, ${detail}, ${changes}, ${hash})`,
    )
    expect((await verifyAudit(deps)).broken_at).toBeNull()
  })

  test('appends at once keep their order; control characters become visible', async () => {
    const entry = { account: 'a', role: '', action: 'x', target: '', result: 'ok', address: '', detail: 'a\nb \u202e' }
    await Promise.all(Array.from({ length: 20 }, () => app.deps.audit(entry)))
    expect((await verifyAudit(deps)).broken_at).toBeNull()
    const { data } = await ok<{ data: { detail: string }[] }>(auditor.call(auditLog, { query: { account: 'a' } }))
    expect(data[0]?.detail).toBe('a\\u000ab \\u202e')
  })
})

describe('[LOG-01] signed checkpoints', () => {
  test('one is due with new entries after an hour or 1000 entries, and an independent library verifies it', async () => {
    const first = (await makeCheckpoint(deps)) as Checkpoint
    expect(first.id).toBe(1)
    expect(await makeCheckpoint(deps)).toBeUndefined()
    await app.deps.audit({ account: 'b', role: '', action: 'x', target: '', result: 'ok', address: '', detail: '' })
    expect(await makeCheckpoint(deps)).toBeUndefined()
    app.clock.offset = 3_600_000
    const second = (await makeCheckpoint(deps)) as Checkpoint
    app.clock.offset = 0
    expect(second.id).toBe(2)
    const { data, public_key } = await ok<{ data: Checkpoint[]; public_key: string }>(auditor.call(auditCheckpoints))
    expect(data).toEqual([second, first])
    for (const one of data)
      expect(
        sm2.doVerifySignature([...Buffer.from(checkpointText(one))], one.signature, public_key, {
          hash: true,
          der: true,
        }),
      ).toBe(true)
    expect(await verifyAudit(deps)).toMatchObject({ checkpoints: 2, bad_checkpoint: null, missing: null })
    const state = await ok<{ data: { checkpoint: Checkpoint; verification: { by: string } } }>(auditor.call(auditState))
    expect(state.data).toMatchObject({ checkpoint: second, verification: { by: 'auditor@example.com' } })
  })

  test('a tail that was cut is noticed by its checkpoint, and by the copy in the data folder when both were cut', async () => {
    const { db } = app.meta
    const kept = await db.selectFrom('audit_log').selectAll().orderBy('id', 'desc').limit(1).executeTakeFirstOrThrow()
    const checkpoint = await db
      .selectFrom('audit_checkpoints')
      .selectAll()
      .where('id', '=', 2)
      .executeTakeFirstOrThrow()
    await tamper(sql`delete from audit_log where id >= ${checkpoint.entry_id}`)
    const cut = await verifyAudit(deps)
    expect(cut).toMatchObject({ broken_at: null, missing: { to: checkpoint.entry_id } })
    await tamper(sql`delete from audit_checkpoints where id = 2`)
    expect((await verifyAudit(deps)).missing).toEqual(cut.missing)
    const copies = readFileSync(deps.file, 'utf8')
    rmSync(deps.file)
    // Nothing is left that could tell: copies at the outputs are what remains then.
    expect((await verifyAudit(deps)).missing).toBeNull()
    writeFileSync(deps.file, `${copies}{"torn`)
    expect((await verifyAudit(deps)).missing).toEqual(cut.missing)
    const { id, at, account, role, action, target, result, address, detail, changes, hash } = kept
    await tamper(
      sql`insert into audit_log (id, at, account, role, action, target, result, address, detail, changes, hash) overriding system value
        values (${id}, ${at}, ${account}, ${role}, ${action}, ${target}, ${result}, ${address}, ${detail}, ${changes}, ${hash})`,
    )
    await tamper(sql`insert into audit_checkpoints select ${2}, ${checkpoint.at}::int8, ${checkpoint.entry_id}::int8,
      ${checkpoint.hash}, ${checkpoint.signature}`)
    writeFileSync(deps.file, copies)
    expect(await verifyAudit(deps)).toMatchObject({ broken_at: null, bad_checkpoint: null, missing: null })
  })

  test('a chain that was rewritten whole, and a forged signature, do not verify', async () => {
    const row = await app.meta.db
      .selectFrom('audit_checkpoints')
      .selectAll()
      .where('id', '=', 1)
      .executeTakeFirstOrThrow()
    await tamper(sql`update audit_checkpoints set hash = ${'0'.repeat(64)} where id = 1`)
    expect((await verifyAudit(deps)).bad_checkpoint).toBe(1)
    await tamper(sql`update audit_checkpoints set hash = ${row.hash}, signature = '3006020101020101' where id = 1`)
    expect((await verifyAudit(deps)).bad_checkpoint).toBe(1)
    await tamper(sql`update audit_checkpoints set signature = ${row.signature} where id = 1`)
    expect((await verifyAudit(deps)).bad_checkpoint).toBeNull()
  })
})

describe('[LOG-01] deletion and download', () => {
  test('the auditor deletes what is older than 184 days, nothing younger; the administrator deletes nothing', async () => {
    const before = Date.now() - 184 * DAY_MS
    const refused = await admin.call(deleteLogs, { body: { log: 'audit', before: before - DAY_MS } })
    expect(refused.body['code']).toBe(500018)
    const young = await auditor.call(deleteLogs, { body: { log: 'audit', before: before + DAY_MS } })
    expect(young.body['key']).toBe('log.protected')

    app.clock.offset = 200 * DAY_MS
    const later = await signedIn('later@example.com', 'auditor')
    const { data: state } = await ok<{ data: { entries: number; deletable: { audit: number } } }>(
      later.call(auditState),
    )
    expect(state.deletable.audit).toBeGreaterThan(20)
    const answer = await ok<{ data: { deleted: number } }>(
      later.call(deleteLogs, { body: { log: 'audit', before: Date.now() + 10 * DAY_MS } }),
    )
    expect(answer.data.deleted).toBe(state.deletable.audit)
    const { data: rest } = await ok<Page>(later.call(auditLog))
    // A sign-in names the role of the account too, though no account was known when it began.
    expect(rest.map(({ action, role }) => [action, role])).toEqual([
      ['deleteLogs', 'auditor'],
      ['signin', 'auditor'],
    ])
    expect(await verifyAudit(deps)).toMatchObject({ entries: 2, broken_at: null, bad_checkpoint: null, missing: null })
    const lines = await ok<{ data: { deleted: number } }>(
      later.call(deleteLogs, { body: { log: 'network', before: Date.now() + 10 * DAY_MS } }),
    )
    expect(lines.data.deleted).toBeGreaterThan(0)
    app.clock.offset = 0
  })

  test('retention removes the oldest entries and the chain still holds', async () => {
    const entry = { account: 'c', role: '', action: 'x', target: '', result: 'ok', address: '', detail: '' }
    for (let i = 0; i < 5; i++) await app.deps.audit(entry)
    expect(await retainAudit(app.meta, Date.now() + 300 * DAY_MS)).toBeGreaterThan(0)
    await app.deps.audit(entry)
    expect(await verifyAudit(deps)).toMatchObject({ entries: 1, broken_at: null, missing: null })
  })

  test('a download holds every entry that the filters leave, with its hash, in the words of the reader', async () => {
    const client = await signedIn('reader@example.com', 'auditor')
    const files = await openLocalFiles(app.config.paths.files)
    const { job } = await ok<{ job: { id: string } }>(
      client.call(
        exportLog,
        { body: { list: { log: 'audit', filters: { action: 'signin' } }, format: 'csv', title: '审计日志' } },
        { headers: { 'accept-language': 'zh' } },
      ),
    )
    const exports = {
      meta: app.meta,
      store: app.deps.store,
      files,
      zone: () => 'Asia/Shanghai',
      placeName: () => undefined,
      now: deps.now,
    }
    await runExport(exports, job.id, new AbortController().signal)
    const row = await app.meta.db.selectFrom('jobs').selectAll().where('id', '=', job.id).executeTakeFirstOrThrow()
    expect([row.state, row.note]).toEqual(['done', ''])
    const text = await textOf((await files.open(row.file as string)).stream())
    const [head, ...lines] = text.trim().split('\r\n')
    expect(head).toContain('哈希（SM3）')
    const stored = await app.meta.db.selectFrom('audit_log').select('hash').where('action', '=', 'signin').execute()
    expect(lines).toHaveLength(stored.length)
    for (const { hash } of stored) expect(text).toContain(hash)
    expect(lines[0]).toContain('登录,signin')
    const without = await admin.call(exportLog, {
      body: { list: { log: 'network', filters: {} }, title: 'x', format: 'csv' },
    })
    expect(without.body['code']).toBe(0)
  })
})

test('[LOG-01] the network log is read by kind, account, address and result', async () => {
  const client = await signedIn('network@example.com', 'auditor')
  await client.call(readSettings)
  await expect
    .poll(
      async () => (await ok<Page>(client.call(networkLog, { query: { account: 'network@example.com' } }))).data.length,
    )
    .toBeGreaterThan(2)
  const of = async (query: Record<string, unknown>) =>
    (
      await ok<{ data: { kind: string; path: string; status: number; code: number }[] }>(
        client.call(networkLog, { query }),
      )
    ).data
  const mine = { account: 'network@example.com' }
  expect((await of({ ...mine, kind: 'signin' })).map(({ path }) => path)).toEqual(['/api/accounts/signin/'])
  expect((await of({ ...mine, result: 'refused' })).map(({ path, code }) => [path, code])).toEqual([
    [readSettings.path, 500018],
  ])
  expect(await of({ ...mine, result: 'error' })).toEqual([])
  expect((await of({ address: '127.0.0.1', search: 'signin' })).length).toBeGreaterThan(0)
  const { data } = await ok<{ data: { total: number } }>(client.call(networkSummary, { query: mine }))
  expect(data.total).toBeGreaterThan(2)
})
