import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ALERT_SPLITS, ALERT_WINDOWS, type AlertWindow, type RuleInput, RuleInputSchema } from '#domain/alerts.ts'
import { formErrors, formOf, NEW_RULE, ruleOf, withSource } from './rule-form.ts'

const filter = fc.record({
  field: fc.constantFrom('app' as const, 'risk' as const, 'level' as const, 'province' as const, 'version' as const),
  op: fc.constantFrom('is' as const, 'not' as const),
  values: fc.array(fc.constantFrom('1', 'hook', 'critical', '440000', '5.8.2'), { minLength: 1, maxLength: 3 }),
})
const condition = fc.oneof(
  fc.record({
    kind: fc.constant('threshold' as const),
    op: fc.constantFrom('at_least' as const, 'below' as const),
    value: fc.integer({ min: 1, max: 1e9 }),
  }),
  fc.record({
    kind: fc.constant('change' as const),
    direction: fc.constantFrom('rise' as const, 'drop' as const),
    factor: fc.integer({ min: 11, max: 9999 }).map((n) => n / 10),
    minimum: fc.integer({ min: 1, max: 1e9 }),
  }),
)
const rule: fc.Arbitrary<RuleInput> = fc.record({
  name: fc.constantFrom('a', '规则'),
  measure: fc.constantFrom('attacks' as const, 'crashes' as const, 'users' as const),
  filters: fc.array(filter, { maxLength: 5 }),
  by: fc.constantFrom(null, ...ALERT_SPLITS),
  window: fc.constantFrom(...(Object.keys(ALERT_WINDOWS) as AlertWindow[])),
  condition,
  severity: fc.constantFrom('critical' as const, 'low' as const),
  cooldown_minutes: fc.integer({ min: 0, max: 1440 }),
  enabled: fc.boolean(),
  channels: fc.array(fc.uuid(), { maxLength: 3 }),
})

test('a rule goes through the form and comes back the same, whatever the form has no field for', () => {
  fc.assert(
    fc.property(rule, (one) => {
      const back = ruleOf(formOf(one))
      const sorted = (filters: RuleInput['filters']) => filters.map((f) => JSON.stringify(f)).sort()
      expect({ ...back, filters: sorted(back.filters) }).toEqual({ ...one, filters: sorted(one.filters) })
      const bad = one.by !== null && one.condition.kind === 'threshold' && one.condition.op === 'below'
      expect([...formErrors(formOf(one))]).toEqual(bad ? ['by'] : [])
    }),
  )
})

test('whatever is typed, a form without errors is a rule that the server takes', () => {
  const typed = fc.oneof(fc.string({ maxLength: 12 }), fc.integer().map(String), fc.double().map(String))
  fc.assert(
    fc.property(
      typed,
      typed,
      typed,
      typed,
      fc.constantFrom('at_least' as const, 'below' as const, 'rise' as const, 'drop' as const),
      fc.string({ maxLength: 70 }),
      (threshold, factor, minimum, cooldown, kind, name) => {
        const form = { ...NEW_RULE, threshold, factor, minimum, cooldown, kind, name: name.slice(0, 64) }
        if (formErrors(form).size === 0) expect(RuleInputSchema.safeParse(ruleOf(form)).error).toBeUndefined()
      },
    ),
  )
})

test('[MON-01] a look at the rules about monitoring runs costs none of the entries for events, and none of them gets into a rule about runs', () => {
  fc.assert(
    fc.property(rule, (one) => {
      const form = formOf(one)
      const ofRuns = withSource(form, true)
      expect(withSource(ofRuns, false)).toEqual(form)
      const input = ruleOf(ofRuns)
      expect(input).toMatchObject({ measure: 'pirated_new', window: 'run', by: 'app', condition: { op: 'at_least' } })
      expect(input.filters.every(({ field, op }) => field === 'app' && op === 'is')).toBe(true)
      if (formErrors(ofRuns).size === 0) expect(RuleInputSchema.safeParse(input).error).toBeUndefined()
      // Read again it is the same rule, and as one about events it has the window and split of a new one.
      expect(ruleOf(formOf(input))).toEqual(input)
      expect(ruleOf(withSource(formOf(input), false))).toMatchObject({ window: NEW_RULE.window, by: null })
    }),
  )
  expect(withSource(NEW_RULE, true).threshold).toBe('1')
  const typed = { ...withSource(NEW_RULE, true), measure: 'pirated_returned' as const, threshold: '7' }
  expect(withSource(withSource(typed, false), true)).toEqual(typed)
})
