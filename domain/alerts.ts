import { z } from 'zod'
import { CHANNEL_NOTICES } from './notifications.ts'
import { DimensionSchema, type Filter, FilterSchema, MEASURES, type Measure, MeasureSchema } from './query.ts'
import { LEVELS } from './vocabulary.ts'

/**
 * Alert rules, alerts and the channels that carry them out of the house. A rule counts one measure of the query object over a window, by
 * arrival; docs/areas/alerts.md publishes when a window is judged and what becomes of late events.
 */

const MINUTE = 60_000

/** Lengths of windows, and how far apart their ends lie: every minute while short, every 5 or 10 minutes when long. */
export const ALERT_WINDOWS = {
  '1m': { ms: MINUTE, step: MINUTE, zh: '1 分钟', en: '1 minute' },
  '5m': { ms: 5 * MINUTE, step: MINUTE, zh: '5 分钟', en: '5 minutes' },
  '15m': { ms: 15 * MINUTE, step: MINUTE, zh: '15 分钟', en: '15 minutes' },
  '1h': { ms: 60 * MINUTE, step: 5 * MINUTE, zh: '1 小时', en: '1 hour' },
  '6h': { ms: 360 * MINUTE, step: 10 * MINUTE, zh: '6 小时', en: '6 hours' },
  '24h': { ms: 1440 * MINUTE, step: 10 * MINUTE, zh: '24 小时', en: '24 hours' },
} as const
export type AlertWindow = keyof typeof ALERT_WINDOWS

/** Figures of channel monitoring: counted for an application at the end of each of its runs, out of the metadata store. */
export const RUN_MEASURES = {
  pirated_new: { zh: '新发现的盗版', en: 'New pirated copies' },
  pirated_returned: { zh: '下架后重新上架的盗版', en: 'Pirated copies back on offer after removal' },
} as const
export type RunMeasure = keyof typeof RUN_MEASURES
/** What a rule may count: events, or what a run of channel monitoring found. */
export type AlertMeasure = Measure | RunMeasure
export const ALERT_MEASURES: Readonly<Record<AlertMeasure, { readonly zh: string; readonly en: string }>> = {
  ...MEASURES,
  ...RUN_MEASURES,
}
const AlertMeasureSchema = z.union([MeasureSchema, z.enum(Object.keys(RUN_MEASURES) as [RunMeasure, ...RunMeasure[]])])
export const isRunMeasure = (measure: AlertMeasure): measure is RunMeasure => Object.hasOwn(RUN_MEASURES, measure)
/** Whether these permission items allow reading such a figure: that of a run is a figure of channel monitoring. */
export const mayRead = (auth: readonly string[], measure: AlertMeasure): boolean =>
  !isRunMeasure(measure) || auth.includes('monitor.view')
/** The window of a rule about runs is one run, from its begin to its end. */
export const RULE_WINDOWS = { ...ALERT_WINDOWS, run: { zh: '一次监测', en: 'one monitoring run' } } as const
export type RuleWindow = keyof typeof RULE_WINDOWS

/** What a rule may be split by: one alert for each value. */
export const ALERT_SPLITS = [
  'app',
  'risk',
  'level',
  'platform',
  'country',
  'province',
  'city',
  'version',
  'site',
] as const

const Count = z.int().min(0).max(1_000_000_000)
export const ConditionSchema = z.discriminatedUnion('kind', [
  /** The count itself. */
  z.strictObject({ kind: z.literal('threshold'), op: z.enum(['at_least', 'below']), value: Count.min(1) }),
  /**
   * Against the usual level: the median of the same window on the past 7 days. 'rise': at least `minimum` and `factor` times the usual
   * level; 'drop': at most the usual level divided by `factor`, where that level reaches `minimum`.
   */
  z.strictObject({
    kind: z.literal('change'),
    direction: z.enum(['rise', 'drop']),
    factor: z.number().min(1.1).max(1000),
    minimum: Count.min(1),
  }),
])
export type Condition = z.infer<typeof ConditionSchema>

export const RuleInputSchema = z.strictObject({
  name: z.string().trim().min(1).max(64),
  /** One of a run goes with the window `run`, the split `app`, a threshold `at_least`, and no filter but applications. */
  measure: AlertMeasureSchema,
  filters: z.array(FilterSchema).max(10),
  by: z.enum(ALERT_SPLITS).nullable(),
  window: z.enum(Object.keys(RULE_WINDOWS) as [RuleWindow, ...RuleWindow[]]),
  condition: ConditionSchema,
  severity: z.enum(Object.keys(LEVELS) as [keyof typeof LEVELS, ...(keyof typeof LEVELS)[]]),
  /** After an alert ended, a new breach within so many minutes continues it instead of raising another. */
  cooldown_minutes: z.int().min(0).max(1440),
  enabled: z.boolean(),
  /** Ids of the channels that are notified. */
  channels: z.array(z.string().max(40)).max(10),
})
export type RuleInput = z.infer<typeof RuleInputSchema>

