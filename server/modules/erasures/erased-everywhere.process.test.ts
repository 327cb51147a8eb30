import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { gunzipSync, gzipSync, inflateRawSync } from 'node:zlib'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApplication } from '#contracts/http/applications.ts'
import { revealAddresses, setVerdict } from '#contracts/http/devices.ts'
import type { Endpoint } from '#contracts/http/endpoint.ts'
import { erasePersonal } from '#contracts/http/erasures.ts'
import { exportEvents } from '#contracts/http/exports.ts'
import { createIngestKey, quarantine } from '#contracts/http/ingest.ts'
import { addEntry, saveCase } from '#contracts/http/investigation.ts'
import { jobs } from '#contracts/http/jobs.ts'
import { saveView } from '#contracts/http/saved-views.ts'
import { statistics } from '#contracts/http/statistics.ts'
import type { Job } from '#contracts/jobs.ts'
import { COLLECT_ENROL_PATH, COLLECT_EVENTS_PATH } from '#contracts/telemetry/wire.ts'
import type { EventRow, RowsAnswer } from '#domain/query.ts'
import { startProgram } from '#server/programs.ts'
import { bundledAddress } from '#storage/postgres/bundled.ts'
import { openDatabase } from '#storage/postgres/database.ts'
import { enrolment } from '#tests/support/collector-enrolment.ts'
import { ConsoleClient } from '#tests/support/console-client.ts'
import { ADMIN, freePort, healthOf, waitFor } from '#tests/support/running-server.ts'

const root = mkdtempSync(join(tmpdir(), 'appwarden-erased-everywhere-'))
const data = join(root, 'data')
const DAY = 86_400_000
/** What the sender sends of the two whose data is erased: one by device, one by user. */
const SENT = {
  device: { device: 'raw-device-of-the-subject', user: 'raw-user-of-the-subject', address: '203.0.113.77' },
  user: { device: 'raw-device-of-the-other', user: 'raw-user-of-the-other', address: '203.0.113.99' },
} as const
const TEXTS = { device: 'FREE-TEXT-OF-THE-DEVICE', user: 'FREE-TEXT-OF-THE-USER' } as const

let url: string
let env: NodeJS.ProcessEnv
let product: ReturnType<typeof startProgram>
let said = ''
const admin = () => client as ConsoleClient
let client: ConsoleClient | undefined

beforeAll(async () => {
  const port = await freePort()
  url = `http://127.0.0.1:${port}`
  env = {
    ...process.env,
    PORT: String(port),
    HOST: '127.0.0.1',
    APPWARDEN_DATA: data,
    APPWARDEN_ADMIN_PASSWORD: ADMIN.password,
    APPWARDEN_ADMIN_EMAIL: ADMIN.username,
    APPWARDEN_CAPTCHA_FIXED: '12345',
  }
  product = startProgram('main', [], { stdio: ['ignore', 'pipe', 'pipe', 'ipc'], env })
  for (const stream of [product.stdout, product.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-20_000)
    })
  await waitFor(
    async () => {
      if (product.exitCode !== null) throw new Error(said)
      return said.includes('Ready on') && (await healthOf(url))?.['state'] === 'ok'
    },
    170_000,
    'the start of the product',
  )
  client = new ConsoleClient(url)
  await client.signIn(ADMIN.username, ADMIN.password, '12345')
}, 180_000)
afterAll(async () => {
  if (product.exitCode === null) {
    const exit = once(product, 'exit')
    product.kill('SIGTERM')
    await exit
  }
  rmSync(root, { recursive: true, force: true })
}, 60_000)

// ---------------------------------------------------------------------------------------------------------------- search

