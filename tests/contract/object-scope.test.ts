import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { saveAlertChannel, saveAlertRule } from '#contracts/http/alerts.ts'
import { createApplication } from '#contracts/http/applications.ts'
import { saveBaseline } from '#contracts/http/baselines.ts'
import { setVerdict } from '#contracts/http/devices.ts'
import type { Endpoint } from '#contracts/http/endpoint.ts'
import { erasePersonal } from '#contracts/http/erasures.ts'
import { noteException, uploadSymbols } from '#contracts/http/exceptions.ts'
import { exportEvents } from '#contracts/http/exports.ts'
import { ENDPOINTS } from '#contracts/http/index.ts'
import { createIngestKey } from '#contracts/http/ingest.ts'
import { addEntry, saveCase } from '#contracts/http/investigation.ts'
import { createPolicy, deployPolicy, setCollectFields } from '#contracts/http/policies.ts'
import { createRole } from '#contracts/http/roles.ts'
import { saveView } from '#contracts/http/saved-views.ts'
import { createAccessToken, createDisplayToken, wallSelf } from '#contracts/http/tokens.ts'
import { ALL_ITEMS, AUDITOR_ONLY, SESSION_ROLES } from '#contracts/permissions.ts'
import { EVENT_TYPES } from '#domain/vocabulary.ts'
import { failureGroup } from '#engines/stack/failure-group.ts'
import { type DuckStore, openDuckStore } from '#storage/events/serve/open-duck-store.ts'
import { openLocalFiles } from '#storage/files/local-files.ts'
import { alertRow } from '#tests/support/alert-row.ts'
import { ConsoleClient, type Reply } from '#tests/support/console-client.ts'
import { good } from '#tests/support/detection-bed.ts'
import { CODE, type HttpApp, PASSWORD, startHttpApp } from '#tests/support/http-app.ts'
import { hashKey, madeEvent } from '#tests/support/made-events.ts'
import { OTHER_ENDPOINTS } from '#tests/support/scope-areas.ts'

/**
 * Object-level access ("swapped ids") of every endpoint that detection-scope.test.ts does not cover. Two accounts of one custom role
 * with every grantable permission item, so that the scope alone is left to refuse; each owns an application with one object of a kind.
 */

/** One object of each kind; its names and notes carry the marker of its account. */
interface Own {
  readonly marker: string
  readonly appid: string
  readonly key: string
  readonly view: string
  readonly caseId: string
  readonly entry: string
  readonly rule: string
  readonly alert: string
  readonly channel: string
  readonly accessToken: string
  readonly displayToken: string
  readonly job: string
  readonly policy: string
  readonly deployment: string
  readonly group: string
  readonly symbols: string
  readonly baseline: string
  readonly device: string
  readonly user: string
  readonly event: string
}
interface Input {
  readonly query?: Record<string, unknown>
  readonly body?: Record<string, unknown>
}
type Ask = (own: Own) => Input

const QUERY = { range: '-7d' }
const inApp = ({ appid }: Own) => ({ ...QUERY, filters: [{ field: 'app', op: 'is', values: [appid] }] })
const RULE = {
  name: 'Hooks',
  measure: 'attacks',
  filters: [],
  by: null,
  window: '1m',
  condition: { kind: 'threshold', op: 'at_least', value: 100 },
  severity: 'critical',
  cooldown_minutes: 5,
  enabled: true,
  channels: [],
}
const CHANNEL = { kind: 'webhook', name: 'SOC', target: 'https://hooks.invalid/x', enabled: true, shared: false }
const sha = (digit: string) => digit.repeat(64)

