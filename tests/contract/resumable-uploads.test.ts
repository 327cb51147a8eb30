import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createUpload, delFile } from '#contracts/http/assets.ts'
import { createAccessToken } from '#contracts/http/tokens.ts'
import { type AssetBed, assetBed, fileOf, named, SETTINGS_APK, TEST_APK } from '#tests/support/asset-bed.ts'
import type { ConsoleClient, Reply } from '#tests/support/console-client.ts'
import type { HttpApp } from '#tests/support/http-app.ts'

/** Resumable uploads: tus 1.0 with creation, termination and expiration. */
let bed: AssetBed
let app: HttpApp
let owner: ConsoleClient
let stranger: ConsoleClient
beforeAll(async () => {
  bed = await assetBed()
  ;({ app, owner, stranger } = bed)
})
afterAll(() => app?.close())

/** A package that takes long to read answers asset.busy, and the client asks again. */
async function finish(upload_id: string): Promise<Reply> {
  for (;;) {
    const answer = await bed.send({ upload_id })
    if (answer.body['key'] !== 'asset.busy') return answer
  }
}

test('[ASSET-05] creation, HEAD, PATCH from the current offset, ended by upload-file with upload_id', async () => {
  const created = await bed.tus('POST', createUpload.path, {
    'upload-length': String(SETTINGS_APK.length),
    'upload-metadata': named('设置.apk'),
  })
  expect([created.status, created.headers.get('tus-resumable')]).toEqual([201, '1.0.0'])
  const path = created.headers.get('location') as string
  const upload_id = path.split('/').at(-1) as string
  const half = SETTINGS_APK.length >> 1
  const first = await bed.tus('PATCH', path, { 'upload-offset': '0' }, SETTINGS_APK.subarray(0, half))
  expect([first.status, first.headers.get('upload-offset')]).toEqual([204, String(half)])
  expect(Date.parse(first.headers.get('upload-expires') ?? '')).toBeGreaterThan(Date.now() + 3_600_000)
  // A chunk whose answer was lost is not added twice.
  expect((await bed.tus('PATCH', path, { 'upload-offset': '0' }, SETTINGS_APK.subarray(0, half))).status).toBe(409)
  const early = await finish(upload_id)
  expect([early.status, early.body['code']]).toEqual([409, 500706])
  const head = await bed.tus('HEAD', path)
  expect([head.status, head.headers.get('upload-offset'), head.headers.get('upload-length')]).toEqual([
    200,
    String(half),
    String(SETTINGS_APK.length),
  ])
  const stolen = await stranger.send('HEAD', path, '', stranger.signed('HEAD', path, '', false))
  expect(stolen.status).toBe(404)
  await bed.tus('PATCH', path, { 'upload-offset': String(half) }, SETTINGS_APK.subarray(half))
  const reply = await finish(upload_id)
  expect(fileOf(reply)).toMatchObject({
    file_name: '设置.apk',
    sha256: createHash('sha256').update(SETTINGS_APK).digest('hex'),
    appid: null,
  })
  expect((await bed.tus('HEAD', path)).status).toBe(404)
  expect((await owner.call(delFile, { body: { id: fileOf(reply).id } })).body['code']).toBe(0)
})

test('an unreadable one is refused and stays where it is; termination forgets it', async () => {
  const created = await bed.tus('POST', createUpload.path, { 'upload-length': '5', 'upload-metadata': named('x.apk') })
  const path = created.headers.get('location') as string
  await bed.tus('PATCH', path, { 'upload-offset': '0' }, Buffer.from('hello'))
  expect((await finish(path.split('/').at(-1) as string)).body['code']).toBe(500709)
  expect((await bed.tus('HEAD', path)).status).toBe(200)
  expect((await bed.tus('DELETE', path)).status).toBe(204)
  expect((await bed.tus('HEAD', path)).status).toBe(404)
  expect((await bed.tus('HEAD', `${createUpload.path}${'a'.repeat(32)}`)).status).toBe(404)
  expect((await bed.tus('HEAD', `${createUpload.path}..%2f..%2fetc`)).status).toBe(404)
})

const create = async (length: number) => {
  const headers = { 'upload-length': String(length), 'upload-metadata': named('odd.apk') }
  return (await bed.tus('POST', createUpload.path, headers)).headers.get('location') as string
}
/** The bytes of an upload as they are stored. */
const stored = (path: string) => readFileSync(join(app.config.paths.uploads, path.split('/').at(-1) as string))
const offsetOf = async (path: string) => Number((await bed.tus('HEAD', path)).headers.get('upload-offset'))

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
  const answer = await bed.tus('POST', createUpload.path, headers)
  expect([answer.status, answer.headers.get('location')]).toEqual([status, null])
})

test('[ASSET-05] odd offsets, bytes beyond the length and other content types leave what was acknowledged', async () => {
  const path = await create(10)
  const chunk = Buffer.from('efg')
  expect((await bed.tus('PATCH', path, { 'upload-offset': '0' }, Buffer.from('abcd'))).status).toBe(204)
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
    const answer = await bed.tus('PATCH', path, headers, chunk)
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
    const answer = await bed.tus('PATCH', path, { 'upload-offset': '4', 'content-type': type }, body)
    expect([type, body.length, answer.status]).toEqual([type, body.length, status])
    expect([await offsetOf(path), stored(path).toString()]).toEqual([4, 'abcd'])
  }
  // It goes on as if none of it had been sent.
  expect((await bed.tus('PATCH', path, { 'upload-offset': '4' }, Buffer.from('efghij'))).status).toBe(204)
  expect((await bed.tus('PATCH', path, { 'upload-offset': '10' }, Buffer.from('k'))).status).toBe(409)
  expect([await offsetOf(path), stored(path).toString()]).toEqual([10, 'abcdefghij'])
  expect((await bed.tus('DELETE', path)).status).toBe(204)
})