/** A value in each form in which some file may hold it. */
function formsOf(name: string, value: string): { name: string; holds(bytes: Buffer): boolean }[] {
  const forms = [
    { name: `${name} as text`, bytes: Buffer.from(value) },
    { name: `${name} as UTF-16`, bytes: Buffer.from(value, 'utf16le') },
  ]
  if (!/^[0-9a-f]{32}$/.test(value)) return forms.map(holder)
  const key = Buffer.from(value, 'hex')
  const words = [0, 4, 8, 12].map((at) => Buffer.from(key.subarray(at, at + 4)).reverse())
  return [
    ...forms.map(holder),
    ...[
      { name: `${name} with dashes`, bytes: Buffer.from(value.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')) },
      { name: `${name} as 16 bytes`, bytes: key },
      { name: `${name} as 16 bytes, last first`, bytes: Buffer.from(key).reverse() },
      { name: `${name} as four words`, bytes: Buffer.concat(words) },
    ].map(holder),
    // The key table of the event store has a column for each word.
    { name: `${name} as a column of each word`, holds: (bytes) => words.every((word) => bytes.includes(word)) },
  ]
}

const holder = ({ name, bytes }: { name: string; bytes: Buffer }) => ({
  name,
  holds: (file: Buffer) => file.includes(bytes),
})

/**
 * The bytes of a file, and what is compressed in it: gzip, and the members of a ZIP archive. Not what PostgreSQL (pglz, values above 2 KB) or
 * DuckDB has compressed in its own files: for that the databases are asked (namedInTables, rowsOf).
 */
function* contentsOf(bytes: Buffer): Generator<Buffer> {
  yield bytes
  const magic = bytes.length < 4 ? 0 : bytes.readUInt32LE(0)
  if ((magic & 0xffff) === 0x8b1f) yield* contentsOf(gunzipSync(bytes))
  else if (magic === 0xfd2fb528) throw new Error('Node 20 cannot read zstd, and the product does not write it')
  else if (magic === 0x04034b50) {
    // ZIP64, as streamed workbooks are: sizes and places are in extra fields, so each member is inflated where its header ends.
    for (let at = 0; at >= 0; at = bytes.indexOf('PK\x03\x04', at + 4, 'latin1')) {
      const member = bytes.subarray(at + 30 + bytes.readUInt16LE(at + 26) + bytes.readUInt16LE(at + 28))
      if (bytes.readUInt16LE(at + 8) === 8) yield inflateRawSync(member)
    }
  }
}

/** Which part of the product a file belongs to; of PostgreSQL's the table that it belongs to. */
function placeOf(path: string, tables: ReadonlyMap<string, string>): string {
  const [top, second, third, ...rest] = relative(data, path).split('/')
  const table = tables.get([third, ...rest].join('/').replace(/[._].*$/, ''))
  if (second === 'data' && table) return `table ${table}`
  if (top !== 'postgres') return String(top)
  return second === 'data' ? `postgres/${third}` : `postgres/${second}`
}

/** Each place below the folder and the forms found there, sorted. */
function search(
  folder: string,
  wanted: Record<string, string>,
  tables: ReadonlyMap<string, string> = new Map(),
): Record<string, string[]> {
  const forms = Object.entries(wanted).flatMap(([name, value]) => formsOf(name, value))
  const found = new Map<string, Set<string>>()
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    let bytes: Buffer
    try {
      bytes = readFileSync(path)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') continue // removed meanwhile
      throw error
    }
    for (const content of contentsOf(bytes))
      for (const { name, holds } of forms) {
        if (!holds(content)) continue
        const place = placeOf(path, tables)
        found.set(place, (found.get(place) ?? new Set()).add(name))
      }
  }
  return Object.fromEntries([...found].sort().map(([place, names]) => [place, [...names].sort()]))
}

test('the search finds every form of an identifier, compressed ones too', () => {
  const key = '0123456789abcdeffedcba9876543210'
  const bytes = Buffer.from(key, 'hex')
  const words = Buffer.from('67452301efcdab8998badcfe10325476', 'hex')
  const apart = Buffer.concat([0, 4, 8, 12].flatMap((at) => [words.subarray(at, at + 4), Buffer.alloc(9, 0x7e)]))
  const planted: Record<string, [Buffer, string]> = {
    text: [Buffer.from(`x${key}x`), 'key as text'],
    utf16: [Buffer.from(`x${key}x`, 'utf16le'), 'key as UTF-16'],
    dashes: [Buffer.from('x01234567-89ab-cdef-fedc-ba9876543210x'), 'key with dashes'],
    bytes: [bytes, 'key as 16 bytes'],
    reversed: [Buffer.from(bytes).reverse(), 'key as 16 bytes, last first'],
    columns: [apart, 'key as a column of each word'],
    gzip: [gzipSync(key), 'key as text'],
    nested: [gzipSync(gzipSync(Buffer.from(key, 'utf16le'))), 'key as UTF-16'],
  }
  for (const [name, [content, form]] of Object.entries(planted)) {
    const folder = join(root, 'planted', name)
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'file'), content)
    expect(Object.values(search(folder, { key })).flat(), name).toContain(form)
  }
})

// --------------------------------------------------------------------------------------------------------------- product

