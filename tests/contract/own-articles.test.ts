import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { auditLog } from '#contracts/http/audit-log.ts'
import type { Endpoint } from '#contracts/http/endpoint.ts'
import { article, articles } from '#contracts/http/knowledge.ts'
import {
  articleImage,
  copyArticle,
  deleteOwnArticle,
  OWN_ARTICLE_LIMITS,
  type OwnContent,
  ownArticle,
  ownArticles,
  previewOwnArticle,
  publishOwnArticle,
  restoreOwnArticle,
  saveOwnArticle,
  uploadArticleImage,
} from '#contracts/http/own-articles.ts'
import { makeReport } from '#contracts/http/reports/make-report.ts'
import { search } from '#contracts/http/search.ts'
import { gmPortable } from '#engines/gm/gm-portable.ts'
import { signRequest } from '#engines/gm/signature.ts'
import { entryBytes } from '#engines/zip/entry-bytes.ts'
import { readZip } from '#engines/zip/read-zip.ts'
import { publishVersion } from '#server/modules/own-articles/article-store.ts'
import { dropUnnamedImages } from '#server/modules/own-articles/drop-unnamed-images.ts'
import { writeParts } from '#server/modules/reports/report-sources.ts'
import { writeReport } from '#server/modules/reports/write/write-report.ts'
import { randomBytes } from '#src/shared/api/gm-browser.ts'
import { formBody } from '#src/shared/upload/form-body.ts'
import { openLocalFiles } from '#storage/files/local-files.ts'
import { ConsoleClient } from '#tests/support/console-client.ts'
import { good } from '#tests/support/detection-bed.ts'
import { CODE, type HttpApp, PASSWORD, startHttpApp } from '#tests/support/http-app.ts'

const DAY_MS = 86_400_000
const [MISSING, CONFLICT, FORBIDDEN, QUOTA, KIND] = [500002, 500003, 500018, 500006, 503801]
const NO_IMAGE = '00000000-0000-4000-8000-000000000000'

let app: HttpApp
let folder: string
let writer: ConsoleClient
let reader: ConsoleClient
beforeAll(async () => {
  app = await startHttpApp()
  folder = mkdtempSync(join(tmpdir(), 'aw-own-articles-'))
  app.deps.files = await openLocalFiles(folder)
  const signIn = async (name: string, role: string) => {
    await app.addUser(`${name}@example.com`, role)
    const client = new ConsoleClient(app.url, app.deps.now)
    await client.signIn(`${name}@example.com`, PASSWORD, CODE)
    return client
  }
  writer = await signIn('writer', 'administrator')
  reader = await signIn('reader', 'trial')
})
afterAll(async () => {
  await app.close()
  rmSync(folder, { recursive: true, force: true })
})

const text = (title: string, body = '## 步骤\n\n先联系值班人员。') => ({
  ...{ title, summary: '本单位处理这类问题的步骤与联系人。', words: '值班', body },
})
const content = (more: Partial<OwnContent> = {}): OwnContent => ({
  ...{ kind: 'article', topic: 'network', solution: null, platforms: ['android'], items: [], pages: [], en: null },
  zh: text('内部证书轮换流程'),
  ...more,
})
const save = (id: string | null, based_on: number, more: Partial<OwnContent> = {}) =>
  good(writer, saveOwnArticle, { body: { id, based_on, content: content(more) } })
const publish = (id: string, version: number | null) => good(writer, publishOwnArticle, { body: { id, version } })
const code = async (client: ConsoleClient, one: Endpoint, input: object) =>
  (await client.call(one, input)).body['code'] as number
const found = async (words: string, language: 'zh' | 'en' = 'zh') =>
  (await good(reader, articles, { query: { language, text: words } })).data.map(({ id }) => id)
const preview = (body: string) => good(writer, previewOwnArticle, { body: { body } })

/** A form as a browser sends it. Its parts are bytes, so it goes past ConsoleClient.send. */
async function upload(client: ConsoleClient, name: string, bytes: Uint8Array) {
  const { path } = uploadArticleImage
  const form = formBody({}, { name, bytes }, new Uint8Array(12))
  const tstamp = String(Math.floor(client.now() / 1000))
  const signed = { method: 'POST', target: path, tstamp, body: form.bytes }
  const answer = await fetch(client.url + path, {
    method: 'POST',
    headers: {
      ...{ tstamp, 'x-token': client.token, jwt_token: client.jwt, 'content-type': form.contentType },
      signature: signRequest(gmPortable, signed, randomBytes(16), client.signatureKey),
      cookie: [...client.cookies].map((pair) => pair.join('=')).join('; '),
    },
    body: new Uint8Array(form.bytes),
  })
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
}
const picture = (width = 40, height = 30) => sharp({ create: { width, height, channels: 3, background: '#1661c4' } })

