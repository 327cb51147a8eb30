import {
  createPolicy,
  deployPolicy,
  type Policy,
  policyList,
  savePolicy,
  setProtectType,
} from '#contracts/http/policies.ts'
import type { Api } from './api-client.ts'
import type { DemoLanguage } from './demo-language.ts'

const POLICY_NAME = { zh: '生产环境策略', en: 'Production policy' }

/** The first application protects: one version reached everybody, the next one is on its way to every second device. */
export async function seedPolicies(api: Api, appid: string, language: DemoLanguage): Promise<void> {
  const existing = (await api.get(`${policyList.path}?appid=${appid}`))['data'] as unknown[]
  if (existing.length > 0) return
  const policyOf = (answer: Record<string, unknown>) => answer['data'] as Policy
  await api.post(setProtectType.path, { appid, protect_type: '1' })
  const made = policyOf(await api.post(createPolicy.path, { appid, name: POLICY_NAME[language], start: 'recommended' }))
  const first = policyOf(await api.post(deployPolicy.path, { id: made.id, rev: made.rev, percent: 100 }))
  const rules = {
    ...first.draft,
    risks: {
      root: {
        action: 'block',
        text: { zh: '设备已被 Root，为保护账户安全无法继续', en: 'This device is rooted; the app cannot go on' },
      },
      emulator: { action: 'exit' },
      cloud_phone: { action: 'block' },
      mitm: {
        action: 'warn',
        text: { zh: '当前网络可能被监听，请更换网络', en: 'This network may be watched, please change it' },
      },
      screen_capture: { action: 'none' },
    },
  }
  const next = policyOf(await api.post(savePolicy.path, { id: first.id, rev: first.rev, rules }))
  await api.post(deployPolicy.path, { id: next.id, rev: next.rev, percent: 50 })
}
