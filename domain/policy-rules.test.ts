import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  actionOfRisk,
  canonicalRules,
  changedRules,
  POLICY_STARTS,
  type PolicyRules,
  PolicyRulesSchema,
  sameRules,
} from './policy-rules.ts'
import { ACTIONS, type Action, RISK_TYPES, type RiskType } from './vocabulary.ts'

const action = fc.constantFrom(...(Object.keys(ACTIONS) as Action[]))
const words = fc.record({ zh: fc.constantFrom('', '设备异常'), en: fc.constantFrom('', 'Unsafe device') })
const arbitrary: fc.Arbitrary<PolicyRules> = fc.record({
  levels: fc.record({ critical: action, high: action, medium: action, low: action, info: action }),
  risks: fc.dictionary(
    fc.constantFrom(...(Object.keys(RISK_TYPES) as RiskType[])),
    fc.record({ action, text: words }, { requiredKeys: [] }),
  ) as fc.Arbitrary<PolicyRules['risks']>,
})

test('[CONF-01] rules in one form say the same, and saying the same is having the same form', () => {
  fc.assert(
    fc.property(arbitrary, arbitrary, (a, b) => {
      const form = canonicalRules(a)
      expect(PolicyRulesSchema.parse(form)).toEqual(form)
      expect(changedRules(a, form)).toEqual([])
      expect(canonicalRules(form)).toEqual(form)
      expect(sameRules(a, b)).toBe(JSON.stringify(canonicalRules(a)) === JSON.stringify(canonicalRules(b)))
      for (const { risk, from, to, words } of changedRules(a, b)) {
        expect([from, to]).toEqual([actionOfRisk(a, risk), actionOfRisk(b, risk)])
        expect(from !== to || words).toBe(true)
      }
    }),
  )
})

test('[CONF-01] unknown risks, actions, levels and control characters are no rules', () => {
  const good: PolicyRules = { levels: { ...POLICY_STARTS.observe }, risks: {} }
  expect(PolicyRulesSchema.safeParse(good).success).toBe(true)
  for (const bad of [
    { ...good, risks: { unknown: { action: 'block' } } },
    { ...good, risks: { hook: { action: 'explode' } } },
    { ...good, risks: { hook: { text: { zh: 'a\u0000b', en: '' } } } },
    { ...good, risks: { hook: { text: { zh: 'a'.repeat(201), en: '' } } } },
    { levels: { critical: 'block' }, risks: {} },
    { ...good, more: 1 },
    null,
    [],
  ])
    expect(PolicyRulesSchema.safeParse(bad).success, JSON.stringify(bad)).toBe(false)
})
