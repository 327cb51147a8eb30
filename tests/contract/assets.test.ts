import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { applicationList } from '#contracts/http/applications.ts'
import {
  type AppFile,
  createFile,
  createUpload,
  delFile,
  downFile,
  exportFiles,
  fileDetail,
  fileManage,
  pushFile,
  showFile,
  uploadFile,
} from '#contracts/http/assets.ts'
import { baselines } from '#contracts/http/baselines.ts'
import { createAccessToken } from '#contracts/http/tokens.ts'
import type { Job } from '#contracts/jobs.ts'
import { openLocalFiles } from '#storage/files/local-files.ts'
import { ConsoleClient, type Reply } from '#tests/support/console-client.ts'
import { exportedText } from '#tests/support/exported.ts'
import { CODE, type HttpApp, PASSWORD, startHttpApp } from '#tests/support/http-app.ts'

const SETTINGS_APK = readFileSync('node_modules/io.appium.settings/apks/settings_apk-debug.apk')
const TEST_APK = readFileSync(
  'node_modules/appium-uiautomator2-server/apks/appium-uiautomator2-server-debug-androidTest.apk',
)

let app: HttpApp
let owner: ConsoleClient
let stranger: ConsoleClient
let token = ''
beforeAll(async () => {
  app = await startHttpApp()
  app.deps.files = await openLocalFiles(app.config.paths.files)
  owner = await signedIn('owner@example.com', 'operator')
  stranger = await signedIn('stranger@example.com', 'operator')
  const made = await owner.call(createAccessToken, {
    body: { name: 'ci', scopes: ['asset.read', 'asset.upload', 'application.create'], days: 1 },
  })
  token = made.body['token'] as string
})
afterAll(() => app.close())

async function signedIn(username: string, role: string): Promise<ConsoleClient> {
  await app.addUser(username, role)
  const client = new ConsoleClient(app.url)
  await client.signIn(username, PASSWORD, CODE)
  return client
}

/** Uploads as a customer's script does: a form with an access token. */
async function upload(bytes: Uint8Array, name: string, fields: Record<string, string> = {}): Promise<Reply> {
  const form = new FormData()
  for (const [field, value] of Object.entries(fields)) form.set(field, value)
  form.set('file', new Blob([new Uint8Array(bytes)]), name)
  const answer = await fetch(app.url + uploadFile.path, {
    method: 'POST',
    body: form,
    headers: { authorization: `Bearer ${token}`, 'accept-language': 'en' },
  })
  const text = await answer.text()
  return { status: answer.status, text, headers: answer.headers, body: text ? JSON.parse(text) : {} }
}
const fileOf = (reply: Reply) => reply.body['file_object'] as AppFile & { existing: boolean }

/** One step of the resumable protocol. */
async function tus(method: string, path: string, headers: Record<string, string> = {}, body?: Uint8Array) {
  const answer = await fetch(app.url + path, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      'tus-resumable': '1.0.0',
      ...(body && { 'content-type': 'application/offset+octet-stream' }),
      ...headers,
    },
    ...(body && { body: new Uint8Array(body) }),
  })
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
}
const named = (name: string) => `filename ${Buffer.from(name).toString('base64')}`

