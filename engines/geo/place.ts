import { unitsAt } from './china-territory.ts'
import { countryByIso, countryByName, findCity, findProvince, soleCity } from './place-table.ts'

/**
 * Where an event happened, as stored with events: codes of place-table.ts, source and precision as codes of the vocabulary
 * (source: 0 none, 1 declared, 2 from the address; precision: 0 none, 1 country, 2 province, 3 city).
 */
export type Place = {
  /** ISO 3166-1 alpha-2, '' where unknown. */
  country: string
  province: number
  city: number
  lon: number | null
  lat: number | null
  source: number
  precision: number
}

/** Returns the place of an IP address; NO_PLACE for private and unknown ones. `state`: whether the address data is present. */
export type PlaceLookup = ((address: string) => Place) & { readonly state: 'ok' | 'missing' }

export const NO_PLACE: Place = Object.freeze({
  country: '',
  province: 0,
  city: 0,
  lon: null,
  lat: null,
  source: 0,
  precision: 0,
})

const DECLARED = 1
const FROM_ADDRESS = 2
/** Province-level units of CN that have an ISO code of their own. */
const PROVINCE_OF_ISO: Record<string, string> = { TW: '710000', HK: '810000', MO: '820000' }

/** A place from the Chinese names of an address database; unknown parts are left out, never guessed. */
export function placeOfNames(names: { country: string; province: string; city: string }): Place {
  const country = countryByName(names.country)
  if (!country) return NO_PLACE
  if (country.iso !== 'CN')
    return { ...NO_PLACE, country: country.iso, lon: country.lon, lat: country.lat, source: FROM_ADDRESS, precision: 1 }
  return placeInChina(names.province, names.city, FROM_ADDRESS)
}

export type DeclaredPlace = {
  country?: string
  province?: string
  city?: string
  longitude?: number
  latitude?: number
}

/**
 * A declared place, or one line that says what is wrong with it. Declared coordinates are kept, (0, 0) is ignored. Coordinates inside
 * China's borders as the shipped map draws them win over another declared country.
 */
export function placeOfDeclared(declared: DeclaredPlace): Place | string {
  const { longitude, latitude } = declared
  if ((longitude === undefined) !== (latitude === undefined))
    return 'place.longitude and place.latitude belong together'
  if (longitude !== undefined && !(longitude >= -180 && longitude <= 180))
    return 'place.longitude must lie in -180 to 180'
  if (latitude !== undefined && !(latitude >= -90 && latitude <= 90)) return 'place.latitude must lie in -90 to 90'
  const place = namedPlace(declared)
  if (typeof place === 'string' || longitude === undefined || latitude === undefined) return place
  if (longitude === 0 && latitude === 0) return place
  if (place.precision === 0) return 'place with coordinates needs place.country'
  // The borders of the shipped map decide over a declared foreign country.
  const units = place.country === 'CN' ? undefined : unitsAt(longitude, latitude)
  const within = units ? placeInChina(String(units.province), units.city ? String(units.city) : '', DECLARED) : place
  return { ...within, lon: longitude, lat: latitude }
}

function namedPlace({ country = '', province = '', city = '' }: DeclaredPlace): Place | string {
  const iso = country.toUpperCase()
  const unit = PROVINCE_OF_ISO[iso]
  if (unit) {
    if (province && findProvince(province)?.code !== Number(unit)) return `place.province is not ${iso}`
    return checked(placeInChina(unit, city, DECLARED), unit, city)
  }
  if (iso === 'CN' || (!iso && (province || city)))
    return checked(placeInChina(province, city, DECLARED), province, city)
  if (!iso) return NO_PLACE
  const found = countryByIso(iso)
  if (!found) return `place.country is no ISO 3166-1 alpha-2 code: ${country}`
  return { ...NO_PLACE, country: iso, lon: found.lon, lat: found.lat, source: DECLARED, precision: 1 }
}

function checked(place: Place, province: string, city: string): Place | string {
  if (province && !place.province) return `place.province is unknown: ${province}`
  if (city && !place.city) return `place.city is unknown: ${city}`
  return place
}

/** A place in China by names or codes; parts that are not found are left out. */
function placeInChina(provinceText: string, cityText: string, source: number): Place {
  const province = provinceText ? findProvince(provinceText) : undefined
  const within = province?.code ?? 0
  const named = cityText && (province || !provinceText) ? findCity(cityText, within) : undefined
  const city = named ?? soleCity(within)
  const point = city ?? province ?? countryByIso('CN')
  return {
    country: 'CN',
    province: city?.province ?? province?.code ?? 0,
    city: city?.code ?? 0,
    lon: point?.lon ?? null,
    lat: point?.lat ?? null,
    source,
    precision: city ? 3 : province ? 2 : 1,
  }
}
