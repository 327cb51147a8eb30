import fc from 'fast-check'
import { expect, test } from 'vitest'
import { RISK_KEYS } from '#contracts/telemetry/policy.ts'
import { POLICY_STARTS, type PolicyRules } from '#domain/policy-rules.ts'
import { ACTIONS, type Action } from '#domain/vocabulary.ts'
import {
  type AppPolicies,
  chooseDeployment,
  type PolicyDeployment,
  policyDocument,
  rolloutPercentile,
} from './policy-cache.ts'

const rules: PolicyRules = { levels: POLICY_STARTS.recommended, risks: {} }
function deployment(change: Partial<PolicyDeployment> = {}): PolicyDeployment {
  return { id: 'd', policy: 'p', version: 1, rules, appVersions: [], percent: 100, createdAt: 5, ...change }
}
const app = (change: Partial<AppPolicies> = {}): AppPolicies => ({
  deployments: [],
  protects: true,
  collectOff: [],
  changedAt: 0,
  verdicts: new Map(),
  ...change,
})

test('[CONF-02] roll-out percentiles are evenly distributed from 0 to 100, stable per device and different between applications', () => {
  const percentiles = Array.from({ length: 20_000 }, (_, n) => rolloutPercentile(1, `device ${n}`))
  for (const percent of [1, 10, 50]) {
    const share = percentiles.filter((one) => one < percent).length / percentiles.length
    expect(Math.abs(share - percent / 100)).toBeLessThan(0.012)
  }
  expect(rolloutPercentile(1, 'device 7')).toBe(percentiles[7])
  expect(rolloutPercentile(2, 'device 7')).not.toBe(percentiles[7])
})

test('[CONF-02] a device inside a share stays inside when the share grows', () => {
  fc.assert(
    fc.property(fc.string(), fc.integer({ min: 1, max: 100 }), fc.integer({ min: 1, max: 100 }), (device, a, b) => {
      const percentile = rolloutPercentile(3, device)
      const [small, large] = [Math.min(a, b), Math.max(a, b)]
      const inside = (percent: number) => chooseDeployment([deployment({ percent })], percentile, '') !== undefined
      return !inside(small) || inside(large)
    }),
  )
})

test('[CONF-02] the newest matching deployment applies; devices outside its share get the previous one', () => {
  const list = [deployment({ id: 'new', percent: 10, appVersions: ['2'] }), deployment({ id: 'old' })]
  expect(chooseDeployment(list, 5, '2')?.id).toBe('new')
  expect(chooseDeployment(list, 50, '2')?.id).toBe('old')
  expect(chooseDeployment(list, 5, '1')?.id).toBe('old')
  expect(chooseDeployment([], 5, '1')).toBeUndefined()
})

test('[CONF-02] a document states the action of each risk as the rules do; its date is the latest of its sources', () => {
  const action = fc.constantFrom(...(Object.keys(ACTIONS) as Action[]))
  fc.assert(
    fc.property(fc.constantFrom(...RISK_KEYS), action, fc.boolean(), (risk, wanted, protects) => {
      const own = deployment({ rules: { ...rules, risks: { [risk]: { action: wanted } } } })
      const document = policyDocument(4, {
        deployment: own,
        verdict: { verdict: 'none', at: 0 },
        app: app({ protects }),
      })
      expect(document.rules[risk]?.action).toBe(protects || wanted === 'none' ? wanted : 'report')
      expect(Object.keys(document.rules)).toEqual(RISK_KEYS)
    }),
  )
  const deviceVerdict = { verdict: 'watched', at: 9 } as const
  expect(
    policyDocument(4, { deployment: deployment(), verdict: deviceVerdict, app: app({ changedAt: 7 }) }).issued_at,
  ).toBe(9)
})