test('[KNOW-01] a draft is seen by its authors alone; published, every reader finds it at once, and withdrawn no more', async () => {
  const { id, version } = await save(null, 0)
  expect(version).toBe(1)
  expect(await found('内部证书轮换')).not.toContain(id)
  expect(await code(reader, article, { query: { language: 'zh', id } })).toBe(MISSING)
  const before = (await good(reader, articles, { query: { language: 'zh' } })).all

  expect(await publish(id, 1)).toEqual({ code: 0, codemsg: expect.anything(), published: 1, problems: [] })
  expect((await found('内部证书轮换'))[0]).toBe(id)
  expect(await found('nbzslh')).toContain(id)
  const list = await good(reader, articles, { query: { language: 'zh', own: 'yes' } })
  expect(list.data).toMatchObject([{ id, own: true, only: 'zh' }])
  expect([list.total, list.all, list.facets.own]).toEqual([1, before + 1, 1])
  // A reader of the other language gets this one, with a note.
  const shown = await good(reader, article, { query: { language: 'en', id } })
  expect(shown.data).toMatchObject({ title: '内部证书轮换流程', only: 'zh', published: { by: 'writer@example.com' } })
  expect(shown.data.blocks.map(({ kind }) => kind)).toEqual(['heading', 'text'])
  const hits = await good(reader, search, { query: { text: '内部证书轮换' } })
  expect(JSON.stringify(hits)).toContain(`/knowledge/base/${id}/`)

  await publish(id, null)
  expect(await found('内部证书轮换')).not.toContain(id)
  expect(await code(reader, article, { query: { language: 'zh', id } })).toBe(MISSING)
  await good(writer, deleteOwnArticle, { body: { id } })
  expect(await code(writer, deleteOwnArticle, { body: { id } })).toBe(MISSING)
})

test('every save is a version; a save of what somebody else changed is refused; readers keep the published version until the next one is published', async () => {
  const { id } = await save(null, 0)
  await publish(id, 1)
  await save(id, 1, { zh: text('证书轮换流程（二）') })
  expect(await code(writer, saveOwnArticle, { body: { id, based_on: 1, content: content() } })).toBe(CONFLICT)
  expect((await good(reader, article, { query: { language: 'zh', id } })).data.title).toBe('内部证书轮换流程')
  const open = await good(writer, ownArticle, { query: { id } })
  expect(open.data).toMatchObject({ state: 'changed', version: 2, published: 1 })
  expect(open.versions.map(({ number, author }) => [number, author])).toEqual([
    [2, 'writer@example.com'],
    [1, 'writer@example.com'],
  ])
  expect((await good(writer, ownArticle, { query: { id, version: 1 } })).content.zh?.title).toBe('内部证书轮换流程')
  expect(await code(writer, restoreOwnArticle, { body: { id, version: 1, based_on: 1 } })).toBe(CONFLICT)
  expect(await good(writer, restoreOwnArticle, { body: { id, version: 1, based_on: 2 } })).toMatchObject({ version: 3 })
  const restored = await good(writer, ownArticle, { query: { id } })
  expect([restored.content, restored.versions[0]?.restored]).toEqual([content(), 1])
  const both = await Promise.all(
    [1, 2].map(() => writer.call(saveOwnArticle, { body: { id, based_on: 3, content: content() } })),
  )
  expect(both.map(({ body }) => body['code']).sort()).toEqual([0, CONFLICT])
  const log = await good(writer, auditLog, { query: { search: id } })
  expect(JSON.stringify(log)).toContain('version 1 as 3')
  await good(writer, deleteOwnArticle, { body: { id } })
})

test('old versions go beyond the limit, the published one stays', async () => {
  const { id } = await save(null, 0)
  await publish(id, 1)
  for (let version = 1; version < OWN_ARTICLE_LIMITS.versions + 3; version++) await save(id, version)
  const { versions } = await good(writer, ownArticle, { query: { id } })
  expect(versions.length).toBe(OWN_ARTICLE_LIMITS.versions + 1)
  expect(versions.at(-1)?.number).toBe(1)
  expect((await good(reader, article, { query: { language: 'zh', id } })).data.own).toBe(true)
  // A version that was deleted between the check and the publication is not published.
  const author = { id: 1, name: 'writer', now: 0 }
  await expect(publishVersion(app.meta.db, id, 2, author)).rejects.toMatchObject({ key: 'data.missing' })
  expect((await good(writer, ownArticle, { query: { id } })).data.published).toBe(1)
  await good(writer, deleteOwnArticle, { body: { id } })
})

