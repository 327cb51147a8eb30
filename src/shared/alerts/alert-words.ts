import {
  ALERT_MEASURES,
  ALERT_WINDOWS,
  type Alert,
  type AlertMeasure,
  type AlertWindow,
  type Condition,
  isRunMeasure,
  RULE_WINDOWS,
  type RuleWindow,
} from '#domain/alerts.ts'
import { DIMENSIONS, type Dimension, type Filter, type Query } from '#domain/query.ts'
import { absoluteRange, type Span } from '#domain/time-range.ts'
import { formatExact } from '../format/number.ts'
import { defineTexts, type Language, translate } from '../i18n/texts.ts'
import type { NameOf } from '../query/value-names.ts'

/** How rules and alerts read, in lists, on the wall and on the home page. */
const texts = defineTexts('alert-words', {
  at_least: { zh: '{{window}}内{{measure}} ≥ {{value}}', en: '{{measure}} ≥ {{value}} in {{window}}' },
  below: { zh: '{{window}}内{{measure}} < {{value}}', en: '{{measure}} < {{value}} in {{window}}' },
  rise: {
    zh: '{{window}}内{{measure}} ≥ 平时 {{factor}} 倍，且 ≥ {{minimum}}',
    en: '{{measure}} in {{window}} ≥ {{factor}} times the usual level and ≥ {{minimum}}',
  },
  drop: {
    zh: '{{window}}内{{measure}} ≤ 平时的 1/{{factor}}（平时 ≥ {{minimum}}）',
    en: '{{measure}} in {{window}} ≤ 1/{{factor}} of the usual level (≥ {{minimum}})',
  },
  together: { zh: '{{count}} 个{{what}}同时触发', en: '{{count}} {{what}} at once' },
  last: { zh: '近 {{window}}', en: 'last {{window}}' },
  lastRun: { zh: '最近一次监测', en: 'last monitoring run' },
  threshold: { zh: '阈值 {{value}}', en: 'threshold {{value}}' },
  usual: { zh: '平时 {{usual}}，阈值 {{value}}', en: 'usually {{usual}}, threshold {{value}}' },
})

export const windowName = (window: RuleWindow, language: Language): string => RULE_WINDOWS[window][language]

/** The window of an alert: a run of monitoring, else by its length. */
export function windowOfAlert({ window_ms, measure }: Pick<Alert, 'window_ms' | 'measure'>): RuleWindow {
  if (isRunMeasure(measure)) return 'run'
  const names = Object.keys(ALERT_WINDOWS) as AlertWindow[]
  return names.find((name) => ALERT_WINDOWS[name].ms === window_ms) ?? '1m'
}

/** '1 分钟 ≥ 100 攻击次数'. */
export function conditionText(
  condition: Condition,
  measure: AlertMeasure,
  window: RuleWindow,
  language: Language,
): string {
  const parts = { window: windowName(window, language), measure: ALERT_MEASURES[measure][language] }
  if (condition.kind === 'threshold')
    return translate(texts, condition.op, { ...parts, value: formatExact(condition.value) })
  return translate(texts, condition.direction, {
    ...parts,
    factor: formatExact(condition.factor),
    minimum: formatExact(condition.minimum),
  })
}

/** 'Hook 框架按省，广东' is the rule's name and the value that it found; without a split the rule's name alone. */
export function alertTitle(alert: Pick<Alert, 'rule' | 'by' | 'key'>, nameOf: NameOf): { what: string; value: string } {
  return { what: alert.rule.name, value: alert.by ? nameOf(alert.by, alert.key) : '' }
}

/** English plurals of what rules are split by; Chinese has none. */
const PLURALS: Partial<Record<Dimension, string>> = {
  app: 'applications',
  risk: 'risk types',
  level: 'levels',
  platform: 'platforms',
  country: 'countries',
  province: 'provinces',
  city: 'cities',
  version: 'versions',
  site: 'sites',
}

/** '4 个应用同时触发': alerts of one rule that were raised together. */
export function togetherText(by: Dimension, count: number, language: Language): string {
  const what = language === 'en' ? (PLURALS[by] ?? DIMENSIONS[by].en) : DIMENSIONS[by].zh
  return translate(texts, 'together', { count, what })
}

/** What the newest window is held against. */
export function againstText(alert: Pick<Alert, 'expected' | 'usual'>): string {
  const value = formatExact(Math.round(alert.expected * 10) / 10)
  return alert.usual === null
    ? translate(texts, 'threshold', { value })
    : translate(texts, 'usual', { value, usual: formatExact(alert.usual) })
}

export function lastWindowText(alert: Pick<Alert, 'window_ms' | 'measure'>, language: Language): string {
  if (isRunMeasure(alert.measure)) return translate(texts, 'lastRun')
  return translate(texts, 'last', { window: windowName(windowOfAlert(alert), language) })
}

const TYPE_FILTER: Partial<Record<AlertMeasure, Filter[]>> = {
  attacks: [{ field: 'type', op: 'is', values: ['risk'] }],
  blocked: [
    { field: 'type', op: 'is', values: ['risk'] },
    { field: 'outcome', op: 'is', values: ['blocked'] },
  ],
  observed: [
    { field: 'type', op: 'is', values: ['risk'] },
    { field: 'outcome', op: 'is', values: ['observed'] },
  ],
  attackedDevices: [{ field: 'type', op: 'is', values: ['risk'] }],
  attackedUsers: [{ field: 'type', op: 'is', values: ['risk'] }],
  starts: [{ field: 'type', op: 'is', values: ['start'] }],
  crashes: [{ field: 'type', op: 'is', values: ['crash'] }],
  anrs: [{ field: 'type', op: 'is', values: ['anr'] }],
  exceptions: [{ field: 'type', op: 'is', values: ['exception'] }],
}

/** The page of the copies behind an alert of a monitoring run; undefined of an alert about events, whose rows are `rowsOfAlert`. */
export function copiesOfAlert({ measure, task }: Pick<Alert, 'measure' | 'task'>): string | undefined {
  if (!isRunMeasure(measure) || task === null) return undefined
  const list = measure === 'pirated_new' ? 'verdict=pirated' : 'list=takedowns&state=returned'
  return `/monitor/tasks/${task}/?${list}`
}

/** The rows behind an alert's number: arrival time, its filters, the types that its measure counts. */
export function rowsOfAlert(alert: Pick<Alert, 'filters' | 'measure' | 'from' | 'to'>, span: Span = alert): Query {
  const filters = [...alert.filters, ...(TYPE_FILTER[alert.measure] ?? [])]
  return { range: absoluteRange(span), timeBasis: 'received', compare: 'none', filters: filters.slice(0, 20) }
}