test('[ASSET-05] of two PATCHes at one offset exactly one is taken, whole', async () => {
  const size = 256 * 1024
  for (let round = 0; round < 5; round++) {
    const path = await create(2 * size)
    const sent = ['a', 'b'].map((letter) => Buffer.alloc(size, letter))
    const answers = await Promise.all(sent.map((bytes) => bed.tus('PATCH', path, { 'upload-offset': '0' }, bytes)))
    const statuses = answers.map(({ status }) => status)
    expect(statuses.toSorted()).toEqual([204, 409])
    expect(stored(path).equals(sent[statuses.indexOf(204)] as Buffer)).toBe(true)
    expect((await bed.tus('DELETE', path)).status).toBe(204)
  }
})

test('[ASSET-01] [ASSET-05] the upload of another account does not exist', async () => {
  const body = { name: 'ci', scopes: ['asset.upload'], days: 1 }
  const others = (await stranger.call(createAccessToken, { body })).body['token'] as string
  const path = await create(4)
  await bed.tus('PATCH', path, { 'upload-offset': '0' }, Buffer.from('ab'))
  const authorization = `Bearer ${others}`
  expect((await bed.tus('HEAD', path, { authorization })).status).toBe(404)
  expect((await bed.tus('PATCH', path, { authorization, 'upload-offset': '2' }, Buffer.from('cd'))).status).toBe(404)
  expect((await bed.tus('DELETE', path, { authorization })).status).toBe(404)
  expect([await offsetOf(path), stored(path).toString()]).toEqual([2, 'ab'])
  expect((await bed.tus('DELETE', path)).status).toBe(204)
})

test('[ASSET-05] an upload that is finished twice at once makes one file', async () => {
  const path = await create(TEST_APK.length)
  expect((await bed.tus('PATCH', path, { 'upload-offset': '0' }, TEST_APK)).status).toBe(204)
  const upload_id = path.split('/').at(-1) as string
  const answers = await Promise.all([finish(upload_id), finish(upload_id)])
  // The later one finds the same file, or the upload no more.
  const made = answers.filter(({ status }) => status === 200).map((answer) => fileOf(answer).id)
  expect(answers.filter(({ status }) => status !== 200).map(({ status }) => status)).toEqual(
    made.length === 2 ? [] : [404],
  )
  expect(new Set(made).size).toBe(1)
  expect((await bed.tus('HEAD', path)).status).toBe(404)
  expect((await owner.call(delFile, { body: { id: made[0] } })).body['code']).toBe(0)
})

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const remains = (path: string) =>
  readdirSync(app.config.paths.uploads).filter((name) => name.startsWith(basename(path)))

test('[ASSET-05] a DELETE while a PATCH writes ends the upload: the PATCH is taken before it or finds none, and nothing remains', async () => {
  const size = 512 * 1024
  const seen = new Set<number>()
  for (let round = 0; round < 60; round++) {
    const path = await create(2 * size)
    const [patched, deleted] = await Promise.all([
      bed.tus('PATCH', path, { 'upload-offset': '0' }, Buffer.alloc(size, 'a')),
      wait(round / 6).then(() => bed.tus('DELETE', path)),
    ])
    expect([204, 404], patched.text).toContain(patched.status)
    expect([deleted.status, deleted.text]).toEqual([204, ''])
    expect(remains(path)).toEqual([])
    seen.add(patched.status)
  }
  // Else the requests did not meet.
  expect([...seen].toSorted()).toEqual([204, 404])
}, 60_000)

test('[ASSET-05] of two DELETEs at once one ends the upload, the other finds none', async () => {
  for (let round = 0; round < 10; round++) {
    const path = await create(10)
    const answers = await Promise.all([bed.tus('DELETE', path), bed.tus('DELETE', path)])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 404])
  }
})

test('[ASSET-05] a DELETE while a finished upload is read leaves a file or none, and no fault of the server', async () => {
  for (let round = 0; round < 8; round++) {
    const path = await create(SETTINGS_APK.length)
    expect((await bed.tus('PATCH', path, { 'upload-offset': '0' }, SETTINGS_APK)).status).toBe(204)
    const [finished, deleted] = await Promise.all([
      bed.send({ upload_id: basename(path) }),
      wait(round).then(() => bed.tus('DELETE', path)),
    ])
    expect([200, 404], finished.text).toContain(finished.status)
    expect([204, 404], deleted.text).toContain(deleted.status)
    expect(remains(path)).toEqual([])
    if (finished.status === 200) {
      const { id, sha256 } = fileOf(finished)
      expect(await app.deps.files.has(sha256)).toBe(true)
      expect((await owner.call(delFile, { body: { id } })).body['code']).toBe(0)
    }
  }
}, 60_000)
