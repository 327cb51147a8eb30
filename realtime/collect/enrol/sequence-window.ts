/** Accepted batches of one install: the last 64 sequence numbers, and the nonces within the allowed clock difference. */
export type SequenceWindow = {
  /** False when this batch was accepted before or is older than the window. Records it otherwise. */
  take(sequence: number, nonce: string, now: number): boolean
}

const WIDTH = 64n
const FULL = (1n << WIDTH) - 1n
/** A tstamp is valid for 10 minutes before and after. */
const NONCE_MS = 20 * 60_000

export function sequenceWindow(): SequenceWindow {
  let highest = -1
  /** Bit n: highest - n was accepted. */
  let taken = 0n
  const nonces = new Map<string, number>()

  function sequenceIsNew(sequence: number): boolean {
    if (sequence > highest) return true
    const behind = BigInt(highest - sequence)
    return behind < WIDTH && (taken & (1n << behind)) === 0n
  }
  return {
    take(sequence, nonce, now) {
      for (const [old, until] of nonces) {
        if (until > now) break
        nonces.delete(old)
      }
      if (nonces.has(nonce) || !sequenceIsNew(sequence)) return false
      nonces.set(nonce, now + NONCE_MS)
      if (sequence > highest) {
        const step = BigInt(sequence - highest)
        taken = highest < 0 || step >= WIDTH ? 1n : ((taken << step) | 1n) & FULL
        highest = sequence
      } else taken |= 1n << BigInt(highest - sequence)
      return true
    },
  }
}
