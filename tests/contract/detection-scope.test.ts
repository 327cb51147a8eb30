import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createApplication } from '#contracts/http/applications.ts'
import * as assets from '#contracts/http/assets.ts'
import * as results from '#contracts/http/detection/result.ts'
import * as detection from '#contracts/http/detection/tasks.ts'
import type { Endpoint } from '#contracts/http/endpoint.ts'
import { ENDPOINTS } from '#contracts/http/index.ts'
import { createAccessToken } from '#contracts/http/tokens.ts'
import { ALL_ITEMS } from '#contracts/permissions.ts'
import type { ConsoleClient, Reply } from '#tests/support/console-client.ts'
import { apkBytes } from '#tests/support/detect-package.ts'
import { type DetectionBed, detectionBed, good } from '#tests/support/detection-bed.ts'
import { DETECTION_ENDPOINTS as OURS } from '#tests/support/scope-areas.ts'

/** What the owner has, in an application of his or in none. */
interface Own {
  readonly appid: string
  readonly file: string
  readonly task: string
  readonly item: string
  readonly suppression: string
  readonly icon: string
}
interface Asked {
  readonly query?: Record<string, unknown>
  readonly body?: object
  /** In place of the parameter of the path. */
  readonly name?: string
  /** Asks for an application: nothing to ask of a file that has none. */
  readonly needsApplication?: true
  /** This test server has no such object: the owner is refused as well. */
  readonly absent?: true
}
const ofTask = ({ task }: Own): Asked => ({ query: { id: task } })
const ofFile = ({ file }: Own): Asked => ({ body: { id: file } })
const ofApplication = ({ appid }: Own): Asked => ({ query: { appid }, needsApplication: true })

/** Calls that name an object of a user: other users get the answer that it does not exist. Calls that delete it come last. */
const NAMING: Record<string, (own: Own) => Asked> = {
  fileDetail: ({ file }) => ({ query: { id: file } }),
  downFile: ({ file }) => ({ query: { file } }),
  media: ({ icon }) => ({ name: `${icon}.png` }),
  pushFile: ({ file }) => ({ body: { id: file, pushed: false } }),
  createFile: ({ file }) => ({ body: { id: file, name: 'Mine' } }),
  detectionKinds: ({ file }) => ({ body: { files: [file] } }),
  createTasks: ({ file }) => ({ body: { files: [file], kinds: ['static'] } }),
  tryOwnRule: ({ file }) => ({ body: { expression: 'permission("android.permission.INTERNET")', file } }),
  detectionTask: ofTask,
  downloadTaskLog: ofTask,
  detectionResult: ofTask,
  resultItems: ofTask,
  resultItem: ({ task, item }) => ({ query: { id: task, item } }),
  resultPermissions: ofTask,
  resultComponents: ofTask,
  resultSdks: ofTask,
  resultDomains: ofTask,
  resultPrivacy: ofTask,
  resultContent: ofTask,
  resultLibraries: ofTask,
  taskVulnerabilities: ofTask,
  resultDynamic: ofTask,
  resultScreenshot: ({ task }) => ({ query: { id: task, file: 'a'.repeat(64) }, absent: true }),
  downloadResult: ofTask,
  whatIfFixed: ({ task, item }) => ({ body: { id: task, fixed: [item] } }),
  compareTasks: ({ task }) => ({ query: { before: task, after: task } }),
  suppress: ({ task, item }) => ({ body: { task, item, reason: 'known' } }),
  approveSuppression: ({ suppression }) => ({ body: { id: suppression } }),
  withdrawSuppression: ({ suppression }) => ({ body: { id: suppression } }),
  createReport: ({ task }) => ({ body: { id: task, format: 'csv', language: 'en' } }),
  taskReports: ofTask,
  selfCheck: ofApplication,
  selfCheckHistory: ({ appid }) => ({ query: { appid, item: 'm1-1' }, needsApplication: true }),
  answerSelfCheck: ({ appid }) => ({ body: { appid, item: 'm1-1', value: 'yes' }, needsApplication: true }),
  exportSelfCheck: ({ appid }) => ({ body: { appid, title: 'Sheet' }, needsApplication: true }),
  savePrivacyPolicy: ({ appid }) => ({
    body: { appid, content: '我们收集您的信息。'.repeat(20) },
    needsApplication: true,
  }),
  privacyPolicy: ofApplication,
  deletePrivacyPolicy: ({ appid }) => ({ body: { appid }, needsApplication: true }),
  retryTask: ({ task }) => ({ body: { id: task } }),
  stopTasks: ({ task }) => ({ body: { ids: [task] } }),
  deleteTasks: ({ task }) => ({ body: { ids: [task] } }),
  delFile: ofFile,
}

