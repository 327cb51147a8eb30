import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { exportEvents } from '#contracts/http/exports.ts'
import { cancelJob, downloadJob, jobs } from '#contracts/http/jobs.ts'
import { SettingsSchema } from '#contracts/http/settings.ts'
import { statistics } from '#contracts/http/statistics.ts'
import type { Job } from '#contracts/jobs.ts'
import type { AnswerOf, Query } from '#domain/query.ts'
import { type ExportDeps, runExport } from '#server/modules/exports/export-job.ts'
import { createToken } from '#server/modules/tokens/access-tokens.ts'
import { retainAudit } from '#server/platform/audit/audit-trail.ts'
import { type JobQueue, startJobQueue } from '#server/platform/queue/job-queue.ts'
import { applyRetention } from '#server/platform/retention.ts'
import { jobsQueue } from '#server/processes/work-queues.ts'
import type { EventStore } from '#storage/events/port.ts'
import type { Api } from '#tests/support/api.ts'
import { madeEvent } from '#tests/support/made-events.ts'
import { type StatisticsBed, statisticsBed } from './statistics-bed.ts'

let bed: StatisticsBed
let api: Api
let plain: Api
let queue: JobQueue
const everything: Query = { range: '-7d', timeBasis: 'received', filters: [], compare: 'none' }
const rowsPart = { kind: 'rows' as const }

beforeAll(async () => {
  bed = await statisticsBed(1200, 3)
  const now = bed.app.deps.now()
  const hostile = {
    receivedAt: now - 5000,
    app: 2,
    channel: '=HYPERLINK("http://a")',
    model: 'a,"b"\r\nc',
    version: '@9',
    address: '203.0.113.77',
  }
  await bed.store.load([madeEvent({ ...hostile, id: randomUUID() })])
  api = await bed.api(['events.read', 'events.export', 'personal.reveal'])
  plain = await bed.api(['events.read', 'events.export'])
  queue = await queueOn(deps())
})
afterAll(async () => {
  await queue.stop()
  await bed.close()
})

function deps(store: EventStore = bed.store): ExportDeps {
  const { meta, deps: http } = bed.app
  return { meta, store, files: http.files, zone: () => 'Asia/Shanghai', placeName: () => undefined, now: http.now }
}
function queueOn(exports: ExportDeps): Promise<JobQueue> {
  const { meta, database } = bed.app
  return startJobQueue({
    meta,
    database,
    zone: 'Asia/Shanghai',
    queues: [jobsQueue(meta, (id, { quit }) => runExport(exports, id, quit), Date.now)],
    retain: async () => {},
  })
}
async function ended(id: string, state: Job['state'] = 'done'): Promise<Job> {
  for (let tries = 0; tries < 200; tries++) {
    const job = (await api(jobs)).data.find((one) => one.id === id)
    if (job && job.state !== 'waiting' && job.state !== 'running') {
      expect(job.state, job.note).toBe(state)
      return job
    }
    await sleep(50)
  }
  throw new Error('the job does not end')
}
async function download(id: string): Promise<{ text: string; headers: Headers; status: number }> {
  const { token } = await createToken(
    { meta: bed.app.meta, now: bed.app.deps.now },
    { userId: bed.userId, name: 'd', scopes: ['events.read'], days: 1 },
  )
  const answer = await fetch(`${bed.app.url}${downloadJob.path}?id=${id}`, {
    headers: { authorization: `Bearer ${token}` },
  })
  return {
    text: Buffer.from(await answer.arrayBuffer()).toString('utf8'),
    headers: answer.headers,
    status: answer.status,
  }
}
/** Fields of a CSV text, quotes undone. */
function parse(text: string): string[][] {
  const lines: string[][] = [[]]
  for (const [, quoted, bare, end] of text.slice(1).matchAll(/(?:"((?:[^"]|"")*)"|([^,\r\n"]*))(,|\r\n|$)/g)) {
    lines.at(-1)?.push(quoted === undefined ? (bare ?? '') : quoted.replaceAll('""', '"'))
    if (end === '\r\n') lines.push([])
    if (end === '') break
  }
  return lines.slice(0, -1)
}