test('[ROLE-01] only who holds rule.edit lists, reads, writes, publishes, deletes and uploads', async () => {
  const { id } = await save(null, 0)
  for (const [one, input] of [
    [ownArticles, {}],
    [ownArticle, { query: { id } }],
    [previewOwnArticle, { body: { body: 'a' } }],
    [saveOwnArticle, { body: { id: null, based_on: 0, content: content() } }],
    [copyArticle, { body: { article: 'certificate-pinning' } }],
    [restoreOwnArticle, { body: { id, version: 1, based_on: 1 } }],
    [publishOwnArticle, { body: { id, version: 1 } }],
    [deleteOwnArticle, { body: { id } }],
  ] as [Endpoint, object][])
    expect(await code(reader, one, input), one.path).toBe(FORBIDDEN)
  expect((await upload(reader, 'a.png', await picture().png().toBuffer())).body['code']).toBe(FORBIDDEN)
  await good(writer, deleteOwnArticle, { body: { id } })
})

test('what the parser refuses is listed by line, can be kept as a draft, and is not published', async () => {
  const body = '## 标题\n\n一段 <b>粗</b>\n\n- 甲\n- [乙](javascript:alert(1))\n\n# 大标题'
  expect((await preview(body)).problems).toMatchObject([
    { line: 3, problem: 'html', detail: '<b>' },
    { line: 6, problem: 'address' },
    { line: 8, problem: 'heading' },
  ])
  const { id } = await save(null, 0, { zh: { ...text('甲乙'), summary: '短', body } })
  const refused = await publish(id, 1)
  expect([refused.published, refused.problems.map(({ problem }) => problem)]).toEqual([
    null,
    ['summary', 'html', 'address', 'heading'],
  ])
  expect(await code(reader, article, { query: { language: 'zh', id } })).toBe(MISSING)
  await good(writer, deleteOwnArticle, { body: { id } })
})

test('hostile Markdown becomes plain text or is refused, within seconds', async () => {
  for (const bad of [
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '[x](javascript:alert(1))',
    '[x](data:text/html,a)',
    '![x](https://example.com/x.png)',
    '![x](data:image/png;base64,AAAA)',
    `![x](image:${NO_IMAGE})`,
    '![x](image:../../etc/passwd)',
    '[a]: javascript:alert(1)',
    '<https://a"onmouseover="x>',
    '[article](article:../x)',
  ]) {
    const { blocks, problems } = await preview(bad)
    expect([blocks, problems.length], bad).toEqual([[], 1])
  }
  const most = OWN_ARTICLE_LIMITS.body
  for (const one of ['[', '![', '*a ', '_a', '> ', '1. ', '`a ', '<a ', 'a@', '|a', '[a](b ', '  - a\n']) {
    const began = performance.now()
    const folded = one.repeat(most / one.length).replace(/[^\n]{1990}/g, '$&\n')
    await preview(folded.slice(0, most))
    expect(performance.now() - began, one).toBeLessThan(4000)
  }
  expect(await code(writer, previewOwnArticle, { body: { body: '['.repeat(100_000) } })).toBe(500001)
  expect((await preview('['.repeat(2001))).problems).toEqual([{ line: 1, problem: 'line_length', detail: '' }])
  app.clock.offset += 60_000 // the rate limit of previews
})

test('a draft names detection items, pages and articles that exist, and keeps its form', async () => {
  const refused = (more: object) =>
    code(writer, saveOwnArticle, { body: { id: null, based_on: 0, content: { ...content(), ...more } } })
  expect(await refused({ items: ['no-such-item'] })).toBe(500001)
  expect(await refused({ pages: ['no_such_page'] })).toBe(500001)
  expect(await refused({ kind: 'solution' })).toBe(500001)
  expect(await refused({ zh: null })).toBe(500001)
  expect(await refused({ zh: { ...text('长'), body: 'x'.repeat(OWN_ARTICLE_LIMITS.body + 1) } })).toBe(500001)
  expect(await refused({ zh: { ...text('长'), title: 'x'.repeat(OWN_ARTICLE_LIMITS.title + 1) } })).toBe(500001)
})