/** Calls that name an object of an account: the other one is refused, as if it did not exist. Calls that delete it come last. */
const NAMING: Record<string, Ask> = {
  alertDetail: ({ alert }) => ({ query: { id: alert } }),
  acknowledgeAlert: ({ alert }) => ({ body: { id: alert } }),
  saveAlertRule: ({ rule, channel, appid }) => ({
    body: {
      id: rule,
      rule: { ...RULE, filters: [{ field: 'app', op: 'is', values: [appid] }], channels: [channel] },
    },
  }),
  previewAlertRule: ({ appid }) => ({
    body: { rule: { ...RULE, filters: [{ field: 'app', op: 'is', values: [appid] }] } },
  }),
  silenceAlertRule: ({ rule }) => ({ body: { rule, until: null } }),
  saveAlertChannel: ({ channel }) => ({ body: { id: channel, channel: CHANNEL } }),
  testAlertChannel: ({ channel }) => ({ body: { id: channel } }),
  alertDeliveries: ({ channel }) => ({ query: { channel } }),
  setApplicationSite: ({ appid }) => ({ body: { appid, site: null } }),
  applicationMembers: ({ appid }) => ({ query: { appid } }),
  setApplicationMembers: ({ appid }) => ({ body: { appid, usernames: [] } }),
  ingestKeys: ({ appid }) => ({ query: { appid } }),
  createIngestKey: ({ appid }) => ({ body: { appid, kind: 'server', name: 'Mine' } }),
  baselines: ({ appid }) => ({ query: { appid } }),
  saveBaseline: ({ baseline, appid }) => ({
    body: { id: baseline, appid, version: '9.9.9', package_name: 'org.example' },
  }),
  abnormalReturn: ({ appid, event }) => ({ query: { appid, id: event } }),
  eventById: ({ appid, event }) => ({ query: { appid, id: event } }),
  revealEventAddress: ({ appid, event }) => ({ body: { appid, id: event } }),
  setVerdict: ({ device, appid }) => ({ body: { device, appids: [appid], verdict: 'watched' } }),
  exceptionGroup: ({ group }) => ({ query: { kind: 'crash', group } }),
  setExceptionTriage: ({ appid, group }) => ({
    body: {
      changes: [{ appid, group, state: 'resolved', resolved_version: null, ignored_until: null, assignee: null }],
    },
  }),
  noteException: ({ appid, group }) => ({ body: { appid, group, text: 'Seen' } }),
  exceptionAssignees: ({ appid }) => ({ query: { appid } }),
  exceptionStack: ({ appid, event }) => ({ query: { appid, id: event } }),
  symbolFiles: ({ appid }) => ({ query: { appid } }),
  uploadSymbols: ({ appid }) => ({ body: symbolsOf(appid, 'second-upload') }),
  caseById: ({ caseId }) => ({ query: { id: caseId } }),
  saveCase: ({ caseId }) => ({ body: { id: caseId, title: 'Taken', take: true } }),
  addEntry: ({ caseId, appid, event }) => ({ body: { case_id: caseId, entry: { kind: 'event', appid, id: event } } }),
  caseReport: ({ caseId }) => ({ query: { id: caseId } }),
  downloadJob: ({ job }) => ({ query: { id: job } }),
  cancelJob: ({ job }) => ({ body: { id: job } }),
  policyList: ({ appid }) => ({ query: { appid } }),
  policyDetail: ({ policy }) => ({ query: { id: policy } }),
  createPolicy: ({ appid, policy }) => ({ body: { appid, name: 'Copy', copy: { id: policy } } }),
  savePolicy: ({ policy }) => ({ body: { id: policy, rev: 1, name: 'Renamed' } }),
  rollOutGuard: ({ deployment }) => ({ query: { id: deployment } }),
  changeDeployment: ({ deployment }) => ({ body: { id: deployment, change: 'pause' } }),
  rollBack: ({ deployment }) => ({ body: { id: deployment, version: 1 } }),
  deployPolicy: ({ policy }) => ({ body: { id: policy, rev: 1, percent: 1 } }),
  archivePolicy: ({ policy }) => ({ body: { id: policy, archived: true } }),
  policyReach: ({ appid }) => ({ query: { appid } }),
  collectFields: ({ appid }) => ({ query: { appid } }),
  setCollectFields: ({ appid }) => ({ body: { appid, off: [] } }),
  setProtectType: ({ appid }) => ({ body: { appid, protect_type: '1' } }),
  accessGuide: ({ appid }) => ({ query: { appid } }),
  saveView: ({ view }) => ({ body: { id: view, page: 'home', name: 'Taken', search: '' } }),
  deleteView: ({ view }) => ({ body: { id: view } }),
  revokeAccessToken: ({ accessToken }) => ({ body: { id: accessToken } }),
  revokeDisplayToken: ({ displayToken }) => ({ body: { id: displayToken } }),
  removeEntry: ({ entry }) => ({ body: { id: entry } }),
  deleteCase: ({ caseId }) => ({ body: { id: caseId } }),
  deleteAlertRule: ({ rule }) => ({ body: { id: rule } }),
  deleteAlertChannel: ({ channel }) => ({ body: { id: channel } }),
  deleteSymbols: ({ symbols }) => ({ body: { id: symbols } }),
  deleteBaseline: ({ baseline }) => ({ body: { id: baseline } }),
  revokeIngestKey: ({ key }) => ({ body: { id: key } }),
  deleteApplication: ({ appid }) => ({ body: { appid } }),
}