async function call<E extends Endpoint>(endpoint: E, body?: unknown): Promise<Record<string, unknown>> {
  const reply = await admin().call(endpoint, { body })
  if (reply.status !== 200 || reply.body['code']) throw new Error(`${endpoint.path}: ${reply.text}`)
  return reply.body
}

async function ended(id: string): Promise<Job> {
  let job: Job | undefined
  await waitFor(
    async () => {
      const { data: all } = (await call(jobs)) as { data: Job[] }
      job = all.find((one) => one.id === id)
      return job !== undefined && !['waiting', 'running'].includes(job.state)
    },
    60_000,
    'the job',
  )
  return job as Job
}

async function rowsOf(version: string): Promise<EventRow[]> {
  const body = {
    query: { range: '-24h', timeBasis: 'received', filters: [{ field: 'version', op: 'is', values: [version] }] },
    parts: { page: { kind: 'rows', limit: 200 } },
  }
  const { parts } = (await call(statistics, body)) as { parts: { page: RowsAnswer } }
  return parts.page.rows
}

const both = (...forms: string[]) =>
  forms.flatMap((form) => [`${form} of the device as text`, `${form} of the user as text`])
/** Where the search must find what before the erasure: it proves nothing about a place where it can find nothing. */
const PLANTED: Record<string, string[]> = {
  events: [
    ...both('address', 'hash', 'text'),
    'hash of the device as a column of each word',
    'hash of the user as a column of each word',
  ].sort(),
  files: both('address', 'hash', 'text'),
  journal: both('address', 'hash', 'text'),
  'postgres/pg_wal': both('hash', 'text'),
  'table audit_log': ['hash of the device as text'],
  'table case_entries': both('hash', 'text'),
  'table device_verdict_changes': ['hash of the device as text'],
  'table device_verdicts': ['hash of the device as text'],
  'table installs': ['hash of the device as text'],
  'table jobs': ['hash of the device as text'],
  'table saved_views': ['hash of the device as text'],
}
/**
 * What keeps data although it was erased, by decision 21: who judged a device or revealed its addresses, for 184 days. (The network log keeps
 * addresses of senders likewise; here it has the loopback address alone.)
 */
const KEPT: Record<string, string[]> = { 'table audit_log': ['hash of the device as text'] }

/** The tables of the product's PostgreSQL that have rows with one of the values, whatever form the file gives them. */
async function namedInTables(values: Record<string, string>): Promise<Record<string, string[]>> {
  const meta = await openDatabase(bundledAddress(join(data, 'postgres')), { migrate: false, connections: 1 })
  try {
    const tables = await sql<{ schema: string; name: string }>`
      select table_schema as schema, table_name as name from information_schema.tables
      where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema') order by 1, 2`.execute(
      meta.db,
    )
    const found: Record<string, string[]> = {}
    for (const { schema, name } of tables.rows)
      for (const [what, value] of Object.entries(values)) {
        const table = sql.id(schema, name)
        const rows = await sql`select 1 from ${table} t where position(${value} in t::text) > 0 limit 1`.execute(
          meta.db,
        )
        if (rows.rows.length > 0) found[`table ${name}`] = [...(found[`table ${name}`] ?? []), `${what} as text`].sort()
      }
    return found
  } finally {
    await meta.close()
  }
}

/** The tables of the product's PostgreSQL by the path of their files; an index or overflow file counts as its table. */
async function tablePaths(): Promise<Map<string, string>> {
  const meta = await openDatabase(bundledAddress(join(data, 'postgres')), { migrate: false, connections: 1 })
  try {
    const { rows } = await sql<{ path: string; name: string }>`
      select pg_relation_filepath(one.oid) as path, coalesce(owner.relname, base.relname, one.relname) as name
      from pg_class one
      left join pg_index i on i.indexrelid = one.oid left join pg_class base on base.oid = i.indrelid
      left join pg_class owner on owner.reltoastrelid = coalesce(base.oid, one.oid)
      where pg_relation_filepath(one.oid) is not null`.execute(meta.db)
    return new Map(rows.map(({ path, name }) => [path, name]))
  } finally {
    await meta.close()
  }
}