test('an own article is named beside the product’s article of the same item and page, and found by an item that has none', async () => {
  const rule = 'own-rule-of-this-test'
  await app.meta.db
    .insertInto('detection_own_rules')
    .values({
      ...{ id: rule, name: 'r', level: 'low', expression: 'true', threat: '', advice: '', enabled: true },
      ...{ rev: 1, by_user: null, updated_at: 0 },
    } as never)
    .execute()
  const { id } = await save(null, 0, { items: ['android-sig-v1-only', rule], pages: ['vulnerabilities'] })
  await publish(id, 1)
  const opened = (name: string) => good(reader, article, { query: { language: 'zh', id: name } })
  expect((await opened('android-sig-v1-only')).data).toMatchObject({ id: 'signature-schemes', own_related: [{ id }] })
  expect((await opened('page:vulnerabilities')).data.own_related).toEqual([{ id, title: '内部证书轮换流程' }])
  expect((await opened('page:home')).data.own_related).toEqual([])
  expect((await opened(rule)).data.id).toBe(id)
  await good(writer, deleteOwnArticle, { body: { id } })
  expect((await opened('android-sig-v1-only')).data.own_related).toEqual([])
})

test('every article of the product can be copied into a draft that is publishable, and stays as it is', async () => {
  const products = await good(reader, articles, { query: { language: 'zh', limit: 50 } })
  const before = await good(reader, article, { query: { language: 'zh', id: 'certificate-pinning' } })
  for (const name of ['certificate-pinning', ...products.data.slice(0, 12).map(({ id }) => id)]) {
    const { id } = await good(writer, copyArticle, { body: { article: name } })
    expect((await publish(id, 1)).problems, name).toEqual([])
    const copy = await good(reader, article, { query: { language: 'en', id } })
    const original = await good(reader, article, { query: { language: 'en', id: name } })
    expect(copy.data.title).toBe(original.data.title)
    expect(JSON.stringify(copy.data.blocks)).not.toContain('{{')
    await good(writer, deleteOwnArticle, { body: { id } })
  }
  expect(await good(reader, article, { query: { language: 'zh', id: 'certificate-pinning' } })).toEqual(before)
  expect(await code(writer, copyArticle, { body: { article: 'no-such-article' } })).toBe(MISSING)
})

test('images are re-encoded without metadata or appended data; SVG, other kinds, animations and huge ones are refused', async () => {
  const marker = '<script>alert("polyglot")</script>'
  const jpeg = await picture(400, 200)
    .withExif({ IFD0: { Copyright: 'secret-of-exif' } })
    .jpeg()
    .toBuffer()
  const png = await picture().png().toBuffer()
  for (const [name, bytes, type] of [
    ['photo.jpg', Buffer.concat([jpeg, Buffer.from(marker)]), 'image/jpeg'],
    ['shot.png', Buffer.concat([png, Buffer.from(marker)]), 'image/png'],
    ['drawn.webp', await picture().webp().toBuffer(), 'image/jpeg'],
    ['named-as.html', png, 'image/png'],
  ] as const) {
    const { body } = await upload(writer, name, bytes)
    expect(body, name).toMatchObject({ code: 0 })
    const reply = await writer.call(articleImage, { query: { id: body['id'] } })
    expect(reply.headers.get('content-type')).toBe(type)
    expect(reply.headers.get('x-content-type-options')).toBe('nosniff')
    expect(reply.text).not.toMatch(/polyglot|secret-of-exif/)
    // No reader sees what no published article shows.
    expect((await reader.call(articleImage, { query: { id: body['id'] } })).status).toBe(404)
  }
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>1</script></svg>')
  const frames = await sharp(Buffer.from(Array.from({ length: 8 * 16 * 4 }, (_, at) => (at < 256 ? 200 : 40))), {
    raw: { width: 8, height: 16, channels: 4, pageHeight: 8 },
  })
    .webp()
    .toBuffer()
  for (const [name, bytes] of [
    ['a.svg', svg],
    ['a.png', Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), svg])],
    ['a.gif', await picture().gif().toBuffer()],
    ['a.tiff', await picture().tiff().toBuffer()],
    ['a.webp', frames],
    ['cut.png', png.subarray(0, 60)],
    ['huge.png', hugePng()],
    ['a.pdf', Buffer.from('%PDF-1.7\n')],
    ['zeros.png', Buffer.alloc(1000)],
  ] as const)
    expect((await upload(writer, name, bytes)).body['code'], name).toBe(KIND)
  const large = Buffer.alloc(OWN_ARTICLE_LIMITS.imageBytes + 1)
  expect((await upload(writer, 'large.png', large)).body['code']).toBe(503800)
  expect((await upload(writer, 'wide.png', await picture(4000, 100).png().toBuffer())).body).toMatchObject({
    ...{ width: OWN_ARTICLE_LIMITS.imageWidth, height: 40 },
  })
}, 60_000)