describe('application files', () => {
  let file: AppFile

  test('[ASSET-01] [ASSET-05] upload-file: code, codemsg and file_object with every field of the entity', async () => {
    const reply = await upload(SETTINGS_APK, 'C:\\builds\\settings.apk', {
      create: 'application',
      type: 'exercise_fitness',
    })
    expect([reply.status, reply.body['code'], reply.body['codemsg']]).toEqual([200, 0, ''])
    file = fileOf(reply)
    expect(file).toMatchObject({
      id: expect.stringMatching(/^\d+$/),
      name: expect.stringMatching(/Appium/i),
      file_name: 'settings.apk',
      version: '8.0.10',
      size: SETTINGS_APK.length,
      md5: createHash('md5').update(SETTINGS_APK).digest('hex'),
      sha256: createHash('sha256').update(SETTINGS_APK).digest('hex'),
      package_name: 'io.appium.settings',
      appid: expect.stringMatching(/^\d+$/),
      type: 'exercise_fitness',
      file_type: '1',
      kind: 'apk',
      protection: 'unreinforced',
      operator: 'owner@example.com',
      platform: 'android',
      pushed: false,
      icon: expect.stringMatching(/^\/api\/media\/[0-9a-f]{64}\.png$/),
      signature: 'verified',
      has_file: true,
      existing: false,
    })
    expect(Math.abs(file['uploaded_at'] - Date.now())).toBeLessThan(60_000)
    const list = (await owner.call(applicationList)).body['object_list'] as { id: string; has_file: boolean }[]
    expect(list.find((one) => one.id === file.appid)).toMatchObject({ has_file: true })
  })

  test('the same package again is the same file; another version joins the application by its package name', async () => {
    expect(fileOf(await upload(SETTINGS_APK, 'again.apk'))).toMatchObject({
      id: file.id,
      appid: file.appid,
      existing: true,
    })
  })

  test('[ASSET-05] show-file, file-manage, detail and create-file', async () => {
    const shown = await owner.call(showFile, { query: { appid: file.appid } })
    expect(shown.body['object_list']).toEqual([expect.objectContaining({ id: file.id })])
    const page = await owner.call(fileManage, { query: { page: 1, page_size: 20 } })
    expect(page.body).toMatchObject({
      data: [{ id: file.id }],
      total: 1,
      summary: { size: file.size, by_file_type: { 1: 1 } },
    })
    for (const [query, total] of [
      [{ search: 'appium' }, 1],
      [{ search: '100%' }, 0],
      [{ type: 'browser' }, 0],
      [{ type: 'exercise_fitness', file_type: '1' }, 1],
      [{ file_type: '2' }, 0],
      [{ from: file.uploaded_at, to: file.uploaded_at + 1 }, 1],
      [{ to: file.uploaded_at }, 0],
    ] as const)
      expect([query, (await owner.call(fileManage, { query })).body['total']]).toEqual([query, total])
    const sheet = async (search: string) => {
      const { job } = (await owner.call(exportFiles, { body: { list: { search }, title: 'files' } })).body as {
        job: Job
      }
      return (await exportedText(app, job.id)).split('\r\n')
    }
    expect(await sheet('appium')).toEqual([expect.stringContaining('MD5'), expect.stringContaining(file.md5), ''])
    expect(await sheet('other')).toHaveLength(2)
    const detail = (await owner.call(fileDetail, { query: { id: file.id } })).body['data'] as {
      facts: { components: unknown[]; permissions: unknown[]; certificates: { sha256: string }[] }
    }
    expect(detail.facts.components.length).toBeGreaterThan(10)
    expect(detail.facts.permissions.length).toBeGreaterThan(5)
    expect(detail.facts.certificates.map((one) => one.sha256)).toEqual(file.signers)
    const renamed = await owner.call(createFile, { body: { id: file.id, name: 'Settings', type: '' } })
    expect(fileOf(renamed)).toMatchObject({ name: 'Settings', type: '' })
  })

  test('[ASSET-06] media: the icon is a PNG of 192 pixels, for those who see the file alone', async () => {
    const answer = await fetch(app.url + file.icon, { headers: { authorization: `Bearer ${token}` } })
    const bytes = Buffer.from(await answer.arrayBuffer())
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/png'])
    expect([bytes.subarray(1, 4).toString(), bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual(['PNG', 192, 192])
    const get = (client: ConsoleClient, path: string) => client.send('GET', path, '', {})
    expect((await get(owner, file.icon as string)).status).toBe(200)
    expect((await get(stranger, file.icon as string)).status).toBe(404)
    // Packages lie in the same store: their names open nothing here.
    expect((await get(owner, `/api/media/${file.sha256}.png`)).status).toBe(404)
    expect((await get(owner, '/api/media/..%2f..%2fetc%2fpasswd')).status).toBe(404)
  })

  test('[ASSET-06] push to the platform makes the baseline of its version, and takes it back', async () => {
    const push = (pushed: boolean) => owner.call(pushFile, { body: { id: file.id, pushed } })
    expect(fileOf(await push(true)).pushed).toBe(true)
    const rows = (await owner.call(baselines, { query: { appid: file.appid } })).body['data'] as object[]
    expect(rows).toEqual([
      expect.objectContaining({
        version: '8.0.10',
        package_name: 'io.appium.settings',
        signers: file.signers,
        hashes: expect.objectContaining({ 'classes.dex': expect.stringMatching(/^[0-9a-f]{64}$/) }),
      }),
    ])
    expect(fileOf(await push(false)).pushed).toBe(false)
    expect((await owner.call(baselines, { query: { appid: file.appid } })).body['data']).toEqual([])
  })

  test('users outside of its application cannot see the file', async () => {
    expect((await stranger.call(fileManage)).body).toMatchObject({ total: 0, data: [] })
    for (const [endpoint, input] of [
      [fileDetail, { query: { id: file.id } }],
      [showFile, { query: { appid: file.appid } }],
      [delFile, { body: { id: file.id } }],
      [pushFile, { body: { id: file.id, pushed: true } }],
      [createFile, { body: { id: file.id, name: 'mine' } }],
    ] as const)
      expect((await stranger.call(endpoint, input)).body['code']).toBe(500002)
    expect((await stranger.call(downFile, { query: { appid: file.appid } })).status).toBe(404)
  })

  test('[ASSET-05] down-file gives the package by the application, del-file takes it away', async () => {
    const get = () =>
      fetch(`${app.url}${downFile.path}?appid=${file.appid}`, {
        headers: { cookie: [...owner.cookies].map((pair) => pair.join('=')).join('; ') },
      })
    const answer = await get()
    expect(answer.headers.get('content-disposition')).toContain('filename="settings.apk"')
    expect(Buffer.from(await answer.arrayBuffer()).equals(SETTINGS_APK)).toBe(true)
    expect((await owner.call(delFile, { body: { id: file.id } })).body['code']).toBe(0)
    expect((await get()).status).toBe(404)
    expect(await app.deps.files.has(file.sha256)).toBe(false)
    const list = (await owner.call(applicationList)).body['object_list'] as { id: string; has_file: boolean }[]
    expect(list.find((one) => one.id === file.appid)).toMatchObject({ has_file: false })
    expect((await owner.call(fileManage)).body['total']).toBe(0)
  })
})

describe('uploads that are refused leave nothing', () => {
  test('[ASSET-05] what is no package is named as such', async () => {
    const cut = SETTINGS_APK.subarray(0, SETTINGS_APK.length / 2)
    for (const [bytes, name, code] of [
      [Buffer.from('hello'), 'hello.apk', 500709],
      [cut, 'cut.apk', 500702],
      [Buffer.alloc(0), 'empty.apk', 500709],
    ] as const) {
      const reply = await upload(bytes, name)
      expect([name, reply.status, reply.body['code']]).toEqual([name, 422, code])
      expect(reply.body['codemsg']).toMatch(/^The package cannot be read: \w+/)
    }
    expect((await owner.call(fileManage)).body['total']).toBe(0)
  })

  test('[APP-02] creation by upload takes an .apk alone', async () => {
    const reply = await upload(TEST_APK, 'test.zip', { create: 'application' })
    expect([reply.status, reply.body['code']]).toEqual([422, 500703])
    const zh = await owner.call(uploadFile, {}, {})
    expect([zh.status, zh.body['code']]).toEqual([415, 500114])
  })

  test('[ASSET-04] more than the limit is refused by name', async () => {
    await app.meta.db
      .insertInto('settings')
      .values({ key: 'setting.package_limit_mb', value: JSON.stringify({ value: 1 }) })
      .execute()
    await app.meta.notify('aw_changed', { what: 'settings' })
    await expect.poll(() => app.deps.settings().package_limit_mb).toBe(1)
    const reply = await upload(SETTINGS_APK, 'settings.apk')
    expect([reply.status, reply.body['code'], reply.body['codemsg']]).toEqual([
      413,
      500701,
      'Upload package exceeds limit',
    ])
    const begun = await tus('POST', createUpload.path, {
      'upload-length': '2000000',
      'upload-metadata': named('a.apk'),
    })
    expect([begun.status, JSON.parse(begun.text).code]).toEqual([413, 500701])
    await app.meta.db.deleteFrom('settings').where('key', '=', 'setting.package_limit_mb').execute()
    await app.meta.notify('aw_changed', { what: 'settings' })
    await expect.poll(() => app.deps.settings().package_limit_mb).toBe(2048)
  })
})

describe('resumable uploads', () => {
  test('[ASSET-05] creation, HEAD, PATCH from the current offset, ended by upload-file with upload_id', async () => {
    const created = await tus('POST', createUpload.path, {
      'upload-length': String(SETTINGS_APK.length),
      'upload-metadata': named('设置.apk'),
    })
    expect([created.status, created.headers.get('tus-resumable')]).toEqual([201, '1.0.0'])
    const path = created.headers.get('location') as string
    const upload_id = path.split('/').at(-1) as string
    const half = SETTINGS_APK.length >> 1
    const first = await tus('PATCH', path, { 'upload-offset': '0' }, SETTINGS_APK.subarray(0, half))
    expect([first.status, first.headers.get('upload-offset')]).toEqual([204, String(half)])
    expect(Date.parse(first.headers.get('upload-expires') ?? '')).toBeGreaterThan(Date.now() + 3_600_000)
    // A chunk whose answer was lost is not added twice.
    expect((await tus('PATCH', path, { 'upload-offset': '0' }, SETTINGS_APK.subarray(0, half))).status).toBe(409)
    const early = await finish(upload_id)
    expect([early.status, early.body['code']]).toEqual([409, 500706])
    const head = await tus('HEAD', path)
    expect([head.status, head.headers.get('upload-offset'), head.headers.get('upload-length')]).toEqual([
      200,
      String(half),
      String(SETTINGS_APK.length),
    ])
    const stolen = await stranger.send('HEAD', path, '', stranger.signed('HEAD', path, '', false))
    expect(stolen.status).toBe(404)
    await tus('PATCH', path, { 'upload-offset': String(half) }, SETTINGS_APK.subarray(half))
    const reply = await finish(upload_id)
    expect(fileOf(reply)).toMatchObject({ file_name: '设置.apk', sha256: sha256(SETTINGS_APK), appid: null })
    expect((await tus('HEAD', path)).status).toBe(404)
    expect((await owner.call(delFile, { body: { id: fileOf(reply).id } })).body['code']).toBe(0)
  })

  test('an unreadable one is refused and stays where it is; termination forgets it', async () => {
    const created = await tus('POST', createUpload.path, { 'upload-length': '5', 'upload-metadata': named('x.apk') })
    const path = created.headers.get('location') as string
    await tus('PATCH', path, { 'upload-offset': '0' }, Buffer.from('hello'))
    expect((await finish(path.split('/').at(-1) as string)).body['code']).toBe(500709)
    expect((await tus('HEAD', path)).status).toBe(200)
    expect((await tus('DELETE', path)).status).toBe(204)
    expect((await tus('HEAD', path)).status).toBe(404)
    expect((await tus('HEAD', `${createUpload.path}${'a'.repeat(32)}`)).status).toBe(404)
    expect((await tus('HEAD', `${createUpload.path}..%2f..%2fetc`)).status).toBe(404)
  })

  const create = async (length: number) => {
    const headers = { 'upload-length': String(length), 'upload-metadata': named('odd.apk') }
    return (await tus('POST', createUpload.path, headers)).headers.get('location') as string
  }
  /** The bytes of an upload as they are stored. */
  const stored = (path: string) => readFileSync(join(app.config.paths.uploads, path.split('/').at(-1) as string))
  const offsetOf = async (path: string) => Number((await tus('HEAD', path)).headers.get('upload-offset'))

  test.each([
    ['no number at all', undefined, 422],
    ['zero bytes', '0', 422],
    ['negative', '-1', 422],
    ['a fraction', '1.5', 422],
    ['with an exponent', '1e3', 422],
    ['hexadecimal', '0x10', 422],
    ['2^53', '9007199254740992', 422],
    ['more than the limit', '999999999999999', 413],
  ])('[ASSET-05] an Upload-Length that is %s makes no upload', async (_, length, status) => {
    const headers: Record<string, string> = { 'upload-metadata': named('odd.apk') }
    if (length !== undefined) headers['upload-length'] = length
    const answer = await tus('POST', createUpload.path, headers)
    expect([answer.status, answer.headers.get('location')]).toEqual([status, null])
  })

  test('[ASSET-05] odd offsets, bytes beyond the length and other content types leave what was acknowledged', async () => {
    const path = await create(10)
    const chunk = Buffer.from('efg')
    expect((await tus('PATCH', path, { 'upload-offset': '0' }, Buffer.from('abcd'))).status).toBe(204)
    for (const [offset, status] of [
      [undefined, 422],
      ['', 422],
      ['-4', 422],
      ['4.0', 422],
      ['4e0', 422],
      ['0x4', 422],
      ['٤', 422],
      ['4, 4', 422],
      ['9007199254740992', 422],
      ['3', 409],
      ['5', 409],
      ['10', 409],
      ['11', 409],
      ['999999999999999', 409],
    ] as const) {
      // A header is sent as bytes: the Arabic digit as those of its UTF-8 text.
      const headers: Record<string, string> = {}
      if (offset !== undefined) headers['upload-offset'] = Buffer.from(offset).toString('latin1')
      const answer = await tus('PATCH', path, headers, chunk)
      expect([offset, answer.status, stored(path).toString()]).toEqual([offset, status, 'abcd'])
    }
    const right = 'application/offset+octet-stream'
    for (const [type, body, status] of [
      [right, Buffer.from('efghijk'), 409], // passes the length by one
      ['application/octet-stream', chunk, 415],
      ['text/plain', chunk, 415],
      ['application/json', Buffer.from('{}'), 415],
      [right, Buffer.alloc(0), 204], // nothing to add
    ] as const) {
      const answer = await tus('PATCH', path, { 'upload-offset': '4', 'content-type': type }, body)
      expect([type, body.length, answer.status]).toEqual([type, body.length, status])
      expect([await offsetOf(path), stored(path).toString()]).toEqual([4, 'abcd'])
    }
    // It goes on as if none of it had been sent.
    expect((await tus('PATCH', path, { 'upload-offset': '4' }, Buffer.from('efghij'))).status).toBe(204)
    expect((await tus('PATCH', path, { 'upload-offset': '10' }, Buffer.from('k'))).status).toBe(409)
    expect([await offsetOf(path), stored(path).toString()]).toEqual([10, 'abcdefghij'])
    expect((await tus('DELETE', path)).status).toBe(204)
  })

  test('[ASSET-05] of two PATCHes at one offset exactly one is taken, whole', async () => {
    const size = 256 * 1024
    for (let round = 0; round < 5; round++) {
      const path = await create(2 * size)
      const sent = ['a', 'b'].map((letter) => Buffer.alloc(size, letter))
      const answers = await Promise.all(sent.map((bytes) => tus('PATCH', path, { 'upload-offset': '0' }, bytes)))
      const statuses = answers.map(({ status }) => status)
      expect(statuses.toSorted()).toEqual([204, 409])
      expect(stored(path).equals(sent[statuses.indexOf(204)] as Buffer)).toBe(true)
      expect((await tus('DELETE', path)).status).toBe(204)
    }
  })

  test('[ASSET-01] [ASSET-05] the upload of another account does not exist', async () => {
    const body = { name: 'ci', scopes: ['asset.upload'], days: 1 }
    const others = (await stranger.call(createAccessToken, { body })).body['token'] as string
    const path = await create(4)
    await tus('PATCH', path, { 'upload-offset': '0' }, Buffer.from('ab'))
    const authorization = `Bearer ${others}`
    expect((await tus('HEAD', path, { authorization })).status).toBe(404)
    expect((await tus('PATCH', path, { authorization, 'upload-offset': '2' }, Buffer.from('cd'))).status).toBe(404)
    expect((await tus('DELETE', path, { authorization })).status).toBe(404)
    expect([await offsetOf(path), stored(path).toString()]).toEqual([2, 'ab'])
    expect((await tus('DELETE', path)).status).toBe(204)
  })

  test('[ASSET-05] an upload that is finished twice at once makes one file', async () => {
    const path = await create(TEST_APK.length)
    expect((await tus('PATCH', path, { 'upload-offset': '0' }, TEST_APK)).status).toBe(204)
    const upload_id = path.split('/').at(-1) as string
    const answers = await Promise.all([finish(upload_id), finish(upload_id)])
    // The later one finds the same file, or the upload no more.
    const made = answers.filter(({ status }) => status === 200).map((answer) => fileOf(answer).id)
    expect(answers.filter(({ status }) => status !== 200).map(({ status }) => status)).toEqual(
      made.length === 2 ? [] : [404],
    )
    expect(new Set(made).size).toBe(1)
    expect((await tus('HEAD', path)).status).toBe(404)
    expect((await owner.call(delFile, { body: { id: made[0] } })).body['code']).toBe(0)
  })

  const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
  /** A package that takes long to read answers asset.busy, and the client asks again. */
  async function finish(upload_id: string): Promise<Reply> {
    for (;;) {
      const answer = await finishOnce(upload_id)
      if (answer.body['key'] !== 'asset.busy') return answer
    }
  }
  async function finishOnce(upload_id: string): Promise<Reply> {
    const form = new FormData()
    form.set('upload_id', upload_id)
    const answer = await fetch(app.url + uploadFile.path, {
      method: 'POST',
      body: form,
      headers: { authorization: `Bearer ${token}` },
    })
    const text = await answer.text()
    return { status: answer.status, text, headers: answer.headers, body: JSON.parse(text) }
  }
})

test('[ASSET-05] parallel uploads of one package make one file and one application', async () => {
  const answers = await Promise.all(
    Array.from({ length: 4 }, () => upload(TEST_APK, 'parallel.apk', { create: 'application' })),
  )
  const files = answers.map(fileOf)
  expect(new Set(files.map(({ id }) => id)).size).toBe(1)
  expect(new Set(files.map((file) => file['appid'])).size).toBe(1)
  const rows = await app.meta.db.selectFrom('app_files').select('id').where('file_name', '=', 'parallel.apk').execute()
  expect(rows.length).toBeLessThanOrEqual(1)
})
