import { recentCache } from '../read/recent-cache.ts'

/** Rate limits. All times are epoch milliseconds, all answers seconds to wait (0: allowed). */

/** Token bucket that refills with `perSecond` up to `burst`. One large take may overdraw it; later ones then wait. */
export type Bucket = { tokens: number; at: number }

export function freshBucket(burst: number, now: number): Bucket {
  return { tokens: burst, at: now }
}
/** Seconds until there is at least `least` in the bucket. */
export function waitFor(
  bucket: Bucket,
  rate: { perSecond: number; burst: number },
  least: number,
  now: number,
): number {
  bucket.tokens = Math.min(rate.burst, bucket.tokens + (Math.max(0, now - bucket.at) / 1000) * rate.perSecond)
  bucket.at = now
  return bucket.tokens >= least ? 0 : (least - bucket.tokens) / rate.perSecond
}

/** Events a second of one application and of the platform; 0 means no ceiling. A batch is never split: it may overdraw. */
export function eventCeilings(now: () => number) {
  const buckets = new Map<string, Bucket>()
  return {
    take(app: number, events: number, ceilings: { app: number; platform: number }): number {
      const time = now()
      const drawn: Bucket[] = []
      for (const [name, perSecond] of [
        [`app ${app}`, ceilings.app],
        ['platform', ceilings.platform],
      ] as const) {
        if (perSecond <= 0) continue
        const bucket = buckets.get(name) ?? freshBucket(perSecond, time)
        buckets.set(name, bucket)
        const wait = waitFor(bucket, { perSecond, burst: perSecond }, Number.MIN_VALUE, time)
        if (wait > 0) return Math.max(wait, 0.001)
        drawn.push(bucket)
      }
      for (const bucket of drawn) bucket.tokens -= events
      return 0
    },
  }
}

/** Keys that a limit remembers; the least recently used ones are forgotten, without a scan (recent-cache.ts). */
const REMEMBERED_KEYS = 20_000

/** Token buckets by key, bounded in number: a forgotten key starts with a full bucket. */
export function bucketsByKey(
  now: () => number,
  rate: { burst: number; perSecond: number },
  remembered = REMEMBERED_KEYS,
) {
  const buckets = recentCache<Bucket>(remembered)
  return {
    /** Seconds until the key may continue; takes nothing. */
    wait(key: string): number {
      const bucket = buckets.get(key)
      return bucket ? waitFor(bucket, rate, 1, now()) : 0
    },
    /** Takes one token; seconds to wait if the bucket is empty. */
    take(key: string): number {
      let bucket = buckets.get(key)
      if (!bucket) {
        bucket = freshBucket(rate.burst, now())
        buckets.set(key, bucket)
      }
      const wait = waitFor(bucket, rate, 1, now())
      if (wait === 0) bucket.tokens -= 1
      return wait
    },
  }
}

/** At most `limit` per key in each clock hour. Keys of past hours are dropped, and the least recently used ones beyond REMEMBERED_KEYS. */
export function hourlyLimit(now: () => number) {
  const HOUR_MS = 3_600_000
  let hour = 0
  const counts = recentCache<number>(REMEMBERED_KEYS)
  return {
    take(key: string, limit: number): number {
      const time = now()
      const current = Math.floor(time / HOUR_MS)
      if (current !== hour) {
        hour = current
        counts.clear()
      }
      const count = counts.get(key) ?? 0
      if (count >= limit) return ((current + 1) * HOUR_MS - time) / 1000
      counts.set(key, count + 1)
      return 0
    },
  }
}
