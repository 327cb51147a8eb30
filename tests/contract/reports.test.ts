import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApplication, setApplicationMembers } from '#contracts/http/applications.ts'
import { createTasks, type DetectionTask } from '#contracts/http/detection/tasks.ts'
import {
  createReport,
  REPORT_FORMATS,
  type ReportFormat,
  reportTemplate,
  saveReportTemplate,
  taskReports,
} from '#contracts/http/reports/task-reports.ts'
import {
  deleteVulnerability,
  importVulnerabilities,
  vulnerabilities,
  vulnerability,
} from '#contracts/http/vulnerabilities.ts'
import { entryBytes } from '#engines/zip/entry-bytes.ts'
import { readZip } from '#engines/zip/read-zip.ts'
import { runReport } from '#server/modules/reports/report-job.ts'
import type { ConsoleClient } from '#tests/support/console-client.ts'
import { apkBytes } from '#tests/support/detect-package.ts'
import { type DetectionBed, detectionBed, ENGLISH, good } from '#tests/support/detection-bed.ts'

let bed: DetectionBed
const who = {} as Record<'owner' | 'reader' | 'stranger' | 'admin', ConsoleClient>
let task: DetectionTask
beforeAll(async () => {
  bed = await detectionBed()
  for (const [name, role] of Object.entries({
    owner: 'operator',
    reader: 'trial',
    stranger: 'operator',
    admin: 'administrator',
  }))
    who[name as keyof typeof who] = await bed.signIn(name, role)
  const { object_list } = await good(who.owner, createApplication, { body: { name: 'Wallet', mimetype_list: [1] } })
  const appid = object_list[0]?.id ?? ''
  await good(who.owner, setApplicationMembers, { body: { appid, usernames: ['reader@example.com'] } })
  const { owner_id } = await bed.http.meta.db
    .selectFrom('applications')
    .select('owner_id')
    .where('id', '=', Number(appid))
    .executeTakeFirstOrThrow()
  const bytes = apkBytes({ id: 'com.example.wallet', application: { debuggable: true, allowBackup: true } })
  const file = await bed.addFile(bytes, {
    application: Number(appid),
    owner: owner_id,
    kind: 'apk',
    packageName: 'com.example.wallet',
  })
  const { data } = await good(who.owner, createTasks, { body: { files: [file], kinds: ['static', 'privacy', 'sdk'] } })
  task = await bed.ended(who.owner, data[0]?.id ?? '')
}, 60_000)
afterAll(() => bed?.close())

/** Does what the jobs process does with a waiting report. */
async function write(id: string): Promise<void> {
  const { meta, deps } = bed.http
  const never = new AbortController().signal
  await runReport({ meta, files: deps.files, store: deps.store, settings: () => deps.settings(), now: deps.now }, id, {
    stop: never,
    quit: never,
  })
}
const ask = (format: ReportFormat, more: object = {}) =>
  good(who.owner, createReport, { body: { id: task.id, format, language: 'zh', ...more } })

describe('[DET-04] reports', () => {
  test('each format is written from the stored result and can be fetched', async () => {
    const begins = {
      pdf: '%PDF-1.7',
      docx: 'PK\u0003\u0004',
      xlsx: 'PK\u0003\u0004',
      csv: '\u00ef\u00bb\u00bf',
      cyclonedx: '{',
    }
    for (const format of Object.keys(REPORT_FORMATS) as ReportFormat[]) {
      const { data } = await ask(format)
      expect(data.job).toMatchObject({ kind: 'report', state: 'waiting', download: null })
      await write(data.job.id)
      const row = await bed.http.meta.db
        .selectFrom('jobs')
        .selectAll()
        .where('id', '=', data.job.id)
        .executeTakeFirstOrThrow()
      expect(row.state, `${format} ${row.note}`).toBe('done')
      const file = await bed.http.deps.files.open(row.file ?? '')
      const bytes = await buffer(file.stream())
      expect(bytes.toString('latin1', 0, begins[format].length)).toBe(begins[format])
      expect(bytes.length).toBe(row.bytes)
    }
    const { data } = await good(who.owner, taskReports, { query: { id: task.id } })
    expect(data.map(({ format }) => format).sort()).toEqual(Object.keys(REPORT_FORMATS).sort())
    expect(data.every(({ job }) => job.download?.includes(job.id))).toBe(true)
  })

  test('one that is in the making is not made twice; another reader or language is another report', async () => {
    const { data } = await ask('pdf', { reader: 'manager' })
    const again = await who.owner.call(
      createReport,
      { body: { id: task.id, format: 'pdf', reader: 'manager', language: 'zh' } },
      ENGLISH,
    )
    expect(again.body).toMatchObject({ codemsg: 'task already exists' })
    await ask('pdf', { reader: 'manager', language: 'en' })
    await write(data.job.id)
    await ask('pdf', { reader: 'manager' })
  })

  test('bear the logo, issuer, foot and chapters of the platform, which its settings alone change', async () => {
    const svg = (inner: string) =>
      Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">${inner}</svg>`).toString('base64')
    const parts = { manager: [], developer: ['risks'], regulator: [] }
    const body = { issuer: 'Example Bank', footer: '内部资料', parts, logo: svg('<rect width="9" height="9"/>') }
    expect((await who.owner.call(saveReportTemplate, { body })).body['key']).toBe('permission.missing')
    const { data: saved } = await good(who.admin, saveReportTemplate, { body })
    expect(Buffer.from(saved.logo ?? '', 'base64').toString('latin1', 1, 4)).toBe('PNG')
    const outer = { ...body, logo: svg('<image href="file:///etc/passwd" width="9" height="9"/>') }
    expect((await who.admin.call(saveReportTemplate, { body: outer })).body['key']).toBe('report.logo')
    const { logo: _, ...fields } = body
    await good(who.admin, saveReportTemplate, { body: fields })
    expect((await good(who.admin, reportTemplate)).data).toEqual(saved)

    const { data } = await ask('docx', { language: 'en' })
    await write(data.job.id)
    const job = bed.http.meta.db.selectFrom('jobs').select('file').where('id', '=', data.job.id)
    const { file } = await job.executeTakeFirstOrThrow()
    const zip = readZip(await buffer((await bed.http.deps.files.open(file ?? '')).stream()))
    const text = (name: RegExp) =>
      zip.entries
        .filter((entry) => name.test(entry.name))
        .map((entry) => Buffer.from(entryBytes(zip, entry)).toString())
        .join()
    expect(zip.entries.some(({ name }) => /^word\/media\/.+\.png$/.test(name))).toBe(true)
    expect(text(/footer/)).toContain('内部资料')
    expect(text(/footer/)).toContain('Example Bank')
    const chapters = text(/word\/document\.xml/)
    expect(chapters).not.toContain('>Basic information<')
    await good(who.admin, saveReportTemplate, { body: { ...fields, logo: null } })
    expect((await good(who.admin, reportTemplate)).data.logo).toBeNull()
  })

  test('who may not write reports, or not see the task, gets none', async () => {
    const refused = await who.reader.call(
      createReport,
      { body: { id: task.id, format: 'pdf', language: 'zh' } },
      ENGLISH,
    )
    expect(refused.body['code']).not.toBe(0)
    const missing = await who.stranger.call(
      createReport,
      { body: { id: task.id, format: 'pdf', language: 'zh' } },
      ENGLISH,
    )
    expect(missing.body).toMatchObject({ codemsg: 'Data does not exist' })
  })
})

