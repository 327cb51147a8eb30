import type { WallCounters } from '#contracts/live/messages.ts'
import { NO_LEVELS, NO_TOPS, type WallView } from './wall-view.ts'

/** What counts the whole day: it is shown as a total only when the store's part is in it. */
export type DayTotals = Pick<WallView, 'counters' | 'tops' | 'provinces' | 'cities' | 'countries' | 'noPlace'>

/** Remembers the totals of the topics of one tab, newest last; a topic that is opened again begins with them. */
export type TotalsMemory = Map<string, { at: number; totals: DayTotals }>
const REMEMBERED_TOPICS = 16

/**
 * Decides what is shown as totals: the counted ones once they hold the whole day, else the last whole ones of the same day
 * (`remembered`), else nothing (`awaited`). What is true from the first frame, the strip of seconds and who is online, passes.
 */
export type KnownTotals = {
  /** `complete`: counters and lists hold the whole day. */
  keep(totals: DayTotals, complete: boolean, at: number): void
  shown(totals: DayTotals, at: number): { totals: DayTotals; state: WallView['totals'] }
}

/** `dayOf`: the start of the platform's day that a moment lies in. */
export function createKnownTotals(topic: string, memory: TotalsMemory, dayOf: (at: number) => number): KnownTotals {
  let complete = false
  return {
    keep(totals, isComplete, at) {
      complete = isComplete
      if (!isComplete) return
      memory.delete(topic)
      memory.set(topic, { at, totals })
      for (const oldest of memory.keys()) {
        if (memory.size <= REMEMBERED_TOPICS) break
        memory.delete(oldest)
      }
    },
    shown(totals, at) {
      if (complete) return { totals, state: { kind: 'whole' } }
      const last = memory.get(topic)
      const { seconds, onlineDevices } = totals.counters
      if (last && dayOf(last.at) === dayOf(at))
        return {
          totals: { ...last.totals, counters: { ...last.totals.counters, seconds, onlineDevices } },
          state: { kind: 'remembered', at: last.at },
        }
      return {
        totals: { ...NO_TOTALS, counters: { ...NO_COUNTERS, seconds, onlineDevices } },
        state: { kind: 'awaited' },
      }
    },
  }
}

const NO_COUNTERS: Omit<WallCounters, 'seconds' | 'onlineDevices'> = {
  attacksToday: 0,
  attacksYesterday: null,
  blockedToday: 0,
  levels: NO_LEVELS,
  attackedUsers: null,
  eventsToday: 0,
}
const NO_TOTALS = { tops: NO_TOPS, provinces: [], cities: [], countries: [], noPlace: 0 }

/** The parts that say more than the whole they are of; empty where the numbers of a view agree. */
export function contradictions(view: Pick<WallView, keyof DayTotals | 'drawn' | 'sample'>): string[] {
  const { counters, tops, provinces, countries, noPlace, drawn, sample } = view
  const all = counters.attacksToday
  const sum = (list: readonly (readonly [string, number])[]) => list.reduce((total, [, count]) => total + count, 0)
  const parts: [name: string, part: number, whole: number][] = [
    ['blocked', counters.blockedToday, all],
    ['levels', Object.values(counters.levels).reduce((total, count) => total + count, 0), all],
    ['provinces', sum(provinces), all],
    ['countries', sum(countries) + noPlace, all],
    ['drawn', drawn.n, drawn.of],
    ['sample', sample.n, sample.of],
    ...Object.entries(tops).map(([name, { rows }]): [string, number, number] => [
      name,
      Math.max(0, ...rows.map(([, count]) => count)),
      all,
    ]),
  ]
  return parts.filter(([, part, whole]) => part > whole).map(([name, part, whole]) => `${name}: ${part} of ${whole}`)
}
