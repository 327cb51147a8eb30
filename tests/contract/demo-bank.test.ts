import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApplication } from '#contracts/http/applications.ts'
import { fileManage } from '#contracts/http/assets.ts'
import { baselines, saveBaseline } from '#contracts/http/baselines.ts'
import { detectionTasks } from '#contracts/http/detection/tasks.ts'
import { reinforcePolicies } from '#contracts/http/reinforce-policies.ts'
import { signatureList } from '#contracts/http/reinforce-signatures.ts'
import { reinforceTasks } from '#contracts/http/reinforce-tasks.ts'
import { createAccessToken } from '#contracts/http/tokens.ts'
import { chosenOptions, REINFORCE_POLICY_FORMAT } from '#domain/reinforce-policy.ts'
import { templateOptions } from '#domain/reinforce-templates.ts'
import { writeKeyStore } from '#engines/keystore/write-key-store.ts'
import type { AndroidPackage } from '#engines/package/package.ts'
import { readPackage } from '#engines/package/read-package.ts'
import { verifyApk } from '#engines/signing/verify-apk.ts'
import { apiClient } from '#mocks/demo/api-client.ts'
import { BANK_VERSIONS, bankDexHash } from '#mocks/demo/bank/bank-build.ts'
import { bankPackage } from '#mocks/demo/bank/bank-package.ts'
import { bankKeyEntry, bankSigner } from '#mocks/demo/bank/bank-signer.ts'
import { KEEP_RULES, seedBank } from '#mocks/demo/seed-bank.ts'
import { seedBaselines } from '#mocks/demo/seed-baselines.ts'
import { uploadPackage } from '#mocks/demo/seed-packages.ts'
import { DEMO_APPS, dexOf, madeUpSigner } from '#mocks/device-fleet/demo-apps.ts'
import { type AssetBed, assetBed } from '#tests/support/asset-bed.ts'
import { good } from '#tests/support/detection-bed.ts'
import { hardenCommand } from '../../cli/harden.ts'

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
  expect(reinforced[0]!.icon).toMatch(/^\/api\/media\/[0-9a-f]{64}\.png$/)
  expect(reinforced[0]!.icon).toBe(files.find((one) => one.version === '9.4.0')!.icon)

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

test("the demo's policy makes a package of the bank's release that verifies with its key, encrypts its code and leaves no option unreported", async () => {
  const folder = mkdtempSync(join(tmpdir(), 'demo-bank-'))
  const [input, out, policy, key] = ['in.apk', 'out.apk', 'policy.json', 'key.p12'].map((name) =>
    join(folder, name),
  ) as [string, string, string, string]
  try {
    writeFileSync(input, bankPackage('9.4.0'))
    const options = templateOptions('financial_lending')
    const file = { format: REINFORCE_POLICY_FORMAT, version: 1, name: 'demo', options, keep_rules: KEEP_RULES }
    writeFileSync(policy, JSON.stringify(file))
    const passwords = { store: 'of-this-test', key: 'of-this-test' }
    writeFileSync(key, writeKeyStore('pkcs12', { entry: bankKeyEntry(), passwords, random: randomBytes, now: NOW }))
    let text = ''
    const args = [input, '--out', out, '--policy', policy, '--key', key, '--alias', 'release', '--format', 'json']
    const env = { APPWARDEN_KEY_PASSWORD: 'of-this-test' }
    await hardenCommand(args, env, Date.now, 'AppWarden test', (line) => {
      text += line
    })
    const { signed, options: done } = JSON.parse(text) as {
      signed: { sha256: string }
      options: { option: string; state: string }[]
    }
    expect(signed.sha256).toBe(bankSigner)
    expect(done.map(({ option }) => option).sort()).toEqual(chosenOptions(options).sort())
    const states = new Map(done.map(({ option, state }) => [option, state]))
    // 9.4.0 writes no log, and the report says so instead of counting nothing as done.
    expect(states.get('log_removal')).toBe('skipped')
    for (const option of ['dex_protection', 'shell_protection', 'signature_check', 'anti_debugging'])
      expect([option, states.get(option)]).toEqual([option, 'applied'])
    expect(verifyApk(readFileSync(out), { minSdk: 26 })).toMatchObject({ verified: true, errors: [] })
    // The screens are in the encrypted code alone.
    const { code } = readPackage(readFileSync(out), 'out.apk') as AndroidPackage
    expect(code.some(({ bytes }) => Buffer.from(bytes).includes('TransferActivity'))).toBe(false)
  } finally {
    rmSync(folder, { recursive: true })
  }
}, 120_000)
