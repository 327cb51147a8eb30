import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { createAccessToken } from '#contracts/http/tokens.ts'
import {
  appendUpdateUpload,
  beginRollback,
  beginUpdate,
  checkUpdate,
  createUpdateUpload,
  RETURN_DAYS,
  showUpdates,
  UPDATE_PACKAGE_BYTES,
  type UpdatePackageAnswer,
  type UpdateRecord,
  type UpdateState,
  type UpdatesAnswer,
} from '#contracts/http/updates.ts'
import { toHex } from '#engines/gm/bytes.ts'
import { dataFormats } from '#server/platform/updates/data-formats.ts'
import { type JournalRecord, openUpdateJournal, type UpdateJournal } from '#server/platform/updates/update-journal.ts'
import { named } from '#tests/support/asset-bed.ts'
import { ConsoleClient } from '#tests/support/console-client.ts'
import { CODE, type HttpApp, PASSWORD, startHttpApp } from '#tests/support/http-app.ts'
import { madeUpdate, UPDATE_KEY } from '#tests/support/made-update.ts'

/** The test's process has no supervisor: messages to it are kept here. */
const handed = vi.hoisted((): unknown[] => [])
vi.mock('#runtime/start-process.ts', async (original) => ({
  ...(await original<object>()),
  tellSupervisor: (message: unknown) => handed.push(message),
}))

const english = { headers: { 'accept-language': 'en' } }
const VERSION = '1.5.3'
let app: HttpApp
let admin: ConsoleClient
let authorization: string
let journal: UpdateJournal
beforeAll(async () => {
  app = await startHttpApp({ APPWARDEN_LICENCE_KEYS: toHex(UPDATE_KEY) })
  app.config.home = join(app.config.dataFolder, 'home')
  for (const version of ['1.5.2', VERSION]) {
    const bin = join(app.config.home, 'releases', version, 'bin')
    mkdirSync(bin, { recursive: true })
    writeFileSync(join(bin, 'node'), '')
  }
  journal = openUpdateJournal(app.config.paths.updates)
  admin = await signedIn('admin@example.com', 'administrator')
  const made = await admin.call(createAccessToken, { body: { name: 'update', scopes: ['platform.update'], days: 30 } })
  authorization = `Bearer ${made.body['token']}`
})
afterAll(() => app?.close())
afterEach(() => {
  // A record that a test left open would refuse the next one.
  for (const record of journal.all()) if (record.ended_at === null) journal.write({ ...record, ended_at: Date.now() })
})

async function signedIn(username: string, role: string): Promise<ConsoleClient> {
  await app.addUser(username, role)
  const client = new ConsoleClient(app.url)
  await client.signIn(username, PASSWORD, CODE)
  return client
}

async function tus(method: string, path: string, headers: Record<string, string>, body?: Uint8Array<ArrayBuffer>) {
  const answer = await fetch(app.url + path, {
    method,
    headers: { authorization, 'accept-language': 'en', 'tus-resumable': '1.0.0', ...headers },
    ...(body && { body }),
  })
  const text = await answer.text()
  return { status: answer.status, location: answer.headers.get('location') ?? '', body: text ? JSON.parse(text) : {} }
}
const create = (name: string, length: number) =>
  tus('POST', createUpdateUpload.path, { 'upload-length': String(length), 'upload-metadata': named(name) })

/** Sends a package; answers its upload's id. */
async function upload(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const { location } = await create('update.zip', bytes.length)
  const type = 'application/offset+octet-stream'
  const sent = await tus(appendUpdateUpload.method, location, { 'upload-offset': '0', 'content-type': type }, bytes)
  expect(sent.status).toBe(204)
  return location.split('/').at(-1) as string
}

const show = async () => (await admin.call(showUpdates, {}, english)).body['data'] as UpdatesAnswer
const message = async (endpoint: typeof beginUpdate | typeof beginRollback | typeof checkUpdate, body: object) => {
  const reply = await admin.call(endpoint, { body }, english)
  return [reply.body['key'], reply.body['codemsg']]
}

/** A record that began after all others. */
let began = Date.now()
function record(state: UpdateState, more: Partial<JournalRecord> = {}): JournalRecord {
  began += 1000
  const id = `u-${began}-abcdef`
  const made: JournalRecord = {
    ...{ id, kind: 'update', from: '1.5.2', to: VERSION, by: 'admin@example.com', began_at: began },
    ...{
      ended_at: began,
      state,
      problem: null,
      steps: [],
      log: [],
      upload: '',
      migrations: [],
      point: id,
      attempts: 0,
    },
    ...more,
  }
  journal.write(made)
  return made
}

test('[UPD-01] only a ZIP within the limit is taken, in the required words', async () => {
  const other = await create('update.tar.gz', 100)
  expect([other.status, other.body.codemsg]).toEqual([422, 'Upload file can only be ZIP format!'])
  const large = await create('update.zip', UPDATE_PACKAGE_BYTES + 1)
  expect([large.status, large.body.codemsg]).toEqual([413, 'The update package is too large to upgrade'])
})