describe('[VULN-01] the vulnerability library', () => {
  const find = (query: Record<string, unknown>) => good(who.owner, vulnerabilities, { query: { limit: 20, ...query } })

  test('411 entries ship with it; number, type, level and words filter; counts and pages add up', async () => {
    const all = await find({})
    expect(all.total).toBe(411)
    expect(Object.values(all.levels).reduce((sum, one) => sum + one, 0)).toBe(411)
    const high = await find({ level: 'high' })
    expect(high.total).toBe(all.levels.high)
    const one = await find({ number: 'cve-2025-31200' })
    expect(one.data.map(({ number }) => number)).toEqual(['CVE-2025-31200'])
    const typed = await find({ type: 'use_after_free', limit: 200 })
    expect(typed.total).toBe(typed.data.length)
    expect(new Set(typed.data.map(({ type }) => type))).toEqual(new Set(['use_after_free']))
    const dates = (await find({ limit: 200 })).data.map(({ released }) => released ?? '')
    expect(dates).toEqual(dates.toSorted().reverse())
    const second = await find({ offset: 20, limit: 20 })
    expect(second.data[0]?.number).not.toBe(all.data[0]?.number)
  })

  test('an entry has every required field; an unknown one is missing', async () => {
    const { data } = await good(who.owner, vulnerability, { query: { number: 'CVE-2025-31200' } })
    expect(data).toMatchObject({
      level: 'high',
      source: expect.any(String),
      fixed_in: { zh: 'iOS 18.4.1', en: 'iOS 18.4.1' },
      affected: { zh: 'iOS 18.4.1 之前的版本', en: 'Versions before iOS 18.4.1' },
      known_exploited: true,
    })
    expect(data.references).toContain('https://nvd.nist.gov/vuln/detail/CVE-2025-31200')
    expect(data.introduction.zh).not.toBe(data.introduction.en)
    const missing = await who.owner.call(vulnerability, { query: { number: 'CVE-1999-0001' } }, ENGLISH)
    expect(missing.body).toMatchObject({ codemsg: 'Data does not exist' })
  })

  test('NVD entries come in once, ours stay ours, what is wrong is named; only who may edit rules does it', async () => {
    const entry = (id: string, over: object = {}) => ({
      cve: {
        id,
        published: '2026-05-01T00:00:00.000',
        descriptions: [{ lang: 'en', value: 'Something <script>bad</script>.' }],
        metrics: { cvssMetricV31: [{ cvssData: { baseScore: 7.5 } }] },
        references: [{ url: 'https://example.com/a' }],
        ...over,
      },
    })
    const entries = [
      entry('CVE-2026-90001'),
      entry('CVE-2026-90001'),
      entry('CVE-2025-31200'),
      entry('CVE-2026-90002', { metrics: {} }),
      7,
    ]
    const came = await good(who.admin, importVulnerabilities, { body: { entries } })
    expect(came).toMatchObject({
      added: 1,
      changed: 0,
      kept: 1,
      problems: [
        { number: 'CVE-2026-90002', problem: 'score' },
        { number: '', problem: 'shape' },
      ],
    })
    expect(await good(who.admin, importVulnerabilities, { body: { entries: entries.slice(0, 1) } })).toMatchObject({
      added: 0,
      changed: 1,
    })
    expect((await find({ number: '90001' })).data).toMatchObject([
      { level: 'high', origin: 'nvd', state: 'pending', released: '2026-05-01' },
    ])
    const refused = await who.reader.call(importVulnerabilities, { body: { entries } }, ENGLISH)
    expect(refused.body['code']).not.toBe(0)
    await good(who.admin, deleteVulnerability, { body: { number: 'CVE-2026-90001' } })
    expect((await find({})).total).toBe(411)
    const own = await who.admin.call(deleteVulnerability, { body: { number: 'CVE-2025-31200' } }, ENGLISH)
    expect(own.body).toMatchObject({ codemsg: 'Data does not exist' })
  })
})
