import type { Filter } from './query.ts'
import { type Level, RISK_TYPES, type RiskType } from './vocabulary.ts'

/**
 * The published score of a device: rules over its stored events of the last 30 days, by occurrence. Each rule gives points for the first
 * thing it counts and for each further one, up to its cap; the score is the sum, at most 100. Every rule only adds, so more evidence never
 * lowers a score. Nothing else enters it: no weights, no model, no verdict.
 */
export const SCORE_VERSION = 1
export const SCORE_WINDOW_DAYS = 30
export const SCORE_MAX = 100

/** What an analyst decided about a device. Never part of the score. */
export const DEVICE_VERDICTS = {
  trusted: { zh: '信任', en: 'Trusted' },
  watched: { zh: '观察', en: 'Watched' },
  banned: { zh: '封禁', en: 'Banned' },
} as const
export type DeviceVerdict = keyof typeof DEVICE_VERDICTS

/** Adds `points` for the first, `more` for each further one, `cap` at most. */
type Points = { points: number; more: number; cap: number }
export type ScoreRule = Points & {
  id: string
  zh: string
  en: string
  level: Level
  /** What is counted: attacks of a risk type, returns that contradict a baseline or name a pirated certificate, or users beyond the second. */
  counts: { of: 'risk'; risk: RiskType } | { of: 'contradictions' } | { of: 'users' }
}

// biome-ignore format: one line a risk
const RISK_POINTS: Record<RiskType, readonly [points: number, more: number, cap: number]> = {
  injection: [35, 3, 45],
  memory_tampering: [35, 3, 45],
  hook: [30, 3, 45],
  repackaging: [30, 3, 45],
  integrity: [14, 1, 20],
  debugger: [8, 1, 14],
  mitm: [8, 1, 14],
  overlay: [6, 1, 12],
  root: [12, 1, 16],
  automation: [6, 1, 12],
  emulator: [8, 1, 14],
  cloud_phone: [8, 1, 14],
  speed_change: [6, 1, 12],
  accessibility: [3, 1, 6],
  mock_location: [4, 1, 8],
  multi_open: [3, 1, 5],
  proxy_vpn: [1, 1, 3],
  screen_capture: [0, 0, 0],
  custom: [0, 0, 0],
}

/** Users of one device that are nothing unusual: a family's tablet. */
export const USUAL_USERS = 2

/** Every rule, the heaviest first. Ids are stable: cases and audit entries name them. */
export const SCORE_RULES: readonly ScoreRule[] = [
  ...(Object.keys(RISK_POINTS) as RiskType[]).map((risk): ScoreRule => {
    const { code, zh, en, level } = RISK_TYPES[risk]
    const [points, more, cap] = RISK_POINTS[risk]
    return { id: `RT-${100 + code}`, zh, en, level, counts: { of: 'risk', risk }, points, more, cap }
  }),
  {
    id: 'BL-201',
    zh: '与版本基线矛盾或带盗版证书的回传',
    en: 'Returns that contradict the baseline or name a pirated certificate',
    level: 'high',
    counts: { of: 'contradictions' },
    points: 25,
    more: 3,
    cap: 35,
  },
  {
    id: 'US-202',
    zh: '同一设备两个以上用户',
    en: 'More than two users on one device',
    level: 'medium',
    counts: { of: 'users' },
    points: 6,
    more: 2,
    cap: 16,
  },
]

/** Points of a rule for `count` things counted. Never falls as the count grows. */
export function pointsOf({ points, more, cap }: Points, count: number): number {
  return count > 0 ? Math.min(cap, points + more * (count - 1)) : 0
}

/** Counts by rule id to the score. */
export function scoreOf(counts: Readonly<Record<string, number>>): number {
  const sum = SCORE_RULES.reduce((all, rule) => all + pointsOf(rule, counts[rule.id] ?? 0), 0)
  return Math.min(SCORE_MAX, sum)
}

/** The events that a rule counts of a device: filters for the query object. Contradictions open on the page of abnormal returns. */
export function filtersOf({ counts }: ScoreRule, device: string): Filter[] {
  const own: Filter = { field: 'device', op: 'is', values: [device] }
  if (counts.of === 'risk')
    return [own, { field: 'type', op: 'is', values: ['risk'] }, { field: 'risk', op: 'is', values: [counts.risk] }]
  if (counts.of === 'users') return [own, { field: 'user', op: 'not', values: [''] }]
  return [own]
}
