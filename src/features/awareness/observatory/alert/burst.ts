import { cubicBezier, type Easing } from '../map/easing.ts'

/**
 * The choreography of an alert, once, from the moment the wall shows it: begin and end of each part in ms. Nothing repeats and nothing
 * blinks; afterwards only the stream keeps moving.
 */
export const BURST = {
  veil: [0, 300],
  edge: [120, 420],
  merge: [250, 700],
  number: [400, 1200],
  label: [500, 800],
  perimeter: [800, 1200],
} as const
export const BURST_MS = 1200
export const CAMERA_MS = 1000
export const RETURN_MS = 900
/** One head of the stream from source to site, and how many heads there are. */
export const PASS_MS = 1200
const [FEWEST_HEADS, MOST_HEADS] = [8, 12]

export const cameraEase = cubicBezier(0.25, 0.1, 0.25, 1)
const move = cubicBezier(0.2, 0, 0, 1)
const linear: Easing = (t) => t

export type BurstPart = keyof typeof BURST

/** How far a part has come `since` ms after the start, 0 to 1. */
export function burstAt(part: BurstPart, since: number): number {
  const [from, to] = BURST[part]
  const t = Math.max(0, Math.min(1, (since - from) / (to - from)))
  return (part === 'number' ? linear : move)(t)
}

/** The number counts up from what the alert was held against to what was counted: never beyond it. */
export function countedAt(since: number, expected: number, value: number): number {
  const begin = Math.min(expected, value)
  return Math.round(begin + (value - begin) * burstAt('number', since))
}

/** Heads under way at once: more for a faster stream. */
export const headsFor = (perSecond: number): number =>
  Math.round(Math.max(FEWEST_HEADS, Math.min(MOST_HEADS, FEWEST_HEADS + perSecond / 3)))

/** A scar stays ten minutes: the share of them that is left, 0 when it is over. */
export const SCAR_MS = 600_000
export const scarLeft = (raisedAt: number, now: number): number =>
  Math.max(0, Math.min(1, 1 - (now - raisedAt) / SCAR_MS))
