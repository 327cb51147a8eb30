import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { makeCounters } from './counters.ts'
import type { PostAnswer } from './http-post.ts'
import { makeOutbox } from './outbox.ts'
import { makeServerClock } from './server-clock.ts'

/** The collector as the network shows it: a list of answers, one a request; bodies are kept. */
function setUp(answers: Partial<PostAnswer>[]) {
  const bodies: Record<string, unknown>[][] = []
  let now = 1000
  const counters = makeCounters()
  const clock = makeServerClock(() => now)
  const outbox = makeOutbox({
    key: 'k',
    clock,
    counters,
    rng: { next: () => 0.5, int: () => 0, bits: () => 0 },
    now: () => now,
    onAnswer: () => {},
    async post(_path, body) {
      bodies.push(JSON.parse(String(body)) as Record<string, unknown>[])
      const answer = answers.shift() ?? { status: 202 }
      return { status: 202, json: {}, retryAfterMs: undefined, milliseconds: 0, ...answer }
    },
  })
  const flush = async (forward: number) => {
    now += forward
    outbox.flush()
    await sleep(1)
  }
  return { outbox, bodies, counters, flush }
}

test('an event keeps its first stamp over 429, 503 and a dead line, and is sent until it is taken', async () => {
  const { outbox, bodies, counters, flush } = setUp([
    { status: 429, retryAfterMs: 2000 },
    { status: 503 },
    { status: 0 },
  ])
  outbox.add('{"event_id":"a"')
  await flush(0)
  await flush(100) // too early: asked to wait two seconds
  expect(bodies.length).toBe(1)
  outbox.add('{"event_id":"b"')
  for (let turn = 0; turn < 4; turn++) await flush(10_000)
  expect(bodies.length).toBe(4)
  expect(bodies.map((body) => body[0])).toEqual(Array(4).fill({ event_id: 'a', reported_at: 1000 }))
  expect(bodies[1]?.[1]).toEqual(bodies[3]?.[1])
  expect(outbox.waiting()).toBe(0)
  expect(counters).toMatchObject({ sent: 2, retries: 3, refused: 0 })
})

test('a reported_at that the server finds too far ahead is stamped again by the server time', async () => {
  const rejected = {
    rejected: [{ index: 0, error: "reported_at: lies more than 5 minutes ahead of the server's time" }],
  }
  const { outbox, bodies, flush } = setUp([{ status: 202, json: { ...rejected, server_time: 500 } }])
  outbox.add('{"event_id":"a"')
  await flush(0)
  await flush(10)
  expect(bodies[1]).toEqual([{ event_id: 'a', reported_at: 510 }])
})

test('the simulated device drops a batch that the collector refused', async () => {
  const { outbox, counters, flush } = setUp([{ status: 401 }])
  outbox.add('{"event_id":"a"')
  await flush(0)
  expect(outbox.waiting()).toBe(0)
  expect(counters).toMatchObject({ refused: 1 })
})
