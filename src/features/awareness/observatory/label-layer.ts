import {
  type Box,
  type Camera,
  type LonLat,
  nearestLongitude,
  overlaps,
  type Point,
  type Projector,
  projector,
  type Rect,
  unproject,
} from '../../../shared/map/mercator.ts'
import { type Area, boxOf, mainPart } from '../../../shared/map/polygons.ts'
import { token } from '../../../shared/theme/tokens.ts'
import { type LabelWish, placeLabels } from './map/label-placement.ts'

/** An area that wants its name on the map; most important first within its tone. */
export type NamedArea = { area: Area; name: string; count?: string; tone: 'strong' | 'quiet' }
export type SitePlate = { id: number; name: string; note: string; point: LonLat }
type Placed = { name: string; count: string | undefined; twoLines: boolean; tone: NamedArea['tone']; at: LonLat }
type PlacedPlate = { plate: SitePlate; rect: Rect; outside: boolean; onLand: boolean }

const boxes = new WeakMap<Area, Box>()
const ARROWS = ['→', '↘', '↓', '↙', '←', '↖', '↑', '↗']

/**
 * Names of areas, site markers and their labels, on one canvas: laid out again when the camera rests or the texts change, carried along
 * while it moves. No glyph files: the browser's own fonts. With `flat` (low power) the resting map is painted below them, opaque: with
 * software graphics each further full-screen layer costs some 30 ms whenever anything on the page changes.
 */
