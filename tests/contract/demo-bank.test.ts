import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApplication } from '#contracts/http/applications.ts'
import { fileManage } from '#contracts/http/assets.ts'
import { baselines, saveBaseline } from '#contracts/http/baselines.ts'
import { detectionTasks } from '#contracts/http/detection/tasks.ts'
import { reinforcePolicies } from '#contracts/http/reinforce-policies.ts'
import { signatureList } from '#contracts/http/reinforce-signatures.ts'
import { reinforceTasks } from '#contracts/http/reinforce-tasks.ts'
import { createAccessToken } from '#contracts/http/tokens.ts'
import { apiClient } from '#mocks/demo/api-client.ts'
import { BANK_VERSIONS, bankDexHash } from '#mocks/demo/bank/bank-build.ts'
import { bankPackage } from '#mocks/demo/bank/bank-package.ts'
import { bankSigner } from '#mocks/demo/bank/bank-signer.ts'
import { seedBank } from '#mocks/demo/seed-bank.ts'
import { seedBaselines } from '#mocks/demo/seed-baselines.ts'
import { uploadPackage } from '#mocks/demo/seed-packages.ts'
import { DEMO_APPS, dexOf, madeUpSigner } from '#mocks/device-fleet/demo-apps.ts'
import { type AssetBed, assetBed } from '#tests/support/asset-bed.ts'
import { good } from '#tests/support/detection-bed.ts'

const BANK = DEMO_APPS[0]!
const NOW = Date.UTC(2026, 10, 27)
const SCOPES = [
  'asset.read',
  'asset.upload',
  'asset.detect',
  'asset.detect_sdk',
  'asset.detect_privacy',
  'asset.harden',
]

let bed: AssetBed
let api: ReturnType<typeof apiClient>

beforeAll(async () => {
  bed = await assetBed()
  const scopes = [...SCOPES, 'events.read', 'investigation.edit']
  const { token } = await good(bed.owner, createAccessToken, { body: { name: 'demo', scopes, days: 1 } })
  api = apiClient(bed.app.url, token)
}, 120_000)
afterAll(async () => {
  await bed?.app.close()
})

async function application(name: string): Promise<string> {
  return (await good(bed.owner, createApplication, { body: { name, mimetype_list: [1] } })).object_list[0]!.id
}

test('the bank is uploaded, detected at low priority, its release is the baseline and is reinforced with its own key; a second start adds nothing', async () => {
  const appid = await application('掌上银行')
  await seedBaselines(api, appid, BANK, NOW)
  expect(await seedBank(api, appid, 'zh')).toMatch(/9\.3\.1 .*, version 9\.4\.0 .*, its reinforcement is queued$/)

  const { data: files } = await good(bed.owner, fileManage, { query: { appid } })
  expect(files.map((one) => [one.file_name, one.version, one.signature, one.pushed, one.type]).sort()).toEqual([
    ['pocketbank-9.3.1.apk', '9.3.1', 'verified', false, 'financial_lending'],
    ['pocketbank-9.4.0.apk', '9.4.0', 'verified', true, 'financial_lending'],
  ])
  const { data: known } = await good(bed.owner, baselines, { query: { appid } })
  const facts = (version: string) => known.find((one) => one.version === version)
  expect(facts('9.4.0')).toMatchObject({
    signers: [bankSigner],
    hashes: { 'classes.dex': bankDexHash('9.4.0') },
    channels: facts('9.3.1')!.channels,
  })
  expect(facts('9.3.1')).toMatchObject({ signers: [bankSigner], hashes: { 'classes.dex': bankDexHash('9.3.1') } })
  const { data: tasks } = await good(bed.owner, detectionTasks, { query: { appid } })
  expect(tasks.map((one) => [one.priority, one.kinds.length])).toEqual([
    ['low', 6],
    ['low', 6],
  ])

  const { data: policies } = await good(bed.owner, reinforcePolicies, { query: { appid } })
  expect(policies.map((one) => [one.name, one.industry, one.signature])).toEqual([
    ['掌上银行 加固策略', 'financial_lending', '掌上银行 发布签名'],
  ])
  const { data: signatures } = await good(bed.owner, signatureList, { query: { appid } })
  expect(signatures.map((one) => one.certificates[0]!.sha256)).toEqual([bankSigner])
  const { data: reinforced } = await good(bed.owner, reinforceTasks, { query: { appid } })
  expect(reinforced.map((one) => [one.version, one.state, one.policy])).toEqual([
    ['9.4.0', 'waiting', '掌上银行 加固策略'],
  ])

  expect(await seedBank(api, appid, 'zh')).toBe('')
  expect((await good(bed.owner, reinforceTasks, { query: { appid } })).total).toBe(1)
  expect((await good(bed.owner, reinforcePolicies, { query: { appid } })).data).toHaveLength(1)
  expect((await good(bed.owner, signatureList, { query: { appid } })).data).toHaveLength(1)
})

test('a start that was ended after its uploads is gone on with by the next one: baseline and reinforcement follow', async () => {
  const appid = await application('Ended')
  for (const version of BANK_VERSIONS)
    await uploadPackage(api, { name: `pocketbank-${version}.apk`, content: [bankPackage(version)] }, { appid })
  expect(await seedBank(api, appid, 'zh')).toBe('its reinforcement is queued')
  const { data: known } = await good(bed.owner, baselines, { query: { appid } })
  expect(known.map(({ version, signers }) => [version, signers])).toEqual([['9.4.0', [bankSigner]]])
  expect((await good(bed.owner, reinforceTasks, { query: { appid } })).total).toBe(1)
})

test('a data folder of an earlier version: its baselines take the real signer beside the one that they have, and those that people wrote stay', async () => {
  const appid = await application('Earlier')
  const former = madeUpSigner(BANK)
  const add = (version: string, signer: string) =>
    good(bed.owner, saveBaseline, {
      body: { appid, version, signers: [signer], hashes: { 'classes.dex': '0'.repeat(64) }, note: 'kept' },
    })
  for (const version of ['9.4.0', '9.2.2']) await add(version, former)
  await add('9.3.1', 'ab'.repeat(32))
  await seedBaselines(api, appid, BANK, NOW)
  const { data } = await good(bed.owner, baselines, { query: { appid } })
  const facts = (version: string) => data.find((one) => one.version === version)
  expect(facts('9.4.0')).toMatchObject({ signers: [bankSigner, former], hashes: {}, note: 'kept' })
  expect(facts('9.3.1')).toMatchObject({ signers: ['ab'.repeat(32)], rev: 1 })
  expect(facts('9.1.3')).toMatchObject({ hashes: { 'classes.dex': dexOf(BANK, '9.1.3') } })
})