/** Lists and questions about events: whatever they name, the answer has nothing of the other account. */
const READING: Record<string, Ask> = {
  alerts: ({ rule }) => ({ query: { rule } }),
  alertRules: () => ({}),
  alertChannels: () => ({}),
  applicationList: () => ({}),
  abnormalReturns: (own) => ({ body: { query: inApp(own) } }),
  suspiciousDevices: (own) => ({ body: { filters: inApp(own).filters, from: 20 } }),
  deviceProfile: (own) => ({ body: { device: own.device, query: inApp(own) } }),
  deviceSessions: (own) => ({ body: { device: own.device, query: inApp(own) } }),
  revealAddresses: (own) => ({ body: { device: own.device, query: inApp(own) } }),
  verdictsOf: ({ device }) => ({ body: { devices: [device] } }),
  erasures: () => ({}),
  exceptionGroups: (own) => ({ body: { query: inApp(own), kind: 'crash' } }),
  quarantine: () => ({ query: { reason: 'schema' } }),
  trail: (own) => ({ body: { query: inApp(own), subject: { kind: 'device', key: own.device } } }),
  links: (own) => ({ body: { query: inApp(own), subject: { kind: 'user', key: own.user } } }),
  findSubjects: ({ device }) => ({ body: { text: device } }),
  cases: ({ device }) => ({ query: { subject: `device:${device}` } }),
  jobs: () => ({}),
  replay: (own) => ({ body: { filters: inApp(own).filters, from: now - 3_600_000, to: now } }),
  savedViews: () => ({ query: { page: 'home' } }),
  statistics: (own) => ({
    body: {
      query: inApp(own),
      parts: {
        rows: { kind: 'rows' },
        models: { kind: 'top', by: 'model', measures: ['events'] },
        one: { kind: 'rows', and: [{ field: 'device', op: 'is', values: [own.device] }] },
      },
    },
  }),
  accessTokens: () => ({}),
  displayTokens: () => ({}),
}
/** In these answers the marker does not appear: the owner's proof looks for another text of his, or the answer has numbers alone. */
const SHOWN: Record<string, (own: Own) => string> = {
  suspiciousDevices: ({ device }) => device,
  deviceSessions: ({ appid }) => `"appid":"${appid}"`,
  revealAddresses: ({ marker }) => ADDRESSES[marker] as string,
  verdictsOf: ({ device }) => device,
  erasures: ({ user }) => user.slice(0, 8),
  quarantine: () => '"code":0', // nothing is quarantined here: collector-bad-input.test.ts quarantines
  abnormalReturns: () => '"code":0', // no return contradicts a baseline: devices.test.ts has some
  trail: ({ device }) => device,
  links: ({ device }) => device,
  findSubjects: ({ device }) => device,
  exceptionGroups: ({ group }) => group,
}

/** Not asked by the owner: a message would leave this machine; there is no earlier version; uploadSymbols has replaced the file. */
const UNPROVEN = ['testAlertChannel', 'rollBack', 'deleteSymbols']

/** Work that runs later: with the scope that the caller had, whatever the filters name. */
const LATER: Record<string, Ask> = {
  exportEvents: (own) => ({ body: { query: inApp(own), part: { kind: 'rows' }, title: 'All' } }),
  exportList: (own) => ({ body: { list: { of: 'exception_groups', query: inApp(own), kind: 'crash' }, title: 'All' } }),
  erasePersonal: ({ device }) => ({ body: { kind: 'device', subject: device, confirm: device.slice(0, 8) } }),
}

