import { buffer } from 'node:stream/consumers'
import { crc32, deflateSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pTags } from '#contracts/http/accounts.ts'
import { createApplication } from '#contracts/http/applications.ts'
import { auditLog } from '#contracts/http/audit-log.ts'
import { createTasks, type DetectionTask } from '#contracts/http/detection/tasks.ts'
import {
  platformInfo,
  platformLogo,
  setTool,
  sysFile,
  TEMPLATE_LIMITS,
  TEMPLATE_USES,
  type TemplateFile,
  type TemplateUse,
  templateFile,
} from '#contracts/http/platform-info.ts'
import { previewReport } from '#contracts/http/reports/stored-reports.ts'
import { createReport, saveReportTemplate } from '#contracts/http/reports/task-reports.ts'
import { saveSettings } from '#contracts/http/settings.ts'
import { createAccessToken } from '#contracts/http/tokens.ts'
import { imageSize } from '#engines/icon/image-size.ts'
import { readZip } from '#engines/zip/read-zip.ts'
import { runReport } from '#server/modules/reports/report-job.ts'
import type { ConsoleClient } from '#tests/support/console-client.ts'
import { apkBytes } from '#tests/support/detect-package.ts'
import { type DetectionBed, detectionBed, ENGLISH, good } from '#tests/support/detection-bed.ts'

let bed: DetectionBed
let admin: ConsoleClient
let operator: ConsoleClient
let authorization = ''
let task: DetectionTask

beforeAll(async () => {
  bed = await detectionBed()
  admin = await bed.signIn('admin', 'administrator')
  operator = await bed.signIn('operator', 'operator')
  const made = await admin.call(createAccessToken, { body: { name: 'ci', scopes: ['platform.settings'], days: 30 } })
  authorization = `Bearer ${made.body['token']}`
  const { object_list } = await good(operator, createApplication, { body: { name: 'Wallet', mimetype_list: [1] } })
  const appid = Number(object_list[0]?.id)
  const { owner_id } = await bed.http.meta.db
    .selectFrom('applications')
    .select('owner_id')
    .where('id', '=', appid)
    .executeTakeFirstOrThrow()
  const owned = { application: appid, owner: owner_id, kind: 'apk', packageName: 'com.example.wallet' } as const
  const file = await bed.addFile(apkBytes({ id: 'com.example.wallet', application: { debuggable: true } }), owned)
  const { data } = await good(operator, createTasks, { body: { files: [file], kinds: ['static'] } })
  task = await bed.ended(operator, data[0]?.id ?? '')
}, 180_000)
afterAll(() => bed?.close())

async function send(name: string | undefined, content: string | Uint8Array = '', language = 'zh') {
  const form = new FormData()
  if (name !== undefined)
    form.set('file', new Blob([typeof content === 'string' ? content : new Uint8Array(content)]), name)
  const headers = { authorization, 'accept-language': language }
  const answer = await fetch(bed.http.url + sysFile.path, { method: 'POST', body: form, headers })
  const body = (await answer.json()) as { code: number; codemsg: string; key?: string; file_object?: TemplateFile }
  return { status: answer.status, body }
}
async function uploaded(name: string, content: string): Promise<string> {
  const { body } = await send(name, content)
  if (!body.file_object) throw new Error(body.codemsg)
  return body.file_object.id
}
type Save = { product?: string; name?: string; logo?: string | null; files?: { id: string; use: string }[] }
const save = (body: Save, by = admin) =>
  by.call(setTool, { body: { product: 'AppWarden', name: '', files: [], ...body } })
const tags = async () => (await good(admin, pTags)).data

/** A PNG of a single colour. */
function png(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data])
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
    length.writeUInt32BE(data.length)
    sum.writeUInt32BE(crc32(body))
    return Buffer.concat([length, body, sum])
  }
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([8, 2, 0, 0, 0], 8)
  const rows = Buffer.alloc((width * 3 + 1) * height, 0x40)
  for (let y = 0; y < height; y++) rows[y * (width * 3 + 1)] = 0
  const magic = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([magic, chunk('IHDR', head), chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.alloc(0))])
}

