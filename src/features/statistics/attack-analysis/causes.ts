import type { ChangeAnswer, Dimension } from '#domain/query.ts'

type Cause = {
  by: Dimension
  key: string
  now: number
  before: number
  /** Of the whole change; null where nothing changed in all. May exceed 1, and be negative where it moved the other way. */
  share: number | null
}

/**
 * The values that moved most, over all dimensions. One event has a value in each, so shares of different dimensions do not add up:
 * each says how much of the change this one value holds.
 */
export function causesOf(answers: readonly { by: Dimension; answer: ChangeAnswer }[], shown: number): Cause[] {
  return answers
    .flatMap(({ by, answer }) => {
      const change = answer.now - answer.before
      // A dimension with one value alone says nothing: it is the whole.
      if (answer.groupCount < 2) return []
      return answer.groups
        .filter((group) => group.now !== group.before)
        .map((group) => ({ by, ...group, share: change === 0 ? null : (group.now - group.before) / change }))
    })
    .sort((a, b) => Math.abs(b.now - b.before) - Math.abs(a.now - a.before))
    .slice(0, shown)
}
