import type { Condition, RunMeasure } from '#domain/alerts.ts'
import type { MetaStore } from '#storage/postgres/database.ts'
import { countInRun, endedRuns } from '../../query/run-figures.ts'
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
  const runs = await endedRuns(db, span, { applications: rule.apps })
  const expected = expectedOf(rule.condition, undefined)
  const open = new Map<string, { first_end: number; last_end: number }>()
  const found: Preview['newest'] = []
  let alerts = 0
  for (const run of runs) {
    const value = await countInRun(db, rule.measure, run)
    if (expected === undefined || !breaches(rule.condition, value, expected)) continue
    const { end } = run
    const key = String(run.application)
    found.push({ end, key, value, expected })
    const last = open.get(key)
    const goesOn = last !== undefined && continues(last, end, 0, rule.cooldown_minutes * 60_000)
    if (!goesOn) alerts++
    open.set(key, { first_end: goesOn ? last.first_end : end, last_end: end })
  }
  const newest = [...found].sort((a, b) => b.end - a.end).slice(0, NEWEST)
  return { method: 'every', ...span, alerts, windows: found.length, judged: runs.length, newest }
}
