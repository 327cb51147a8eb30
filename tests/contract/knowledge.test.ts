import { afterAll, beforeAll, expect, test } from 'vitest'
import { article, articles } from '#contracts/http/knowledge.ts'
import { makeReport } from '#contracts/http/reports/make-report.ts'
import type { ConsoleClient } from '#tests/support/console-client.ts'
import { good } from '#tests/support/detection-bed.ts'
import { addFailedPackage } from '#tests/support/failed-package.ts'
import { type ScopeBed, startScopeBed } from '#tests/support/scope-bed.ts'

let bed: ScopeBed
beforeAll(async () => {
  bed = await startScopeBed()
  await addFailedPackage(bed, 'alice', 'android-sig-v1-only')
}, 120_000)
afterAll(() => bed?.close())

const listed = (client: ConsoleClient, query: object) => good(client, articles, { query: { language: 'zh', ...query } })
const opened = (client: ConsoleClient, id: string, language: 'zh' | 'en' = 'zh') =>
  good(client, article, { query: { language, id } })
const missing = { code: 500002 }

test('articles are found in both languages, with what each facet would leave', async () => {
  const client = bed.clients.alice
  const all = await listed(client, {})
  expect(all.total).toBe(all.all)
  expect(Object.values(all.facets.kind as Record<string, number>).reduce((sum, one) => sum + one)).toBe(all.all)
  const found = await listed(client, { text: '证书绑定' })
  expect(found.data[0]).toMatchObject({ id: 'certificate-pinning', kind: 'article', topic: 'network' })
  expect(found.nearest).toBe(false)
  const narrowed = await listed(client, { text: '证书', code: 'java' })
  expect(narrowed.total).toBe((await listed(client, { text: '证书' })).facets.code['java'])
  expect(narrowed.data.every(({ code }) => code.includes('java'))).toBe(true)
  expect((await listed(client, { language: 'en', text: 'certificate pinning' })).data[0]?.title).toMatch(
    /^Certificate pinning/,
  )
})

test('an article is opened by its id, by a detection item and by a page; anything else does not exist', async () => {
  const client = bed.clients.alice
  expect((await opened(client, 'signature-schemes')).data.items.map(({ id }) => id)).toContain('android-sig-v1-only')
  expect((await opened(client, 'android-sig-v1-only')).data.id).toBe('signature-schemes')
  expect((await opened(client, 'page:detection_task', 'en')).data).toMatchObject({
    kind: 'help',
    title: 'Detection report',
  })
  const refused = await client.call(article, { query: { language: 'zh', id: 'no-such-article' } })
  expect(refused.body).toMatchObject(missing)
})

test('own findings are those of applications that the caller sees', async () => {
  const mine = await opened(bed.clients.alice, 'signature-schemes')
  expect(mine.found).toMatchObject([{ item: 'android-sig-v1-only', level: 'high', name: bed.alice.marker }])
  expect((await listed(bed.clients.alice, { mine: 'yes' })).data.map(({ id }) => id)).toEqual(['signature-schemes'])
  expect((await opened(bed.clients.bob, 'signature-schemes')).found).toEqual([])
  expect((await listed(bed.clients.bob, { mine: 'yes' })).total).toBe(0)
})

test('a solution becomes a report of the platform', async () => {
  const { alice: client } = bed.clients
  const ask = (name: string) => ({ body: { of: 'article', article: name, format: 'docx', language: 'zh' } })
  const { id } = await good(client, makeReport, ask('solution-communication'))
  const row = await bed.http.meta.db.selectFrom('jobs').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  expect(row).toMatchObject({ kind: 'report', title: '移动端通信安全技术方案 DOC' })
  expect((await client.call(makeReport, ask('nothing'))).body).toMatchObject(missing)
})
