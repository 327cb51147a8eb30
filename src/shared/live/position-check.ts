import type { PositionRange } from '#contracts/live/messages.ts'

/** Follows the positions of one topic over all journals: nothing may be missing between two messages. */
export type PositionCheck = {
  /** A snapshot: whatever was missed is in it. */
  restart(positions: readonly PositionRange[]): void
  /** True when the message goes on where the last one ended; false when something between is missing. */
  follows(positions: readonly PositionRange[]): boolean
}

export function createPositionCheck(): PositionCheck {
  const expected = new Map<string, number>()
  return {
    restart(positions) {
      expected.clear()
      for (const { journal, to } of positions) expected.set(journal, to)
    },
    follows(positions) {
      // A journal that was not there before belongs to an ingest node that joined: it begins where it begins.
      if (positions.some(({ journal, from }) => (expected.get(journal) ?? from) !== from)) return false
      for (const { journal, to } of positions) expected.set(journal, to)
      return true
    },
  }
}