/** Lists: does the answer show something that is the owner's? */
const LISTS: Record<string, (reply: Reply) => boolean> = {
  fileManage: ({ text }) => text.includes('org.secret'),
  showFile: ({ text }) => text.includes('org.secret'),
  detectionTasks: ({ text }) => text.includes('org.secret'),
  suppressions: ({ text }) => text.includes('org.secret'),
  selfChecks: ({ text }) => text.includes('Secret wallet'),
  vulnerabilityAnalysis: ({ body }) => (body['examined'] as { versions: number }).versions > 0,
  vulnerabilityAffected: ({ text }) => text.includes('org.secret'),
}
const LIST_QUERIES: Record<string, Asked> = { vulnerabilityAffected: { query: { item: 'android-debuggable' } } }

/** Resumable uploads are found by their address; they have a test of their own below. */
const UPLOADS = ['createUpload', 'appendUpload', 'uploadState', 'dropUpload', 'uploadFile']
/** Exports run later, with the scope that the caller had when he asked. */
const EXPORTS = ['exportFiles', 'exportSuppressions', 'exportTasks']

/** What belongs to the platform as a whole: rules, strategies, words, the vulnerability library, the template of reports. */
const PLATFORM = [
  ...['detectionItems', 'detectionItem', 'detectionOffers', 'saveDetectionOffers'],
  ...['strategies', 'saveStrategy', 'deleteStrategy', 'ownRules', 'saveOwnRule', 'deleteOwnRule'],
  ...['wordGroups', 'saveWordGroup', 'deleteWordGroup', 'sensitiveWords', 'changeWords', 'importWords', 'exportWords'],
  ...[
    'reportTemplate',
    'saveReportTemplate',
    'tryWords',
    'vulnerabilities',
    'vulnerability',
    'importVulnerabilities',
    'saveVulnerability',
    'reviewVulnerabilities',
    'deleteVulnerability',
    // What fails of their items is the caller's own: knowledge.test.ts.
    'articles',
    'article',
    // Articles of the organisation, by rule.edit: own-articles.test.ts.
    ...['ownArticles', 'ownArticle', 'previewOwnArticle', 'saveOwnArticle', 'copyArticle', 'restoreOwnArticle'],
    ...['publishOwnArticle', 'deleteOwnArticle', 'uploadArticleImage', 'articleImage'],
  ],
]

/** Calls that change nothing though they are no GET, and the start of an upload, whose end is audited. */
const UNAUDITED = ['createUpload', 'detectionKinds', 'previewOwnArticle', 'tryOwnRule', 'tryWords', 'whatIfFixed']

let bed: DetectionBed
let owner: ConsoleClient
let stranger: ConsoleClient
let appid: string
const ICON = 'c'.repeat(64)

beforeAll(async () => {
  bed = await detectionBed()
  // Every permission, but no applications: only the scope is left to refuse.
  await bed.http.meta.db
    .insertInto('roles')
    .values({ key: 'everything', zh: '全部', en: 'All', built_in: false, sees_all: false, auth: [...ALL_ITEMS] })
    .execute()
  owner = await bed.signIn('owner', 'everything')
  stranger = await bed.signIn('stranger', 'everything')
  const made = await good(owner, createApplication, { body: { name: 'Secret wallet', mimetype_list: [1] } })
  appid = made.object_list[0]?.id ?? ''
}, 60_000)
afterAll(() => bed?.close())

let files = 0
/** A detected file of the owner with a suppression that waits for approval. */
async function possession(application: string | null): Promise<Own> {
  const { db } = bed.http.meta
  const { id } = await db
    .selectFrom('users')
    .select('id')
    .where('username', '=', 'owner@example.com')
    .executeTakeFirstOrThrow()
  const packageName = `org.secret.wallet${++files}`
  const bytes = apkBytes({ id: packageName, application: { debuggable: true, allowBackup: true } })
  const fields = { application: application === null ? null : Number(application), owner: id, kind: 'apk', packageName }
  const file = await bed.addFile(bytes, fields)
  await db.updateTable('app_files').set({ icon: ICON }).where('id', '=', Number(file)).execute()
  const { data } = await good(owner, detection.createTasks, { body: { files: [file], kinds: ['static', 'privacy'] } })
  const task = data[0]?.id ?? ''
  expect((await bed.ended(owner, task)).state).toBe('detected')
  const suppressed = await good(owner, results.suppress, {
    body: { task, item: 'android-allow-backup', reason: 'known' },
  })
  return { appid, file, task, item: 'android-debuggable', suppression: suppressed.data.id, icon: ICON }
}

