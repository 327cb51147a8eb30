import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  mailReport,
  reportDeliveries,
  revokeShare,
  SHARE_LIMITS,
  sharedFile,
  sharedPage,
  sharedReport,
  shareReport,
} from '#contracts/http/reports/sharing.ts'
import { type MailServer, startMailServer } from '#mocks/mail-server/mail-server.ts'
import { sendReportMails } from '#server/modules/reports/send-report-mails.ts'
import type { ConsoleClient } from '#tests/support/console-client.ts'
import { type DetectionBed, detectionBed, ENGLISH, good } from '#tests/support/detection-bed.ts'

const HOUR = 3_600_000
const TEXT = 'a,b\r\n1,2\r\n'
const ID = '6b1f9a52-7f0e-4c2a-9a61-0d5f7a4f6a01'
let bed: DetectionBed
let owner: ConsoleClient
let stranger: ConsoleClient
let mailServer: MailServer

beforeAll(async () => {
  bed = await detectionBed()
  owner = await bed.signIn('owner', 'operator')
  stranger = await bed.signIn('stranger', 'operator')
  const { meta, deps } = bed.http
  const { sha256, size } = await deps.files.put([Buffer.from(TEXT)] as never)
  const { id } = await meta.db
    .selectFrom('users')
    .select('id')
    .where('username', '=', 'owner@example.com')
    .executeTakeFirstOrThrow()
  const now = deps.now()
  await meta.db
    .insertInto('jobs')
    .values({
      ...{
        id: ID,
        user_id: id,
        kind: 'report',
        title: 'Wallet 1.0 CSV',
        state: 'done',
        progress: 1,
        note: '',
        rows: 1,
      },
      ...{ bytes: size, file: sha256, file_name: 'Wallet 1.0.csv', created_at: now, started_at: now, ended_at: now },
      input: JSON.stringify({
        of: 'detection',
        format: 'csv',
        language: 'zh',
        task: '',
        apps: [],
        scope: { apps: [] },
      }),
    })
    .execute()
  mailServer = await startMailServer()
  ;(deps.config as { smtpUrl: string | undefined }).smtpUrl = `smtp://localhost:${mailServer.port}?tls=none`
}, 180_000)
afterAll(async () => {
  await mailServer?.close()
  await bed?.close()
})

/** A call without account, cookie and signature, as the page of share links makes it. */
const open = (path: string, body: object) =>
  fetch(bed.http.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'accept-language': 'en' },
    body: JSON.stringify(body),
  })
const said = async (path: string, body: object) => (await (await open(path, body)).json()) as Record<string, unknown>
const later = async (ms: number) => {
  const { meta } = bed.http
  await meta.db
    .updateTable('report_shares')
    .set((eb) => ({ expires_at: eb('expires_at', '-', ms) }))
    .execute()
}

