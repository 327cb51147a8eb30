import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApplication, setApplicationMembers } from '#contracts/http/applications.ts'
import {
  checkSignature,
  createSignature,
  deleteSignature,
  KEY_FILE_BYTES,
  KEY_TRIES,
  type KeyUpload,
  type SignatureFile,
  saveSignature,
  signatureList,
  uploadKey,
} from '#contracts/http/reinforce-signatures.ts'
import { createAccessToken } from '#contracts/http/tokens.ts'
import { lookAfterSignatures } from '#server/modules/reinforce-signatures/look-after-signatures.ts'
import { openKey } from '#server/modules/reinforce-signatures/signature-rows.ts'
import { ConsoleClient } from '#tests/support/console-client.ts'
import { good } from '#tests/support/detection-bed.ts'
import { CODE, type HttpApp, PASSWORD, startHttpApp } from '#tests/support/http-app.ts'
import { madeKeyStore, STORE_PASSWORD } from '#tests/support/made-key-store.ts'

const DAY_MS = 86_400_000
const KEY_PASSWORD = 'key secret'

let app: HttpApp
const who = {} as Record<'owner' | 'member' | 'stranger', ConsoleClient>
const token = {} as Record<'owner' | 'stranger', string>
let appid: string

beforeAll(async () => {
  app = await startHttpApp()
  for (const name of ['owner', 'member', 'stranger'] as const) {
    await app.addUser(`${name}@example.com`, 'operator')
    who[name] = new ConsoleClient(app.url)
    await who[name].signIn(`${name}@example.com`, PASSWORD, CODE)
  }
  const { object_list } = await good(who.owner, createApplication, { body: { name: 'Wallet', mimetype_list: [1] } })
  appid = object_list[0]?.id as string
  await good(who.owner, setApplicationMembers, { body: { appid, usernames: ['member@example.com'] } })
  for (const name of ['owner', 'stranger'] as const) {
    const made = await good(who[name], createAccessToken, { body: { name: 'ci', scopes: ['asset.harden'], days: 30 } })
    token[name] = made.token
  }
}, 60_000)
afterAll(() => app?.close())

async function send(bytes: Uint8Array | undefined, name = 'release.jks', by: 'owner' | 'stranger' = 'owner') {
  const form = new FormData()
  if (bytes) form.set('file', new Blob([new Uint8Array(bytes)]), name)
  const headers = { authorization: `Bearer ${token[by]}`, 'accept-language': 'en' }
  const answer = await fetch(app.url + uploadKey.path, { method: 'POST', body: form, headers })
  return (await answer.json()) as { code: number; codemsg: string; key?: string; file_object: KeyUpload }
}
type Given = Partial<Record<'name' | 'alias' | 'store_password' | 'key_password' | 'appid', string>>
const create = async (upload: string, given: Given = {}, by = who.owner) => {
  const body = {
    upload,
    name: 'Release',
    alias: 'release',
    store_password: STORE_PASSWORD,
    key_password: KEY_PASSWORD,
    ...given,
  }
  const answer = await by.call(createSignature, { body })
  return answer.body as { code: number; codemsg: string; field?: string; left?: number; data: SignatureFile }
}
const jks = (options: { days?: number } = {}) =>
  madeKeyStore('jks', { alias: 'release', now: Date.now(), keyPassword: KEY_PASSWORD, ...options })
const list = async (by: ConsoleClient) => (await good(by, signatureList, {})).data

test('[HARD-03] a key store is uploaded by itself, checked with alias and passwords, and kept without anything to read again', async () => {
  const { bytes, certificate } = jks()
  const { code, file_object } = await send(bytes)
  expect({ code, ...file_object }).toMatchObject({ code: 0, format: 'jks', size: bytes.length, aliases: ['release'] })
  const { data } = await create(file_object.id, { appid })
  expect(data).toMatchObject({
    name: 'Release',
    alias: 'release',
    format: 'jks',
    appid,
    owner: 'owner@example.com',
    manageable: true,
  })
  expect(data.certificates[0]).toMatchObject({
    sha256: certificate.fingerprints.sha256,
    subject: 'CN=Release, O=Example',
  })
  expect(data.not_after).toBe(certificate.notAfter)

  const [row] = await app.meta.db.selectFrom('signature_files').selectAll().where('id', '=', data.id).execute()
  expect(row?.sealed).toMatch(/^aw_sealed\.1\./)
  expect(openKey(app.deps.secret, row!)).toEqual({
    file: bytes.toString('base64'),
    alias: 'release',
    store_password: STORE_PASSWORD,
    key_password: KEY_PASSWORD,
  })
  for (const text of [JSON.stringify(await list(who.owner)), JSON.stringify(row)])
    for (const secret of [STORE_PASSWORD, KEY_PASSWORD, bytes.toString('base64').slice(0, 40)])
      expect(text).not.toContain(secret)
  expect((await app.meta.db.selectFrom('signature_uploads').select('id').execute()).length).toBe(0)
  const audited = await app.meta.db.selectFrom('audit_log').selectAll().execute()
  const entries = JSON.stringify(audited)
  expect(entries).toContain('createSignature')
  for (const secret of [STORE_PASSWORD, KEY_PASSWORD]) expect(entries).not.toContain(secret)
})

