import type { FindingLevel } from '#contracts/detection/kinds.ts'
import type { ItemLine } from '#contracts/http/detection/result.ts'

type Deduction = { readonly item: string; readonly points: number }
type LevelPart = { readonly level: FindingLevel; readonly points: number }

const LEVELS = ['high', 'middle', 'low', 'info'] as const

/**
 * The published deductions by level: what its items cost together. Lines of the formula that are no item (caps give points
 * back) stand apart, so that the parts always add up to what is missing to 100.
 */
export function scoreParts(
  deductions: readonly Deduction[],
  items: readonly Pick<ItemLine, 'id' | 'level'>[],
): { levels: readonly LevelPart[]; others: readonly Deduction[] } {
  const level = new Map(items.map((item) => [item.id, item.level]))
  return {
    levels: LEVELS.map((one) => ({
      level: one,
      points: round(
        deductions.filter(({ item }) => level.get(item) === one).reduce((sum, { points }) => sum + points, 0),
      ),
    })),
    others: deductions.filter(({ item }) => !level.has(item)),
  }
}

/** Points are halves at most: no 0.1 + 0.2. */
function round(points: number): number {
  return Math.round(points * 100) / 100
}
