import { type Condition, isRunMeasure, type Rule, type RuleInput } from '#domain/alerts.ts'
import type { Dimension, Filter } from '#domain/query.ts'

/** What the form holds: numbers as they are typed, the common filters by themselves. */
export type RuleForm = {
  name: string
  measure: RuleInput['measure']
  app: string
  risk: string
  level: string
  province: string
  by: RuleInput['by']
  window: RuleInput['window']
  kind: 'at_least' | 'below' | 'rise' | 'drop'
  threshold: string
  factor: string
  minimum: string
  severity: RuleInput['severity']
  cooldown: string
  enabled: boolean
  channels: readonly string[]
  /** What was entered for the source, events or runs, that the rule is not about. */
  other: { measure: RuleInput['measure']; threshold: string }
  /** Filters that the form has no field for: kept as they are. */
  others: Filter[]
}

const FIELDS = ['app', 'risk', 'level', 'province'] as const satisfies readonly Dimension[]

export const NEW_RULE: RuleForm = {
  name: '',
  measure: 'attacks',
  app: '',
  risk: '',
  level: '',
  province: '',
  by: null,
  window: '5m',
  kind: 'at_least',
  threshold: '100',
  factor: '3',
  minimum: '20',
  severity: 'high',
  cooldown: '10',
  enabled: true,
  channels: [],
  // Pirated copies are few, events are many.
  other: { measure: 'pirated_new', threshold: '1' },
  others: [],
}

/** A rule about events becomes one about runs, or the other way round; what was entered for either stays. */
export function withSource(form: RuleForm, ofRuns: boolean): RuleForm {
  if (isRunMeasure(form.measure) === ofRuns) return form
  const { measure, threshold, other } = form
  return { ...form, ...other, other: { measure, threshold } }
}

/** What of the form counts: a rule about runs has one window, split and kind of threshold, and no filter but the application. */
export function countedForm(form: RuleForm): RuleForm {
  if (!isRunMeasure(form.measure)) return form
  return { ...form, risk: '', level: '', province: '', others: [], by: 'app', window: 'run', kind: 'at_least' }
}

export function formOf(rule: RuleInput): RuleForm {
  const single = (field: Dimension) =>
    rule.filters.find((one) => one.field === field && one.op === 'is' && one.values.length === 1)
  const known = FIELDS.map(single)
  const { condition } = rule
  return {
    ...NEW_RULE,
    name: rule.name,
    measure: rule.measure,
    app: known[0]?.values[0] ?? '',
    risk: known[1]?.values[0] ?? '',
    level: known[2]?.values[0] ?? '',
    province: known[3]?.values[0] ?? '',
    others: rule.filters.filter((one) => !known.includes(one)),
    // Window and split of a rule about runs are no entries.
    ...(isRunMeasure(rule.measure)
      ? { other: { measure: NEW_RULE.measure, threshold: NEW_RULE.threshold } }
      : { by: rule.by, window: rule.window }),
    severity: rule.severity,
    cooldown: String(rule.cooldown_minutes),
    enabled: rule.enabled,
    channels: rule.channels,
    ...(condition.kind === 'threshold'
      ? { kind: condition.op, threshold: String(condition.value) }
      : { kind: condition.direction, factor: String(condition.factor), minimum: String(condition.minimum) }),
  }
}

/** The saved rule without what the server adds. */
export function inputOf(rule: Rule): RuleInput {
  const { name, measure, filters, by, window, condition, severity, cooldown_minutes, enabled, channels } = rule
  return { name, measure, filters, by, window, condition, severity, cooldown_minutes, enabled, channels }
}

export type FormError = 'name' | 'threshold' | 'factor' | 'minimum' | 'cooldown' | 'by'
export const RULE_LIMITS = {
  threshold: [1, 1_000_000_000],
  factor: [1.1, 1000],
  minimum: [1, 1_000_000_000],
  cooldown: [0, 1440],
} as const

/** What is wrong with the form, field by field. */
export function formErrors(entered: RuleForm): ReadonlySet<FormError> {
  const form = countedForm(entered)
  const errors = new Set<FormError>()
  if (form.name.trim() === '') errors.add('name')
  const fields: (keyof typeof RULE_LIMITS)[] =
    form.kind === 'at_least' || form.kind === 'below' ? ['threshold', 'cooldown'] : ['factor', 'minimum', 'cooldown']
  for (const field of fields) {
    const value = Number(form[field])
    const [min, max] = RULE_LIMITS[field]
    const whole = field === 'factor' || Number.isInteger(value)
    if (form[field].trim() === '' || !whole || !(value >= min && value <= max)) errors.add(field)
  }
  if (form.kind === 'below' && form.by) errors.add('by')
  return errors
}

export function ruleOf(entered: RuleForm): RuleInput {
  const form = countedForm(entered)
  const filters: Filter[] = FIELDS.flatMap((field) =>
    form[field] === '' ? [] : [{ field, op: 'is' as const, values: [form[field]] }],
  )
  const condition: Condition =
    form.kind === 'at_least' || form.kind === 'below'
      ? { kind: 'threshold', op: form.kind, value: Number(form.threshold) }
      : { kind: 'change', direction: form.kind, factor: Number(form.factor), minimum: Number(form.minimum) }
  return {
    name: form.name.trim(),
    measure: form.measure,
    filters: [...filters, ...form.others],
    by: form.by,
    window: form.window,
    condition,
    severity: form.severity,
    cooldown_minutes: Number(form.cooldown),
    enabled: form.enabled,
    channels: [...form.channels],
  }
}
