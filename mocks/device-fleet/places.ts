import { ABROAD, CITY_PEOPLE, DATE_LINE, PROVINCE_PEOPLE } from './place-weights.ts'
import { type Rng, weighted } from './random.ts'

/**
 * Where a device is, as its gateway reports it to the collector: a declared place, or the address of the client. The JSON text is a part of
 * every event of the device.
 */
export type DevicePlace = { json: string; province: number; city: number; country: string }

/** Most users live in China; of the rest, some sit behind private addresses that say nothing. */
const SHARE_ABROAD = 0.06
const SHARE_PRIVATE = 0.012
/** Of the devices in a city with a known network, this share reports an address instead of a place. */
const SHARE_BY_ADDRESS = 0.35

const rest = PROVINCE_PEOPLE.map(([province, people]) => {
  const inCities = CITY_PEOPLE.filter(([city]) => provinceOf(city) === province).reduce((sum, [, one]) => sum + one, 0)
  return [{ province, city: 0, network: undefined as string | undefined }, Math.max(0, people - inCities)] as const
})
const chinese = weighted([
  ...CITY_PEOPLE.map(([city, people, network]) => [{ province: provinceOf(city), city, network }, people] as const),
  ...rest,
])
const abroad = weighted(ABROAD.map((row) => [row, row[1]] as const))
const dateLine = weighted(DATE_LINE.map((row) => [row, row[1]] as const))

export function pickPlace(rng: Rng, dateLineOnly = false): DevicePlace {
  if (dateLineOnly) return foreignPlace(dateLine(rng.next()), rng)
  const kind = rng.next()
  if (kind < SHARE_PRIVATE)
    return { json: addressText(`10.${rng.int(256)}.${rng.int(256)}`, rng), province: 0, city: 0, country: '' }
  if (kind < SHARE_PRIVATE + SHARE_ABROAD) return foreignPlace(abroad(rng.next()), rng)
  const { province, city, network } = chinese(rng.next())
  if (network && rng.next() < SHARE_BY_ADDRESS)
    return { json: addressText(`${network}.${rng.int(256)}`, rng), province, city, country: 'CN' }
  return placeIn(province, city)
}

/** A declared place in China; city 0: the province alone. */
export function placeIn(province: number, city: number): DevicePlace {
  const named = city ? `,"city":"${city}"` : ''
  return { json: `"place":{"country":"CN","province":"${province}"${named}}`, province, city, country: 'CN' }
}

/** A city of the province by its weight, for campaigns that live in one province. */
export function pickCityOf(province: number): (u: number) => number {
  const cities = CITY_PEOPLE.filter(([city]) => provinceOf(city) === province)
  return weighted(cities.map(([city, people]) => [city, people] as const))
}

export function provinceOf(city: number): number {
  return Math.floor(city / 10_000) * 10_000
}

function foreignPlace([country, , lon, lat]: readonly [string, number, number, number], rng: Rng): DevicePlace {
  // Suburbs, not everyone on the town hall's doorstep: within some 15 km.
  const [x, y] = [wrap(lon + (rng.next() - 0.5) * 0.2), lat + (rng.next() - 0.5) * 0.2]
  const json = `"place":{"country":"${country}","longitude":${x.toFixed(3)},"latitude":${y.toFixed(3)}}`
  return { json, province: 0, city: 0, country }
}

function wrap(longitude: number): number {
  return longitude > 180 ? longitude - 360 : longitude < -180 ? longitude + 360 : longitude
}

function addressText(network: string, rng: Rng): string {
  return `"client_ip":"${network}.${1 + rng.int(254)}"`
}
