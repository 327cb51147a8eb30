import { join } from 'node:path'
import { backfill } from './backfill.ts'
import type { Counters } from './counters.ts'
import type { FleetConfig } from './fleet-config.ts'
import {
  HISTORY_PHASES,
  type HistoryPart,
  type HistoryPhase,
  makePlan,
  phaseOf,
  readPlan,
  savePlan,
} from './history-plan.ts'
import type { Post } from './http-post.ts'
import type { World } from './world.ts'

type HistoryReport = {
  type: 'history'
  phase: HistoryPhase
  events: number
  seconds: number
  spansLeft: number
  done: boolean
}
export type FleetHistoryOptions = {
  config: FleetConfig
  world: World
  post: Post
  counters: Counters
  liveLatency(): number
  now(): number
  report(message: HistoryReport): void
  signal: AbortSignal
}

/**
 * Events a second at most: what the wall shows at once is sent as fast as it is taken, the rest leaves the machine to
 * people who look at the product.
 */
const LIMITS: Partial<Record<HistoryPhase, number>> = { day: 4000, coarse: 2000, days: 1000 }
const COVER_MS = 10_000

/** Sends the past in the order of its plan. Resolves when all of it is there. */
export async function sendHistory(options: FleetHistoryOptions): Promise<void> {
  const { config, world, post, counters, now, report, signal } = options
  if (!config.history) return
  const { days, averageRate } = config.history
  const file = config.folder ? join(config.folder, 'fleet-history.json') : undefined
  const started = now()
  const plan = makePlan(file ? readPlan(file) : undefined, started, days)
  const save = () => {
    if (file) savePlan(file, plan)
  }
  save()
  const covering = setInterval(() => {
    plan.coveredTo = now()
    save()
  }, COVER_MS)
  signal.addEventListener('abort', () => {
    clearInterval(covering)
    plan.coveredTo = now()
    save()
  })

  let [events, since, phase] = [0, performance.now(), HISTORY_PHASES[0] as HistoryPhase]
  let loggedAt = since
  const tell = (done: boolean) => {
    loggedAt = performance.now()
    report({
      type: 'history',
      phase,
      events,
      seconds: (loggedAt - since) / 1000,
      spansLeft: plan.pending.filter((part) => phaseOf(part, started) === phase).length,
      done,
    })
  }
  while (plan.pending.length > 0) {
    const part = plan.pending[0] as HistoryPart
    const [from, to, density] = part
    const next = phaseOf(part, started)
    if (next !== phase) {
      tell(true)
      ;[events, since, phase] = [0, performance.now(), next]
    }
    const limit = LIMITS[phase]
    await backfill({
      world,
      seed: config.seed,
      from,
      to,
      density,
      averageRate,
      post,
      counters,
      importKeys: config.apps.map((app) => app.importKey),
      liveLatency: options.liveLatency,
      signal,
      ...(limit !== undefined && { limit }),
      onSent(sent) {
        events += sent
        if (performance.now() - loggedAt > 5000) tell(false)
      },
    })
    plan.pending.shift()
    save()
  }
  tell(true)
}