test('[STAT-02] an export holds the whole filtered set, as many rows as the screen counts', async () => {
  const { job } = await api(exportEvents, { body: { query: everything, part: rowsPart, title: '事件 "7 天"/导出' } })
  expect(job).toMatchObject({ state: 'waiting', download: null })
  const done = await ended(job.id)
  const answer = await api(statistics, {
    body: { query: everything, parts: { t: { kind: 'total', measures: ['events'] } } },
  })
  const { events } = (answer.parts['t'] as AnswerOf<'total'>).row
  expect(done).toMatchObject({ rows: events, progress: 1 })
  const { text, headers } = await download(job.id)
  expect(text.charCodeAt(0)).toBe(0xfeff)
  expect(Buffer.byteLength(text)).toBe(done.bytes)
  expect(headers.get('content-disposition')).toMatch(
    /^attachment; filename="[\x20-\x7e]+\.csv"; filename\*=UTF-8''%E4%BA%8B[^"/\\]+\.csv$/,
  )
  const [head, ...lines] = parse(text)
  expect(lines.length).toBe(events)
  expect(new Set(lines.map((line) => line.length))).toEqual(new Set([head?.length]))
  const hostile = lines.find((line) => line.some((cell) => cell.includes('HYPERLINK'))) as string[]
  expect(hostile).toContain(`'=HYPERLINK("http://a")`)
  expect(hostile).toContain('a,"b"\r\nc')
  expect(hostile).toContain("'@9")
  expect(hostile).toContain('203.0.113.77')
  expect(hostile.some((cell) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+08:00$/.test(cell))).toBe(true)
})

test('[STAT-02] without the right to personal data an export truncates addresses, and address is no filter', async () => {
  const { job } = await plain(exportEvents, { body: { query: everything, part: rowsPart, title: 'plain' } })
  await ended(job.id)
  const { text } = await download(job.id)
  expect(text).not.toContain('203.0.113.77')
  expect(text).toContain('203.0.113.0/24')
  const filters = [{ field: 'address' as const, op: 'is' as const, values: ['203.0.113.77'] }]
  await expect(
    plain(exportEvents, { body: { query: { ...everything, filters }, part: rowsPart, title: 'x' } }),
  ).rejects.toThrow('500018')
  await expect(plain(statistics, { body: { query: { ...everything, filters }, parts: {} } })).rejects.toThrow('500018')
  const by = { kind: 'top' as const, by: 'address' as const, measures: ['events' as const] }
  const { parts } = await plain(statistics, { body: { query: everything, parts: { by, rows: { kind: 'rows' } } } })
  expect(parts['by']).toMatchObject({ kind: 'error', code: 500018 })
  for (const row of (parts['rows'] as AnswerOf<'rows'>).rows) expect(row.address).toMatch(/\/24$/)
})

test('[STAT-02] entities and top lists export every line', async () => {
  const devices = await api(exportEvents, {
    body: { query: everything, part: { kind: 'entities', entity: 'device', limit: 1 }, title: 'devices' },
  })
  const top = await api(exportEvents, {
    body: {
      query: everything,
      part: { kind: 'top', by: 'version', measures: ['events', 'attacks'], limit: 1 },
      title: 'versions',
    },
  })
  const counts = (
    await api(statistics, {
      body: {
        query: everything,
        parts: {
          e: { kind: 'entities', entity: 'device', limit: 1 },
          v: { kind: 'top', by: 'version', measures: ['events'] },
        },
      },
    })
  ).parts as { e: AnswerOf<'entities'>; v: AnswerOf<'top'> }
  expect((await ended(devices.job.id)).rows).toBe(counts.e.total)
  expect((await ended(top.job.id)).rows).toBe(counts.v.groupCount)
})

test('the same export twice at once is refused, a cancelled one stops, a failure names its reason', async () => {
  await queue.stop()
  try {
    const body = { query: everything, part: rowsPart, title: 'twice' }
    const first = await api(exportEvents, { body })
    await expect(api(exportEvents, { body })).rejects.toThrow('500005')
    const cancelled = await api(cancelJob, { body: { id: first.job.id } })
    expect(cancelled.job.state).toBe('stopped')
    expect((await api(cancelJob, { body: { id: first.job.id } })).job.state).toBe('stopped')
    await runExport(deps(), first.job.id, new AbortController().signal)
    await ended(first.job.id, 'stopped')
    expect((await download(first.job.id)).status).toBe(404)

    const second = await api(exportEvents, { body })
    let blocks = 0
    const slow: EventStore = {
      ...bed.store,
      async *stream(query, signal) {
        for await (const block of bed.store.stream(query, signal))
          for (const row of block) {
            if (blocks++ === 5) await api(cancelJob, { body: { id: second.job.id } })
            if (blocks > 5) await sleep(120)
            yield [row]
          }
      },
    }
    await runExport(deps(slow), second.job.id, new AbortController().signal)
    await ended(second.job.id, 'stopped')
    expect(blocks).toBeLessThan(30)

    const third = await api(exportEvents, { body })
    const { deps: http } = bed.app
    const away = http.store
    await runExport(
      deps({ ...away, count: () => Promise.reject(new TypeError('boom')) }),
      third.job.id,
      new AbortController().signal,
    )
    expect((await ended(third.job.id, 'failed')).note).toBe('服务器内部错误')
  } finally {
    queue = await queueOn(deps())
  }
})

test('a job that a killed process left running is taken up again', async () => {
  await queue.stop()
  const { job } = await api(exportEvents, { body: { query: everything, part: rowsPart, title: 'left' } })
  await bed.app.meta.db.updateTable('jobs').set({ state: 'running', rows: 3 }).where('id', '=', job.id).execute()
  queue = await queueOn(deps())
  expect((await ended(job.id)).rows).toBeGreaterThan(1000)
})

test('export jobs of other users do not exist for a user', async () => {
  const { job } = await api(exportEvents, { body: { query: everything, part: rowsPart, title: 'mine' } })
  const other = await bed.api(['events.read'], await bed.app.addUser('other@example.com', 'administrator'))
  expect((await other(jobs)).data).toEqual([])
  await expect(other(cancelJob, { body: { id: job.id } })).rejects.toThrow('404')
  await ended(job.id)
})

test('[RET-01] retention never goes below six months for logs, and audit entries go through its own door', async () => {
  const { meta, deps: http } = bed.app
  const now = http.now()
  const day = 86_400_000
  const line = {
    kind: 'token',
    account: '',
    application_id: null,
    address: '',
    method: 'GET',
    path: '/',
    status: 200,
    code: 0,
    size: 0,
    milliseconds: 0,
  }
  const entry = { account: '', role: '', action: 'a', target: '', result: '', address: '', detail: '', hash: '' }
  await retainAudit(meta, now + day) // what the set-up of this test wrote
  for (const age of [400, 185, 183, 1]) {
    await meta.db
      .insertInto('network_log')
      .values({ ...line, at: now - age * day, path: '/retention' })
      .execute()
    await meta.db
      .insertInto('audit_log')
      .values({ ...entry, at: now - age * day, action: 'retention' })
      .execute()
  }
  const below = { ...SettingsSchema.parse({}), event_days: 1, log_days: 1, personal_days: 30 }
  await applyRetention({ meta, store: bed.store, files: http.files }, below, now)
  const left = await meta.db.selectFrom('network_log').select('at').where('path', '=', '/retention').execute()
  expect(left.length).toBe(2)
  const audit = await meta.db.selectFrom('audit_log').select('id').where('action', '=', 'retention').execute()
  expect(audit.length).toBe(2)
  await expect(sql`delete from audit_log`.execute(meta.db)).rejects.toThrow('append-only')
})
