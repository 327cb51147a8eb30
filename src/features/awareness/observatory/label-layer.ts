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
import { PERIMETER } from './map/arcs.ts'
import { clampInto, type LabelWish, placeLabels } from './map/label-placement.ts'
import { groupSites } from './map/site-groups.ts'

/** An area that wants its name on the map; most important first within its tone. */
export type NamedArea = { area: Area; name: string; count?: string; tone: 'strong' | 'quiet' }
export type SitePlate = { id: number; name: string; count: number; point: LonLat }
/** The line below the name on a plate: attacks of its sites. */
export type NoteOf = (count: number, sites: number) => string
type Placed = { name: string; count: string | undefined; twoLines: boolean; tone: NamedArea['tone']; at: LonLat }
/** One plate for one site, or for several that stand side by side; `at` is the middle of them. */
type PlacedPlate = { members: readonly number[]; name: string; at: LonLat; rect: Rect; outside: boolean }

const boxes = new WeakMap<Area, Box>()
/** Sites nearer than this share a plate. */
const NEAR = 44
/** Names on a shared plate. */
const NAMES = 2
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
  let noteOf: NoteOf = () => ''
  let perimeter: number = PERIMETER.usual
  let obstacles: readonly Rect[] = []
  let isLand: (point: LonLat) => boolean = () => false
  let dimmed = false
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
      const reach = (perimeter + 4) * unit
      return { x: x - reach, y: y - reach, width: 2 * reach, height: 2 * reach }
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
    const points = sites.map(({ point }) => project(nearestLongitude(point[0], camera.lon), point[1]))
    return groupSites(points, NEAR * unit).map((members) => {
      const of = members.map((index) => points[index] as Point)
      const [x, y] = [mean(of.map(([px]) => px)), mean(of.map(([, py]) => py))]
      const at = unproject(camera, x, y)
      const names = members.map((index) => (sites[index] as SitePlate).name)
      const name = names.length > NAMES ? `${names.slice(0, NAMES).join(' · ')} …` : names.join(' · ')
      const width = Math.max(size(name, 16, 500), size(noteFor(members), 14)) + 20 * unit
      const height = 50 * unit
      const inside = x > zone.x && x < zone.x + zone.width && y > zone.y && y < zone.y + zone.height
      if (!inside) {
        const rect = atEdge(x, y, width + 22 * unit, height)
        while (taken.some((other) => overlaps(rect, other)) && rect.y + rect.height * 2 < zone.y + zone.height)
          rect.y += height + 6 * unit
        taken.push(rect)
        return { members, name, at, rect, outside: true }
      }
      const gap = (perimeter + 8) * unit
      const spots: Rect[] = [
        { x: x + gap, y: y - height / 2, width, height },
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
        free.find((one) => !landed(one)) ??
        free.find((one) => one === spots[1]) ??
        free[0] ??
        clampInto(spots[0] as Rect, zone)
      taken.push(rect)
      return { members, name, at, rect, outside: false }
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
      context.globalAlpha = dimmed ? 0.34 : tone === 'strong' ? 0.72 : 0.55
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
    for (const one of sites) paintSite(one)
    for (const one of plates) paintPlate(one)
  }

  function paintPlate({ members, name, at, rect, outside }: PlacedPlate): void {
    context.fillStyle = colors.plate
    context.beginPath()
    context.roundRect(rect.x, rect.y, rect.width, rect.height, 4 * unit)
    context.fill()
    let left = rect.x + 10 * unit
    if (outside) {
      const [x, y] = project(nearestLongitude(at[0], camera.lon), at[1])
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
    text(name, left, rect.y + 16 * unit, 16, 500, colors.text)
    text(noteFor(members), left, rect.y + 36 * unit, 14, 400, colors.muted)
  }

  /** The ring that attacks stop at, and the core behind it. */
  function paintSite({ point }: SitePlate): void {
    const [x, y] = project(nearestLongitude(point[0], camera.lon), point[1])
    context.globalAlpha = 0.42
    dot(x, y, perimeter, colors.canvas)
    context.globalAlpha = 0.3
    circle(x, y, perimeter, 1.2)
    context.globalAlpha = 1
    const core = Math.min(7, perimeter / 2.2)
    dot(x, y, core, colors.canvas)
    circle(x, y, core, 1.6)
    dot(x, y, core * 0.41, colors.text)
  }

  const noteFor = (members: readonly number[]) =>
    noteOf(
      members.reduce((sum, index) => sum + (sites[index]?.count ?? 0), 0),
      members.length,
    )

  function circle(x: number, y: number, radius: number, width: number): void {
    context.strokeStyle = colors.text
    context.lineWidth = width * unit
    context.beginPath()
    context.arc(x, y, radius * unit, 0, 7)
    context.stroke()
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
      perimeter: number
    }): void {
      ;({ areas, obstacles, zone, isLand, perimeter } = next)
      place()
      paint()
    },
    /** Counts change every second: plates stay where they are while their names do. */
    setSites(next: readonly SitePlate[], nextNote: NoteOf): void {
      const same =
        next.length === sites.length && next.every((one, i) => one.id === sites[i]?.id && one.name === sites[i]?.name)
      ;[sites, noteOf] = [next, nextNote]
      if (!same) place()
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
      const inside = (rect: Rect) => x >= rect.x && x <= rect.x + rect.width && y >= rect.y && y <= rect.y + rect.height
      const plate = plates.find(({ members, rect }) => members.length === 1 && inside(rect))
      if (plate) return sites[plate.members[0] as number]?.id
      return sites.find(({ point }) => {
        const [sx, sy] = project(nearestLongitude(point[0], camera.lon), point[1])
        return Math.hypot(sx - x, sy - y) < Math.min(12, perimeter) * unit
      })?.id
    },
    /** The box of the plate that names a site. */
    plateOf(id: number): Rect | undefined {
      return plates.find(({ members }) => members.some((index) => sites[index]?.id === id))?.rect
    },
    /** What other layers must keep off: plates, sites and what floats over the map. */
    taken(): Rect[] {
      return [...obstacles, ...plates.map(({ rect }) => rect)]
    },
    /** Names step back while an alert has the map. */
    setDimmed(on: boolean): void {
      if (dimmed === on) return
      dimmed = on
      paint()
    },
  }
}

const mean = (list: readonly number[]) => list.reduce((sum, one) => sum + one, 0) / Math.max(1, list.length)

export type LabelLayer = ReturnType<typeof createLabelLayer>