const call = (client: ConsoleClient, name: string, { query, body, name: parameter }: Asked): Promise<Reply> => {
  const endpoint = ENDPOINTS.get(name) as Endpoint
  const path = endpoint.path.replace(/:\w+/, parameter ?? '') as Endpoint['path']
  return client.call({ ...endpoint, path }, { ...(query && { query }), ...(body && { body }) })
}
const isMissing = ({ status, body }: Reply) => status === 404 || body['code'] === 500002
const isRefused = ({ body }: Reply) => body['code'] === 500018 || body['code'] === 500301

describe('assets and detection: who sees what', () => {
  test('every endpoint is in one of the tables, so that none is forgotten', () => {
    const listed = [...Object.keys(NAMING), ...Object.keys(LISTS), ...UPLOADS, ...EXPORTS, ...PLATFORM]
    expect(listed.toSorted()).toEqual(OURS.map(([name]) => name).toSorted())
  })

  test.each([
    ['of an application', true],
    ['of no application', false],
  ] as const)('[ASSET-01] what is the owner’s %s does not exist for somebody else', async (_, inApplication) => {
    const own = await possession(inApplication ? appid : null)
    const asked = Object.entries(NAMING)
      .map(([name, ask]) => [name, ask(own)] as const)
      .filter(([, { needsApplication }]) => inApplication || !needsApplication)
    const before = await bed.http.meta.db.selectFrom('audit_log').select('id').orderBy('id', 'desc').executeTakeFirst()
    for (const [name, input] of asked) {
      const reply = await call(stranger, name, input)
      expect([name, isMissing(reply), reply.text.slice(0, 200)]).toEqual([name, true, expect.any(String)])
      expect(reply.text).not.toContain('org.secret')
    }
    // The same calls by the owner, who is refused none of them: else the first half would prove nothing.
    for (const [name, input] of asked) {
      if (input.absent || name === 'media') continue // no picture lies behind the icon of this bed
      const reply = await call(owner, name, input)
      const answered = !isMissing(reply) && !isRefused(reply)
      expect([name, answered, answered ? '' : reply.text.slice(0, 200)]).toEqual([name, true, ''])
    }
    const entries = await bed.http.meta.db
      .selectFrom('audit_log')
      .select(['action', 'account', 'result'])
      .where('id', '>', before?.id ?? 0)
      .execute()
    const changing = asked.filter(([name]) => {
      const { method, audit } = ENDPOINTS.get(name) as Endpoint
      return method !== 'GET' && audit !== false
    })
    for (const [name] of changing) {
      const said = entries.filter(({ action }) => action === name)
      expect([name, said.some(({ account }) => account === 'owner@example.com')]).toEqual([name, true])
      expect([name, said.find(({ account }) => account === 'stranger@example.com')?.result]).toEqual([
        name,
        'data.missing',
      ])
    }
  })

  test('[ASSET-01] lists show what is one’s own alone', async () => {
    await possession(appid)
    for (const [name, shows] of Object.entries(LISTS)) {
      const query = LIST_QUERIES[name] ?? {}
      const [his, others] = [await call(owner, name, query), await call(stranger, name, query)]
      expect([name, his.status, shows(his)]).toEqual([name, 200, true])
      expect([name, others.status, shows(others)]).toEqual([name, 200, false])
    }
  })

  test.each(EXPORTS)('%s keeps the scope of who asked for it', async (name) => {
    const reply = await call(stranger, name, { body: { list: { appid }, format: 'csv', title: 'All' } })
    const { id } = reply.body['job'] as { id: string }
    const { input } = await bed.http.meta.db
      .selectFrom('jobs')
      .select('input')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    expect((input as { scope: unknown }).scope).toEqual({ apps: [] })
  })

  test('[DET-01] doing a task again takes the permission items of all its kinds', async () => {
    const { task } = await possession(appid)
    const { db } = bed.http.meta
    await db.updateTable('detection_tasks').set({ state: 'failed' }).where('id', '=', task).execute()
    const allowed = (auth: string[]) => db.updateTable('roles').set({ auth }).where('key', '=', 'everything').execute()
    await allowed(ALL_ITEMS.filter((one) => one !== 'asset.detect_privacy'))
    try {
      expect((await call(owner, 'retryTask', { body: { id: task } })).body['code']).toBe(500018)
    } finally {
      await allowed([...ALL_ITEMS])
    }
    expect((await call(owner, 'retryTask', { body: { id: task } })).body['code']).toBe(0)
  })

  test('[ASSET-01] an unfinished upload is its uploader’s', async () => {
    const token = async (client: ConsoleClient) => {
      const body = { name: 'ci', scopes: ['asset.upload', 'asset.read'], days: 1 }
      return (await client.call(createAccessToken, { body })).body['token'] as string
    }
    const [his, others] = [await token(owner), await token(stranger)]
    const tus = (bearer: string, method: string, path: string, headers: Record<string, string> = {}, body?: Buffer) =>
      fetch(bed.http.url + path, {
        method,
        headers: {
          authorization: `Bearer ${bearer}`,
          'tus-resumable': '1.0.0',
          ...(body && { 'content-type': 'application/offset+octet-stream' }),
          ...headers,
        },
        ...(body && { body: new Uint8Array(body) }),
      })
    const made = await tus(his, 'POST', assets.createUpload.path, {
      'upload-length': '4',
      'upload-metadata': `filename ${Buffer.from('a.apk').toString('base64')}`,
    })
    const path = made.headers.get('location') as string
    expect((await tus(others, 'HEAD', path)).status).toBe(404)
    expect((await tus(others, 'PATCH', path, { 'upload-offset': '0' }, Buffer.from('evil'))).status).toBe(404)
    expect((await tus(others, 'DELETE', path)).status).toBe(404)
    const form = new FormData()
    form.set('upload_id', path.split('/').at(-1) as string)
    const finish = (bearer: string, body: FormData) =>
      fetch(bed.http.url + assets.uploadFile.path, {
        method: 'POST',
        body,
        headers: { authorization: `Bearer ${bearer}` },
      })
    expect((await finish(others, form)).status).toBe(404)
    expect((await tus(his, 'HEAD', path)).headers.get('upload-offset')).toBe('0')
    // Nor may a package be put into somebody else's application.
    const foreign = new FormData()
    foreign.set('appid', appid)
    foreign.set('file', new Blob([new Uint8Array(apkBytes({ id: 'org.evil' }))]), 'evil.apk')
    expect((await finish(others, foreign)).status).toBe(404)
  })
})