describe('platform information', () => {
  test('[INFO-01] a form without a file, and with more than five, is refused with the required words', async () => {
    expect((await save({})).body).toMatchObject({ key: 'info.no_files', codemsg: '请至少上传一个文件！' })
    expect((await send(undefined)).body).toMatchObject({ key: 'info.no_files', codemsg: '请至少上传一个文件！' })
    const files = []
    for (let at = 0; at < 6; at++) files.push({ id: await uploaded(`${at}.md`, 'text'), use: 'about' })
    expect((await save({ files })).body).toMatchObject({ key: 'info.too_many_files' })
    expect((await save({ files: files.slice(0, 2) })).body).toMatchObject({ key: 'info.same_use' })
    expect((await good(admin, platformInfo)).data.files).toEqual([])
    expect(TEMPLATE_LIMITS.files).toBe(Object.keys(TEMPLATE_USES).length)
  })

  test('[INFO-01] a template file is UTF-8 text of at most 32 KB; larger ones exceed the limit in the required words', async () => {
    const large = await send('a.md', 'x'.repeat(TEMPLATE_LIMITS.bytes + 1), 'en')
    expect(large.body).toMatchObject({ key: 'asset.too_large', codemsg: 'Upload package exceeds limit' })
    expect((await send('a.md', 'x'.repeat(TEMPLATE_LIMITS.bytes))).body.code).toBe(0)
    for (const [name, content] of [
      ['a.html', '<b>text</b>'],
      ['a.docx', 'text'],
      ['a.md', Uint8Array.from([0xff, 0xfe, 0x41])],
      ['a.md', 'a\0b'],
      ['a.md', '\u001b[31m'],
      ['a.txt', ' \n '],
    ] as const)
      expect((await send(name, content)).body.key, name).toBe('info.file_kind')
    const kept = await send('../../etc/passwd.md', '# Hello')
    expect(kept.body.file_object).toMatchObject({ name: 'passwd.md', use: null, bytes: 7 })
  })

  test('[INFO-01] only platform.settings saves and uploads; everyone who is signed in reads; the logo and name are public', async () => {
    const id = await uploaded('about.md', '# About\nRun by {{platform}}.')
    const files = [{ id, use: 'about' }]
    expect((await save({ files }, operator)).body).toMatchObject({ key: 'permission.missing' })
    expect((await operator.call(templateFile, { query: { id } })).body).toMatchObject({ key: 'permission.missing' })
    const reply = await save({ name: '某某安全平台', logo: png(40, 10).toString('base64'), files })
    expect(reply.body).toMatchObject({ code: 0 })
    const { data } = await good(operator, platformInfo)
    expect(data).toMatchObject({ name: '某某安全平台', about: '# About\nRun by 某某安全平台.' })
    expect(data.files).toMatchObject([{ name: 'about.md', use: 'about' }])
    const known = await tags()
    expect(known).toMatchObject({ product: '某某安全平台', logo: data.logo, login_text: null })
    expect((await good(admin, pTags)).tags).toEqual([{ p_tag: '某某安全平台' }])
    // As a browser that is not signed in asks for it.
    const picture = await fetch(bed.http.url + known.logo)
    expect(picture.headers.get('content-type')).toBe('image/png')
    expect(picture.headers.get('cache-control')).toContain('immutable')
    expect(imageSize(new Uint8Array(await picture.arrayBuffer()))).toMatchObject({ width: 960, height: 240 })
    expect((await fetch(`${bed.http.url}${platformLogo.path}?v=old`)).headers.get('cache-control')).toBe('no-cache')
    const { data: entries } = await good(admin, auditLog)
    const entry = entries.find(({ action, result }) => action === 'setTool' && result === 'ok')
    expect(entry).toMatchObject({ target: '某某安全平台' })
    const back = await admin.call(templateFile, { query: { id } })
    expect(back.text).toBe('# About\nRun by {{platform}}.')
    expect(back.headers.get('content-disposition')).toContain('about.md')
  })

  test('[INFO-01] an invalid logo, an unknown file and a placeholder without a value are refused, and the stored information is unchanged', async () => {
    const before = await good(admin, platformInfo)
    const id = before.data.files[0]?.id ?? ''
    const about = { id, use: 'about' }
    const login = { id: await uploaded('login.md', 'Hello {{author}}'), use: 'login' }
    const logo = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>').toString('base64')
    for (const [body, key] of [
      [{ name: 'x', logo, files: [about] }, 'report.logo'],
      [{ name: 'x', files: [about, login] }, 'info.placeholder'],
      [{ name: 'x', files: [about, { id: '11111111-1111-4111-8111-111111111111', use: 'login' }] }, 'data.missing'],
    ] as const)
      expect((await save(body as unknown as Save)).body, key).toMatchObject({ key })
    expect(await good(admin, platformInfo)).toEqual(before)
  })

  test('[INFO-01] template files change places, and those that are not named are deleted', async () => {
    const [first, second] = [await uploaded('1.md', 'one'), await uploaded('2.md', 'two')]
    const uses = async () => (await good(admin, platformInfo)).data.files.map(({ name, use }) => `${use} ${name}`)
    const ok = async (files: { id: string; use: TemplateUse }[]) =>
      expect((await save({ files })).body).toMatchObject({ code: 0 })
    await ok([
      { id: first, use: 'login' },
      { id: second, use: 'about' },
    ])
    expect(await uses()).toEqual(['login 1.md', 'about 2.md'])
    expect((await tags()).login_text).toBe('one')
    await ok([
      { id: first, use: 'about' },
      { id: second, use: 'login' },
    ])
    expect(await uses()).toEqual(['login 2.md', 'about 1.md'])
    await ok([{ id: second, use: 'login' }])
    expect(await uses()).toEqual(['login 2.md'])
    expect((await admin.call(templateFile, { query: { id: first } }, ENGLISH)).body).toMatchObject({
      key: 'data.missing',
    })
  })

  test('[INFO-01] uploaded files that were not saved are deleted after a day', async () => {
    const id = await uploaded('draft.md', 'draft')
    const rows = () => bed.http.meta.db.selectFrom('platform_files').select('id').where('id', '=', id).execute()
    await uploaded('other.md', 'other')
    expect(await rows()).toHaveLength(1)
    bed.http.clock.offset += 86_400_001
    await send('later.md', 'later')
    bed.http.clock.offset -= 86_400_001
    expect(await rows()).toHaveLength(0)
  })

  test('[INFO-01] reports have name, logo, foreword and appendix of the platform, placeholders filled in', async () => {
    const files = [
      {
        id: await uploaded('f.md', '# 关于本报告\n本报告由 {{platform}} 对 {{subject}} 生成。\n- 仅供内部使用'),
        use: 'report_foreword',
      },
      { id: await uploaded('a.md', '## 联系方式\n请联系 {{author}}。'), use: 'report_appendix' },
    ]
    expect((await save({ name: '某某安全平台', files })).body).toMatchObject({ code: 0 })
    const written = async (format: 'pdf' | 'docx') => {
      const { data } = await good(operator, createReport, { body: { id: task.id, format, language: 'zh' } })
      const never = new AbortController().signal
      const { meta, deps } = bed.http
      const own = { meta, files: deps.files, store: deps.store, settings: () => deps.settings(), now: deps.now }
      await runReport(own, data.job.id, { stop: never, quit: never })
      return data.job.id
    }
    const id = await written('pdf')
    const chapter = async (at: number) => {
      const { data } = await good(operator, previewReport, { query: { id, chapter: at } })
      if (data.of !== 'document') throw new Error(data.of)
      return data
    }
    const first = await chapter(0)
    expect(first.issuer).toBe('某某安全平台')
    expect(first.chapters[1]).toBe('关于本报告')
    expect(first.chapters.at(-1)).toBe('联系方式')
    expect((await chapter(1)).blocks).toEqual([
      { kind: 'text', text: `本报告由 某某安全平台 对 ${first.subject} 生成。` },
      { kind: 'text', text: '• 仅供内部使用' },
    ])
    expect((await chapter(first.chapters.length - 1)).blocks).toEqual([
      { kind: 'text', text: '请联系 operator@example.com。' },
    ])
    // The logo of the platform is on the cover until the reports have one of their own.
    const pictures = async () => {
      const row = await bed.http.meta.db
        .selectFrom('jobs')
        .select('file')
        .where('id', '=', await written('docx'))
        .executeTakeFirstOrThrow()
      const stored = await bed.http.deps.files.open(row.file ?? '')
      return readZip(new Uint8Array(await buffer(stored.stream()))).entries.filter(({ name }) =>
        /media\/.*png/.test(name),
      )
    }
    const withLogo = (await pictures()).length
    expect((await save({ name: '某某安全平台', files, logo: null })).body).toMatchObject({ code: 0 })
    expect((await tags()).logo).toBeNull()
    expect(await pictures()).toHaveLength(withLogo - 1)
    await good(admin, saveReportTemplate, {
      body: {
        issuer: '',
        footer: '',
        parts: { manager: [], developer: [], regulator: [] },
        logo: png(20, 20).toString('base64'),
      },
    })
    expect(await pictures()).toHaveLength(withLogo)
  }, 120_000)

  test('[VAR-01] p-tags says what each product is called, and that a variant forces Chinese', async () => {
    const names = new Set<string>()
    for (const product of ['AppWarden', 'support_platform', 'security_management', 'security_management_plus']) {
      await good(admin, saveSettings, { body: { product, product_name: '', force_zh: product !== 'AppWarden' } })
      const { product: name, forced_language } = await tags()
      names.add(name)
      expect(forced_language).toBe(product === 'AppWarden' ? null : 'zh')
    }
    expect(names.size).toBe(4)
  })
})