/** 60,000 by 60,000 pixels, by its header. */
function hugePng(): Buffer {
  const header = Buffer.from('0000000d49484452000000000000000008060000000000000000', 'hex')
  header.writeUInt32BE(60_000, 8)
  header.writeUInt32BE(60_000, 12)
  header.writeUInt32BE(crc32(header.subarray(4, 21)), 21)
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), header.subarray(0, 25)])
}

test('readers see the images of published articles; one that no version names is deleted after a week with its file', async () => {
  const uploaded = async () =>
    (await upload(writer, 'a.png', await picture(41, 31).png().toBuffer())).body['id'] as string
  const [named, unnamed] = [await uploaded(), await uploaded()]
  const { id } = await save(null, 0, { zh: text('有图的文章', `## 图\n\n![登录页](image:${named})\n\n文字`) })
  expect((await reader.call(articleImage, { query: { id: named } })).status).toBe(404)
  await publish(id, 1)
  const { data } = await good(reader, article, { query: { language: 'zh', id } })
  expect(data.blocks[1]).toEqual({ kind: 'image', id: named, alt: '登录页', width: 41, height: 31 })
  expect((await reader.call(articleImage, { query: { id: named } })).status).toBe(200)
  expect((await new ConsoleClient(app.url).call(articleImage, { query: { id: named } })).status).toBe(401)
  const drop = (days: number) => dropUnnamedImages(app.meta, app.deps.files, Date.now() + days * DAY_MS)
  expect(await drop(OWN_ARTICLE_LIMITS.unnamedDays - 1)).toBe(0)
  expect(await drop(OWN_ARTICLE_LIMITS.unnamedDays + 1)).toBeGreaterThan(0)
  expect((await writer.call(articleImage, { query: { id: unnamed } })).status).toBe(404)
  // The file is the same, and is still named.
  expect((await reader.call(articleImage, { query: { id: named } })).status).toBe(200)

  const made = await good(writer, makeReport, { body: { of: 'article', article: id, format: 'docx', language: 'en' } })
  const row = await app.meta.db.selectFrom('jobs').select('title').where('id', '=', made.id).executeTakeFirstOrThrow()
  expect(row.title).toBe('有图的文章 DOC')
  await good(writer, deleteOwnArticle, { body: { id } })
  await drop(OWN_ARTICLE_LIMITS.unnamedDays + 1)
  expect(await app.meta.db.selectFrom('own_article_images').selectAll().execute()).toEqual([])
})

test('[KNOW-01] the images of an article are in its PDF and in its DOCX', async () => {
  const red = { r: 214, g: 31, b: 38 }
  const png = await sharp({ create: { width: 600, height: 90, channels: 3, background: red } })
    .png()
    .toBuffer()
  const image = (await upload(writer, 'steps.png', png)).body['id'] as string
  const { id } = await save(null, 0, { zh: text('带图导出', `## 步骤\n\n![登录流程](image:${image})`) })
  await publish(id, 1)
  const input = { of: 'article', article: id, language: 'zh', scope: { apps: 'all' } } as never
  const parts = await writeParts(app.deps as never, { userId: 1, username: 'writer' }, input)
  const document = { ...parts, language: 'zh' as const, issuer: 'AppWarden', footer: '', made: 0, logo: null }
  const { signal } = new AbortController()
  const zip = readZip(await writeReport({ format: 'docx', document }, signal))
  const media = zip.entries.filter(({ name }) => name.startsWith('word/media/'))
  expect(media).toHaveLength(1)
  const { data, info } = await sharp(entryBytes(zip, media[0] as never))
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  const middle = (Math.floor(info.height / 2) * info.width + 200) * 4
  expect([...data.subarray(middle, middle + 3)]).toEqual([red.r, red.g, red.b])
  const pdf = Buffer.from(await writeReport({ format: 'pdf', document }, signal)).toString('latin1')
  expect(pdf).toMatch(/\/Subtype\s*\/Image/)
  expect(pdf).toMatch(/\/Width 600\b/)
  await good(writer, deleteOwnArticle, { body: { id } })
}, 60_000)

test('no more articles than the limit are kept, also when they are made together', async () => {
  const { db } = app.meta
  await db
    .insertInto('own_articles')
    .values(
      Array.from({ length: OWN_ARTICLE_LIMITS.articles - 1 }, () => ({
        ...{ version: 1, changed_at: 0, author: '', published: null, published_at: null },
      })),
    )
    .execute()
  const both = await Promise.all(
    [1, 2, 3].map(() => writer.call(saveOwnArticle, { body: { id: null, based_on: 0, content: content() } })),
  )
  expect(both.map(({ body }) => body['code']).sort()).toEqual([0, QUOTA, QUOTA])
  await db.deleteFrom('own_articles').execute()
})