describe('assets and detection: contracts', () => {
  test('each takes permission items, is closed to display tokens, and says so where it writes no audit entry', () => {
    for (const [name, { access, tokens }] of OURS) {
      // The catalogue of vulnerabilities, articles and the table of offers are the same for everybody.
      const isOpen = [
        'articleImage',
        'vulnerabilities',
        'vulnerability',
        'detectionOffers',
        'articles',
        'article',
      ].includes(name)
      expect([name, isOpen ? access === 'session' : Array.isArray(access)]).toEqual([name, true])
      expect([name, tokens?.display ?? false]).toEqual([name, false])
    }
    const unaudited = OURS.filter(([, { method, audit }]) => method === 'POST' && audit === false)
    expect(unaudited.map(([name]) => name).toSorted()).toEqual(UNAUDITED)
  })

  test.each(OURS)('the endpoint %s bounds all of its input', (_, { query, body }) => {
    for (const schema of [query, body]) if (schema) expect(unbounded(schema)).toEqual([])
  })
})

type JsonSchema = {
  type?: string
  properties?: Record<string, JsonSchema>
  items?: JsonSchema
  anyOf?: JsonSchema[]
  additionalProperties?: JsonSchema | boolean
  maxLength?: number
  maxItems?: number
  enum?: unknown[]
  const?: unknown
  pattern?: string
  format?: string
}

/** Paths of texts and lists of a schema that may be as long as somebody likes. */
function unbounded(schema: z.ZodType): string[] {
  const found: string[] = []
  const walk = (one: JsonSchema, path: string) => {
    if (one.type === 'string' && one.maxLength === undefined && !one.enum && one.const === undefined)
      if (!one.pattern || LONG.some((text) => new RegExp(one.pattern as string, 'u').test(text))) found.push(path)
    if (one.type === 'array') {
      if (one.maxItems === undefined) found.push(path)
      if (one.items) walk(one.items, `${path}[]`)
    }
    for (const [key, value] of Object.entries(one.properties ?? {})) walk(value, `${path}.${key}`)
    for (const value of one.anyOf ?? []) walk(value, path)
    if (typeof one.additionalProperties === 'object') walk(one.additionalProperties, `${path}.*`)
  }
  walk(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema, '')
  return found
}
const LONG = ['1', 'a', 'A', '-', '.', 'a-'].map((piece) => piece.repeat(5000))
