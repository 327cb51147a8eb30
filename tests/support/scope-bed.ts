import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { saveAlertChannel, saveAlertRule } from '#contracts/http/alerts.ts'
import { createApplication } from '#contracts/http/applications.ts'
import { saveBaseline } from '#contracts/http/baselines.ts'
import { createCommunicationKey } from '#contracts/http/communication.ts'
import { setVerdict } from '#contracts/http/devices.ts'
import type { Endpoint } from '#contracts/http/endpoint.ts'
import { erasePersonal } from '#contracts/http/erasures.ts'
import { noteException, uploadSymbols } from '#contracts/http/exceptions.ts'
import { exportEvents } from '#contracts/http/exports.ts'
import { ENDPOINTS } from '#contracts/http/index.ts'
import { createIngestKey } from '#contracts/http/ingest.ts'
import { addEntry, saveCase } from '#contracts/http/investigation.ts'
import { createPolicy, deployPolicy, savePolicy, setCollectFields } from '#contracts/http/policies.ts'
import { createReinforcePolicy } from '#contracts/http/reinforce-policies.ts'
import { createRole } from '#contracts/http/roles.ts'
import { saveView } from '#contracts/http/saved-views.ts'
import { createServiceRequest } from '#contracts/http/service.ts'
import { createAccessToken, createDisplayToken } from '#contracts/http/tokens.ts'
import { ALL_ITEMS, AUDITOR_ONLY, SESSION_ROLES } from '#contracts/permissions.ts'
import { EVENT_TYPES } from '#domain/vocabulary.ts'
import { failureGroup } from '#engines/stack/failure-group.ts'
import { NOTHING_MEASURED } from '#server/modules/js-protection/measure-job.ts'
import { sealKey } from '#server/modules/reinforce-signatures/signature-rows.ts'
import { type DuckStore, openDuckStore } from '#storage/events/serve/open-duck-store.ts'
import { openLocalFiles } from '#storage/files/local-files.ts'
import { alertRow } from './alert-row.ts'
import { ConsoleClient, type Reply } from './console-client.ts'
import { good } from './detection-bed.ts'
import { CODE, type HttpApp, PASSWORD, startHttpApp } from './http-app.ts'
import { hashKey, madeEvent } from './made-events.ts'
import { madeKeyStore, STORE_PASSWORD } from './made-key-store.ts'
import { waitFor } from './running-server.ts'
import { ADDRESSES, channelTo, type Input, type Own, QUERY, RULE, STACK, symbolsOf } from './scope-calls.ts'

/**
 * Two accounts of one custom role with every grantable permission item, so that the scope alone is left to refuse; each owns an
 * application with one object of a kind.
 */
export type ScopeBed = {
  http: HttpApp
  clients: Record<'alice' | 'bob', ConsoleClient>
  alice: Own
  bob: Own
  /** Messages that a channel has sent. */
  received(): number
  call(client: ConsoleClient, name: string, input: Input): Promise<Reply>
  /** Every row of every table, but for those that log or time each call. */
  tableRows(): Promise<string[]>
  /** Rows that the work changed or deleted; new ones do not count. */
  changedBy(work: () => Promise<void>): Promise<string[]>
  close(): Promise<void>
}