/** Endpoints that name no object of an account, by the reason. */
const EXEMPT: Record<string, readonly string[]> = {
  'about the caller’s own account or session': [
    ...['signin', 'signinSecondFactor', 'isLogin', 'userGroup', 'logout', 'changePass', 'verifyImage', 'liveTicket'],
    ...['secondFactorState', 'beginSecondFactor', 'confirmSecondFactor', 'renewRecoveryCodes', 'removeSecondFactor'],
    ...['invitation', 'acceptInvitation'],
  ],
  'the same for everybody': ['pTags', 'licenseRemind', 'healthz', 'scoreRules', 'sdkFiles', 'downloadSdk', 'siteList'],
  'makes a new object and names none': ['createApplication', 'createAccessToken'],
  'its views are looked up when a wall asks for them: test below': ['createDisplayToken', 'wallSelf'],
  'accounts and roles, which user.manage administers for the whole platform (users.test.ts, roles.test.ts)': [
    ...['users', 'exportUsers', 'createUser', 'changeUser', 'disableUsers', 'resetUser', 'inviteUser', 'deleteUsers'],
    ...['importUsers', 'userSessions', 'endUserSession', 'resetSecondFactor'],
    ...['roles', 'createRole', 'changeRole', 'deleteRole'],
  ],
  'the platform as a whole, by platform.settings': [
    'readSettings',
    'saveSettings',
    'saveSite',
    'deleteSite',
    'ldapSettings',
    'saveLdap',
    'testLdap',
  ],
  'logs of the platform as a whole, by log.view, log.download and platform.settings (audit-log.test.ts)': [
    ...['auditLog', 'auditSummary', 'auditEntry', 'auditState', 'auditVerify', 'auditCheckpoints'],
    ...['networkLog', 'networkSummary', 'exportLog', 'deleteLogs'],
    ...['logOutputs', 'saveLogOutput', 'deleteLogOutput', 'testLogOutput'],
  ],
}

const STACK =
  'java.lang.IllegalStateException: no bill\n\tat com.x.pay.PayFragment.onBill(PayFragment.kt:214)\n\tat com.x.pay.BillRepo.load(BillRepo.kt:88)'
const MAPPING = 'com.x.pay.PayFragment -> a.b:\n    1:1:void onBill():214:214 -> a\n'
const ADDRESSES: Record<string, string> = { 'secret-of-alice': '203.0.113.77', 'secret-of-bob': '198.51.100.9' }
const symbolsOf = (appid: string, upload: string) => ({
  ...{ appid, version: '1.0.0', kind: 'r8', upload, part: 0, last: true },
  content: gzipSync(MAPPING).toString('base64'),
})

const folder = mkdtempSync(join(tmpdir(), 'aw-object-scope-'))
const now = Date.now()
let http: HttpApp
let store: DuckStore
const clients = {} as Record<'alice' | 'bob', ConsoleClient>
let alice: Own
let bob: Own

beforeAll(async () => {
  http = await startHttpApp()
  store = await openDuckStore({ folder: join(folder, 'events') })
  http.deps.store = store
  http.deps.files = await openLocalFiles(join(folder, 'files'))
  const admin = await signIn('admin', 'administrator')
  const auth = [...SESSION_ROLES, ...ALL_ITEMS.filter((item) => !AUDITOR_ONLY.includes(item))]
  const { data: role } = await good(admin, createRole, { body: { name: 'Everything', administrator: false, auth } })
  clients.alice = await signIn('alice', role.key)
  clients.bob = await signIn('bob', role.key)
  alice = await possession('alice', 1)
  bob = await possession('bob', 2)
}, 120_000)
afterAll(async () => {
  await http?.close()
  await store?.close()
  rmSync(folder, { recursive: true, force: true })
})

async function signIn(name: string, role: string): Promise<ConsoleClient> {
  await http.addUser(`${name}@example.com`, role)
  const client = new ConsoleClient(http.url)
  await client.signIn(`${name}@example.com`, PASSWORD, CODE)
  return client
}

