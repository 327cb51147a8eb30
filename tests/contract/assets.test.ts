import { createHash } from 'node:crypto'
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
import type { Job } from '#contracts/jobs.ts'
import { type AssetBed, assetBed, fileOf, named, SETTINGS_APK, TEST_APK } from '#tests/support/asset-bed.ts'
import type { ConsoleClient } from '#tests/support/console-client.ts'
import { exportedText } from '#tests/support/exported.ts'
import type { HttpApp } from '#tests/support/http-app.ts'

let bed: AssetBed
let app: HttpApp
let owner: ConsoleClient
let stranger: ConsoleClient
beforeAll(async () => {
  bed = await assetBed()
  ;({ app, owner, stranger } = bed)
})
afterAll(() => app?.close())

describe('application files', () => {
  let file: AppFile

  test('[ASSET-01] [ASSET-05] upload-file: code, codemsg and file_object with every field of the entity', async () => {
    const reply = await bed.upload(SETTINGS_APK, 'C:\\builds\\settings.apk', {
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
    expect(fileOf(await bed.upload(SETTINGS_APK, 'again.apk'))).toMatchObject({
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
    const answer = await fetch(app.url + file.icon, { headers: { authorization: bed.authorization } })
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
      const reply = await bed.upload(bytes, name)
      expect([name, reply.status, reply.body['code']]).toEqual([name, 422, code])
      expect(reply.body['codemsg']).toMatch(/^The package cannot be read: \w+/)
    }
    expect((await owner.call(fileManage)).body['total']).toBe(0)
  })

  test('[APP-02] creation by upload takes an .apk alone', async () => {
    const reply = await bed.upload(TEST_APK, 'test.zip', { create: 'application' })
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
    const reply = await bed.upload(SETTINGS_APK, 'settings.apk')
    expect([reply.status, reply.body['code'], reply.body['codemsg']]).toEqual([
      413,
      500701,
      'Upload package exceeds limit',
    ])
    const begun = await bed.tus('POST', createUpload.path, {
      'upload-length': '2000000',
      'upload-metadata': named('a.apk'),
    })
    expect([begun.status, JSON.parse(begun.text).code]).toEqual([413, 500701])
    await app.meta.db.deleteFrom('settings').where('key', '=', 'setting.package_limit_mb').execute()
    await app.meta.notify('aw_changed', { what: 'settings' })
    await expect.poll(() => app.deps.settings().package_limit_mb).toBe(2048)
  })
})

test('[ASSET-05] parallel uploads of one package make one file and one application', async () => {
  const answers = await Promise.all(
    Array.from({ length: 4 }, () => bed.upload(TEST_APK, 'parallel.apk', { create: 'application' })),
  )
  const files = answers.map(fileOf)
  expect(new Set(files.map(({ id }) => id)).size).toBe(1)
  expect(new Set(files.map((file) => file['appid'])).size).toBe(1)
  const rows = await app.meta.db.selectFrom('app_files').select('id').where('file_name', '=', 'parallel.apk').execute()
  expect(rows.length).toBeLessThanOrEqual(1)
})
