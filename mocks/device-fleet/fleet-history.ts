import { join } from 'node:path'
import { backfill } from './backfill.ts'
import type { Counters } from './counters.ts'
import type { FleetConfig } from './fleet-config.ts'
import { makePlan, readPlan, savePlan } from './history-plan.ts'
import type { Post } from './http-post.ts'
import type { World } from './world.ts'

type HistoryReport = {
  type: 'history'
  phase: 'day' | 'days'
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

const DAY_MS = 86_400_000
/** Events a second of the days before the last one: statistics can wait, the wall can't. */
const LOW_PRIORITY = 4000
const COVER_MS = 10_000

/** Sends the past: the last day as fast as it is taken, then the days before slowly. Resolves when all of it is there. */
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

  let [events, since, phase] = [0, performance.now(), 'day' as 'day' | 'days']
  let loggedAt = since
  const tell = (done: boolean) => {
    loggedAt = performance.now()
    report({
      type: 'history',
      phase,
      events,
      seconds: (loggedAt - since) / 1000,
      spansLeft: plan.pending.filter(([, to]) => phase === 'days' || to > started - DAY_MS).length,
      done,
    })
  }
  while (plan.pending.length > 0) {
    const [from, to] = plan.pending[0] as [number, number]
    if (phase === 'day' && to <= started - DAY_MS) {
      tell(true)
      ;[events, since, phase] = [0, performance.now(), 'days']
    }
    await backfill({
      world,
      seed: config.seed,
      from,
      to,
      averageRate,
      post,
      counters,
      importKeys: config.apps.map((app) => app.importKey),
      liveLatency: options.liveLatency,
      signal,
      ...(phase === 'days' ? { limit: LOW_PRIORITY } : {}),
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
