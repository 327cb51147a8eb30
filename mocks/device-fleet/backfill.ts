import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { COLLECT_EVENTS_PATH } from '#contracts/telemetry/wire.ts'
import { type Counters, countAnswer } from './counters.ts'
import { history } from './history.ts'
import type { Density } from './history-plan.ts'
import type { Post } from './http-post.ts'
import { makeRng } from './random.ts'
import type { World } from './world.ts'

const pack = promisify(gzip)
const BATCH = 1000
const CONNECTIONS = 3
/** Live answers slower than this mean that history takes too much: it waits. */
const SLOW_LIVE_MS = 250

export type BackfillOptions = {
  world: World
  seed: number
  from: number
  to: number
  density?: Density
  /** Events a second on average over a day. */
  averageRate: number
  post: Post
  /** By application; one without key is left out. */
  importKeys: readonly (string | undefined)[]
  counters: Counters
  /** At most so many events a second; undefined: as fast as the collector takes them. */
  limit?: number
  /** How long live batches take to be answered at present. */
  liveLatency(): number
  onSent(events: number): void
  signal: AbortSignal
}

/**
 * Posts the world's past between two moments through the same door as everything else. Rejects with the signal's reason, or an Error
 * where the collector refuses a batch for good. Sending a span again changes nothing: ids and stamps are the same.
 */
export async function backfill(options: BackfillOptions): Promise<number> {
  const { world, seed, from, to, density = 'whole', averageRate, importKeys, signal, limit } = options
  const rng = makeRng(seed, 'backfill', density, from)
  const waiting: string[][] = world.apps.map(() => [])
  const running = new Set<Promise<void>>()
  const started = performance.now()
  let sent = 0

  const submit = async (app: number, events: readonly string[]) => {
    const key = importKeys[app]
    if (!key || events.length === 0) return
    while (running.size >= CONNECTIONS) await Promise.race(running)
    signal.throwIfAborted()
    const work = postBatch(options, key, events, rng.next()).finally(() => running.delete(work))
    work.catch(() => {}) // the race or the last await reports it
    running.add(work)
    sent += events.length
    const early = limit ? (sent / limit) * 1000 - (performance.now() - started) : 0
    if (early > 0) await sleep(early, undefined, { signal })
    while (options.liveLatency() > SLOW_LIVE_MS && running.size > 0) await Promise.race(running)
  }

  for (const events of history(world, seed, from, to, averageRate, density)) {
    for (const { app, text } of events) {
      const batch = waiting[app] as string[]
      batch.push(text)
      if (batch.length < BATCH) continue
      waiting[app] = []
      await submit(app, batch)
    }
  }
  for (const [app, batch] of waiting.entries()) await submit(app, batch)
  await Promise.all(running)
  return sent
}

async function postBatch(
  options: BackfillOptions,
  key: string,
  events: readonly string[],
  jitter: number,
): Promise<void> {
  const body = await pack(`[${events.join(',')}]`, { level: 1 })
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    'content-encoding': 'gzip',
    'x-aw-import': '1',
  }
  for (let failures = 0; ; failures++) {
    options.signal.throwIfAborted()
    const answer = await options.post(COLLECT_EVENTS_PATH, body, headers)
    if (answer.status === 202) {
      countAnswer(options.counters, answer.json)
      options.onSent(events.length)
      return
    }
    if (answer.status !== 0 && answer.status !== 429 && answer.status < 500)
      throw new Error(`history was refused: ${answer.status} ${String(answer.json['codemsg'] ?? '')}`)
    options.counters.retries++
    const wait = answer.retryAfterMs ?? Math.min(5000, 250 * 2 ** Math.min(failures, 5))
    await sleep(wait * (1 + jitter * 0.3), undefined, { signal: options.signal })
  }
}