describe('share links', () => {
  test('a link gives the file to people without an account; the token is stored as a hash; each access is counted and audited', async () => {
    const { data, token } = await good(owner, shareReport, { body: { id: ID, hours: 24 } })
    expect(token).toMatch(/^aw_rs_[\w-]{43}$/)
    expect(data).toMatchObject({ state: 'open', opens: 0, has_password: false, by: 'owner@example.com' })
    expect(data.expires_at - data.created_at).toBe(24 * HOUR)
    const kept = JSON.stringify(await bed.http.meta.db.selectFrom('report_shares').selectAll().execute())
    expect(kept).not.toContain(token)

    const info = await said(sharedReport.path, { token })
    expect(info['data']).toEqual({
      ...{ title: 'Wallet 1.0 CSV', format: 'CSV', bytes: TEXT.length, has_password: false },
      expires_at: data.expires_at,
    })
    // Nothing of it names a report, an account or an application.
    expect(JSON.stringify(info)).not.toContain(ID)
    const answer = await open(sharedFile.path, { token })
    expect(await answer.text()).toBe(TEXT)
    expect(answer.headers.get('content-disposition')).toContain('Wallet 1.0.csv')
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer')
    expect(answer.headers.get('x-robots-tag')).toContain('noindex')
    expect(answer.headers.get('set-cookie')).toBeNull()
    expect((await good(owner, reportDeliveries, { query: { id: ID } })).shares[0]).toMatchObject({ opens: 1 })
    const audit = await bed.http.meta.db
      .selectFrom('audit_log')
      .selectAll()
      .where('action', '=', 'sharedFile')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    expect(audit).toMatchObject({ target: 'Wallet 1.0 CSV', result: 'ok', detail: 'link of owner@example.com' })
  })

  test('the page of links is the same for everybody: no session, no index, no referrer, only its own script', async () => {
    const answer = await fetch(bed.http.url + sharedPage.path, { headers: { 'accept-language': 'en' } })
    const html = await answer.text()
    expect(answer.headers.get('content-type')).toContain('text/html')
    expect(answer.headers.get('content-security-policy')).toMatch(/default-src 'none'; script-src 'sha256-/)
    expect(answer.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer')
    expect(answer.headers.get('x-robots-tag')).toContain('noindex')
    expect(html).toContain('Shared report')
    expect(html).not.toMatch(/https?:\/\//)
  })

  test('a link that is unknown, revoked, over, or whose file or maker is gone says which, and gives nothing', async () => {
    const share = async () =>
      (await good(owner, shareReport, { body: { id: ID, hours: 1 } })) as never as {
        token: string
        data: { id: string }
      }
    const keyOf = async (token: string) => {
      const [info, file] = [await said(sharedReport.path, { token }), await said(sharedFile.path, { token })]
      expect(file['key']).toBe(info['key'])
      return info['key']
    }
    expect(await keyOf('aw_rs_nothing')).toBe('report.link_invalid')
    const revoked = await share()
    expect((await stranger.call(revokeShare, { body: { id: revoked.data.id } }, ENGLISH)).body['key']).toBe(
      'data.missing',
    )
    await good(owner, revokeShare, { body: { id: revoked.data.id } })
    expect(await keyOf(revoked.token)).toBe('report.link_invalid')
    const over = await share()
    await later(2 * HOUR)
    expect(await keyOf(over.token)).toBe('report.link_expired')

    const { db } = bed.http.meta
    const gone = await share()
    const disabled = (value: boolean) =>
      db.updateTable('users').set({ disabled: value }).where('username', '=', 'owner@example.com').execute()
    await disabled(true)
    expect(await keyOf(gone.token)).toBe('report.link_invalid')
    await disabled(false)
    const { file } = await db.selectFrom('jobs').select('file').where('id', '=', ID).executeTakeFirstOrThrow()
    await db.updateTable('jobs').set({ file: null }).where('id', '=', ID).execute()
    expect(await keyOf(gone.token)).toBe('report.link_gone')
    await db.updateTable('jobs').set({ file }).where('id', '=', ID).execute()
  })

  test('a password is demanded; after ten wrong ones the link ends; too many tries of a network wait', async () => {
    const short = await owner.call(shareReport, { body: { id: ID, hours: 1, password: '12345' } }, ENGLISH)
    expect(short.body['key']).toBe('report.share_password')
    const { token } = await good(owner, shareReport, { body: { id: ID, hours: 1, password: 'open sesame' } })
    const [{ password_hash }] = (await bed.http.meta.db
      .selectFrom('report_shares')
      .select('password_hash')
      .where('password_hash', '!=', '')
      .execute()) as [{ password_hash: string }]
    expect(password_hash).toMatch(/^\$argon2id\$/)
    // This network has few tries left after the tests before: most of the wrong ones are written, not made.
    const wrong = SHARE_LIMITS.wrongPasswords - 2
    await bed.http.meta.db.updateTable('report_shares').set({ wrong_passwords: wrong }).execute()
    const results: unknown[] = []
    for (let tries = 0; tries < 3; tries++)
      results.push((await said(sharedFile.path, { token, password: `wrong ${tries}` }))['key'])
    expect(results).toEqual(['report.link_password', 'report.link_password', 'report.link_locked'])
    const limited: number[] = []
    for (let tries = 0; tries < 30; tries++) limited.push((await open(sharedReport.path, { token })).status)
    expect(limited).toContain(429)
  })

  test('[ROLE-01] who does not see a report neither shares nor mails it, nor sees its links', async () => {
    for (const reply of [
      await stranger.call(shareReport, { body: { id: ID, hours: 1 } }, ENGLISH),
      await stranger.call(mailReport, { body: { id: ID, addresses: 'a@example.com' } }, ENGLISH),
      await stranger.call(reportDeliveries, { query: { id: ID } }, ENGLISH),
    ])
      expect(reply.body['key']).toBe('data.missing')
  })
})

describe('mail', () => {
  const deliver = (now = bed.http.deps.now()) => {
    const { meta, deps } = bed.http
    return sendReportMails({
      meta,
      files: deps.files,
      now: () => now,
      settings: () => deps.settings(),
      smtpUrl: deps.config.smtpUrl,
      audit: deps.audit,
    })
  }
  const latest = async () => (await good(owner, reportDeliveries, { query: { id: ID } })).mails[0]

  test('a report goes out as an attachment; the answer of the server and the audit entry say so', async () => {
    for (const addresses of ['', 'none', 'a@example.com\r\nBcc: x@y'.replace(/\r\n/, ' <')]) {
      const refused = await owner.call(mailReport, { body: { id: ID, addresses } }, ENGLISH)
      expect(refused.body['key'], addresses).toBe('report.mail_addresses')
    }
    await good(owner, mailReport, { body: { id: ID, addresses: 'a@example.com, b@example.com' } })
    expect(await latest()).toMatchObject({ state: 'waiting', addresses: ['a@example.com', 'b@example.com'] })
    expect(await deliver()).toBe(1)
    expect(await latest()).toMatchObject({ state: 'sent', attempts: 1 })
    const [taken] = mailServer.taken
    expect(taken?.to).toEqual(['a@example.com', 'b@example.com'])
    expect(taken?.text).toContain('Wallet 1.0.csv')
    expect(taken?.text).toContain(Buffer.from(TEXT).toString('base64'))
    expect(await deliver()).toBe(0)
  })

  test('a refusal is tried again four times, shows what the server said, and can be tried again by hand', async () => {
    await good(owner, mailReport, { body: { id: ID, addresses: 'refuse@example.com' } })
    let now = bed.http.deps.now()
    for (let attempt = 1; attempt <= 5; attempt++) {
      expect(await deliver(now), String(attempt)).toBe(1)
      const mail = await latest()
      expect(mail?.answer).toContain('no such mailbox')
      expect(mail?.state).toBe(attempt < 5 ? 'waiting' : 'failed')
      now = mail?.next_at ?? now
    }
    const failed = await latest()
    await good(owner, mailReport, { body: { id: ID, retry: failed?.id ?? '' } })
    expect(await latest()).toMatchObject({ state: 'waiting', attempts: 0 })
    const audit = await bed.http.meta.db
      .selectFrom('audit_log')
      .select(['result', 'detail'])
      .where('action', '=', 'report.mail')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    expect(audit).toMatchObject({ result: 'failed' })
    expect(audit.detail).toContain('refuse@example.com')
  })

  test('a file above 20 MB and an installation without a mail server are refused in words', async () => {
    const { meta, deps } = bed.http
    const bytes = (value: number) => meta.db.updateTable('jobs').set({ bytes: value }).where('id', '=', ID).execute()
    const asked = async () =>
      (await owner.call(mailReport, { body: { id: ID, addresses: 'a@example.com' } }, ENGLISH)).body['key']
    await bytes(20_000_001)
    expect(await asked()).toBe('report.mail_size')
    await bytes(TEXT.length)
    ;(deps.config as { smtpUrl: string | undefined }).smtpUrl = undefined
    expect(await asked()).toBe('report.mail_server')
  })
})