/** Makes one object of each kind. */
async function possession(name: 'alice' | 'bob', number: number): Promise<Own> {
  const { db } = http.meta
  const client = clients[name]
  const marker = `secret-of-${name}`
  const [device, user] = [hashKey(900 + number), hashKey(950 + number)]
  const made = await good(client, createApplication, { body: { name: marker, mimetype_list: [1] } })
  const appid = made.object_list[0]?.id as string
  const app = Number(appid)

  const base = { app, device, user, model: marker, address: ADDRESSES[marker] as string, receivedAt: now - 600_000 }
  const crash = { type: EVENT_TYPES.crash.code, risk: 0, level: 0, action: 0 }
  const named = { app, type: crash.type, version: '1.0.0', packageName: '' }
  const group = failureGroup({ stack: `${STACK}\n\tat com.x.${name}.Main.run(Main.kt:1)` }, named)
  const extra = JSON.stringify({
    detail: { reason: marker, stack: `${STACK}\n\tat com.x.${name}.Main.run(Main.kt:1)` },
  })
  const crashed = madeEvent({ ...base, ...crash, extra, group })
  await store.load([crashed, ...Array.from({ length: 6 }, () => madeEvent({ ...base, risk: 2, level: 5 }))])

  const key = await good(client, createIngestKey, { body: { appid, kind: 'enrolment', name: marker } })
  const view = await good(client, saveView, { body: { page: 'home', name: marker, search: marker } })
  const { data: opened } = await good(client, saveCase, { body: { title: marker } })
  const event = { kind: 'event', appid, id: crashed.id, note: marker }
  const entry = await good(client, addEntry, { body: { case_id: opened.id, entry: event } })
  const channel = await good(client, saveAlertChannel, { body: { channel: { ...CHANNEL, name: marker } } })
  const rule = await good(client, saveAlertRule, {
    body: { rule: { ...RULE, name: marker, channels: [channel.data.id] } },
  })
  const alert = alertRow({ rule_id: rule.data.id, rule_name: marker, apps: [app] })
  await db.insertInto('alerts').values(alert).execute()
  const body = { name: marker, scopes: ['events.read'], days: 1 }
  const accessToken = await good(client, createAccessToken, { body })
  const views = [{ view: view.data.id, seconds: 10 }]
  const displayToken = await good(client, createDisplayToken, { body: { name: marker, views } })
  const part = { kind: 'rows' }
  const { job } = await good(client, exportEvents, { body: { query: QUERY, part, title: marker } })
  const { sha256 } = await http.deps.files.put(Readable.from([Buffer.from(marker)]))
  await db.updateTable('jobs').set({ state: 'done', file: sha256 }).where('id', '=', job.id).execute()
  const policy = await good(client, createPolicy, { body: { appid, name: marker } })
  const deployed = await good(client, deployPolicy, { body: { id: policy.data.id, rev: 1, percent: 10 } })
  await good(client, setCollectFields, { body: { appid, off: [] } })
  await good(client, noteException, { body: { appid, group, text: marker } })
  const symbols = await good(client, uploadSymbols, { body: symbolsOf(appid, 'first-upload') })
  const baseline = await good(client, saveBaseline, {
    body: { appid, version: '1.0.0', signers: [sha('a')], note: marker },
  })
  await good(client, setVerdict, { body: { device, appids: [appid], verdict: 'trusted', note: marker } })
  // Makes a row of erasures; the job waits, as no queue runs here.
  await good(client, erasePersonal, { body: { kind: 'user', subject: user, confirm: user.slice(0, 8) } })
  return {
    ...{ marker, appid, key: key.data.id, view: view.data.id, caseId: opened.id, entry: entry.data.id },
    ...{ rule: rule.data.id, alert: alert.id, channel: channel.data.id, accessToken: accessToken.data.id },
    ...{ displayToken: displayToken.data.id, job: job.id, policy: policy.data.id, group, device, user },
    ...{ deployment: deployed.data.deployments[0]?.id as string, symbols: symbols.data?.id as string },
    ...{ baseline: baseline.data.id, event: crashed.id },
  }
}

