import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApplication } from '#contracts/http/applications.ts'
import type { Endpoint } from '#contracts/http/endpoint.ts'
import {
  changeDeployment,
  createPolicy,
  deployPolicy,
  type Policy,
  policyDetail,
  rollOutGuard,
  savePolicy,
} from '#contracts/http/policies.ts'
import type { StoredEvent } from '#contracts/telemetry/stored-event.ts'
import { POLICY_STARTS } from '#domain/policy-rules.ts'
import type { GuardReading } from '#domain/roll-out-guard.ts'
import { ACTIONS, EVENT_TYPES } from '#domain/vocabulary.ts'
import { stopBadRollOuts } from '#server/modules/policies/stop-roll-out.ts'
import { type DuckStore, openDuckStore } from '#storage/events/serve/open-duck-store.ts'
import { CHANNELS } from '#storage/postgres/schema.ts'
import { ConsoleClient } from '#tests/support/console-client.ts'
import { CODE, type HttpApp, PASSWORD, startHttpApp } from '#tests/support/http-app.ts'
import { hashKey, madeEvent } from '#tests/support/made-events.ts'

const folder = mkdtempSync(join(tmpdir(), 'appwarden-guard-'))
const [NEXT, OTHERS] = [
  Array.from({ length: 25 }, (_, n) => hashKey(n)),
  Array.from({ length: 60 }, (_, n) => hashKey(100 + n)),
]
let app: HttpApp
let store: DuckStore
let appid = ''
const who = {} as Record<'owner' | 'other', ConsoleClient>
const changes: string[] = []

beforeAll(async () => {
  app = await startHttpApp()
  store = await openDuckStore({ folder })
  app.deps.store = store
  await app.meta.listen(CHANNELS.changed, (payload) => changes.push((payload as { what: string }).what))
  for (const name of ['owner', 'other'] as const) {
    await app.addUser(`${name}@example.com`, 'operator')
    who[name] = new ConsoleClient(app.url)
    await who[name].signIn(`${name}@example.com`, PASSWORD, CODE)
  }
  const made = await who.owner.call(createApplication, { body: { name: 'Wallet', mimetype_list: [1] } })
  appid = (made.body['object_list'] as { id: string }[])[0]?.id ?? ''
})
afterAll(async () => {
  await app?.close()
  await store?.close()
  rmSync(folder, { recursive: true, force: true })
})

async function post(endpoint: Endpoint, body: object): Promise<Policy> {
  const reply = await who.owner.call(endpoint, { body })
  expect(reply.body).toMatchObject({ code: 0 })
  return reply.body['data'] as Policy
}
const run = () =>
  stopBadRollOuts({
    meta: app.meta,
    store,
    zone: () => 'Asia/Shanghai',
    now: app.deps.now,
    audit: app.deps.audit,
  })
const read = async (policy: Policy) =>
  (await who.owner.call(policyDetail, { query: { id: policy.id } })).body['data'] as Policy
const measure = async (id: string, client = who.owner) =>
  (await client.call(rollOutGuard, { query: { id } })).body as unknown as { code: number; data: GuardReading }

/** A policy with its first version for everybody and the second for a tenth, fetched by their devices. */
async function rollOut(more: object = {}): Promise<Policy> {
  const policy = await post(createPolicy, { appid, name: 'Production' })
  await post(deployPolicy, { id: policy.id, rev: policy.rev, percent: 100 })
  const rules = { levels: { ...POLICY_STARTS.recommended }, risks: {} }
  const saved = await post(savePolicy, { id: policy.id, rev: policy.rev, rules })
  const live = await post(deployPolicy, { id: policy.id, rev: saved.rev, percent: 10, ...more })
  await app.meta.db.deleteFrom('policy_fetches').execute()
  const policyRow = (version: number) => (device: string) => ({
    application_id: Number(appid),
    device,
    app_version: '5.8.2',
    policy_id: policy.id,
    version,
    fetched_at: app.deps.now(),
  })
  await app.meta.db
    .insertInto('policy_fetches')
    .values([...NEXT.map(policyRow(2)), ...OTHERS.map(policyRow(1))])
    .execute()
  return live
}

