import { z } from 'zod'
import { EXPORT_FILE, JobSchema } from '../../jobs.ts'
import { endpoint } from '../endpoint.ts'
import { VerdictSchema } from './tasks.ts'

/** What became of the letters that ask markets to take pirated copies down: one request for each copy and market. */

/** The last two are set by runs alone. */
export const TAKEDOWN_STATES = {
  drafted: { zh: '已起草', en: 'Drafted' },
  sent: { zh: '已发送', en: 'Sent' },
  answered: { zh: '已答复', en: 'Answered' },
  refused: { zh: '已拒绝', en: 'Refused' },
  removed: { zh: '已下架', en: 'Removed' },
  returned: { zh: '重新上架', en: 'Back on offer' },
} as const
export type TakedownState = keyof typeof TAKEDOWN_STATES
const StateSchema = z.enum(Object.keys(TAKEDOWN_STATES) as [TakedownState, ...TakedownState[]])

/** What a person may say of a request, by its state: whatever a market said, it may be asked again while it offers the copy. */
export const TAKEDOWN_MOVES = {
  drafted: ['sent'],
  sent: ['sent', 'answered', 'refused'],
  answered: ['sent', 'answered', 'refused'],
  refused: ['sent', 'answered', 'refused'],
  removed: [],
  returned: ['sent'],
} as const satisfies Record<TakedownState, readonly TakedownState[]>
export const SAID_STATES = ['sent', 'answered', 'refused'] as const
export type SaidState = (typeof SAID_STATES)[number]

/** How a letter was sent. */
export const TAKEDOWN_WAYS = {
  mail: { zh: '电子邮件', en: 'E-mail' },
  form: { zh: '渠道的投诉页面', en: 'Complaint form of the channel' },
  post: { zh: '邮寄', en: 'Post' },
  other: { zh: '其他方式', en: 'Another way' },
} as const
export type TakedownWay = keyof typeof TAKEDOWN_WAYS
const WaySchema = z.enum(Object.keys(TAKEDOWN_WAYS) as [TakedownWay, ...TakedownWay[]])

const StepSchema = z.object({
  state: StateSchema,
  /** When it was so, as a person says, or when the run ended. */
  at: z.number(),
  /** Who said so; '' where a run did. */
  by: z.string(),
  /** The run that found it; null where a person said so. */
  run: z.number().nullable(),
  way: WaySchema.nullable(),
  note: z.string(),
})
export type TakedownStep = z.infer<typeof StepSchema>

const TakedownSchema = z.object({
  id: z.string(),
  copy: z.string(),
  label: z.string(),
  package: z.string(),
  version: z.string(),
  sha256: z.string(),
  verdict: VerdictSchema,
  market: z.string(),
  market_name: z.string(),
  state: StateSchema,
  created_at: z.number(),
  /** Oldest first, the newest 50. */
  steps: z.array(StepSchema),
})
export type Takedown = z.infer<typeof TakedownSchema>

const LIST = {
  /** The task. */
  id: z.uuid(),
  copy: z.uuid().optional(),
  state: StateSchema.or(z.literal('')).default(''),
}
const listSchema = z.object(LIST)
export type TakedownFilters = z.infer<typeof listSchema>

export const takedowns = endpoint({
  method: 'GET',
  path: '/api/monitor/takedowns/',
  summary:
    'Takedown requests of a task (or of one copy), the last changed first, with their steps and the number of each state',
  access: ['monitor.view'],
  query: z.object({
    ...LIST,
    offset: z.coerce.number().int().min(0).max(1_000_000).default(0),
    limit: z.coerce.number().int().min(1).max(200).default(20),
  }),
  response: z.object({
    data: z.array(TakedownSchema),
    total: z.number(),
    states: z.partialRecord(StateSchema, z.number()),
  }),
  errors: ['data.missing'],
})

export const moveTakedowns = endpoint({
  method: 'POST',
  path: '/api/monitor/takedowns/move/',
  summary:
    'Say that takedown requests were sent (when and how), answered or refused; all or none. That a copy was removed, or is back on offer, is found by runs alone',
  access: ['monitor.report'],
  body: z.object({
    ids: z.array(z.uuid()).min(1).max(200),
    state: z.enum(SAID_STATES),
    /** Not in the future. */
    at: z.number().int().min(0),
    /** Of what was sent. */
    way: WaySchema.nullable().default(null),
    note: z.string().trim().max(500).default(''),
  }),
  response: z.object({ moved: z.number() }),
  errors: ['data.missing', 'input.invalid', 'monitor.takedown_state', 'monitor.takedown_steps'],
})

export const exportTakedowns = endpoint({
  method: 'POST',
  path: '/api/monitor/takedowns/export/',
  summary: 'Export the takedown requests of a task with these filters, whole, in a job',
  access: ['monitor.report'],
  body: z.object({ list: listSchema, ...EXPORT_FILE }),
  response: z.object({ job: JobSchema }),
  errors: ['task.exists', 'data.missing'],
})
