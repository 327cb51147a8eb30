import { createRequire } from 'node:module'
import { isIP } from 'node:net'
import { NO_PLACE, type Place, type PlaceLookup, placeOfNames } from '#engines/geo/place.ts'
import { log } from '#runtime/log.ts'
import { recentCache } from './recent-cache.ts'

/** Looks addresses up in the data that comes with the product; where that data is missing every place is NO_PLACE and `state` says so. */
export function openPlaceLookup(remembered = 20_000): PlaceLookup {
  const database = openDatabase()
  const cache = recentCache<Place>(remembered)
  /** One object a place: there are far fewer of them than addresses, so they stay near in memory. */
  const places = new Map<string, Place>()
  function placeOf(found: Region): Place {
    const name = `${found.country}|${found.province}|${found.city}`
    const known = places.get(name)
    if (known) return known
    const place = placeOfNames(found)
    places.set(name, place)
    return place
  }
  const lookup = (address: string): Place => {
    const known = cache.get(address)
    if (known) return known
    let place: Place = NO_PLACE
    try {
      const found = database && isIP(address) ? database.search(address) : null
      if (found) place = placeOf(found)
    } catch {
      // an address form that the data does not know has no place
    }
    cache.set(address, place)
    return place
  }
  return Object.assign(lookup, { state: database ? ('ok' as const) : ('missing' as const) })
}

type Region = { country: string; province: string; city: string }
type Regions = { search(address: string): Region | null }

function openDatabase(): Regions | undefined {
  try {
    // A CommonJS package whose default export bundlers and Node see differently; required, it is one thing everywhere.
    const { default: Reader } = createRequire(import.meta.url)('ip2region') as { default: new () => Regions }
    return new Reader()
  } catch (err) {
    log.warn({ err }, 'places of addresses: the data cannot be read, events get no place')
    return undefined
  }
}