test('[A6] after the erasure of a device and of a user no byte below the data folder of the running product names them', async () => {
  const { object_list } = (await call(createApplication, { name: 'erased', mimetype_list: [1] })) as {
    object_list: { id: string }[]
  }
  const appid = object_list[0]?.id as string
  const keyFor = async (kind: string) =>
    (await call(createIngestKey, { appid, kind, name: kind, scopes: ['events'] }))['key'] as string
  const post = async (path: string, body: unknown, headers: Record<string, string> = {}) => {
    const answer = await fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
  }
  const server = { authorization: `Bearer ${await keyFor('server')}` }
  const eventOf = (who: keyof typeof SENT, at: number) => ({
    event_id: crypto.randomUUID(),
    type: 'risk',
    risk_type: 'hook',
    action: 'block',
    occurred_at: at,
    device_id: SENT[who].device,
    user_id: SENT[who].user,
    client_ip: SENT[who].address,
    app_version: `of-the-${who}`,
    place: { country: 'CN', province: '440000', city: '440300' },
    detail: { text: TEXTS[who] },
  })
  const others = Array.from({ length: 300 }, (_, n) => ({
    ...eventOf('device', Date.now()),
    event_id: crypto.randomUUID(),
    device_id: `device-${n}`,
    user_id: `user-${n}`,
    client_ip: `198.51.100.${n % 250}`,
    app_version: 'of-others',
    detail: { text: `of ${n}` },
  }))
  await post(COLLECT_EVENTS_PATH, others, server)
  // Accepted, and (eight days old) quarantined as they were sent.
  for (const who of ['device', 'user'] as const)
    for (const at of [Date.now(), Date.now() - 1000, Date.now() - 8 * DAY])
      await post(COLLECT_EVENTS_PATH, [eventOf(who, at)], server)
  await post(COLLECT_ENROL_PATH, enrolment(await keyFor('enrolment'), SENT.device.device, Date.now()))
  await waitFor(async () => (await rowsOf('of-the-user')).length === 2, 30_000, 'the events to be stored')
  const [ofDevice, ofUser] = [
    (await rowsOf('of-the-device'))[0] as EventRow,
    (await rowsOf('of-the-user'))[0] as EventRow,
  ]
  const [device, user] = [ofDevice.device, ofUser.user as string]
  const wanted = {
    'hash of the device': device,
    'hash of the user': user,
    'address of the device': SENT.device.address,
    'address of the user': SENT.user.address,
    'text of the device': TEXTS.device,
    'text of the user': TEXTS.user,
    'what was sent as device': SENT.device.device,
    'what was sent as user': SENT.user.user,
  }

  await call(setVerdict, { device, appids: [appid], verdict: 'banned', note: '' })
  const { data: one } = (await call(saveCase, { title: 'a case' })) as { data: { id: string } }
  for (const row of [ofDevice, ofUser])
    await call(addEntry, { case_id: one.id, entry: { kind: 'event', appid, id: row.id, note: '' } })
  await call(saveView, { page: 'attack_analysis', name: 'a view', search: `device=${device}` })
  await call(revealAddresses, { device, query: { range: '-24h', timeBasis: 'received' } })
  for (const [format, filters] of [
    ['csv', []],
    ['xlsx', [{ field: 'device', op: 'is', values: [device] }]],
  ] as const) {
    const query = { range: '-24h', timeBasis: 'received', filters }
    const asked = await call(exportEvents, { query, part: { kind: 'rows', limit: 200 }, format, title: 'rows' })
    expect((await ended((asked['job'] as Job).id)).state).toBe('done')
  }
  // Makes PostgreSQL write its pages; its copy lies outside the data folder, where the erasure does not reach (docs/operations/backup.md).
  const backup = startProgram('cli', ['backup', '--to', join(root, 'backups')], { env, stdio: 'ignore' })
  expect(await once(backup, 'exit')).toEqual([0, null])

  expect(search(data, wanted, await tablePaths())).toEqual(PLANTED)
  expect((await admin().call(quarantine)).body['data']).toHaveLength(2)
  const isTable = ([place]: [string, unknown]) => place.startsWith('table ')
  expect(await namedInTables(wanted)).toEqual(Object.fromEntries(Object.entries(PLANTED).filter(isTable)))

  for (const [kind, subject] of [
    ['device', device],
    ['user', user],
  ]) {
    const asked = await call(erasePersonal, { kind, subject, confirm: subject?.slice(0, 8) })
    expect((await ended((asked['job'] as Job).id)).state).toBe('done')
  }
  expect(search(data, wanted, await tablePaths())).toEqual(KEPT)
  expect(await namedInTables(wanted)).toEqual(KEPT)
  for (const who of ['of-the-device', 'of-the-user']) expect(await rowsOf(who)).toEqual([])
  expect((await admin().call(quarantine)).body['data']).toEqual([])
}, 240_000)
