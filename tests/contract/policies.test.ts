import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { applicationList, createApplication, setApplicationMembers } from '#contracts/http/applications.ts'
import type { Endpoint } from '#contracts/http/endpoint.ts'
import {
  archivePolicy,
  changeDeployment,
  collectFields,
  createPolicy,
  deployPolicy,
  type Policy,
  type PolicySummary,
  policyDetail,
  policyList,
  policyReach,
  rollBack,
  savePolicy,
  setCollectFields,
  setProtectType,
} from '#contracts/http/policies.ts'
import { POLICY_STARTS, type PolicyRules } from '#domain/policy-rules.ts'
import { CHANNELS } from '#storage/postgres/schema.ts'
import { ConsoleClient } from '#tests/support/console-client.ts'
import { CODE, type HttpApp, PASSWORD, startHttpApp } from '#tests/support/http-app.ts'

let app: HttpApp
const who = {} as Record<'admin' | 'owner' | 'member' | 'other' | 'trial', ConsoleClient>
const changes: string[] = []
let appid = ''

beforeAll(async () => {
  app = await startHttpApp()
  await app.meta.listen(CHANNELS.changed, (payload) => changes.push((payload as { what: string }).what))
  const roles = {
    admin: 'administrator',
    owner: 'operator',
    member: 'operator2',
    other: 'operator',
    trial: 'trial',
  } as const
  for (const [name, role] of Object.entries(roles)) {
    await app.addUser(`${name}@example.com`, role)
    const client = new ConsoleClient(app.url)
    await client.signIn(`${name}@example.com`, PASSWORD, CODE)
    who[name as keyof typeof who] = client
  }
  const made = await who.owner.call(createApplication, { body: { name: 'Wallet', mimetype_list: [1] } })
  appid = (made.body['object_list'] as { id: string }[])[0]?.id ?? ''
  await who.owner.call(setApplicationMembers, {
    body: { appid, usernames: ['member@example.com', 'trial@example.com'] },
  })
})
afterAll(() => app.close())

const code = async (client: ConsoleClient, endpoint: Endpoint, body: object) =>
  (await client.call(endpoint, { body })).body['code']
async function post(client: ConsoleClient, endpoint: Endpoint, body: object): Promise<Policy> {
  const reply = await client.call(endpoint, { body })
  expect(reply.body).toMatchObject({ code: 0 })
  return reply.body['data'] as Policy
}
const make = (client = who.owner, more: object = {}) =>
  post(client, createPolicy, { appid, name: 'Production', ...more })
const list = async (client: ConsoleClient) =>
  (await client.call(policyList, { query: { appid } })).body['data'] as PolicySummary[]
const deploy = (policy: Policy, more: object = {}) =>
  post(who.owner, deployPolicy, { id: policy.id, rev: policy.rev, percent: 100, ...more })
const withRules = (policy: Policy, rules: PolicyRules) =>
  post(who.owner, savePolicy, { id: policy.id, rev: policy.rev, rules })
const OBSERVE: PolicyRules = { levels: { ...POLICY_STARTS.observe }, risks: {} }

test('[CONF-01] a policy is created, changed, copied and archived; a stale draft is refused', async () => {
  const policy = await make()
  expect(policy).toMatchObject({
    name: 'Production',
    version: 0,
    changed: true,
    draft: OBSERVE,
    versions: [],
    deployments: [],
  })
  const rules: PolicyRules = { ...OBSERVE, risks: { hook: { action: 'block', text: { zh: '停', en: 'Stop' } } } }
  const saved = await withRules(policy, rules)
  expect(saved).toMatchObject({ rev: 2, draft: rules, updated_by: 'owner@example.com' })
  expect(await code(who.owner, savePolicy, { id: policy.id, rev: 1, rules: OBSERVE })).toBe(500003)
  expect(
    await code(who.owner, savePolicy, { id: policy.id, rev: 2, rules: { ...OBSERVE, risks: { nonsense: {} } } }),
  ).toBe(500001)
  const copy = await make(who.member, { name: 'Copy', copy: { id: policy.id } })
  expect(copy.draft).toEqual(rules)
  expect(await code(who.owner, archivePolicy, { id: copy.id, archived: true })).toBe(0)
  expect((await list(who.owner)).at(-1)).toMatchObject({ id: copy.id })
  expect(await code(who.owner, deployPolicy, { id: copy.id, rev: copy.rev, percent: 1 })).toBe(500902)
  expect(await code(who.owner, archivePolicy, { id: copy.id, archived: false })).toBe(0)
})

