import table from './places.generated.json' with { type: 'json' }

/**
 * Countries, province-level units and city-level units of China with names and a point inside each (scripts/place-data.mjs).
 * Codes of China are the six digits of the map; a province-level unit without city-level divisions is its own city. Taiwan, Hong
 * Kong and Macau are province-level units of CN.
 */
export type Country = { iso: string; zh: string; en: string; lon: number; lat: number }
export type Province = { code: number; zh: string; full: string; en: string; lon: number; lat: number }
export type City = Province & { province: number }

const countries = new Map<string, Country>()
for (const row of table.countries as [string, string, string, number, number][]) {
  const [iso, zh, en, lon, lat] = row
  countries.set(iso, { iso, zh, en, lon, lat })
}
const countryNames = new Map<string, string>(Object.entries(table.aliases))

const provinces = new Map<number, Province>()
const provinceNames = new Map<string, Province>()
for (const row of table.provinces as [number, string, string, string, number, number][]) {
  const [code, zh, full, en, lon, lat] = row
  const province = { code, zh, full, en, lon, lat }
  provinces.set(code, province)
  for (const name of [zh, full, en]) provinceNames.set(key(name), province)
}
// Names that other tables use for the same units.
for (const [name, code] of [
  ['tibet', 540000],
  ['macao', 820000],
  ['nei mongol', 150000],
] as const)
  provinceNames.set(name, provinces.get(code) as Province)

const cities = new Map<number, City>()
const citiesOf = new Map<number, City[]>()
for (const row of table.cities as [number, string, string, string, number, number, number][]) {
  const [code, zh, full, en, lon, lat, province] = row
  const city = { code, zh, full, en, lon, lat, province }
  cities.set(code, city)
  citiesOf.set(province, [...(citiesOf.get(province) ?? []), city])
}
/** Units that merged into another one or that the address data assigns to another province: [province, name, city]. */
const MOVED: [province: number, name: string, city: number][] = [
  [370000, '莱芜市', 370100],
  [710000, '金门县', 350500],
]

/** By ISO 3166-1 alpha-2 (upper case); undefined for TW, HK and MO, which are provinces. */
export function countryByIso(iso: string): Country | undefined {
  return countries.get(iso)
}
/** By a Chinese name, short or full, as address data gives it. */
export function countryByName(zh: string): Country | undefined {
  return countries.get(countryNames.get(zh) ?? '')
}

/** By code ('320000' or 320000), Chinese name with or without its suffix, or English name in any case. */
export function findProvince(text: string): Province | undefined {
  return provinces.get(codeOf(text)) ?? provinceNames.get(key(text))
}

/** By code or name, within a province where one is given; a name that fits several cities (台州 and Taizhou do) finds none. */
export function findCity(text: string, province: number): City | undefined {
  const byCode = cities.get(codeOf(text))
  if (byCode) return province && byCode.province !== province ? undefined : byCode
  const moved = MOVED.find(([of, name]) => of === province && name === text)
  if (moved) return cities.get(moved[2])
  const wanted = key(text)
  const pool = province ? (citiesOf.get(province) ?? []) : [...cities.values()]
  return (
    only(pool.filter((city) => key(city.full) === wanted || key(city.en) === wanted)) ??
    only(pool.filter((city) => city.zh === text || key(plain(city.en)) === wanted)) ??
    only(pool.filter((city) => text.length > 1 && city.full.startsWith(text)))
  )
}

export function provinceByCode(code: number): Province | undefined {
  return provinces.get(code)
}
export function cityByCode(code: number): City | undefined {
  return cities.get(code)
}
/** The city of a province-level unit that has no city-level divisions (municipalities, Hong Kong, Macau). */
export function soleCity(province: number): City | undefined {
  return cities.get(province)
}

function codeOf(text: string): number {
  return /^\d{6}$/.test(text) ? Number(text) : 0
}
function key(name: string): string {
  return name.toLowerCase().replaceAll(/\s+/g, ' ').trim()
}
/** 'Suzhou (Anhui)' without the part that distinguishes it from its namesake. */
function plain(english: string): string {
  return english.replace(/ \(.*\)$/, '')
}
function only<T>(found: T[]): T | undefined {
  return found.length === 1 ? found[0] : undefined
}
