/**
 * Nonces of signed requests for twice the time window, in two sets that rotate: a request is accepted once. Bounded: when a set is
 * full, requests are refused rather than a replay let through.
 */
export type NonceCache = {
  /** False where this nonce was used before. */
  use(nonce: string): boolean
  size(): number
}

export function makeNonceCache(now: () => number, windowMs: number, limit = 1_000_000): NonceCache {
  let current = new Set<string>()
  let previous = new Set<string>()
  let rotateAt = now() + windowMs
  return {
    use(nonce) {
      const time = now()
      if (time >= rotateAt) {
        previous = time >= rotateAt + windowMs ? new Set() : current
        current = new Set()
        rotateAt = time + windowMs
      }
      if (current.has(nonce) || previous.has(nonce) || current.size >= limit) return false
      current.add(nonce)
      return true
    },
    size: () => current.size + previous.size,
  }
}

/**
 * When this cache's process began (epoch ms), by today's clock, which may have been set since. Nonces do not outlive the process, so
 * nothing that was made before it began may be taken.
 */
export function startByClock(now: () => number): () => number {
  const born = performance.now()
  return () => now() - (performance.now() - born)
}
