import { NOTIFY_MS } from './wall-view.ts'

/** A beat that is nearer than this is the one that has just woken us: timers fire a little early. */
const NEAR_MS = 20

/**
 * Milliseconds until the next half second of a clock. What changes by itself on a wall (numbers, points, clock, age of the data) changes
 * on these beats of the server's clock: one drawing of the screen for all of it, not one for each.
 */
export function untilTick(at: number): number {
  const left = NOTIFY_MS - (at % NOTIFY_MS)
  return left < NEAR_MS ? left + NOTIFY_MS : left
}

/** Calls the listener on each beat with its moment, until the function that it answers is called. */
export function onTick(now: () => number, listener: (at: number) => void): () => void {
  let timer: ReturnType<typeof setTimeout>
  const wait = () => {
    timer = setTimeout(() => {
      wait()
      listener(Math.round(now() / NOTIFY_MS) * NOTIFY_MS)
    }, untilTick(now()))
  }
  wait()
  return () => clearTimeout(timer)
}
