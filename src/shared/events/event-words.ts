import type { EventRow } from '#domain/query.ts'
import {
  ACTIONS,
  type Action,
  BLOCKED_FROM,
  EVENT_TYPES,
  type EventType,
  LEVELS,
  type Level,
  RISK_TYPES,
  type RiskType,
} from '#domain/vocabulary.ts'

type Words = { readonly zh: string; readonly en: string }

/** What happened, in the fewest words: the risk of an attack, else the type. */
export function eventTitle(row: Pick<EventRow, 'type' | 'risk'>, language: 'zh' | 'en'): string {
  const words: Words | undefined =
    row.type === 'risk' ? RISK_TYPES[row.risk as RiskType] : EVENT_TYPES[row.type as EventType]
  return words?.[language] ?? (row.risk || row.type)
}

export function eventLevel(row: Pick<EventRow, 'level'>): Level | null {
  return row.level in LEVELS ? (row.level as Level) : null
}

export function actionText(row: Pick<EventRow, 'action'>, language: 'zh' | 'en'): string {
  const words: Words | undefined = ACTIONS[row.action as Action]
  return words?.[language] ?? row.action
}

export function isBlocked(row: Pick<EventRow, 'action'>): boolean {
  return (ACTIONS[row.action as Action]?.code ?? 0) >= BLOCKED_FROM
}

/** The address parameter that opens an event: `<appid>:<id>`. */
export function eventParam(row: Pick<EventRow, 'app' | 'id'>): string {
  return `${row.app}:${row.id}`
}

/** Reads it back; null for anything else. */
export function readEventParam(text: string | null): { appid: string; id: string } | null {
  const match = /^(\d{1,9}):([\w.:-]{1,64})$/.exec(text ?? '')
  return match ? { appid: match[1] as string, id: match[2] as string } : null
}

/** How much later it arrived: '+0.4 s', '+3 min', '+2 h', '+5 d'. */
export function delayText(ms: number): string {
  const seconds = ms / 1000
  const sign = ms < 0 ? '−' : '+'
  const size = Math.abs(seconds)
  if (size < 90) return `${sign}${size < 10 ? size.toFixed(1) : Math.round(size)} s`
  if (size < 5400) return `${sign}${Math.round(size / 60)} min`
  return size < 172_800 ? `${sign}${Math.round(size / 3600)} h` : `${sign}${Math.round(size / 86_400)} d`
}