export function createLabelLayer(canvas: HTMLCanvasElement, flat: boolean) {
  const context = canvas.getContext('2d', { alpha: !flat }) as CanvasRenderingContext2D
  let backdrop: HTMLCanvasElement | null = null
  const family = token('font-sans', canvas)
  const color = (name: string) => token(name, canvas)
  const colors = {
    text: color('text'),
    muted: color('muted'),
    plate: color('wall-plate'),
    canvas: color('canvas'),
    line: color('map-outline'),
  }

  let camera: Camera = { lon: 0, lat: 0, zoom: 1, width: 1, height: 1 }
  let project: Projector = projector(camera)
  let [unit, ratio] = [1, 1]
  let zone: Rect = { x: 0, y: 0, width: 1, height: 1 }
  let areas: readonly NamedArea[] = []
  let sites: readonly SitePlate[] = []
  let obstacles: readonly Rect[] = []
  let isLand: (point: LonLat) => boolean = () => false
  let placed: Placed[] = []
  let plates: PlacedPlate[] = []

  const font = (size: number, weight = 400) => `${weight} ${size * unit}px ${family}`
  const size = (text: string, px: number, weight = 400) => {
    context.font = font(px, weight)
    return context.measureText(text).width
  }

  function place(): void {
    plates = placePlates()
    const markers = sites.map(({ point }) => {
      const [x, y] = project(nearestLongitude(point[0], camera.lon), point[1])
      return { x: x - 14 * unit, y: y - 14 * unit, width: 28 * unit, height: 28 * unit }
    })
    const wishes: LabelWish[] = []
    for (const [index, { area, name, count }] of areas.entries()) {
      const outline = outlineOf(area)
      if (!outline) continue
      const [nameWidth, countWidth] = [size(name, 14) + 6 * unit, count ? size(count, 14, 500) + 6 * unit : 0]
      const one = { width: nameWidth + countWidth, height: 20 * unit }
      const two = { width: Math.max(nameWidth, countWidth), height: 38 * unit }
      wishes.push({ id: String(index), outline, sizes: count ? [one, two] : [one] })
    }
    const free = placeLabels(wishes, [...obstacles, ...markers, ...plates.map(({ rect }) => rect)], zone)
    placed = free.map(({ id, x, y, size: chosen }) => {
      const { name, count, tone } = areas[Number(id)] as NamedArea
      return { name, count, tone, twoLines: chosen === 1, at: unproject(camera, x, y) }
    })
  }

  /** The area's main outline on the screen, or undefined where none of it shows. */
  function outlineOf(area: Area): Point[] | undefined {
    const ring = mainPart(area)[0]
    if (!ring || !inView(area)) return undefined
    const shift = nearestLongitude(ring[0]?.[0] ?? 0, camera.lon) - (ring[0]?.[0] ?? 0)
    let shows = false
    const outline = (ring as [number, number][]).map(([lon, lat]) => {
      const point = project(lon + shift, lat)
      shows ||=
        point[0] > zone.x && point[0] < zone.x + zone.width && point[1] > zone.y && point[1] < zone.y + zone.height
      return point
    })
    return shows ? outline : undefined
  }

  function inView(area: Area): boolean {
    const [west, south, east, north] = boxes.get(area) ?? boxOf(mainPart(area)[0] ?? [])
    boxes.set(area, [west, south, east, north])
    const shift = nearestLongitude(west, camera.lon) - west
    const [left, top] = project(west + shift, north)
    const [right, bottom] = project(east + shift, south)
    return left < zone.x + zone.width && right > zone.x && top < zone.y + zone.height && bottom > zone.y
  }

  function placePlates(): PlacedPlate[] {
    const taken: Rect[] = [...obstacles]
    return sites.map((plate) => {
      const [x, y] = project(nearestLongitude(plate.point[0], camera.lon), plate.point[1])
      const width = Math.max(size(plate.name, 16, 500), size(plate.note, 14)) + 20 * unit
      const height = 50 * unit
      const inside = x > zone.x && x < zone.x + zone.width && y > zone.y && y < zone.y + zone.height
      if (!inside) {
        const rect = atEdge(x, y, width + 22 * unit, height)
        while (taken.some((other) => overlaps(rect, other)) && rect.y + rect.height * 2 < zone.y + zone.height)
          rect.y += height + 6 * unit
        taken.push(rect)
        return { plate, rect, outside: true, onLand: true }
      }
      const gap = 22 * unit
      const spots: Rect[] = [
        { x: x + gap + 8 * unit, y: y - height / 2, width, height },
        { x: x - 40 * unit, y: y + gap, width, height },
        { x: x - width - gap, y: y - height / 2, width, height },
        { x: x - width / 2, y: y - height - gap, width, height },
      ]
      const fits = (rect: Rect) =>
        rect.x >= zone.x &&
        rect.x + rect.width <= zone.x + zone.width &&
        rect.y + rect.height <= zone.y + zone.height &&
        !taken.some((other) => overlaps(rect, other))
      const landed = (rect: Rect) => isLand(unproject(camera, rect.x + rect.width / 2, rect.y + rect.height / 2))
      const free = spots.filter(fits)
      const rect =
        free.find((one) => !landed(one)) ?? free.find((one) => one === spots[1]) ?? free[0] ?? (spots[0] as Rect)
      taken.push(rect)
      return { plate, rect, outside: false, onLand: landed(rect) }
    })
  }

  function atEdge(x: number, y: number, width: number, height: number): Rect {
    const pad = 8 * unit
    return {
      x: Math.max(zone.x + pad, Math.min(zone.x + zone.width - width - pad, x - width / 2)),
      y: Math.max(zone.y + pad, Math.min(zone.y + zone.height - height - pad, y - height / 2)),
      width,
      height,
    }
  }

  function paint(): void {
    context.setTransform(ratio, 0, 0, ratio, 0, 0)
    if (backdrop) context.drawImage(backdrop, 0, 0, camera.width, camera.height)
    else context.clearRect(0, 0, camera.width, camera.height)
    context.textBaseline = 'middle'
    for (const { name, count, twoLines, tone, at } of placed) {
      const [x, y] = project(nearestLongitude(at[0], camera.lon), at[1])
      const nameWidth = size(name, 14)
      const countWidth = count ? size(count, 14, 500) : 0
      const gap = count && !twoLines ? 6 * unit : 0
      const left = twoLines ? x - nameWidth / 2 : x - (nameWidth + gap + countWidth) / 2
      context.globalAlpha = tone === 'strong' ? 0.72 : 0.55
      text(name, left, twoLines ? y - 9 * unit : y, 14, 400, tone === 'strong' ? colors.text : colors.muted)
      if (!count) continue
      context.globalAlpha = 0.95
      text(
        count,
        twoLines ? x - countWidth / 2 : left + nameWidth + gap,
        twoLines ? y + 9 * unit : y,
        14,
        500,
        colors.text,
      )
    }
    context.globalAlpha = 1
    for (const one of plates) paintPlate(one)
  }

  function paintPlate({ plate, rect, outside, onLand }: PlacedPlate): void {
    const [x, y] = project(nearestLongitude(plate.point[0], camera.lon), plate.point[1])
    if (onLand) {
      context.fillStyle = colors.plate
      context.beginPath()
      context.roundRect(rect.x, rect.y, rect.width, rect.height, 4 * unit)
      context.fill()
    }
    let left = rect.x + 10 * unit
    if (outside) {
      const angle = Math.atan2(y - (rect.y + rect.height / 2), x - (rect.x + rect.width / 2))
      text(
        ARROWS[(Math.round(angle / (Math.PI / 4)) + 8) % 8] as string,
        left,
        rect.y + 16 * unit,
        16,
        500,
        colors.text,
      )
      left += 22 * unit
    }
    text(plate.name, left, rect.y + 16 * unit, 16, 500, colors.text)
    text(plate.note, left, rect.y + 36 * unit, 14, 400, colors.muted)
    if (outside) return
    dot(x, y, 8.5, colors.canvas)
    context.strokeStyle = colors.text
    context.lineWidth = 2 * unit
    context.beginPath()
    context.arc(x, y, 7.5 * unit, 0, 7)
    context.stroke()
    dot(x, y, 2.6, colors.text)
  }

  function dot(x: number, y: number, radius: number, fill: string): void {
    context.fillStyle = fill
    context.beginPath()
    context.arc(x, y, radius * unit, 0, 7)
    context.fill()
  }

  function text(value: string, x: number, y: number, px: number, weight: number, fill: string): void {
    context.font = font(px, weight)
    context.fillStyle = fill
    context.fillText(value, x, y)
  }

  return {
    setCamera(next: Camera, nextUnit: number, nextRatio: number, still: boolean): void {
      ;[camera, unit, ratio] = [next, nextUnit, nextRatio]
      project = projector(camera)
      const [width, height] = [Math.round(camera.width * ratio), Math.round(camera.height * ratio)]
      if (canvas.width !== width || canvas.height !== height) [canvas.width, canvas.height] = [width, height]
      if (still) place()
      paint()
    },
    setTexts(next: {
      areas: readonly NamedArea[]
      obstacles: readonly Rect[]
      zone: Rect
      isLand: (point: LonLat) => boolean
    }): void {
      ;({ areas, obstacles, zone, isLand } = next)
      place()
      paint()
    },
    /** Counts change every second: plates stay where they are while their names do. */
    setSites(next: readonly SitePlate[]): void {
      const same =
        next.length === sites.length && next.every((one, i) => one.id === sites[i]?.id && one.name === sites[i]?.name)
      sites = next
      if (same) plates = plates.map((one, i) => ({ ...one, plate: next[i] as SitePlate }))
      else place()
      paint()
    },
    /** The picture of the resting map, taken while it is drawn; null while it moves. */
    setBackdrop(map: HTMLCanvasElement | null): void {
      if (!map && !backdrop) return
      if (map) {
        backdrop ??= document.createElement('canvas')
        ;[backdrop.width, backdrop.height] = [map.width, map.height]
        backdrop.getContext('2d')?.drawImage(map, 0, 0)
      } else {
        backdrop = null
      }
      paint()
    },
    /** The site whose marker or plate is under a pixel. */
    siteAt(x: number, y: number): number | undefined {
      for (const { plate, rect } of plates) {
        const [sx, sy] = project(nearestLongitude(plate.point[0], camera.lon), plate.point[1])
        const onPlate = x >= rect.x && x <= rect.x + rect.width && y >= rect.y && y <= rect.y + rect.height
        if (onPlate || Math.hypot(sx - x, sy - y) < 12 * unit) return plate.id
      }
      return undefined
    },
  }
}
export type LabelLayer = ReturnType<typeof createLabelLayer>