test('[CONF-02] deploying fixes the draft as a version that never changes; a share grows and does not shrink', async () => {
  let policy = await deploy(await make(), { percent: 1, app_versions: ['2.0', '1.0', '2.0'] })
  expect(policy).toMatchObject({ version: 1, changed: false })
  const [first] = policy.deployments
  expect(first).toMatchObject({ version: 1, percent: 1, state: 'running', app_versions: ['1.0', '2.0'], before: null })
  const change = (what: string, percent?: number) =>
    code(who.owner, changeDeployment, { id: first?.id, change: what, percent })
  changes.length = 0
  expect(await change('grow', 10)).toBe(0)
  await expect.poll(() => changes).toContain('policies')
  expect(await change('grow', 5)).toBe(500903)
  expect(await change('resume')).toBe(500003)
  expect(await change('pause')).toBe(0)
  expect(await change('grow', 50)).toBe(500003)
  expect(await change('resume')).toBe(0)
  // Deploying the same draft again makes no further version; a changed one does.
  policy = await deploy(policy)
  expect(policy.versions.map(({ version }) => version)).toEqual([1])
  policy = await deploy(await withRules(policy, { ...OBSERVE, risks: { root: { action: 'exit' } } }))
  expect(policy.versions.map(({ version }) => version)).toEqual([2, 1])
  expect(policy.deployments.map(({ version, covered }) => [version, covered])).toEqual([
    [2, false],
    [1, true],
    [1, true],
  ])
  const rules = JSON.stringify({ levels: POLICY_STARTS.recommended, risks: {} })
  const { db } = app.meta
  await expect(
    db.updateTable('policy_versions').set({ rules }).where('policy_id', '=', policy.id).execute(),
  ).rejects.toThrow(/never changes/)
  expect(await code(who.owner, archivePolicy, { id: policy.id, archived: true })).toBe(500901)
  expect(await code(who.owner, deployPolicy, { id: policy.id, rev: 1, percent: 1 })).toBe(500003)
  expect(await code(who.owner, deployPolicy, { id: policy.id, rev: policy.rev, version: 9, percent: 1 })).toBe(500002)
})

test('[CONF-02] roll-back deploys the older version to all that the newer one was for, and ends the newer one', async () => {
  const first = await deploy(await make())
  const second = await deploy(await withRules(first, { ...OBSERVE, risks: { hook: { action: 'block' } } }), {
    percent: 10,
  })
  const [newest] = second.deployments
  expect(newest).toMatchObject({ version: 2, before: 1 })
  expect(await code(who.owner, rollBack, { id: newest?.id, version: 2 })).toBe(500002)
  const back = await post(who.owner, rollBack, { id: newest?.id, version: 1 })
  expect(back.deployments.map(({ version, state, percent }) => [version, state, percent])).toEqual([
    [1, 'running', 100],
    [2, 'ended', 10],
    [1, 'running', 100],
  ])
  expect(back.deployments[1]?.changes.map(({ what }) => what)).toEqual(['deploy', 'rolled_back'])
  expect(await code(who.owner, rollBack, { id: newest?.id, version: 1 })).toBe(500003)
})

