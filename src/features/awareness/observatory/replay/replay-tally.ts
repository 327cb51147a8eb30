import type { LevelCounts, TopList, WallTops } from '#contracts/live/messages.ts'
import type { EventRow } from '#domain/query.ts'
import { NO_LEVELS } from '../../../../shared/live/wall-view.ts'
import type { ReplayPart } from './replay-part.ts'

const TOPS = ['risk', 'province', 'city', 'country', 'app', 'device', 'version', 'site'] as const
/** Unknown places are no rows: they stand in the tray 'no place'. */
const PLACES: ReadonlySet<string> = new Set(['province', 'city', 'country'])
const ROWS = 8

type Counts = Record<(typeof TOPS)[number], Map<string, number>>

/** Exact sums of seconds, and lists counted from the sampled rows, which are attacks with a place. */
export type Tally = {
  attacks: number
  blocked: number
  levels: LevelCounts
  rows: number
  noPlace: number
  users: Set<string>
  counts: Counts
}

export function emptyTally(): Tally {
  return {
    attacks: 0,
    blocked: 0,
    levels: { ...NO_LEVELS },
    rows: 0,
    noPlace: 0,
    users: new Set(),
    counts: Object.fromEntries(TOPS.map((by) => [by, new Map()])) as Counts,
  }
}

export function addSecond(
  tally: Tally,
  [, critical, high, medium, low, info, blocked]: ReplayPart['seconds'][number],
): void {
  tally.attacks += critical + high + medium + low + info
  tally.blocked += blocked
  tally.levels.critical += critical
  tally.levels.high += high
  tally.levels.medium += medium
  tally.levels.low += low
  tally.levels.info += info
}

export function addRow(tally: Tally, row: EventRow): void {
  tally.rows++
  if (row.user) tally.users.add(row.user)
  for (const by of TOPS) {
    const key = row[by] || (by === 'site' ? '0' : '')
    if (key === '' && PLACES.has(by)) continue
    tally.counts[by].set(key, (tally.counts[by].get(key) ?? 0) + 1)
  }
}

export function addTally(sum: Tally, part: Tally): void {
  sum.attacks += part.attacks
  sum.blocked += part.blocked
  sum.rows += part.rows
  sum.noPlace += part.noPlace
  for (const level of Object.keys(sum.levels) as (keyof LevelCounts)[]) sum.levels[level] += part.levels[level]
  for (const user of part.users) sum.users.add(user)
  for (const by of TOPS)
    for (const [key, count] of part.counts[by]) sum.counts[by].set(key, (sum.counts[by].get(key) ?? 0) + count)
}

export function topsOf(tally: Tally): WallTops {
  return Object.fromEntries(TOPS.map((by) => [by, topOf(tally.counts[by])])) as WallTops
}

function topOf(counts: ReadonlyMap<string, number>): TopList {
  const all = [...counts].sort((x, y) => y[1] - x[1] || (x[0] < y[0] ? -1 : 1))
  const others = all.slice(ROWS).reduce((sum, row) => sum + row[1], 0)
  return { rows: all.slice(0, ROWS), groupCount: all.length, others }
}