const call = (client: ConsoleClient, name: string, input: Input): Promise<Reply> =>
  client.call(ENDPOINTS.get(name) as Endpoint, input)

// ------------------------------------------------------------------------------------------------ fields that hold an id

type Path = readonly string[]
/** Where two inputs of one shape differ: those fields hold the id of an object. */
function idFields(a: unknown, b: unknown, path: Path = []): Path[] {
  if (typeof a !== 'object' || a === null) return a === b ? [] : [path]
  return Object.entries(a).flatMap(([key, value]) =>
    idFields(value, (b as Record<string, unknown>)[key], [...path, key]),
  )
}
const at = (input: unknown, path: Path): unknown =>
  path.reduce((value, key) => (value as Record<string, unknown>)[key], input)
function withValue(input: Input, path: Path, value: unknown): Input {
  const copy = structuredClone(input)
  const holder = at(copy, path.slice(0, -1)) as Record<string, unknown>
  holder[path.at(-1) as string] = value
  return copy
}
/** Bob's input with each id of Alice's in turn, and with all of them. */
function swapped(ask: Ask): { readonly path: Path; readonly input: Input }[] {
  const [hers, his] = [ask(alice), ask(bob)]
  const paths = idFields(hers, his)
  const each = paths.map((path) => ({ path, input: withValue(his, path, at(hers, path)) }))
  return paths.length === 1 ? each : [...each, { path: ['everything'], input: hers }]
}
/** A device, a user and a fingerprint are hashes that may lie in several applications: to name one in one's own is no access. */
const isShared = (path: Path) => ['device', 'group'].includes(path.at(-1) as string)

const REFUSALS = { 500002: 'data.missing', 500018: 'permission.missing', 500001: 'input.invalid' } as Record<
  number,
  string
>
const refusal = ({ status, body }: Reply) => REFUSALS[body['code'] as number] ?? (status === 404 ? 'data.missing' : '')