test('[UPD-01] a signed package waits with 202 and is handed to the supervisor with 102', async () => {
  const upload_id = await upload(madeUpdate({ version: '1.6.0', formats: dataFormats() }))
  const refused = ['update.refused', 'The update package cannot be installed']
  expect(await message(beginUpdate, { upload_id })).toEqual(refused)
  const checked = (await admin.call(checkUpdate, { body: { upload_id } })).body['data'] as UpdatePackageAnswer
  expect([checked.problem, checked.facts?.version]).toEqual([null, '1.6.0'])
  expect((await show()).status).toBe(202)
  handed.length = 0
  const begun = (await admin.call(beginUpdate, { body: { upload_id } })).body['data'] as UpdateRecord
  expect(begun).toMatchObject({ kind: 'update', from: VERSION, to: '1.6.0', state: 'updating', ended_at: null })
  expect([handed, journal.active()?.upload]).toEqual([[{ update: true }], upload_id])
  expect((await show()).status).toBe(102)
})

test('[UPD-01] a package that cannot be installed says why, and is not shown as one that waits', async () => {
  const before = (await show()).status
  const upload_id = await upload(madeUpdate({ version: '1.5.2', formats: dataFormats() }))
  const checked = (await admin.call(checkUpdate, { body: { upload_id } })).body['data'] as UpdatePackageAnswer
  expect(checked.problem?.key).toBe('older')
  const answer = await show()
  expect([answer.uploaded?.id, answer.status]).toEqual([upload_id, before])
  expect(await message(beginUpdate, { upload_id })).toEqual([
    'update.refused',
    'The update package cannot be installed',
  ])
})

test.each([
  ['updated', 200, ''],
  ['failed', 400, 'Update failed'],
  ['returned', 400, 'Update failed'],
  ['fallback_failed', 500, 'The fallback failure'],
  ['close_failed', 103, 'Update failed'],
] as const)('[UPD-01] an update that ended as %s has status %i and the message "%s"', async (state, status, words) => {
  began = Date.now() + 60_000
  record(state)
  const answer = await show()
  expect([answer.status, answer.message]).toEqual([status, words])
})

test('[UPD-02] records name the original version, the target version, the time and the state, newest first', async () => {
  const older = record('failed', { to: '1.6.0', from: VERSION, problem: { key: 'health', detail: 'no answer' } })
  const newer = record('updated')
  const { records, version } = await show()
  expect(version).toBe('1.5.3')
  expect(records.slice(0, 2)).toMatchObject([
    { id: newer.id, kind: 'update', from: '1.5.2', to: '1.5.3', began_at: newer.began_at, state: 'updated' },
    { id: older.id, from: '1.5.3', to: '1.6.0', state: 'failed', problem: { key: 'health', detail: 'no answer' } },
  ])
  expect(records[0]).not.toHaveProperty('upload')
})

test('[UPD-01] a rollback leads to the version before, is handed to the supervisor, and nothing else begins meanwhile', async () => {
  const source = record('updated')
  expect((await show()).return_point).toMatchObject({ id: source.id, version: '1.5.2', expired: false })
  expect(await message(beginRollback, { id: 'u-1-other' })).toEqual([
    'update.no_return',
    'There is no version to go back to',
  ])
  handed.length = 0
  const reply = await admin.call(beginRollback, { body: { id: source.id } })
  const begun = reply.body['data'] as UpdateRecord
  expect(begun).toMatchObject({ kind: 'rollback', from: '1.5.3', to: '1.5.2', state: 'returning', ended_at: null })
  expect(handed).toEqual([{ update: true }])
  expect(journal.active()?.id).toBe(begun.id)
  expect((await show()).status).toBe(102)
  const running = ['update.running', 'An update or rollback is running, wait for its end']
  expect(await message(beginRollback, { id: source.id })).toEqual(running)
  expect(await message(beginUpdate, { upload_id: 'a'.repeat(32) })).toEqual(running)
  expect((await create('update.zip', 10)).status).toBe(409)
})

test('[UPD-01] the point to go back to expires', async () => {
  const long = Date.now() - (RETURN_DAYS + 1) * 86_400_000
  const source = record('updated', { ended_at: long })
  expect((await show()).return_point?.expired).toBe(true)
  const words = 'The update package or the point to go back to has expired'
  expect(await message(beginRollback, { id: source.id })).toEqual(['update.expired', words])
  expect(await message(beginUpdate, { upload_id: 'a'.repeat(32) })).toEqual(['update.expired', words])
})

test('[UPD-01] accounts without the permission see and change nothing', async () => {
  const operator = await signedIn('operator@example.com', 'operator')
  expect((await operator.call(showUpdates)).body['key']).toBe('permission.missing')
  expect((await operator.call(beginUpdate, { body: { upload_id: 'a'.repeat(32) } })).body['key']).toBe(
    'permission.missing',
  )
  expect((await operator.call(beginRollback, { body: { id: 'u-1' } })).body['key']).toBe('permission.missing')
})

test('[UPD-01] a source checkout says that updates need the packaged product', async () => {
  const { home } = app.config
  app.config.home = undefined
  try {
    expect((await show()).packaged).toBe(false)
    const words = 'This runs from a source checkout: updates need the packaged product'
    expect((await create('update.zip', 10)).body.codemsg).toBe(words)
    for (const endpoint of [beginUpdate, checkUpdate])
      expect(await message(endpoint, { upload_id: 'a'.repeat(32) })).toEqual(['update.source', words])
    expect(await message(beginRollback, { id: 'u-1' })).toEqual(['update.source', words])
  } finally {
    app.config.home = home
  }
})
