import { createRequire } from 'node:module'
import { isIP } from 'node:net'
import { NO_PLACE, type Place, type PlaceLookup, placeOfNames } from '#engines/geo/place.ts'
import { recentCache } from './recent-cache.ts'

/** Looks addresses up in the data that comes with the product; where that data is missing every place is NO_PLACE and `state` says so. */
export function openPlaceLookup(remembered = 20_000): PlaceLookup {
  const database = openDatabase()
  const cache = recentCache<Place>(remembered)
  const lookup = (address: string): Place => {
    const known = cache.get(address)
    if (known) return known
    let place: Place = NO_PLACE
    try {
      const found = database && isIP(address) ? database.search(address) : null
      if (found) place = placeOfNames(found)
    } catch {
      // an address form that the data does not know has no place
    }
    cache.set(address, place)
    return place
  }
  return Object.assign(lookup, { state: database ? ('ok' as const) : ('missing' as const) })
}

type Regions = { search(address: string): { country: string; province: string; city: string } | null }

function openDatabase(): Regions | undefined {
  try {
    // A CommonJS package whose default export bundlers and Node see differently; required, it is one thing everywhere.
    const { default: Reader } = createRequire(import.meta.url)('ip2region') as { default: new () => Regions }
    return new Reader()
  } catch {
    return undefined
  }
}
