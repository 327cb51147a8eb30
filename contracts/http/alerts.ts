import { z } from 'zod'
import {
  ALERT_STATES,
  AlertSchema,
  AlertStepSchema,
  AlertWindowSchema,
  ChannelInputSchema,
  ChannelSchema,
  DeliverySchema,
  RuleInputSchema,
  RuleSchema,
} from '#domain/alerts.ts'
import { endpoint } from './endpoint.ts'

/** Alerts, their rules, silences, and the channels that carry them on. */

/** What narrows the list of alerts. */
export const ALERT_LIST = {
  state: z.enum([...ALERT_STATES, 'open', 'unacknowledged']).optional(),
  severity: AlertSchema.shape.severity.optional(),
  rule: z.string().max(40).optional(),
}
export const alerts = endpoint({
  method: 'GET',
  path: '/api/alerts/',
  summary: 'Alerts, newest first: those whose applications the caller may all see',
  access: ['events.read'],
  tokens: { display: true },
  query: z.object({
    ...ALERT_LIST,
    cursor: z.string().max(80).optional(),
    limit: z.coerce.number().int().min(1).max(200).default(50),
  }),
  response: z.object({
    data: z.array(AlertSchema),
    total: z.number(),
    /** Not over, and of those not acknowledged; both without silenced ones. */
    firing: z.number(),
    unacknowledged: z.number(),
    next_cursor: z.string().nullable(),
  }),
})

export const alertDetail = endpoint({
  method: 'GET',
  path: '/api/alerts/detail/',
  summary: 'One alert with its steps and the windows that breached (the newest 500)',
  access: ['events.read'],
  tokens: { display: true },
  query: z.object({ id: z.string().max(40) }),
  response: z.object({
    data: AlertSchema,
    steps: z.array(AlertStepSchema),
    windows: z.array(AlertWindowSchema),
  }),
  errors: ['data.missing'],
})

export const acknowledgeAlert = endpoint({
  method: 'POST',
  path: '/api/alerts/acknowledge/',
  summary: 'Acknowledge an alert, with a note',
  access: ['alert.acknowledge'],
  body: z.object({ id: z.string().max(40), note: z.string().trim().max(500).default('') }),
  response: z.object({ data: AlertSchema }),
  errors: ['data.missing', 'data.conflict'],
})

export const alertRules = endpoint({
  method: 'GET',
  path: '/api/alerts/rules/',
  summary: 'Rules whose applications the caller may all see',
  access: ['events.read'],
  response: z.object({ data: z.array(RuleSchema) }),
})
export const saveAlertRule = endpoint({
  method: 'POST',
  path: '/api/alerts/rules/save/',
  summary: 'Create (no id) or change a rule; a changed rule judges windows that end from now on',
  access: ['alert.edit'],
  body: z.object({ id: z.string().max(40).optional(), version: z.int().optional(), rule: RuleInputSchema }),
  response: z.object({ data: RuleSchema }),
  errors: ['data.missing', 'data.conflict', 'input.invalid', 'quota.reached', 'permission.missing'],
})
export const deleteAlertRule = endpoint({
  method: 'POST',
  path: '/api/alerts/rules/delete/',
  summary: 'Delete a rule; its alerts stay',
  access: ['alert.edit'],
  body: z.object({ id: z.string().max(40) }),
  response: z.object({}),
  errors: ['data.missing'],
})
export const previewAlertRule = endpoint({
  method: 'POST',
  path: '/api/alerts/rules/preview/',
  summary: 'How often the rule would have fired in the last 7 days, from stored rows (imported history included)',
  access: ['alert.edit'],
  audit: false,
  body: z.object({ rule: RuleInputSchema }),
  response: z.object({
    data: z.object({
      /** `every`: all windows; `side_by_side`: only windows that do not overlap; `none`: this measure and window cannot be previewed. */
      method: z.enum(['every', 'side_by_side', 'none']),
      from: z.number(),
      to: z.number(),
      alerts: z.number(),
      windows: z.number(),
      judged: z.number(),
      newest: z.array(z.object({ end: z.number(), key: z.string(), value: z.number(), expected: z.number() })),
    }),
  }),
  errors: ['input.invalid', 'server.store_down', 'permission.missing'],
})
export const silenceAlertRule = endpoint({
  method: 'POST',
  path: '/api/alerts/silence/',
  summary:
    'Silence a rule, or one value of its split (an application, a province), until a time; no time ends the silence',
  access: ['alert.acknowledge'],
  body: z.object({
    rule: z.string().max(40),
    key: z.string().max(128).nullable().default(null),
    until: z.int().nullable(),
    note: z.string().trim().max(200).default(''),
  }),
  response: z.object({ data: RuleSchema }),
  errors: ['data.missing', 'input.invalid'],
})

export const alertChannels = endpoint({
  method: 'GET',
  path: '/api/alerts/channels/',
  summary:
    'Own and shared channels (administrators: all); targets of others are masked; `mail` says whether a mail server is configured',
  access: ['alert.edit'],
  response: z.object({ data: z.array(ChannelSchema), mail: z.boolean() }),
})
export const saveAlertChannel = endpoint({
  method: 'POST',
  path: '/api/alerts/channels/save/',
  summary:
    'Create (no id) or change a channel of your own; an administrator who gives one of another user a new target becomes its owner; a new webhook answers its signing secret, once',
  access: ['alert.edit'],
  body: z.object({
    id: z.string().max(40).optional(),
    channel: ChannelInputSchema,
    /** Makes a new signing secret. */
    rotate: z.boolean().default(false),
  }),
  response: z.object({ data: ChannelSchema, secret: z.string().nullable() }),
  errors: ['data.missing', 'input.invalid', 'quota.reached', 'permission.missing'],
})
export const deleteAlertChannel = endpoint({
  method: 'POST',
  path: '/api/alerts/channels/delete/',
  summary: 'Delete a channel; deliveries that wait for it are not sent',
  access: ['alert.edit'],
  body: z.object({ id: z.string().max(40) }),
  response: z.object({}),
  errors: ['data.missing', 'permission.missing'],
})
export const testAlertChannel = endpoint({
  method: 'POST',
  path: '/api/alerts/channels/test/',
  summary:
    'Send a test message through a channel of your own; a private target that does not take it always gives the same answer after the same time',
  access: ['alert.edit'],
  body: z.object({ id: z.string().max(40) }),
  response: z.object({
    data: z.object({ sent: z.boolean(), status: z.number().nullable(), answer: z.string(), milliseconds: z.number() }),
  }),
  errors: ['data.missing', 'permission.missing'],
})
export const redeliverAlert = endpoint({
  method: 'POST',
  path: '/api/alerts/channels/redeliver/',
  summary: 'Send a delivery of a channel of your own once more, with the same delivery id; it must have ended',
  access: ['alert.edit'],
  body: z.object({ id: z.string().max(40) }),
  response: z.object({}),
  errors: ['data.missing', 'data.conflict', 'permission.missing'],
})
export const alertDeliveries = endpoint({
  method: 'GET',
  path: '/api/alerts/channels/deliveries/',
  summary: 'Deliveries of a channel, newest first',
  access: ['alert.edit'],
  query: z.object({ channel: z.string().max(40), limit: z.coerce.number().int().min(1).max(200).default(50) }),
  response: z.object({ data: z.array(DeliverySchema) }),
  errors: ['data.missing', 'permission.missing'],
})
