/** Bytes that requests of this process may hold in memory together. */
export type ByteBudget = {
  /** Reserves bytes that have arrived; false where the budget is used up: nothing is reserved then. */
  take(bytes: number): boolean
  release(bytes: number): void
  used(): number
}

export function makeByteBudget(limit: number): ByteBudget {
  let used = 0
  return {
    take(bytes) {
      if (used + bytes > limit) return false
      used += bytes
      return true
    },
    release(bytes) {
      used -= bytes
    },
    used: () => used,
  }
}