test('[HARD-03] a refusal names store password, alias or key password, and five wrong passwords end an upload', async () => {
  const { file_object } = await send(jks().bytes)
  const { id } = file_object
  expect(await create(id, { alias: '' })).toMatchObject({ codemsg: '此项为必填项', field: 'alias' })
  expect(await create(id, { key_password: '' })).toMatchObject({ field: 'key_password' })
  expect(await create(id, { name: ' ' })).toMatchObject({ field: 'name' })
  expect(await create(id, { alias: 'other' })).toMatchObject({ field: 'alias', codemsg: '文件中没有这个别名的私钥' })
  expect(await create(id, { store_password: 'no' })).toMatchObject({ field: 'store_password', left: KEY_TRIES - 1 })
  expect(await create(id, { key_password: 'no' })).toMatchObject({ field: 'key_password', left: KEY_TRIES - 2 })
  for (let left = KEY_TRIES - 3; left >= 0; left--)
    expect(await create(id, { key_password: 'no' })).toMatchObject({ left })
  const { codemsg } = await create(id)
  expect(codemsg).toBe('数据不存在')
}, 60_000)

test('[HARD-03] tries at one time count like tries one after the other', async () => {
  const { file_object } = await send(jks().bytes)
  const answers = await Promise.all(Array.from({ length: 12 }, () => create(file_object.id, { key_password: 'no' })))
  const tried = answers.filter(({ field }) => field === 'key_password')
  expect(tried.length).toBeLessThanOrEqual(KEY_TRIES)
  expect(answers.every(({ code }) => code !== 0)).toBe(true)
}, 60_000)

test.each(['pkcs12', 'bks', 'pem'] as const)(
  '[HARD-03] a key store of type %s is read, checked, kept and opens again',
  async (format) => {
    const { bytes } = madeKeyStore(format, { alias: 'release', now: Date.now() })
    const { file_object } = await send(bytes, `release.${format}`)
    expect(file_object.format).toBe(format)
    const given = format === 'pem' ? { alias: '', key_password: '' } : { key_password: STORE_PASSWORD }
    const { code, data } = await create(file_object.id, given)
    expect(code).toBe(0)
    const { data: checked } = await good(who.owner, checkSignature, { body: { id: data.id } })
    expect(checked.checked_at).toBeGreaterThanOrEqual(data.checked_at)
  },
)

test('[HARD-03] what is no key store, is empty or is too large is refused before a password is asked for', async () => {
  expect(await send(Buffer.from('no key store at all'))).toMatchObject({
    codemsg: expect.stringMatching(/^Not a signature file/),
  })
  expect(await send(Buffer.alloc(0))).toMatchObject({ codemsg: 'Choose a signature file first' })
  expect(await send(undefined)).toMatchObject({ codemsg: 'Choose a signature file first' })
  expect(await send(Buffer.alloc(KEY_FILE_BYTES + 1, 1))).toMatchObject({ codemsg: 'Upload package exceeds limit' })
  const whole = jks().bytes
  for (const at of [4, 12, 40, 200, whole.length - 1]) {
    const answer = await send(whole.subarray(0, at))
    if (answer.code === 0) expect((await create(answer.file_object.id)).code).not.toBe(0)
  }
}, 60_000)

test('[HARD-03] people of the application may use a file, others see nothing of it; only its uploader changes it', async () => {
  const { file_object } = await send(jks().bytes)
  expect((await create(file_object.id, {}, who.stranger)).codemsg).toBe('数据不存在')
  expect((await create(file_object.id, { appid: '999999' })).codemsg).toBe('数据不存在')
  const { data: own } = await create(file_object.id, { name: 'Private' })
  const shared = (await list(who.owner)).find(({ name }) => name === 'Release' && own.id !== null)
  expect((await list(who.member)).map(({ name, manageable }) => [name, manageable])).toContainEqual(['Release', false])
  expect((await list(who.member)).some(({ id }) => id === own.id)).toBe(false)
  expect(await list(who.stranger)).toEqual([])
  const id = (await list(who.member))[0]?.id as string
  expect((await who.member.call(saveSignature, { body: { id, name: 'Taken', appid: null } })).body['code']).toBe(503117)
  expect((await who.member.call(deleteSignature, { body: { id } })).body['code']).toBe(503117)
  for (const endpoint of [checkSignature, deleteSignature])
    expect((await who.stranger.call(endpoint, { body: { id: own.id } })).body['code']).toBe(500002)
  const { data } = await good(who.owner, saveSignature, { body: { id: own.id, name: 'Ours', appid } })
  expect(data).toMatchObject({ name: 'Ours', appid })
  expect((await list(who.member)).some((one) => one.id === own.id)).toBe(true)
  await good(who.owner, deleteSignature, { body: { id: own.id } })
  expect((await list(who.owner)).some((one) => one.id === own.id)).toBe(false)
  expect(shared).toBeDefined()
}, 60_000)

test('[HARD-03] a certificate that ends soon is announced once a step, and uploads that were not opened are deleted', async () => {
  const { file_object } = await send(jks({ days: 25 }).bytes)
  const { data } = await create(file_object.id, { name: 'Ending' })
  await send(jks().bytes)
  const notes = async () =>
    (await app.meta.db.selectFrom('notifications').selectAll().execute()).filter(({ key }) => key.includes(data.id))
  await lookAfterSignatures(app.meta, Date.now())
  await lookAfterSignatures(app.meta, Date.now())
  expect((await notes()).map(({ key, state }) => [key, state])).toEqual([[`signature:${data.id}:30`, 'warn']])
  await lookAfterSignatures(app.meta, Date.now() + 20 * DAY_MS)
  expect((await notes()).map(({ key }) => key)).toContain(`signature:${data.id}:7`)
  expect((await app.meta.db.selectFrom('signature_uploads').select('id').execute()).length).toBe(0)
})
