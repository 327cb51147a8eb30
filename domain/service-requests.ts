/** Requests to the service side: kinds, urgencies with their time limits, states, and which move leads where. */

export const SERVICE_KINDS = {
  question: { zh: '使用咨询', en: 'Question' },
  fault: { zh: '故障', en: 'Fault' },
  detection: { zh: '检测结果疑问', en: 'Detection result' },
  incident: { zh: '安全事件', en: 'Security incident' },
  release: { zh: '发布支持', en: 'Release support' },
  assessment: { zh: '人工测试与评估', en: 'Manual assessment' },
  licence: { zh: '授权', en: 'Licence' },
  other: { zh: '其他', en: 'Other' },
} as const
export type ServiceKind = keyof typeof SERVICE_KINDS
export const SERVICE_KIND_NAMES = Object.keys(SERVICE_KINDS) as ServiceKind[]

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** `reply`: until the first answer; `solve`: until the solution, the time in which the requester is asked not counted. */
export const SERVICE_URGENCIES = {
  urgent: { zh: '紧急', en: 'Urgent', reply: 30 * MINUTE_MS, solve: 4 * HOUR_MS },
  high: { zh: '高', en: 'High', reply: 2 * HOUR_MS, solve: DAY_MS },
  normal: { zh: '一般', en: 'Normal', reply: 8 * HOUR_MS, solve: 3 * DAY_MS },
  planned: { zh: '计划', en: 'Planned', reply: DAY_MS, solve: 10 * DAY_MS },
} as const
export type ServiceUrgency = keyof typeof SERVICE_URGENCIES
export const SERVICE_URGENCY_NAMES = Object.keys(SERVICE_URGENCIES) as ServiceUrgency[]

export const SERVICE_STATES = {
  submitted: { zh: '已提交', en: 'Submitted' },
  accepted: { zh: '已受理', en: 'Accepted' },
  progress: { zh: '处理中', en: 'In progress' },
  waiting: { zh: '待提问方补充', en: 'Waiting for the requester' },
  solved: { zh: '已解决，待确认', en: 'Solved, to be confirmed' },
  closed: { zh: '已关闭', en: 'Closed' },
} as const
export type ServiceState = keyof typeof SERVICE_STATES
export const SERVICE_STATE_NAMES = Object.keys(SERVICE_STATES) as ServiceState[]

/** Who acts: the account that asked (messages: also its colleagues), or the service side. */
export const SERVICE_SIDES = {
  requester: { zh: '提问方', en: 'Requester' },
  service: { zh: '服务方', en: 'Service' },
} as const
export type ServiceSide = keyof typeof SERVICE_SIDES

type MoveRule = {
  from: readonly ServiceState[]
  to: ServiceState
  by: readonly ServiceSide[]
  /** It takes a message: what is asked, how it was solved, why. */
  words: boolean
}
export const SERVICE_MOVES = {
  accept: { from: ['submitted'], to: 'accepted', by: ['service'], words: false },
  start: { from: ['accepted', 'waiting'], to: 'progress', by: ['service'], words: false },
  ask: { from: ['accepted', 'progress'], to: 'waiting', by: ['service'], words: true },
  /** Made by any message of the requester's side while it is waited for. */
  answer: { from: ['waiting'], to: 'progress', by: ['requester'], words: true },
  solve: { from: ['accepted', 'progress', 'waiting'], to: 'solved', by: ['service'], words: true },
  confirm: { from: ['solved'], to: 'closed', by: ['requester'], words: false },
  return: { from: ['solved'], to: 'progress', by: ['requester'], words: true },
  withdraw: { from: ['submitted', 'accepted', 'progress', 'waiting'], to: 'closed', by: ['requester'], words: false },
  close: { from: ['solved'], to: 'closed', by: ['service'], words: true },
  reopen: { from: ['closed'], to: 'submitted', by: ['requester', 'service'], words: true },
} as const satisfies Record<string, MoveRule>
export type ServiceMove = keyof typeof SERVICE_MOVES
export const SERVICE_MOVE_NAMES = Object.keys(SERVICE_MOVES) as ServiceMove[]

/** A closed request is reopened within so many days; later, a new one is made. */
export const REOPEN_DAYS = 30

/** The state that a move leads to, or undefined where this side may not make it now. */
export function stateAfter(
  move: ServiceMove,
  at: { state: ServiceState; closed_at: number | null },
  side: ServiceSide,
  now: number,
): ServiceState | undefined {
  const rule: MoveRule = SERVICE_MOVES[move]
  if (!rule.from.includes(at.state) || !rule.by.includes(side)) return undefined
  if (move === 'reopen' && now > (at.closed_at ?? 0) + REOPEN_DAYS * DAY_MS) return undefined
  return rule.to
}

/** When a request that was made at `at` has to be answered and solved. */
export function limitsFrom(urgency: ServiceUrgency, at: number): { reply_due: number; solve_due: number } {
  const { reply, solve } = SERVICE_URGENCIES[urgency]
  return { reply_due: at + reply, solve_due: at + solve }
}

export type ServiceTimes = {
  state: ServiceState
  reply_due: number
  solve_due: number
  first_reply_at: number | null
  solved_at: number | null
  waiting_since: number | null
}
/** kept, missed: it is over. running, late: it is not. paused: the requester is asked. ended: closed without what the limit is about. */
export type LimitState = 'kept' | 'missed' | 'running' | 'late' | 'paused' | 'ended'

/** The states of both limits. A request that waits for its requester has the solution limit of the moment at which it was asked. */
export function limitStates(times: ServiceTimes, now: number): { reply: LimitState; solve: LimitState } {
  const isClosed = times.state === 'closed'
  const judge = (due: number, done: number | null): LimitState => {
    if (done !== null) return done <= due ? 'kept' : 'missed'
    if (isClosed) return 'ended'
    return now <= due ? 'running' : 'late'
  }
  const reply = judge(times.reply_due, times.first_reply_at)
  const { solve_due, solved_at, waiting_since } = times
  if (solved_at === null && !isClosed && waiting_since !== null)
    return { reply, solve: waiting_since <= solve_due ? 'paused' : 'late' }
  return { reply, solve: judge(solve_due, solved_at) }
}
