import { areSiblings } from '#domain/alert-groups.ts'
import type { Alert } from '#domain/alerts.ts'
import { LEVELS } from '#domain/vocabulary.ts'

/** How long the wall stays with an alert before it returns. */
export const SHOWN_MS = 30_000
/** Alerts that wait for their turn; older ones stand in the list of alerts. */
const QUEUE = 5
const SEEN = 200
/** An alert is announced while it is younger than this; an older one waits quietly in the head of the wall. */
export const FRESH_MS = 120_000

/** Whose turn it is on the wall: one alert at a time, each raised alert once. Pure, so that tests can drive it. */
export type AlertQueue = {
  current: Alert | null
  /** When the wall returns to normal; null while the alert is pinned. */
  until: number | null
  waiting: readonly Alert[]
  /** Raised together with the current one, for other values of its split. */
  siblings: readonly Alert[]
  seen: readonly string[]
}
export const EMPTY_QUEUE: AlertQueue = { current: null, until: null, waiting: [], siblings: [], seen: [] }

/** Critical and high alerts get a banner; critical ones move the camera too. */
const announced = (alert: Alert): boolean =>
  !alert.silenced && alert.state === 'firing' && (alert.severity === 'critical' || alert.severity === 'high')

/** Whether an alert is shown in the turn of another one. */
const joins = (shown: Alert, alert: Alert): boolean =>
  areSiblings(shown, alert) && LEVELS[alert.severity].code <= LEVELS[shown.severity].code

export function receiveAlert(turn: AlertQueue, alert: Alert, now: number): AlertQueue {
  if (turn.current?.id === alert.id) {
    // Somebody took it on: the wall goes back to everyone's business.
    if (alert.state === 'acknowledged') return showNext({ ...turn, current: alert }, now)
    return { ...turn, current: alert }
  }
  const waiting = turn.waiting.map((one) => (one.id === alert.id ? alert : one))
  // A rise to a higher level is news again.
  const entry = `${alert.id} ${LEVELS[alert.severity].code}`
  const before = turn.seen.filter((one) => one.startsWith(`${alert.id} `))
  const risen = before.length > 0 && !before.some((one) => Number(one.split(' ')[1]) >= LEVELS[alert.severity].code)
  const fresh = now - alert.raised_at < FRESH_MS
  if (!announced(alert) || (before.length > 0 ? !risen : !fresh)) return { ...turn, waiting }
  const seen = [...turn.seen.slice(-(SEEN - 1)), entry]
  if (turn.current === null) return { current: alert, until: now + SHOWN_MS, waiting, siblings: [], seen }
  // They tell one thing, and take one turn; a more severe one gets its own.
  if (joins(turn.current, alert)) {
    const others = turn.siblings.filter(({ id }) => id !== alert.id)
    return { ...turn, waiting, siblings: [...others, alert].slice(-SEEN), seen }
  }
  return { ...turn, waiting: [...waiting, alert].slice(-QUEUE), seen }
}

/** The next one that still fires, or none. */
export function showNext(turn: AlertQueue, now: number): AlertQueue {
  const waiting = turn.waiting.filter(announced)
  const [first, ...rest] = waiting
  if (!first) return { ...EMPTY_QUEUE, seen: turn.seen }
  return {
    current: first,
    until: now + SHOWN_MS,
    waiting: rest.filter((one) => !joins(first, one)),
    siblings: rest.filter((one) => joins(first, one)),
    seen: turn.seen,
  }
}

export function tick(turn: AlertQueue, now: number): AlertQueue {
  return turn.current && turn.until !== null && now >= turn.until ? showNext(turn, now) : turn
}

/** Pins the alert, or unpins it and continues the countdown. */
export function toggleStay(turn: AlertQueue, now: number): AlertQueue {
  if (!turn.current) return turn
  return { ...turn, until: turn.until === null ? now + SHOWN_MS : null }
}
