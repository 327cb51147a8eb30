import { dayOf, isInUse } from './habits.ts'
import type { Outbox } from './outbox.ts'
import type { Install } from './population.ts'
import { makeRng, type Rng } from './random.ts'
import { type Scenario, wantedRate } from './scenarios.ts'
import type { World } from './world.ts'

/** How often phones look whether they have something to say: small steps make the wall move smoothly. */
const TICK_MS = 250
/** A phone that comes back from a tunnel reports what happened there: one every so many seconds at 20 events a second. */
const BURST_EVERY_EVENTS = 1500
const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000
/** Attacks a second while one goes on; how long after the start the first begins, how long they last, and how often they come. */
const SPIKE_RATE = 2
const SPIKE_AFTER_MS = MINUTE_MS
const SPIKE_MS = 4 * MINUTE_MS
const SPIKE_EVERY_MS = 90 * MINUTE_MS

/** Whether an attack is going on so long after the start. */
export function isSpike(since: number): boolean {
  return since >= SPIKE_AFTER_MS && (since - SPIKE_AFTER_MS) % SPIKE_EVERY_MS < SPIKE_MS
}

/** How many of something rare happen, that happens `mean` times on average. */
function poisson(rng: Rng, mean: number): number {
  let count = 0
  for (let left = Math.exp(-mean), product = rng.next(); product > left; product *= rng.next()) count++
  return count
}

export type LiveFleetOptions = {
  world: World
  outboxes: readonly Outbox[]
  scenario: Scenario
  rate: number
  seed: number
  now(): number
  /** Now and then an attack in one province, on top of the rate: what alert rules are for. */
  spikes?: boolean
}

/** Phones that report as it happens. Answers the function that stops them. */
export function startLiveFleet({
  world,
  outboxes,
  scenario,
  rate,
  seed,
  now,
  spikes = false,
}: LiveFleetOptions): () => void {
  const began = now()
  let last = began
  // Live events get ids that no earlier start gave.
  const rng = makeRng(seed, 'live', last)
  let carry = 0
  let untilBurst = BURST_EVERY_EVENTS * rng.next()

  function tick(): void {
    const at = now()
    // After a pause (a suspended machine) the world does not catch up.
    const elapsed = Math.min(at - last, 2000)
    last = at
    carry += (wantedRate(scenario, rate, at) * elapsed * (0.5 + rng.next())) / 1000
    const count = Math.floor(carry)
    carry -= count
    for (let index = 0; index < count; index++) {
      const event = world.event(rng, at - rng.next() * elapsed, true)
      outboxes[event.app]?.add(event.text)
    }
    if (spikes && isSpike(at - began))
      for (let due = poisson(rng, (SPIKE_RATE * elapsed) / 1000); due > 0; due--) {
        const event = world.spike(rng, at)
        outboxes[event.app]?.add(event.text)
      }
    untilBurst -= count
    if (untilBurst < 0) {
      untilBurst += BURST_EVERY_EVENTS * (0.5 + rng.next())
      offlineBurst(at)
    }
    for (const outbox of outboxes) outbox.flush()
  }

  function offlineBurst(at: number): void {
    const { installs } = world.population
    const around = installs[rng.int(installs.length)] as Install
    const install = installs.slice(around.serial, around.serial + 60).find((one) => isInUse(one, dayOf(at))) ?? around
    const away = HOUR_MS * (0.2 + 6 * rng.next() ** 2)
    const moments = Array.from({ length: 4 + rng.int(24) }, () => at - rng.next() * away).sort((a, b) => a - b)
    for (const moment of moments) outboxes[install.app]?.add(world.eventOf(rng, install, moment, true).text)
  }

  const timer = setInterval(tick, TICK_MS)
  return () => clearInterval(timer)
}