export async function startScopeBed(): Promise<ScopeBed> {
  const folder = mkdtempSync(join(tmpdir(), 'aw-object-scope-'))
  const http = await startHttpApp()
  const store = await openDuckStore({ folder: join(folder, 'events') })
  http.deps.store = store
  http.deps.files = await openLocalFiles(join(folder, 'files'))
  let received = 0
  const receiver = createServer((request, response) => {
    received++
    request.resume().on('end', () => response.end())
  })
  await new Promise<void>((listening) => receiver.listen(0, '127.0.0.1', listening))
  const target = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`
  const internal = { key: 'setting.webhook_private', value: JSON.stringify({ value: true }) }
  await http.meta.db.insertInto('settings').values(internal).execute()
  await http.meta.notify('aw_changed', { what: 'settings' })
  await waitFor(async () => http.deps.settings().webhook_private, 10_000, 'the setting')
  const signIn = async (name: string, role: string) => {
    await http.addUser(`${name}@example.com`, role)
    const client = new ConsoleClient(http.url)
    await client.signIn(`${name}@example.com`, PASSWORD, CODE)
    return client
  }
  const admin = await signIn('admin', 'administrator')
  const auth = [...SESSION_ROLES, ...ALL_ITEMS.filter((item) => !AUDITOR_ONLY.includes(item))]
  const { data: role } = await good(admin, createRole, { body: { name: 'Everything', administrator: false, auth } })
  const clients = { alice: await signIn('alice', role.key), bob: await signIn('bob', role.key) }
  const tableRows = () => rowsOf(http)
  return {
    ...{ http, clients, tableRows },
    alice: await possession(http, store, clients.alice, { name: 'alice', number: 1, target }),
    bob: await possession(http, store, clients.bob, { name: 'bob', number: 2, target }),
    received: () => received,
    call: (client, name, input) => client.call(ENDPOINTS.get(name) as Endpoint, input),
    async changedBy(work) {
      const before = await tableRows()
      await work()
      const after = new Set(await tableRows())
      return before.filter((row) => !after.has(row))
    },
    async close() {
      await http.close()
      await store.close()
      receiver.closeAllConnections()
      receiver.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

type Owned = { name: 'alice' | 'bob'; number: number; target: string }
/** Makes one object of each kind. */
async function possession(http: HttpApp, store: DuckStore, client: ConsoleClient, of: Owned): Promise<Own> {
  const { db } = http.meta
  const { name, number, target } = of
  const marker = `secret-of-${name}`
  const [device, user] = [hashKey(900 + number), hashKey(950 + number)]
  const made = await good(client, createApplication, { body: { name: marker, mimetype_list: [1] } })
  const appid = made.object_list[0]?.id as string
  const app = Number(appid)

  const base = {
    app,
    device,
    user,
    model: marker,
    address: ADDRESSES[marker] as string,
    receivedAt: Date.now() - 600_000,
  }
  const crash = { type: EVENT_TYPES.crash.code, risk: 0, level: 0, action: 0 }
  const named = { app, type: crash.type, version: '1.0.0', packageName: '' }
  const group = failureGroup({ stack: `${STACK}\n\tat com.x.${name}.Main.run(Main.kt:1)` }, named)
  const extra = JSON.stringify({
    detail: { reason: marker, stack: `${STACK}\n\tat com.x.${name}.Main.run(Main.kt:1)` },
  })
  const crashed = madeEvent({ ...base, ...crash, extra, group })
  await store.load([crashed, ...Array.from({ length: 6 }, () => madeEvent({ ...base, risk: 2, level: 5 }))])

  const key = await good(client, createIngestKey, { body: { appid, kind: 'enrolment', name: marker } })
  const communication = await good(client, createCommunicationKey, { body: { appid } })
  const view = await good(client, saveView, { body: { page: 'home', name: marker, search: marker } })
  const { data: opened } = await good(client, saveCase, { body: { title: marker } })
  const event = { kind: 'event', appid, id: crashed.id, note: marker }
  const entry = await good(client, addEntry, { body: { case_id: opened.id, entry: event } })
  const channel = await good(client, saveAlertChannel, { body: { channel: { ...channelTo(target), name: marker } } })
  const rule = await good(client, saveAlertRule, {
    body: { rule: { ...RULE, name: marker, channels: [channel.data.id] } },
  })
  const alert = alertRow({ rule_id: rule.data.id, rule_name: marker, apps: [app] })
  await db.insertInto('alerts').values(alert).execute()
  const delivery = `delivery of ${name}`
  await db
    .insertInto('alert_deliveries')
    .values({
      ...{ id: delivery, channel_id: channel.data.id, alert_id: alert.id, event: 'firing', state: 'sent', attempts: 1 },
      ...{ next_at: null, status: 200, answer: marker, created_at: alert.raised_at, done_at: alert.raised_at },
    })
    .execute()
  const body = { name: marker, scopes: ['events.read'], days: 1 }
  const accessToken = await good(client, createAccessToken, { body })
  const views = [{ view: view.data.id, seconds: 10 }]
  const displayToken = await good(client, createDisplayToken, { body: { name: marker, views } })
  const part = { kind: 'rows' }
  const { job } = await good(client, exportEvents, { body: { query: QUERY, part, title: marker } })
  const { sha256 } = await http.deps.files.put(Readable.from([Buffer.from(marker)]))
  const script = randomUUID()
  await db
    .insertInto('script_files')
    .values({
      ...{ id: script, measure_id: randomUUID(), application_id: app, by_user: null, operator_id: null },
      ...{ name: `${marker}.js`, kind: 'js', size: 1, sha256, files: 1, scripts: 1, state: 'encrypted' },
      options: JSON.stringify({
        preset: 'low',
        parts: {},
        reserved_names: [],
        reserved_strings: [],
        source_map: false,
      }),
      ...{ seed: 1, progress: 1, current: '', done: 1, stepped: 0, kept: 0, outcomes: '[]', output: sha256 },
      ...{ output_size: 1, map: null, note: '', note_detail: '', measure_state: 'done', functions: '[]', starts: 0 },
      measure: JSON.stringify(NOTHING_MEASURED),
      ...{ created_at: Date.now(), started_at: null, ended_at: null },
    })
    .execute()
  const { owner_id: owner } = await db
    .selectFrom('applications')
    .select('owner_id')
    .where('id', '=', app)
    .executeTakeFirstOrThrow()
  const signature = await signatureOf(http, { marker, app, owner })
  const { data: reinforce } = await good(client, createReinforcePolicy, { body: { name: marker, appid } })
  await db.updateTable('reinforce_policies').set({ signature_id: signature }).where('id', '=', reinforce.id).execute()
  const asked = await good(client, createServiceRequest, {
    body: { subject: marker, kind: 'other', urgency: 'normal', appid, text: marker },
  })
  const requestFile = randomUUID()
  const stored = await http.deps.files.put(Readable.from([Buffer.alloc(32, number), Buffer.from(marker)]))
  const { id: requestEntry } = await db
    .selectFrom('service_entries')
    .select('id')
    .where('request_id', '=', Number(asked.data.id))
    .executeTakeFirstOrThrow()
  await db
    .insertInto('service_attachments')
    .values({
      ...{ id: requestFile, request_id: Number(asked.data.id), entry_id: requestEntry, by_user: null },
      ...{ name: `${marker}.log`, size: marker.length, digest: '', sha256: stored.sha256, created_at: Date.now() },
    })
    .execute()
  await db.updateTable('jobs').set({ state: 'done', file: sha256 }).where('id', '=', job.id).execute()
  const policy = await good(client, createPolicy, { body: { appid, name: marker } })
  await good(client, deployPolicy, { body: { id: policy.data.id, rev: 1, percent: 10 } })
  // Another version, so that there is one to roll back to.
  const { draft: rules } = policy.data
  const changed = { ...rules, levels: { ...rules.levels, info: rules.levels.info === 'warn' ? 'report' : 'warn' } }
  await good(client, savePolicy, { body: { id: policy.data.id, rev: 1, rules: changed } })
  const deployed = await good(client, deployPolicy, { body: { id: policy.data.id, rev: 2, percent: 10 } })
  const idle = await good(client, createPolicy, { body: { appid, name: `${marker} idle` } })
  await good(client, setCollectFields, { body: { appid, off: [] } })
  await good(client, noteException, { body: { appid, group, text: marker } })
  const symbols = await good(client, uploadSymbols, { body: symbolsOf(appid, 'first-upload') })
  const baseline = await good(client, saveBaseline, {
    body: { appid, version: '1.0.0', signers: ['a'.repeat(64)], note: marker },
  })
  await good(client, setVerdict, { body: { device, appids: [appid], verdict: 'trusted', note: marker } })
  // Makes a row of erasures; the job waits, as no queue runs here.
  await good(client, erasePersonal, { body: { kind: 'user', subject: user, confirm: user.slice(0, 8) } })
  return {
    ...{
      marker,
      appid,
      kid: communication.data.kid,
      key: key.data.id,
      view: view.data.id,
      caseId: opened.id,
      entry: entry.data.id,
    },
    ...{ rule: rule.data.id, alert: alert.id, channel: channel.data.id, delivery, accessToken: accessToken.data.id },
    ...{ displayToken: displayToken.data.id, job: job.id, policy: policy.data.id, group, device, user },
    ...{ idlePolicy: idle.data.id, target },
    ...{ deployment: deployed.data.deployments[0]?.id as string, symbols: symbols.data?.id as string },
    ...{ baseline: baseline.data.id, event: crashed.id, script },
    ...{ signature, reinforcePolicy: reinforce.id },
    ...{ request: asked.data.id, requestFile },
  }
}

/** A signature file of an application, which opens with what is stored beside it. */
async function signatureOf(
  http: HttpApp,
  { marker, app, owner }: { marker: string; app: number; owner: number },
): Promise<string> {
  const id = randomUUID()
  const { bytes, certificate } = madeKeyStore('pkcs12', { alias: marker, now: Date.now() })
  const key = {
    file: bytes.toString('base64'),
    alias: marker,
    store_password: STORE_PASSWORD,
    key_password: STORE_PASSWORD,
  }
  const { notBefore: not_before, notAfter: not_after, fingerprints } = certificate
  await http.meta.db
    .insertInto('signature_files')
    .values({
      ...{
        id,
        application_id: app,
        owner_id: owner,
        name: marker,
        file_name: 'release.p12',
        format: 'pkcs12',
        size: 1,
      },
      ...{ alias: marker, sealed: sealKey(http.deps.secret, key), certificates: '[]', sha256: fingerprints.sha256 },
      ...{ not_before, not_after, checked_at: Date.now(), created_at: Date.now() },
    })
    .execute()
  return id
}

/** Every row of every table, but for those that log or time each call. */
async function rowsOf({ meta }: HttpApp): Promise<string[]> {
  const tables = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE'
      and table_name not in ('audit_log', 'network_log', 'sessions', 'audit_checkpoints', 'live_tickets', 'sign_in_steps')`.execute(
    meta.db,
  )
  const rows: string[] = []
  for (const { name } of tables.rows) {
    const found = await sql<{ row: string }>`select row_to_json(t)::text as row from ${sql.table(name)} t`.execute(
      meta.db,
    )
    rows.push(...found.rows.map(({ row }) => `${name} ${row}`))
  }
  return rows
}
