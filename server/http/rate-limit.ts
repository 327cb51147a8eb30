/** Token buckets by key: `burst` at once, `perSecond` in the long run. Idle buckets are forgotten. */
export type RateLimit = {
  /** Seconds to wait, 0 when the request may pass. */
  take(key: string): number
}

export function makeRateLimit(now: () => number, limit: { burst: number; perSecond: number }): RateLimit {
  const buckets = new Map<string, { tokens: number; at: number }>()
  const full = (limit.burst / limit.perSecond) * 1000
  return {
    take(key) {
      const time = now()
      if (buckets.size > 50_000) for (const [one, { at }] of buckets) if (time - at > full) buckets.delete(one)
      const bucket = buckets.get(key) ?? { tokens: limit.burst, at: time }
      bucket.tokens = Math.min(limit.burst, bucket.tokens + (Math.max(0, time - bucket.at) / 1000) * limit.perSecond)
      bucket.at = time
      buckets.set(key, bucket)
      if (bucket.tokens < 1) return (1 - bucket.tokens) / limit.perSecond
      bucket.tokens -= 1
      return 0
    },
  }
}
