import { COLLECT_EVENTS_PATH } from '#contracts/telemetry/wire.ts'
import { type Counters, countAnswer } from './counters.ts'
import type { Post, PostAnswer } from './http-post.ts'
import type { Rng } from './random.ts'
import type { ServerClock } from './server-clock.ts'

/** Events of one application on their way: kept until the collector has them, stamped once, in batches. */
export type Outbox = {
  /** Takes an event: JSON without its closing brace. */
  add(open: string): void
  /** Sends what is waiting; does nothing while a batch is on its way or the collector asked to wait. */
  flush(): void
  waiting(): number
}
export type OutboxOptions = {
  post: Post
  key: string
  clock: ServerClock
  counters: Counters
  rng: Rng
  now(): number
  /** Called with every answer to a live batch. */
  onAnswer(answer: PostAnswer, events: number): void
}

const BATCH = 200
/** A backlog is sent in the largest batches that the collector takes. */
const LARGE_BATCH = 1000
/** What the stores of all phones of an application hold while the collector is away. */
const CAPACITY = 100_000
/** A network that loses an answer makes its phone send the batch again. */
const RESENT = 0.008

export function makeOutbox({ post, key, clock, counters, rng, now, onAnswer }: OutboxOptions): Outbox {
  /** Waiting events; the first `stamped` of them were sent before and keep their reported_at. */
  let queue: string[] = []
  let stamped = 0
  let busy = false
  let notBefore = 0
  let failures = 0
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }

  async function send(): Promise<void> {
    const count = Math.min(queue.length, queue.length > 2 * BATCH ? LARGE_BATCH : BATCH)
    for (; stamped < count; stamped++) queue[stamped] = `${queue[stamped]},"reported_at":${clock.now()}}`
    const batch = queue.slice(0, count)
    const body = `[${batch.join(',')}]`
    const answer = await post(COLLECT_EVENTS_PATH, body, headers)
    clock.learn(answer)
    onAnswer(answer, count)
    if (answer.status === 202) {
      failures = 0
      take(batch)
      countAnswer(counters, answer.json)
      restamp(batch, answer.json)
      if (rng.next() < RESENT) void resend(body)
    } else if (answer.status === 0 || answer.status === 429 || answer.status >= 500) {
      counters.retries++
      failures++
      notBefore =
        now() + (answer.retryAfterMs ?? Math.min(5000, 250 * 2 ** Math.min(failures, 5))) * (1 + rng.next() * 0.2)
    } else {
      counters.refused += count
      take(batch)
      notBefore = now() + 5000
    }
  }

  /** Takes events that are done with out of the queue. */
  function take({ length }: readonly string[]): void {
    queue = queue.slice(length)
    stamped -= length
    counters.sent += length
  }

  /** A reported_at that the server finds too far ahead is stamped again, by the time that the server has just answered. */
  function restamp(batch: readonly string[], json: Record<string, unknown>): void {
    for (const { index, error } of (json['rejected'] as { index: number; error: string }[] | undefined) ?? []) {
      const text = batch[index]
      if (text && /^reported_at/.test(error)) queue.push(text.slice(0, text.lastIndexOf(',"reported_at":')))
    }
  }

  async function resend(body: string): Promise<void> {
    const answer = await post(COLLECT_EVENTS_PATH, body, headers)
    if (answer.status === 202) countAnswer(counters, answer.json)
  }

  return {
    add(open) {
      if (queue.length < CAPACITY) queue.push(open)
      else counters.lost++
    },
    flush() {
      if (busy || queue.length === 0 || now() < notBefore) return
      busy = true
      void send().finally(() => {
        busy = false
        if (queue.length > BATCH) this.flush()
      })
    },
    waiting: () => queue.length,
  }
}
