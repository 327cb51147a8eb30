import type { PostAnswer } from './http-post.ts'

/** The server's clock by its last answer: phones stamp reported_at by it (decision 16). */
export type ServerClock = { now(): number; learn(answer: PostAnswer): void }

export function makeServerClock(now: () => number): ServerClock {
  let offset = 0
  return {
    now: () => Math.round(now() + offset),
    learn({ json, milliseconds }) {
      const serverTime = json['server_time']
      if (typeof serverTime === 'number') offset = serverTime - (now() - milliseconds / 2)
    },
  }
}
