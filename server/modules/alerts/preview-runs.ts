import type { Condition, RunMeasure } from '#domain/alerts.ts'
import type { MetaStore } from '#storage/postgres/database.ts'
import { countInRuns, judgedRuns } from '../../query/run-figures.ts'
import { breaches, expectedOf } from './judge.ts'
import { NEWEST, PREVIEW_MS, type Preview } from './preview-rule.ts'
import { continues } from './windows.ts'

/** What a rule about runs would have found in the runs that ended in the last 7 days. */
export async function previewRuns(
  { db }: MetaStore,
  rule: { measure: RunMeasure; apps: readonly number[] | null; condition: Condition; cooldown_minutes: number },
  now: number,
): Promise<Preview> {
  const span = { from: now - PREVIEW_MS, to: now }
  const runs = await judgedRuns(db, span, rule.apps)
  const counts = await countInRuns(db, rule.measure, runs)
  const expected = expectedOf(rule.condition, undefined)
  const found =
    expected === undefined
      ? []
      : runs
          .map(({ end, application }, at) => ({ end, key: String(application), value: counts[at] ?? 0, expected }))
          .filter(({ value }) => breaches(rule.condition, value, expected))
  const open = new Map<string, { first_end: number; last_end: number }>()
  let alerts = 0
  for (const { key, end } of found.toReversed()) {
    const last = open.get(key)
    const goesOn = last !== undefined && continues(last, end, 0, rule.cooldown_minutes * 60_000)
    if (!goesOn) alerts++
    open.set(key, { first_end: goesOn ? last.first_end : end, last_end: end })
  }
  return {
    method: 'every',
    ...span,
    alerts,
    windows: found.length,
    judged: runs.length,
    newest: found.slice(0, NEWEST),
  }
}
