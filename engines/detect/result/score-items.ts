import type { ItemResult, Score } from './scan-result.ts'

/** Points of a failed item by level, and the most that a level may take. Half of it where only SDKs have it; an unknown owner counts as own. */
const POINTS = { high: 10, middle: 3, low: 1, info: 0 } as const
const CAPS = { high: 60, middle: 30, low: 10 } as const

const FORMULA = {
  zh: '评分 = 100 − min(60, 10 × 高危) − min(30, 3 × 中危) − min(10, 1 × 低危)；按不通过的检测项计，仅 SDK 存在的项减半；提示、不适用、未评估与已忽略不计。',
  en: 'Score = 100 − min(60, 10 × high) − min(30, 3 × middle) − min(10, 1 × low), by failed items; those found in SDKs alone count half; info, not applicable, not assessed and suppressed do not count.',
}

/** The published score of the items: another failed item never raises it. */
export function scoreItems(items: readonly Pick<ItemResult, 'id' | 'level' | 'verdict' | 'owner'>[]): Score {
  const deductions: { item: string; points: number }[] = []
  let value = 100
  for (const level of ['high', 'middle', 'low'] as const) {
    const failed = items.filter((item) => item.verdict === 'fail' && item.level === level)
    const lines = failed.map(({ id, owner }) => ({
      item: id,
      points: owner === 'sdk' ? POINTS[level] / 2 : POINTS[level],
    }))
    const sum = lines.reduce((total, { points }) => total + points, 0)
    deductions.push(...lines)
    if (sum > CAPS[level]) deductions.push({ item: `cap-${level}`, points: CAPS[level] - sum })
    value -= Math.min(sum, CAPS[level])
  }
  deductions.sort((a, b) => b.points - a.points || (a.item < b.item ? -1 : 1))
  return { value, grade: value < 60 ? 'high' : value < 80 ? 'middle' : 'low', deductions, formula: FORMULA }
}
