import { randomUUID } from 'node:crypto'
import { openAsBlob } from 'node:fs'
import { basename } from 'node:path'
import { applicationList, createApplication } from '#contracts/http/applications.ts'
import { downFile, uploadFile } from '#contracts/http/assets.ts'
import { auditState, auditVerify, isIntact } from '#contracts/http/audit-log.ts'
import { createIngestKey } from '#contracts/http/ingest.ts'
import { eventById, statistics } from '#contracts/http/statistics.ts'
import { beginRollback, beginUpdate, checkUpdate, createUpdateUpload, showUpdates } from '#contracts/http/updates.ts'
import { users } from '#contracts/http/users.ts'
import { COLLECT_EVENTS_PATH } from '#contracts/telemetry/wire.ts'
import type { TotalAnswer } from '#domain/query.ts'
import { apiWith } from '#tests/support/api.ts'
import { ConsoleClient } from '#tests/support/console-client.ts'

/**
 * What a browser or a script of a customer does, as a program, since the installation that is tested has a network of its own:
 *   URL sign-in EMAIL PASSWORD CODE   prints the user name or the code of the refusal
 *   URL send TOKEN                    makes an application with a key, posts an event with it; prints "APPID ID KEY"
 *   URL post KEY                      posts another event with the key; prints its id
 *   URL find TOKEN APPID ID           prints "stored" once the event is in the store
 *   URL upload-app TOKEN FILE         uploads a package to the assets; prints its id
 *   URL facts TOKEN FILE              prints counts of all data and whether the audit chain is whole, as JSON; FILE: id of an uploaded package
 *   URL upload-update TOKEN FILE      uploads an update package; prints its id
 *   URL update TOKEN UPLOAD           examines the uploaded package and begins the update; prints the id of the record
 *   URL roll-back TOKEN               begins the rollback; prints the id of the record
 *   URL updates TOKEN                 prints what the page of updates shows, as JSON
 */
const [url = '', what = '', ...given] = process.argv.slice(2)
const [first = '', second = '', third = ''] = given
const CHUNK_BYTES = 8 * 2 ** 20
const HEADERS = { 'content-type': 'application/json' }

const commands: Record<string, () => Promise<string>> = {
  async 'sign-in'() {
    const { body } = await new ConsoleClient(url).signIn(first, second, third)
    return String(body['username'] ?? `refused ${body['code']}`)
  },
  async send() {
    const call = apiWith(url, first)
    const made = await call(createApplication, { body: { name: 'Delivered', mimetype_list: [1] } })
    const appid = made.object_list[0]?.id as string
    const { key } = await call(createIngestKey, { body: { appid, kind: 'server', name: 'test' } })
    return `${appid} ${await post(key)} ${key}`
  },
  post: () => post(first),
  async find() {
    for (let i = 0; i < 60; i++) {
      const found = await apiWith(url, first)(eventById, { query: { appid: second, id: third } }).catch(() => undefined)
      if (found?.stored) return 'stored'
      await new Promise((done) => setTimeout(done, 500))
    }
    return 'not stored'
  },
  async 'upload-app'() {
    const form = new FormData()
    form.set('file', await openAsBlob(second), basename(second))
    const headers = { authorization: `Bearer ${first}` }
    const answer = await fetch(url + uploadFile.path, { method: 'POST', body: form, headers })
    const body = (await answer.json()) as { file_object?: { id: string } }
    if (!body.file_object) throw new Error(`${answer.status} ${JSON.stringify(body)}`)
    return body.file_object.id
  },
  facts,
  'upload-update': uploadUpdate,
  async update() {
    const call = apiWith(url, first, 120_000)
    const { data } = await call(checkUpdate, { body: { upload_id: second } })
    if (data.problem) throw new Error(`${data.problem.key}: ${data.problem.detail}`)
    return (await call(beginUpdate, { body: { upload_id: second } })).data.id
  },
  async 'roll-back'() {
    const call = apiWith(url, first)
    const { data } = await call(showUpdates)
    return (await call(beginRollback, { body: { id: data.return_point?.id ?? '' } })).data.id
  },
  updates: async () => JSON.stringify((await apiWith(url, first)(showUpdates)).data),
}
const command = commands[what]
if (!command) throw new Error(`There is no command ${what}`)
console.log(await command())

async function post(key: string): Promise<string> {
  const id = randomUUID()
  const event = { event_id: id, type: 'start', device_id: 'first', platform: 'android', reported_at: Date.now() }
  const headers = { ...HEADERS, authorization: `Bearer ${key}` }
  const answer = await fetch(url + COLLECT_EVENTS_PATH, { method: 'POST', headers, body: JSON.stringify([event]) })
  if (answer.status !== 202) throw new Error(`${answer.status} ${await answer.text()}`)
  return id
}

async function facts(): Promise<string> {
  const call = apiWith(url, first, 60_000)
  const { data: verification } = await call(auditVerify)
  const query = { range: '-24h', timeBasis: 'received' as const }
  const { parts } = await call(statistics, {
    body: { query, parts: { all: { kind: 'total', measures: ['events', 'devices'] } } },
  })
  const file = await fetch(`${url}${downFile.path}?file=${second}`, { headers: { authorization: `Bearer ${first}` } })
  return JSON.stringify({
    accounts: (await call(users)).total,
    applications: (await call(applicationList)).object_list.length,
    events: (parts['all'] as TotalAnswer).row.events,
    entries: (await call(auditState)).data.entries,
    intact: isIntact(verification),
    package: [file.status, Buffer.from(await file.arrayBuffer()).length],
  })
}

/** By the protocol of resumable uploads, as the page does it. */
async function uploadUpdate(): Promise<string> {
  const file = await openAsBlob(second)
  const base = { authorization: `Bearer ${first}`, 'tus-resumable': '1.0.0' }
  const name = Buffer.from(basename(second)).toString('base64')
  const made = await fetch(url + createUpdateUpload.path, {
    method: 'POST',
    headers: { ...base, 'upload-length': String(file.size), 'upload-metadata': `filename ${name}` },
  })
  const location = made.headers.get('location')
  if (!location) throw new Error(`${made.status} ${await made.text()}`)
  for (let offset = 0; offset < file.size; offset += CHUNK_BYTES) {
    const headers = { ...base, 'upload-offset': String(offset), 'content-type': 'application/offset+octet-stream' }
    const body = file.slice(offset, offset + CHUNK_BYTES)
    const sent = await fetch(new URL(location, url), { method: 'PATCH', headers, body })
    if (sent.status !== 204) throw new Error(`${sent.status} ${await sent.text()}`)
  }
  return location.split('/').at(-1) as string
}
