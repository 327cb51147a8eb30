import { activityAt } from './activity-curve.ts'
import type { FleetEvent } from './fleet-event.ts'
import { COARSE_SHARE, type Density } from './history-plan.ts'
import { makeRng } from './random.ts'
import type { World } from './world.ts'

const STEP_MS = 5000
/** How long after it happened a phone reported it first, ms: sets the reported_at of history, the same on every run. */
const REPORTED_AFTER = 900

/**
 * The world's past between two moments, a few seconds at a time and in order. The same seed, slice, rate and density give the same
 * events with the same ids, so that a slice that is sent again changes nothing. The coarse part of a slice and its rest are as many events as
 * the whole one, and no event is in both.
 */
export function* history(
  world: World,
  seed: number,
  from: number,
  to: number,
  averageRate: number,
  density: Density = 'whole',
): Generator<FleetEvent[]> {
  const rng = makeRng(seed, density === 'whole' ? 'history' : density, from)
  const rate = averageRate * (density === 'whole' ? 1 : density === 'coarse' ? COARSE_SHARE : 1 - COARSE_SHARE)
  let carry = rng.next()
  let swing = 1
  for (let at = from; at < to; at += STEP_MS) {
    const length = Math.min(STEP_MS, to - at)
    swing = 0.9 * swing + 0.1 * (0.5 + rng.next()) // busy and quiet minutes
    carry += (rate * activityAt(at + length / 2) * swing * length) / 1000
    const count = Math.floor(carry)
    carry -= count
    const events: FleetEvent[] = []
    for (let index = 0; index < count; index++) {
      const event = world.event(rng, at + Math.floor(((index + rng.next()) / count) * length), false)
      event.text = `${event.text},"reported_at":${event.at + REPORTED_AFTER}}`
      events.push(event)
    }
    yield events
  }
}
