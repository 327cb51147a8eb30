import type { PostAnswer } from './http-post.ts'

/** The clock that the server last told: phones stamp reported_at by it (decision 16). */
export type ServerClock = { now(): number; learn(answer: PostAnswer): void }

export function makeServerClock(now: () => number): ServerClock {
  let offset = 0
  return {
    now: () => Math.round(now() + offset),
    learn({ json, milliseconds }) {
      const told = json['server_time']
      if (typeof told === 'number') offset = told - (now() - milliseconds / 2)
    },
  }
}
