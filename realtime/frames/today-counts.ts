import type { LevelCounts, WallCounters, WallTops } from '#contracts/live/messages.ts'
import { WORD_KEYS } from '#contracts/telemetry/event-row.ts'
import type { StoredEvent } from '#contracts/telemetry/stored-event.ts'
import { BLOCKED_FROM, EVENT_TYPES, PLACE_SOURCES } from '#domain/vocabulary.ts'
import type { WallSeed } from '#storage/events/port.ts'
import { createHashTable } from './hash-table.ts'
import { createTextCounts, createTopCounts } from './top-counts.ts'
import type { WallDevices } from './wall-devices.ts'

type DayTotals = Pick<WallCounters, 'attacksToday' | 'blockedToday' | 'eventsToday'>

/** Everything that is counted by the platform's day; cleared at midnight. */
export type TodayCounts = {
  count(event: StoredEvent): void
  seed(seed: WallSeed): void
  clear(): void
  totals(): DayTotals & { levels: LevelCounts; noPlace: number; attackedUsers: number }
  tops(): WallTops
  areas(): Record<'provinces' | 'cities' | 'countries', [code: string, count: number][]>
  /** Incremented with every attack, so that a change of tops() is cheap to detect. */
  readonly version: number
}

/** Lists without a row for 'unknown': those attacks are counted as 'no place' or in a wider area. */
const PLACES: ReadonlySet<string> = new Set(['province', 'city', 'country'])

const noLevels = (): LevelCounts => ({ info: 0, low: 0, medium: 0, high: 0, critical: 0 })
const noTotals = (): DayTotals => ({ attacksToday: 0, blockedToday: 0, eventsToday: 0 })

/** `wall`: device rows of a display token's wall are relabelled by it. */
export function createTodayCounts(wall?: WallDevices): TodayCounts {
  const maps = { province: createTextCounts(), city: createTextCounts(), country: createTextCounts() }
  const tops = {
    risk: createTopCounts(createTextCounts()),
    province: createTopCounts(maps.province),
    city: createTopCounts(maps.city),
    country: createTopCounts(maps.country),
    app: createTopCounts(createTextCounts()),
    device: createTopCounts(createHashTable()),
    version: createTopCounts(createTextCounts()),
    site: createTopCounts(createTextCounts()),
  }
  const users = createHashTable()
  let totals = noTotals()
  let levels = noLevels()
  let noPlace = 0
  let version = 0

  return {
    get version() {
      return version
    },
    count(e) {
      totals.eventsToday++
      if (e.type !== EVENT_TYPES.risk.code) return
      version++
      totals.attacksToday++
      if (e.action >= BLOCKED_FROM) totals.blockedToday++
      const level = WORD_KEYS.level[e.level] as keyof LevelCounts | ''
      if (level) levels[level]++
      if (e.placeSource === PLACE_SOURCES.none.code) noPlace++
      if (e.user !== null && e.user !== '') users.set(e.user, 1)
      tops.risk.add(WORD_KEYS.risk[e.risk] ?? '', 1)
      if (e.province !== 0) tops.province.add(String(e.province), 1)
      if (e.city !== 0) tops.city.add(String(e.city), 1)
      if (e.country !== '') tops.country.add(e.country, 1)
      tops.app.add(String(e.app), 1)
      tops.device.add(e.device, 1)
      if (wall && tops.device.lists(e.device)) wall.describe(e)
      tops.version.add(e.version, 1)
      tops.site.add(String(e.site), 1)
    },
    seed(seed) {
      clear()
      version++
      totals = { attacksToday: seed.attacksToday, blockedToday: seed.blockedToday, eventsToday: seed.eventsToday }
      levels = { ...seed.levels }
      noPlace = seed.noPlace
      for (const user of seed.attackedUsers) users.set(user, 1)
      for (const by of Object.keys(tops) as (keyof typeof tops)[])
        for (const [key, count] of seed.counts[by])
          if (count > 0 && (key !== '' || !PLACES.has(by))) tops[by].add(key, count)
    },
    clear,
    totals: () => ({ ...totals, levels: { ...levels }, noPlace, attackedUsers: users.size }),
    tops: () => ({
      risk: tops.risk.list(),
      province: tops.province.list(),
      city: tops.city.list(),
      country: tops.country.list(),
      app: tops.app.list(),
      device: wall ? wall.relabel(tops.device.list()) : tops.device.list(),
      version: tops.version.list(),
      site: tops.site.list(),
    }),
    areas: () => ({
      provinces: maps.province.entries(),
      cities: maps.city.entries(),
      countries: maps.country.entries(),
    }),
  }

  function clear(): void {
    for (const top of Object.values(tops)) top.clear()
    users.clear()
    wall?.clear()
    totals = noTotals()
    levels = noLevels()
    noPlace = 0
    version++
  }
}
