import { randomBytes } from 'node:crypto'
import { type AppFile, fileManage, pushFile } from '#contracts/http/assets.ts'
import { type Baseline, baselines, saveBaseline } from '#contracts/http/baselines.ts'
import {
  createReinforcePolicy,
  type ReinforcePolicy,
  type ReinforcePolicySummary,
  reinforcePolicies,
  saveReinforcePolicy,
} from '#contracts/http/reinforce-policies.ts'
import {
  createSignature,
  type KeyUpload,
  type SignatureFile,
  signatureList,
  uploadKey,
} from '#contracts/http/reinforce-signatures.ts'
import { createReinforceTasks, reinforceTasks } from '#contracts/http/reinforce-tasks.ts'
import { writeKeyStore } from '#engines/keystore/write-key-store.ts'
import { officialChannels } from '../device-fleet/demo-apps.ts'
import type { Api } from './api-client.ts'
import { BANK_RELEASE, BANK_VERSIONS } from './bank/bank-build.ts'
import { bankPackage } from './bank/bank-package.ts'
import { bankKeyEntry } from './bank/bank-signer.ts'
import type { DemoLanguage } from './demo-language.ts'
import { detectFiles, uploadPackage } from './seed-packages.ts'

const TYPE = 'financial_lending'
const KEY_NAME = { zh: '掌上银行 发布签名', en: 'Pocket Bank release key' }
const POLICY_NAME = { zh: '掌上银行 加固策略', en: 'Pocket Bank reinforcement' }
/** Detection knows the app's own check by its texts, and would miss it in a result that hides them. */
export const KEEP_RULES = '-keep class cn.example.pocketbank.DeviceCheck\n'
/** As of the key itself: of the demo alone, and no secret. */
const PASSWORD = 'pocket-bank-demo'

const nameOf = (version: string): string => `pocketbank-${version}.apk`

/**
 * Uploads both versions of the bank's own package and has them detected, makes the newer one the baseline of its version, and reinforces it
 * with a policy that signs with the bank's key. Each step looks for what an earlier start made, so that the next start goes on where one was
 * ended. Says what it did, '' where all was there.
 */
export async function seedBank(api: Api, appid: string, language: DemoLanguage): Promise<string> {
  const done: string[] = []
  for (const version of BANK_VERSIONS) {
    const upload = { name: nameOf(version), content: [bankPackage(version)] }
    const file = await uploadPackage(api, upload, { appid, type: TYPE })
    if (!file) continue
    await detectFiles(api, [file])
    done.push(`version ${version} of the bank uploaded, its detection is queued`)
  }
  const query = new URLSearchParams({ search: nameOf(BANK_RELEASE), appid })
  const [release] = (await api.get(`${fileManage.path}?${query}`))['data'] as AppFile[]
  if (release) {
    await makeBaseline(api, release, appid)
    if (await reinforce(api, release, appid, language)) done.push('its reinforcement is queued')
  }
  return done.join(', ')
}

/** Pushed to the platform unless its version has a baseline; the channels, which no package names, are added as an analyst would. */
async function makeBaseline(api: Api, { id, version }: AppFile, appid: string): Promise<void> {
  const found = async () =>
    ((await api.get(`${baselines.path}?appid=${appid}`))['data'] as Baseline[]).find((one) => one.version === version)
  if (await found()) return
  await api.post(pushFile.path, { id, pushed: true })
  const pushed = await found()
  if (!pushed) throw new Error(`${version} has no baseline`)
  const { rev, package_name, signers, hashes } = pushed
  const channels = officialChannels('android')
  await api.post(saveBaseline.path, { id: pushed.id, rev, appid, version, package_name, signers, hashes, channels })
}

/** False where the application has a reinforcement task already. */
async function reinforce(api: Api, { id }: AppFile, appid: string, language: DemoLanguage): Promise<boolean> {
  if ((await api.get(`${reinforceTasks.path}?appid=${appid}&limit=1`))['total']) return false
  const policy = await policyOf(api, appid, language)
  await api.post(createReinforceTasks.path, { files: [Number(id)], policy })
  return true
}

async function policyOf(api: Api, appid: string, language: DemoLanguage): Promise<string> {
  const known = (await api.get(`${reinforcePolicies.path}?appid=${appid}`))['data'] as ReinforcePolicySummary[]
  const same = known.find((one) => one.name === POLICY_NAME[language])
  if (same) return same.id
  const signature_id = await signatureOf(api, appid, language)
  const name = POLICY_NAME[language]
  const made = (await api.post(createReinforcePolicy.path, { name, template: TYPE, appid }))['data'] as ReinforcePolicy
  const { id, rev, general, options, schemes } = made
  await api.post(saveReinforcePolicy.path, {
    id,
    rev,
    name,
    general,
    appid,
    options,
    keep_rules: KEEP_RULES,
    signature_id,
    schemes,
  })
  return id
}

async function signatureOf(api: Api, appid: string, language: DemoLanguage): Promise<string> {
  const known = (await api.get(`${signatureList.path}?appid=${appid}`))['data'] as SignatureFile[]
  const same = known.find((one) => one.name === KEY_NAME[language])
  if (same) return same.id
  const store = writeKeyStore('pkcs12', {
    entry: bankKeyEntry(),
    passwords: { store: PASSWORD, key: PASSWORD },
    random: randomBytes,
    now: Date.now(),
  })
  const sent = await api.upload(uploadKey.path, { name: 'pocketbank-release.p12', content: [store] })
  const made = await api.post(createSignature.path, {
    upload: (sent['file_object'] as KeyUpload).id,
    name: KEY_NAME[language],
    appid,
    alias: 'release',
    store_password: PASSWORD,
    key_password: PASSWORD,
  })
  return (made['data'] as SignatureFile).id
}
