import type { Topology } from 'topojson-specification'
import cities from '../../public/geo/china-cities.topo.json' with { type: 'json' }
import provinces from '../../public/geo/china-provinces.topo.json' with { type: 'json' }

/** The borders of China as the shipped map (public/geo) draws them, by province-level and city-level unit. */

type Box = { west: number; south: number; east: number; north: number }
/** Rings in degrees, longitude before latitude; the first one is the outline, the others are holes. */
type Area = { code: number; box: Box; rings: Float64Array[]; isIslet: boolean }
type Layer = Topology & { transform: { scale: number[]; translate: number[] } }

/** An area smaller than this in both directions is an islet: senders round coordinates further than the map draws it. */
const ISLET_DEGREES = 0.25
/** How far from an islet's outline a point still counts as on it, about 3 km. */
const ISLET_MARGIN = 0.03

let areas: { provinces: Area[]; cities: Area[]; box: Box } | undefined

/**
 * The province-level and city-level unit (six-digit codes) that the map shows at this point, in degrees; city 0 where it draws none.
 * Undefined outside of China's borders.
 */
export function unitsAt(longitude: number, latitude: number): { province: number; city: number } | undefined {
  areas ??= readAreas()
  if (!isInBox(areas.box, longitude, latitude, ISLET_MARGIN)) return undefined
  const province = areas.provinces.find((area) => contains(area, longitude, latitude))
  if (!province) return undefined
  const city = areas.cities.find((area) => contains(area, longitude, latitude))
  return { province: province.code, city: city?.code ?? 0 }
}

function readAreas() {
  const layers = { provinces: areasOf(provinces as unknown as Layer), cities: areasOf(cities as unknown as Layer) }
  const box = layers.provinces.reduce<Box>(
    (all, { box: one }) => ({
      west: Math.min(all.west, one.west),
      south: Math.min(all.south, one.south),
      east: Math.max(all.east, one.east),
      north: Math.max(all.north, one.north),
    }),
    { west: 180, south: 90, east: -180, north: -90 },
  )
  return { ...layers, box }
}

/** Decodes a TopoJSON layer: arcs are differences of whole numbers, rings name arcs, a negative name reverses one. */
function areasOf(topology: Layer): Area[] {
  const { scale, translate } = topology.transform
  const arcs = topology.arcs.map((arc) => {
    let x = 0
    let y = 0
    return arc.map(([dx = 0, dy = 0]): [number, number] => {
      x += dx
      y += dy
      return [x * (scale[0] as number) + (translate[0] as number), y * (scale[1] as number) + (translate[1] as number)]
    })
  })
  const ringOf = (names: readonly number[]): Float64Array => {
    const points: number[] = []
    for (const name of names) {
      const arc = name >= 0 ? arcs[name] : arcs[~name]?.toReversed()
      // The first point of an arc is the last one of the arc before.
      for (const [x, y] of arc?.slice(points.length > 0 ? 1 : 0) ?? []) points.push(x, y)
    }
    return Float64Array.from(points)
  }
  return Object.values(topology.objects).flatMap((layer) =>
    layer.type !== 'GeometryCollection'
      ? []
      : layer.geometries.flatMap((geometry) => {
          const polygons =
            geometry.type === 'Polygon' ? [geometry.arcs] : geometry.type === 'MultiPolygon' ? geometry.arcs : []
          return polygons.map((polygon): Area => {
            const rings = polygon.map(ringOf)
            const box = boxOf(rings[0] as Float64Array)
            const isIslet = box.east - box.west < ISLET_DEGREES && box.north - box.south < ISLET_DEGREES
            return { code: Number(geometry.id), box, rings, isIslet }
          })
        }),
  )
}

function boxOf(ring: Float64Array): Box {
  const box = { west: 180, south: 90, east: -180, north: -90 }
  for (let i = 0; i < ring.length; i += 2) {
    const [x, y] = [ring[i] as number, ring[i + 1] as number]
    box.west = Math.min(box.west, x)
    box.east = Math.max(box.east, x)
    box.south = Math.min(box.south, y)
    box.north = Math.max(box.north, y)
  }
  return box
}

function isInBox({ west, south, east, north }: Box, x: number, y: number, margin: number): boolean {
  return x >= west - margin && x <= east + margin && y >= south - margin && y <= north + margin
}

function contains({ box, rings, isIslet }: Area, x: number, y: number): boolean {
  if (isIslet && isInBox(box, x, y, ISLET_MARGIN)) return true
  if (!isInBox(box, x, y, 0) || !isInRing(rings[0] as Float64Array, x, y)) return false
  return !rings.slice(1).some((hole) => isInRing(hole, x, y))
}

/** Whether a ray to the east crosses the ring an odd number of times. */
function isInRing(ring: Float64Array, x: number, y: number): boolean {
  let inside = false
  for (let i = 0, j = ring.length - 2; i < ring.length; j = i, i += 2) {
    const [x1, y1] = [ring[i] as number, ring[i + 1] as number]
    const [x2, y2] = [ring[j] as number, ring[j + 1] as number]
    if (y1 > y !== y2 > y && x < ((x2 - x1) * (y - y1)) / (y2 - y1) + x1) inside = !inside
  }
  return inside
}