/** Every row of every table, but for those that log or time each call. */
async function tableRows(): Promise<string[]> {
  const tables = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE'
      and table_name not in ('audit_log', 'network_log', 'sessions', 'audit_checkpoints', 'live_tickets', 'sign_in_steps')`.execute(
    http.meta.db,
  )
  const rows: string[] = []
  for (const { name } of tables.rows) {
    const found = await sql<{ row: string }>`select row_to_json(t)::text as row from ${sql.table(name)} t`.execute(
      http.meta.db,
    )
    rows.push(...found.rows.map(({ row }) => `${name} ${row}`))
  }
  return rows
}
/** Rows that the work changed or deleted; new ones do not count. */
async function changedBy(work: () => Promise<void>): Promise<string[]> {
  const before = await tableRows()
  await work()
  const after = new Set(await tableRows())
  return before.filter((row) => !after.has(row))
}

/** What is sent in place of an id. */
const ODD_TEXTS = [
  ...[
    '',
    ' ',
    '0',
    '-1',
    '1.5',
    '1e3',
    '0x1',
    '9007199254740992',
    '9'.repeat(40),
    '１２',
    '٣',
    'null',
    '[object Object]',
  ],
  ...['..%2f..%2fetc%2fpasswd', '../..', "' or 1=1 --", '%', '\u0000', '\ud800', '😀', 'a'.repeat(5000)],
  '00000000-0000-0000-0000-000000000000',
]
const ODD_VALUES = [-1, 2 ** 53, 1.5, null, true, [], ['1'], {}, { $ne: '' }]

describe('swapped ids', () => {
  test('every endpoint is in one of the tables or exempt with a reason, so that none is forgotten', () => {
    const listed = [NAMING, READING, LATER].flatMap((table) => Object.keys(table))
    expect([...listed, ...Object.values(EXEMPT).flat()].toSorted()).toEqual(
      OTHER_ENDPOINTS.map(([name]) => name).toSorted(),
    )
  })

  test('[ROLE-01] lists and queries of events answer with objects of the caller alone', async () => {
    const wrong: string[] = []
    for (const [name, ask] of Object.entries(READING)) {
      const own = await call(clients.alice, name, ask(alice))
      const shown = (SHOWN[name] ?? (({ marker }) => marker))(alice)
      if (!own.text.includes(shown)) wrong.push(`${name} without ${shown}: ${own.text.slice(0, 300)}`)
    }
    const changed = await changedBy(async () => {
      for (const [name, ask] of Object.entries(READING)) {
        for (const { path, input } of [{ path: ['nothing'], input: ask(bob) }, ...swapped(ask)]) {
          const reply = await call(clients.bob, name, input)
          if (reply.text.includes(alice.marker) || reply.status >= 500)
            wrong.push(`${name} ${path.join('.')}: ${reply.status} ${reply.text.slice(0, 300)}`)
        }
      }
    })
    expect({ wrong, changed }).toEqual({ wrong: [], changed: [] })
  })

  test.each(Object.entries(LATER))(
    '[ROLE-01] %s works in the scope of who asked, whatever it names',
    async (name, ask) => {
      const reply = await call(clients.bob, name, ask(alice))
      if (refusal(reply) === 'permission.missing') return
      const { id } = reply.body['job'] as { id: string }
      const { input } = await http.meta.db
        .selectFrom('jobs')
        .select('input')
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
      expect((input as { scope: unknown }).scope).toEqual({ apps: [Number(bob.appid)] })
    },
  )

  test('[ROLE-01] a wall shows no private view of somebody else, though its token names it', async () => {
    const views = [alice, bob].map(({ view }) => ({ view, seconds: 10 }))
    const made = await good(clients.bob, createDisplayToken, { body: { name: 'Wall', views } })
    const answer = await fetch(http.url + wallSelf.path, { headers: { authorization: `Bearer ${made.token}` } })
    const { data } = (await answer.json()) as { data: { views: { id: string }[] } }
    expect(data.views.map(({ id }) => id)).toEqual([bob.view])
  })

  test('[ROLE-01] what an account names of another does not exist, and stays as it is', async () => {
    const open: string[] = []
    const changed = await changedBy(async () => {
      for (const [name, ask] of Object.entries(NAMING)) {
        for (const { path, input } of swapped(ask)) {
          const reply = await call(clients.bob, name, input)
          if (reply.text.includes(alice.marker) || (!refusal(reply) && !isShared(path)))
            open.push(`${name} ${path.join('.')}: ${reply.text.slice(0, 200)}`)
        }
      }
    })
    expect({ open, changed }).toEqual({ open: [], changed: [] })
  })

  test('[ROLE-01] ids of odd types and shapes are refused and never fail the server', async () => {
    const failed: string[] = []
    const before = (await tableRows()).filter((row) => row.includes(alice.marker))
    for (const [name, ask] of [...Object.entries(NAMING), ...Object.entries(READING)]) {
      const fields = idFields(ask(alice), ask(bob))
      for (const path of fields) {
        const others = [bob.caseId, bob.group, bob.device].filter((id) => id !== at(ask(bob), path))
        for (const value of [...ODD_TEXTS, ...others, ...(path[0] === 'body' ? ODD_VALUES : [])]) {
          const reply = await call(clients.bob, name, withValue(ask(bob), path, value))
          if (reply.status >= 500 || reply.body['code'] === 500117 || reply.text.includes(alice.marker))
            failed.push(
              `${name} ${path.join('.')} ${JSON.stringify(value).slice(0, 60)}: ${reply.status} ${reply.text.slice(0, 100)}`,
            )
        }
      }
    }
    expect(failed).toEqual([])
    expect((await tableRows()).filter((row) => row.includes(alice.marker))).toEqual(before)
  }, 240_000)

  // Last: it deletes what she has. Were she refused too, the tests above would prove nothing.
  test('[ROLE-01] the same calls by the owner are answered', async () => {
    const refused: string[] = []
    for (const [name, ask] of Object.entries(NAMING)) {
      if (UNPROVEN.includes(name)) continue
      const reply = await call(clients.alice, name, ask(alice))
      if (refusal(reply) || reply.status >= 500) refused.push(`${name}: ${reply.status} ${reply.text.slice(0, 200)}`)
    }
    expect(refused).toEqual([])
  })
})
