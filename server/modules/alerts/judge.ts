import type { Condition } from '#domain/alerts.ts'

/** Days of the past that the usual level is made of, and how many of them an application must have reported on. */
export const USUAL_DAYS = 7
const USUAL_LEAST = 3

/** The usual level: the median of the same window on the past days; `null` days did not report. Undefined where too few did. */
export function usualLevel(days: readonly (number | null)[]): number | undefined {
  const counts = days.filter((count): count is number => count !== null).sort((a, b) => a - b)
  if (counts.length < USUAL_LEAST) return undefined
  const middle = counts.length >> 1
  return counts.length % 2 ? counts[middle] : ((counts[middle - 1] as number) + (counts[middle] as number)) / 2
}

/** The number that a window's count is held against, or undefined where it cannot be judged. */
export function expectedOf(condition: Condition, usual: number | undefined): number | undefined {
  if (condition.kind === 'threshold') return condition.value
  if (usual === undefined) return undefined
  if (condition.direction === 'rise') return Math.max(condition.minimum, usual * condition.factor)
  return usual >= condition.minimum ? usual / condition.factor : undefined
}

/** Whether the count breaches, given the number that it is held against. */
export function breaches(condition: Condition, value: number, expected: number | undefined): boolean {
  if (expected === undefined) return false
  if (condition.kind === 'threshold') return condition.op === 'at_least' ? value >= expected : value < expected
  return condition.direction === 'rise' ? value >= expected : value <= expected
}

/** Whether more rows can only make it breach: such a window may be judged while it still runs. */
export function onlyGrows(condition: Condition): boolean {
  return condition.kind === 'threshold' && condition.op === 'at_least'
}