/** What the devices send now: so many starts each, and failures and blocked attacks of so many. */
async function send(devices: readonly string[], { starts = 10, crashes = 0, blocked = 0 }): Promise<void> {
  const at = app.deps.now()
  const plain = { app: Number(appid), version: '5.8.2', receivedAt: at, risk: 0, level: 0, action: 0 }
  const of = (type: keyof typeof EVENT_TYPES, device: string): StoredEvent =>
    madeEvent({ ...plain, type: EVENT_TYPES[type].code, device })
  await store.load([
    ...devices.flatMap((device) => Array.from({ length: starts }, () => of('start', device))),
    ...devices.slice(0, crashes).map((device) => of('crash', device)),
    ...devices
      .slice(0, blocked)
      .map((device) =>
        madeEvent({ app: Number(appid), version: '5.8.2', receivedAt: at, action: ACTIONS.block.code, device }),
      ),
  ])
  await sleep(5)
}

test('[CONF-02] a roll-out whose devices fail more stops by itself: shown, audited, published, resumed by people', async () => {
  const policy = await rollOut()
  const [live] = policy.deployments
  await sleep(5)
  await send(OTHERS, { crashes: 1 })
  await send(NEXT.slice(0, 10), { crashes: 8 })
  expect((await measure(live!.id)).data).toMatchObject({ verdict: 'few', next: { devices: 10, failures: 8 } })
  expect(await run()).toEqual([])
  await send(NEXT.slice(10), { crashes: 4 })
  changes.length = 0
  expect(await run()).toEqual([live!.id])
  expect(await run()).toEqual([])

  const [stopped] = (await read(policy)).deployments
  expect(stopped).toMatchObject({ state: 'paused', percent: 10, guarded: true })
  expect(stopped?.changes.at(-1)).toMatchObject({
    what: 'stopped',
    by: '',
    reading: {
      verdict: 'stop',
      reasons: ['failures'],
      next: { devices: 25, starts: 250, failures: 12 },
      others: { devices: 60, starts: 600, failures: 1 },
    },
  })
  await expect.poll(() => changes).toContain('policies')
  const audit = await app.meta.db.selectFrom('audit_log').selectAll().where('action', '=', 'policies.guard').execute()
  expect(audit).toEqual([expect.objectContaining({ account: 'system', target: 'Production' })])
  expect(audit[0]?.detail).toContain('v2 stopped at 10 %')

  // Resumed: the comparison starts again.
  await post(changeDeployment, { id: live!.id, change: 'resume' })
  expect((await read(policy)).deployments[0]).toMatchObject({ state: 'running' })
  await sleep(5)
  expect((await measure(live!.id)).data).toMatchObject({ verdict: 'few', next: { devices: 0 } })
  expect(await run()).toEqual([])
})

test('[CONF-02] devices that the new version blocks stop it too; a deployment without a guard, and one that every device has, both continue', async () => {
  const policy = await rollOut({ guarded: false })
  const [live] = policy.deployments
  await sleep(5)
  await send(OTHERS, { blocked: 1 })
  await send(NEXT, { blocked: 12 })
  expect((await measure(live!.id)).data).toMatchObject({ verdict: 'stop', reasons: ['stopped'] })
  expect(await run()).toEqual([])
  await post(changeDeployment, { id: live!.id, change: 'guard' })
  expect(await run()).toEqual([live!.id])
  await post(changeDeployment, { id: live!.id, change: 'resume' })
  await post(changeDeployment, { id: live!.id, change: 'grow', percent: 100 })
  await sleep(5)
  await send(OTHERS, {})
  await send(NEXT, { crashes: 20, blocked: 20 })
  expect((await measure(live!.id)).data.verdict).toBe('alone')
  expect(await run()).toEqual([])
  expect((await measure(live!.id, who.other)).code).toBe(500002)
})
