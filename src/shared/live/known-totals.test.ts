import { describe, expect, test } from 'vitest'
import { contradictions, createKnownTotals, type DayTotals, type TotalsMemory } from './known-totals.ts'
import { emptyView } from './wall-view.ts'

const DAY = 86_400_000
const NOON = Date.UTC(2026, 5, 1, 12)
const dayOf = (at: number) => Math.floor(at / DAY)

function totals(attacks: number): DayTotals {
  const { counters, tops, provinces, cities, countries, noPlace } = emptyView('live', NOON)
  const seconds = counters.seconds.map(() => attacks)
  return {
    counters: { ...counters, attacksToday: attacks, seconds, onlineDevices: attacks },
    tops,
    provinces,
    cities,
    countries,
    noPlace,
  }
}

describe('[OBS-01] nothing partial is shown as a total', () => {
  test('before the store has answered there is no number, while the strip of seconds runs', () => {
    const known = createKnownTotals('t', new Map(), dayOf)
    known.keep(totals(21), false, NOON)
    const shown = known.shown(totals(21), NOON)
    expect(shown.state).toEqual({ kind: 'awaited' })
    expect(shown.totals.counters).toMatchObject({ attacksToday: 0, attackedUsers: null, onlineDevices: 21 })
    expect(shown.totals.counters.seconds[0]).toBe(21)
  })

  test('the last whole totals of the same day stand in, named by their time', () => {
    const memory: TotalsMemory = new Map()
    createKnownTotals('t', memory, dayOf).keep(totals(37_716), true, NOON)
    const known = createKnownTotals('t', memory, dayOf)
    known.keep(totals(3), false, NOON + 60_000)
    const shown = known.shown(totals(3), NOON + 60_000)
    expect(shown.state).toEqual({ kind: 'remembered', at: NOON })
    expect(shown.totals.counters.attacksToday).toBe(37_716)
    expect(shown.totals.counters.seconds[0]).toBe(3)
  })

  test('totals of yesterday, and those of other filters, stand for nothing', () => {
    const memory: TotalsMemory = new Map()
    createKnownTotals('t', memory, dayOf).keep(totals(9), true, NOON)
    expect(createKnownTotals('t', memory, dayOf).shown(totals(1), NOON + DAY).state.kind).toBe('awaited')
    expect(createKnownTotals('other', memory, dayOf).shown(totals(1), NOON).state.kind).toBe('awaited')
  })

  test('at most sixteen topics are remembered, the newest ones', () => {
    const memory: TotalsMemory = new Map()
    for (let i = 0; i < 40; i++) createKnownTotals(`t${i}`, memory, dayOf).keep(totals(i), true, NOON)
    expect([...memory.keys()]).toEqual(Array.from({ length: 16 }, (_, i) => `t${24 + i}`))
  })

  test('parts that exceed their whole are found', () => {
    const view = emptyView('live', NOON)
    expect(contradictions(view)).toEqual([])
    const wrong = {
      ...view,
      drawn: { n: 127, of: 90 },
      provinces: [['410000', 3731]] as [string, number][],
      counters: { ...view.counters, attacksToday: 34 },
    }
    expect(contradictions(wrong)).toEqual(['provinces: 3731 of 34', 'drawn: 127 of 90'])
  })
})