export const RuleSchema = RuleInputSchema.extend({
  id: z.string(),
  /** Applications that it counts; null: all of the platform. Fixed when the rule is saved, out of what its editor may see. */
  apps: z.array(z.string()).nullable(),
  version: z.number(),
  created_by: z.string(),
  updated_by: z.string(),
  updated_at: z.number(),
  /** Alerts of it that are not over. */
  firing: z.number(),
  /** Silences in force: `key` is a value of the split, null the whole rule. */
  silences: z.array(
    z.object({
      id: z.string(),
      key: z.string().nullable(),
      until: z.number(),
      note: z.string(),
      by: z.string(),
    }),
  ),
})
export type Rule = z.infer<typeof RuleSchema>

export const ALERT_STATES = ['firing', 'acknowledged', 'resolved'] as const
export type AlertState = (typeof ALERT_STATES)[number]

export const AlertSchema = z.object({
  id: z.string(),
  rule: z.object({ id: z.string(), name: z.string() }),
  severity: RuleInputSchema.shape.severity,
  /** `resolved` once a window no longer breaches, whether acknowledged or not. */
  state: z.enum(ALERT_STATES),
  measure: AlertMeasureSchema,
  /** Task of channel monitoring whose run raised it; null of those about events. */
  task: z.string().nullable(),
  by: DimensionSchema.nullable(),
  /** The value of the split; '' without a split. */
  key: z.string(),
  /** Everything that narrows what was counted: with arrival time and a span they give the rows behind each number. */
  filters: z.array(FilterSchema),
  window_ms: z.number(),
  condition: ConditionSchema,
  /** Of the newest window that breached: what it counted, the number that it was held against, the usual level where there is one. */
  value: z.number(),
  expected: z.number(),
  usual: z.number().nullable(),
  /** The highest window, and the exact count from `from` to `to`. */
  peak: z.number(),
  total: z.number(),
  /** Start of the first breaching window, end of the last. */
  from: z.number(),
  to: z.number(),
  raised_at: z.number(),
  resolved_at: z.number().nullable(),
  acknowledged: z.object({ at: z.number(), by: z.string(), note: z.string() }).nullable(),
  /** Raised while its rule or value was silenced: kept and counted, not delivered. */
  silenced: z.boolean(),
  /** Seen only with events that came late. */
  late: z.boolean(),
  version: z.number(),
})
export type Alert = z.infer<typeof AlertSchema>

/** What happened to an alert, oldest first. */
export const ALERT_STEPS = ['raised', 'resolved', 'again', 'acknowledged', 'silenced', 'sent', 'failed'] as const
export const AlertStepSchema = z.object({
  at: z.number(),
  step: z.enum(ALERT_STEPS),
  by: z.string(),
  note: z.string(),
})
export type AlertStep = z.infer<typeof AlertStepSchema>

/** One window that breached. */
export const AlertWindowSchema = z.object({ end: z.number(), value: z.number(), expected: z.number() })

export const ChannelInputSchema = z.strictObject({
  kind: z.enum(['webhook', 'mail']),
  name: z.string().trim().min(1).max(64),
  /** Address of the receiver; for mail, up to 20 addresses with commas between. */
  target: z.string().trim().min(1).max(2048),
  enabled: z.boolean(),
  /** Other users may put it into their rules; they see its target masked. */
  shared: z.boolean().default(false),
  /** Notifications of its owner that it sends too, by kind. */
  notices: z.array(z.enum(CHANNEL_NOTICES)).max(CHANNEL_NOTICES.length).default([]),
})
export const ChannelSchema = ChannelInputSchema.extend({
  id: z.string(),
  created_by: z.string(),
  created_at: z.number(),
  /** The caller is its owner: he alone sees the target in full, tests it and rotates its secret. */
  mine: z.boolean(),
  /** The caller may switch it off, delete it or give it another target (owner, administrators). */
  manageable: z.boolean(),
  /** The newest delivery; its answer is shown to the owner only. */
  last: z.object({ at: z.number(), state: z.enum(['waiting', 'sent', 'failed']), answer: z.string() }).nullable(),
})
export type Channel = z.infer<typeof ChannelSchema>

export const DeliverySchema = z.object({
  id: z.string(),
  /** Null: an alert of environment monitoring, whose metric and node `rule` names, or a notice, whose title it is. */
  alert: z.string().nullable(),
  rule: z.string(),
  /** Path of the page that shows what it is about. */
  path: z.string(),
  event: z.enum(['firing', 'resolved', 'notice']),
  state: z.enum(['waiting', 'sent', 'failed']),
  attempts: z.number(),
  next_at: z.number().nullable(),
  /** HTTP status, or null where none came. */
  status: z.number().nullable(),
  answer: z.string(),
  created_at: z.number(),
  done_at: z.number().nullable(),
})

/** The filters of a rule's alert: its own, the value of the split, and no imported history (decision 17). */
export function alertFilters(
  rule: Pick<RuleInput, 'filters' | 'by' | 'measure'> & { apps: string[] | null },
  key: string,
): Filter[] {
  if (isRunMeasure(rule.measure)) return [{ field: 'app', op: 'is', values: [key] }]
  const named = rule.filters.some(({ field, op }) => field === 'app' && op === 'is')
  return [
    ...(rule.apps && !named ? [{ field: 'app' as const, op: 'is' as const, values: rule.apps.slice(0, 50) }] : []),
    ...rule.filters,
    ...(rule.by ? [{ field: rule.by, op: 'is' as const, values: [key] }] : []),
    { field: 'origin', op: 'is', values: ['live'] },
  ]
}