test('[CONF-02] who may: deploying is a right of its own, strangers do not know of it, everything is in the audit log', async () => {
  const policy = await make(who.member)
  expect(await code(who.member, deployPolicy, { id: policy.id, rev: policy.rev, percent: 1 })).toBe(500018)
  expect(await code(who.trial, savePolicy, { id: policy.id, rev: policy.rev, rules: OBSERVE })).toBe(500018)
  for (const [endpoint, body] of [
    [savePolicy, { id: policy.id, rev: policy.rev, rules: OBSERVE }],
    [archivePolicy, { id: policy.id, archived: true }],
    [deployPolicy, { id: policy.id, rev: policy.rev, percent: 100 }],
    [createPolicy, { appid, name: 'x' }],
    [setCollectFields, { appid, off: [] }],
    [setProtectType, { appid, protect_type: '1' }],
  ] as const)
    expect(await code(who.other, endpoint, body)).toBe(500002)
  expect((await who.other.call(policyDetail, { query: { id: policy.id } })).body['code']).toBe(500002)
  expect((await who.other.call(policyReach, { query: { appid } })).body['code']).toBe(500002)
  expect((await who.other.call(policyList)).body['data']).toEqual([])
  const { id: strangers } = await make(who.owner)
  const other = await who.other.call(createApplication, { body: { name: 'Own', mimetype_list: [1] } })
  const own = (other.body['object_list'] as { id: string }[])[0]?.id
  expect(await code(who.other, createPolicy, { appid: own, name: 'stolen', copy: { id: strangers } })).toBe(500002)
  const entries = await app.meta.db.selectFrom('audit_log').select(['action', 'account', 'result']).execute()
  expect(entries).toContainEqual({
    action: 'deployPolicy',
    account: 'member@example.com',
    result: 'permission.missing',
  })
  expect(entries).toContainEqual({ action: 'rollBack', account: 'owner@example.com', result: 'ok' })
})

test('[APP-07] the protection type is posted as "0" or "1" and shows in the list', async () => {
  expect(await code(who.owner, setProtectType, { appid, protect_type: '2' })).toBe(500001)
  expect(await code(who.owner, setProtectType, { appid, protect_type: 1 })).toBe(500001)
  changes.length = 0
  expect(await code(who.owner, setProtectType, { appid, protect_type: '1' })).toBe(0)
  await expect.poll(() => changes).toContain('applications')
  const [wallet] = (await who.member.call(applicationList)).body['object_list'] as {
    id: string
    protect_type: string
  }[]
  expect(wallet).toMatchObject({ id: appid, protect_type: '1' })
})

test('[SDK-04] fields that apps must not send are kept in the order of the contract; unknown and required ones are refused', async () => {
  const read = async () => (await who.member.call(collectFields, { query: { appid } })).body['data']
  expect(await read()).toEqual({ off: [], changed_at: null })
  expect(await code(who.owner, setCollectFields, { appid, off: ['device_id'] })).toBe(500001)
  expect(await code(who.owner, setCollectFields, { appid, off: ['signer', 'place', 'place'] })).toBe(0)
  expect(await read()).toMatchObject({ off: ['place', 'signer'], changed_at: expect.any(Number) })
  expect(await code(who.owner, setCollectFields, { appid, off: [] })).toBe(0)
  expect(await read()).toMatchObject({ off: [] })
})

test('[CONF-02] who has what: devices by version, and enrolled ones that never asked', async () => {
  const policy = await deploy(await make(who.owner, { name: 'Reach' }))
  const { db } = app.meta
  const application_id = Number(appid)
  const device = (n: number) => `${n}`.padStart(32, '0')
  const fetched = (n: number, version: number, at: number) => ({
    application_id,
    device: device(n),
    app_version: '1.0',
    policy_id: version ? policy.id : '',
    version,
    fetched_at: at,
  })
  await db
    .insertInto('policy_fetches')
    .values([fetched(1, 1, 100), fetched(2, 1, 300), fetched(3, 0, 200)])
    .execute()
  const key = {
    id: randomUUID(),
    application_id,
    kind: 'enrolment' as const,
    name: 'k',
    hint: '',
    hash: randomUUID(),
    text: null,
    scopes: [],
    created_at: 0,
    last_used_at: null,
    revoked_at: null,
  }
  await db.insertInto('ingest_keys').values(key).execute()
  const install = (n: number) => ({
    id: randomUUID(),
    ingest_key_id: key.id,
    application_id,
    device: device(n),
    created_at: 0,
    revoked_at: null,
  })
  await db
    .insertInto('installs')
    .values([install(1), install(7), install(7), install(8)])
    .execute()
  const reach = (await who.member.call(policyReach, { query: { appid } })).body['data']
  expect(reach).toEqual({
    versions: [
      { policy: policy.id, name: 'Reach', version: 1, devices: 2, last_seen: 300 },
      { policy: '', name: '', version: 0, devices: 1, last_seen: 200 },
    ],
    devices: 3,
    never: 2,
  })
})
