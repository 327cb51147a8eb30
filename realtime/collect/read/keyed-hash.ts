import { createHmac } from 'node:crypto'
import { recentCache } from './recent-cache.ts'

/** Device and user ids as HMAC-SHA-256 under the installation's pepper, first 16 bytes as 32 hex digits; the recent ones are remembered. */
export function keyedHash(pepper: Buffer, remembered = 50_000): (text: string) => string {
  const cache = recentCache<string>(remembered)
  return (text) => {
    const known = cache.get(text)
    if (known !== undefined) return known
    const hash = createHmac('sha256', pepper).update(text).digest('hex').slice(0, 32)
    cache.set(text, hash)
    return hash
  }
}
