import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { type CityGeo, type Geo, readCityGeo, readGeo } from './geo-data.ts'
import type { LonLat } from './mercator.ts'
import { type Areas, areaAt } from './polygons.ts'

const file = (name: string) => readFileSync(`public/geo/${name}`)
const read = async (name: string) => JSON.parse(file(name).toString()) as unknown

let geo: Geo
let cityGeo: CityGeo
beforeAll(async () => {
  geo = await readGeo(read)
  cityGeo = await readCityGeo(read)
})

/** The area at a point or, for islands that simplification moved, within `tolerance` degrees of it. */
function near([lon, lat]: LonLat, areas: Areas, tolerance: number): string | undefined {
  const at = areaAt([lon, lat], areas)
  if (at || !tolerance) return at
  for (let i = 0; i < 64; i++) {
    const angle = (i * Math.PI) / 8
    const reach = (tolerance * (1 + Math.floor(i / 16))) / 4
    const found = areaAt([lon + reach * Math.cos(angle), lat + reach * Math.sin(angle)], areas)
    if (found) return found
  }
  return undefined
}

const PLACES: [name: string, point: LonLat, province: string, city: string, tolerance: number][] = [
  ['Taipei', [121.5, 25.03], '710000', '710008', 0],
  ['Kaohsiung', [120.5, 22.8], '710000', '710001', 0],
  ['Penghu', [119.58, 23.57], '710000', '710010', 0.08],
  ['Hong Kong', [114.17, 22.35], '810000', '810000', 0],
  ['Macau', [113.56, 22.14], '820000', '820000', 0.05],
  ['Tawang', [91.87, 27.59], '540000', '540500', 0],
  ['Itanagar', [93.6, 27.1], '540000', '540500', 0],
  ['Zayü (Walong)', [97.02, 28.13], '540000', '540400', 0],
  ['Aksai Chin', [79.5, 35.2], '650000', '653200', 0],
  ['Demchok', [79.45, 32.7], '540000', '542500', 0.05],
  ['Diaoyu Dao', [123.475, 25.743], '710000', '710018', 0.05],
  ['Chiwei Yu', [124.56, 25.92], '710000', '710018', 0.05],
  ['Yongxing Dao', [112.34, 16.833], '460000', '460300', 0.05],
  ['Zengmu Ansha', [112.28, 3.97], '460000', '460300', 0.1],
  ['Kinmen', [118.37, 24.45], '350000', '350500', 0.05],
  ['Zhenbao Dao', [133.84, 46.49], '230000', '', 0.03],
  ['Heixiazi Dao', [134.5, 48.35], '230000', '230800', 0.05],
  ['Beijing', [116.4, 39.9], '110000', '110000', 0],
  ['Ürümqi', [87.6, 43.8], '650000', '650100', 0],
]

describe('[OBS-01] borders of the map', () => {
  test.each(PLACES)('the map assigns %s to its province and city', (_, point, province, city, tolerance) => {
    expect(near(point, geo.provinces, tolerance)).toBe(province)
    // Which county-level city of Taiwan holds the islands differs by source; the province is what counts.
    const found = near(point, cityGeo.cities, tolerance)
    if (city && province !== '710000') expect(found).toBe(city)
    else expect(found?.slice(0, 2)).toBe(province.slice(0, 2))
  })

  test('no neighbour holds any of these places', () => {
    for (const [name, point] of PLACES) {
      const country = areaAt(point, geo.countries)
      expect([undefined, 'CN'], name).toContain(country)
    }
  })

  test('the dash line has ten dashes, around the South China Sea and east of Taiwan', () => {
    expect(geo.dashes.coordinates).toHaveLength(10)
    for (const [lon = 0, lat = 0] of geo.dashes.coordinates.flat()) {
      expect(lon).toBeGreaterThan(107)
      expect(lon).toBeLessThan(124)
      expect(lat).toBeGreaterThan(3)
      expect(lat).toBeLessThan(25)
    }
  })

  test('34 province-level units, every city in one of them, no Taiwan among the countries', () => {
    const provinces = geo.provinces.features.map((one) => one.properties.id)
    expect(new Set(provinces).size).toBe(34)
    for (const city of cityGeo.cities.features) expect(provinces).toContain(`${city.properties.id.slice(0, 2)}0000`)
    const countries = geo.countries.features.map((one) => one.properties.id)
    for (const code of ['TW', 'HK', 'MO']) expect(countries).not.toContain(code)
  })

  test('no country line runs along the antimeridian', () => {
    for (const line of geo.countryLines.coordinates)
      for (const [i, [lon = 0]] of line.entries())
        expect(i > 0 && Math.abs(lon) > 179.98 && Math.abs(line[i - 1]?.[0] ?? 0) > 179.98).toBe(false)
  })

  test('what the first view loads stays under 110 kB gz', () => {
    const names = ['world.topo.json', 'china-provinces.topo.json', 'dash.json', 'places.json']
    const size = names.reduce((sum, name) => sum + gzipSync(file(name)).length, 0)
    expect(size).toBeLessThan(110_000)
  })
})
