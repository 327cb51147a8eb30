/** Token buckets by key: `burst` at once, `perSecond` in the long run. Memory is bounded and no request scans all buckets. */
export type RateLimit = {
  /** Seconds to wait, 0 when the request may pass. */
  take(key: string): number
}

/** Buckets of one generation; two are kept. Beyond it the older generation, whose buckets were not used lately, is forgotten. */
const GENERATION = 50_000

export function makeRateLimit(now: () => number, limit: { burst: number; perSecond: number }): RateLimit {
  type Bucket = { tokens: number; at: number }
  let current = new Map<string, Bucket>()
  let previous = new Map<string, Bucket>()
  /** After this time an unused bucket is full, so forgetting it changes nothing. */
  const refillMs = (limit.burst / limit.perSecond) * 1000
  let rotateAt = now() + refillMs
  return {
    take(key) {
      const time = now()
      if (time >= rotateAt || current.size >= GENERATION) {
        previous = current
        current = new Map()
        rotateAt = time + refillMs
      }
      const bucket = current.get(key) ?? previous.get(key) ?? { tokens: limit.burst, at: time }
      bucket.tokens = Math.min(limit.burst, bucket.tokens + (Math.max(0, time - bucket.at) / 1000) * limit.perSecond)
      bucket.at = time
      current.set(key, bucket)
      if (bucket.tokens < 1) return (1 - bucket.tokens) / limit.perSecond
      bucket.tokens -= 1
      return 0
    },
  }
}
