import type { ArcTuple } from '#contracts/live/messages.ts'
import { LEVELS, type Level, wordOf } from '#domain/vocabulary.ts'
import type { Geo } from '../../../../shared/map/geo-data.ts'
import type { LonLat } from '../../../../shared/map/mercator.ts'
import { type Area, partsOf } from '../../../../shared/map/polygons.ts'
import { token } from '../../../../shared/theme/tokens.ts'
import type { AreaShading } from '../area-shading.ts'
import {
  EXIT_MS,
  headAt,
  LIFE_MS,
  landingAt,
  newLanding,
  PERIMETER,
  pathAlphaAt,
  TRAVEL_MS,
  tailAt,
} from '../map/arcs.ts'
import { createAttackMarks, type PathAt } from '../map/attack-marks.ts'
import { cubicBezier } from '../map/easing.ts'
import { createView, subsolarPoint, type Turn, type Vector, vectorOf } from './orthographic.ts'

const MOST = 40
const TURN_MS = 900
const NIGHT = { alpha: 0.5, twilight: 14, step: 3 }
const ease = cubicBezier(0.45, 0, 0.55, 1)

type Flight = {
  a: Vector
  b: Vector
  angle: number
  height: number
  level: Level
  blocked: boolean
  born: number
  site: number
}
export type GlobeRenderer = {
  setPlace(width: number, height: number, x: number, y: number, radius: number, unit: number, ratio: number): void
  setShades(shades: AreaShading): void
  setSites(sites: ReadonlyMap<number, LonLat>): void
  turnTo(turn: Turn): void
  add(arcs: readonly ArcTuple[]): void
  /** Attacks that show now. */
  drawn(): number
  destroy(): void
}

/**
 * The earth as a disc: land shaded by country, night from the clock, live arcs as great circles. `back` is painted when something of it
 * changes (once a minute for the night, every frame of a turn), `front` while arcs live.
 */
export function createGlobe(
  back: HTMLCanvasElement,
  front: HTMLCanvasElement,
  geo: Geo,
  now: () => number,
  clock: () => number,
): GlobeRenderer {
  const base = back.getContext('2d') as CanvasRenderingContext2D
  const context = front.getContext('2d') as CanvasRenderingContext2D
  const marks = createAttackMarks(context, front)
  const of = (name: string) => token(name, back)
  const view = createView()
  const landing = newLanding()
  const p: Vector = { x: 0, y: 0, z: 0 }
  const hit = { x: 0, y: 0 }
  // Provinces fill China; its country outline is no border of ours.
  const land = [
    ...geo.countries.features
      .filter(({ properties }) => properties.id !== 'CN')
      .map((area) => ({ id: area.properties.id, rings: ringsOf(area) })),
    ...geo.provinces.features.map((area) => ({ id: 'CN', rings: ringsOf(area) })),
  ]
  const outline = geo.outline.coordinates.map(pointsOf)
  const dashes = geo.dashes.coordinates.map(pointsOf)
  const night = document.createElement('canvas')
  let [cx, cy, radius, unit, ratio, width, height] = [0, 0, 1, 1, 1, 1, 1]
  let shades: AreaShading | null = null
  let sites: ReadonlyMap<number, Vector> = new Map()
  let flights: Flight[] = []
  let turn: Turn = { lon: 105, lat: 25 }
  let [from, to, turnedAt] = [turn, turn, -TURN_MS]
  let frame = 0
  let dirty = true
  let current: Flight | null = null
  const minute = setInterval(() => {
    dirty = true
    wake()
  }, 60_000)

  const path: PathAt = (t, out) => {
    const { a, b, angle, height: rise } = current as Flight
    const sine = Math.sin(angle) || 1e-6
    const [k, m] = [Math.sin((1 - t) * angle) / sine, Math.sin(t * angle) / sine]
    const lift = 1 + rise * Math.sin(Math.PI * t)
    view.project(a.x * k + b.x * m, a.y * k + b.y * m, a.z * k + b.z * m, p)
    out.x = cx + p.x * lift * radius
    out.y = cy - p.y * lift * radius
    return p.z > 0 || Math.hypot(p.x, p.y) * lift > 1
  }

  function wake(): void {
    if (!frame) frame = requestAnimationFrame(step)
  }
  function step(): void {
    frame = 0
    const at = now()
    const turning = at - turnedAt < TURN_MS
    if (turning || turn !== to) {
      const t = ease((at - turnedAt) / TURN_MS)
      turn = turning ? { lon: from.lon + (to.lon - from.lon) * t, lat: from.lat + (to.lat - from.lat) * t } : to
      view.turn(turn)
      dirty = true
    }
    if (dirty) paintBack(!turning)
    paintFront(at)
    if (turning || flights.length > 0) wake()
  }

  function lineOn(points: readonly Vector[], close: boolean): void {
    let started = false
    for (let i = 0; i < points.length; i++) {
      const one = points[i] as Vector
      view.project(one.x, one.y, one.z, p)
      if (p.z < 0) {
        if (!close) {
          started = false
          continue
        }
        const far = Math.hypot(p.x, p.y) || 1
        p.x /= far
        p.y /= far
      }
      if (started) base.lineTo(cx + p.x * radius, cy - p.y * radius)
      else base.moveTo(cx + p.x * radius, cy - p.y * radius)
      started = true
    }
    if (close) base.closePath()
  }
  const faces = (points: readonly Vector[]) =>
    points.some((one) => {
      view.project(one.x, one.y, one.z, p)
      return p.z > 0
    })

  function paintBack(withNight: boolean): void {
    dirty = false
    base.setTransform(ratio, 0, 0, ratio, 0, 0)
    base.fillStyle = of('canvas')
    base.fillRect(0, 0, width, height)
    const air = base.createRadialGradient(cx, cy, radius * 0.985, cx, cy, radius * 1.14)
    air.addColorStop(0, `${of('map-glow')}40`)
    air.addColorStop(0.2, `${of('map-glow')}18`)
    air.addColorStop(1, `${of('map-glow')}00`)
    base.fillStyle = air
    disc(radius * 1.14)
    const sea = base.createRadialGradient(cx - radius * 0.35, cy - radius * 0.4, radius * 0.1, cx, cy, radius)
    sea.addColorStop(0, of('map-1'))
    sea.addColorStop(1, of('canvas'))
    base.fillStyle = sea
    disc(radius)
    base.save()
    base.beginPath()
    base.arc(cx, cy, radius, 0, 7)
    base.clip()
    base.lineJoin = 'round'
    for (const { id, rings } of land) {
      const shade = shades?.countries.get(id) ?? 0
      base.beginPath()
      for (const ring of rings) if (faces(ring)) lineOn(ring, true)
      base.fillStyle = shade ? of(`map-${shade}`) : of('map-neighbour')
      base.fill()
      base.strokeStyle = id === 'CN' ? base.fillStyle : of('map-neighbour-line')
      base.lineWidth = 0.8 * unit
      base.stroke()
    }
    base.beginPath()
    for (const line of outline) lineOn(line, false)
    base.strokeStyle = of('map-outline')
    base.lineWidth = 1.1 * unit
    base.stroke()
    base.beginPath()
    for (const line of dashes) lineOn(line, false)
    base.strokeStyle = of('map-dash')
    base.lineWidth = 1.2 * unit
    base.stroke()
    if (withNight) paintNight()
    base.restore()
    base.strokeStyle = of('map-outline')
    base.globalAlpha = 0.6
    base.lineWidth = unit
    base.beginPath()
    base.arc(cx, cy, radius, 0, 7)
    base.stroke()
    base.globalAlpha = 1
  }
  function disc(r: number): void {
    base.beginPath()
    base.arc(cx, cy, r, 0, 7)
    base.fill()
  }

  /** Dark where the sun is below the horizon, soft over fourteen degrees of twilight. */
  function paintNight(): void {
    const size = Math.ceil((2 * radius) / NIGHT.step)
    night.width = night.height = size
    const shade = night.getContext('2d') as CanvasRenderingContext2D
    const image = shade.createImageData(size, size)
    const point = subsolarPoint(clock())
    const sun = vectorOf(point.lon, point.lat)
    for (let j = 0; j < size; j++)
      for (let i = 0; i < size; i++) {
        const x = ((i + 0.5) / size) * 2 - 1
        const y = 1 - ((j + 0.5) / size) * 2
        const rest = 1 - x * x - y * y
        if (rest < 0) continue
        view.unproject(x, y, Math.sqrt(rest), p)
        const height = (Math.asin(Math.max(-1, Math.min(1, p.x * sun.x + p.y * sun.y + p.z * sun.z))) * 180) / Math.PI
        const dark = Math.max(0, Math.min(1, -height / NIGHT.twilight))
        image.data[(j * size + i) * 4 + 3] = 255 * NIGHT.alpha * dark * dark * (3 - 2 * dark)
      }
    shade.putImageData(image, 0, 0)
    base.drawImage(night, cx - radius, cy - radius, 2 * radius, 2 * radius)
  }

  function paintFront(at: number): void {
    context.setTransform(ratio, 0, 0, ratio, 0, 0)
    context.globalAlpha = 1
    context.clearRect(0, 0, width, height)
    for (const site of sites.values()) paintSite(site)
    let kept = 0
    for (let i = 0; i < flights.length; i++) {
      const one = flights[i] as Flight
      if (at - one.born >= LIFE_MS) continue
      flights[kept++] = one
      if (at >= one.born) paintFlight(one, at - one.born)
    }
    flights.length = kept
  }
  function paintSite(site: Vector): void {
    view.project(site.x, site.y, site.z, p)
    if (p.z < 0) return
    const [x, y] = [cx + p.x * radius, cy - p.y * radius]
    marks.ring(x, y, PERIMETER.globe * unit, marks.white, 0.35)
    marks.ring(x, y, 6 * unit, marks.white, 1, 1.6)
  }
  function paintFlight(one: Flight, age: number): void {
    current = one
    const hue = marks.color[one.level]
    view.project(one.b.x, one.b.y, one.b.z, p)
    const [x, y, seen] = [cx + p.x * radius, cy - p.y * radius, p.z > 0]
    const end = one.blocked ? gate(x, y) : 1
    const flying = age < TRAVEL_MS
    const head = headAt(age) * end
    marks.way(path, 0, flying ? head : end, hue, pathAlphaAt(age), flying ? 0.9 : 1.15)
    if (path(0, hit)) marks.shape(one.level, hit.x, hit.y, 3.5, flying ? 1 : 0.4 + pathAlphaAt(age) * 1.27)
    if (flying) {
      marks.way(path, head, end, hue, 0.09, 1, true)
      marks.comet(path, tailAt(age) * end, head, one.level, 1)
      return
    }
    if (!seen || age - TRAVEL_MS > EXIT_MS) return
    path(end === 1 ? 0.96 : end, hit)
    landingAt(age - TRAVEL_MS, one.blocked, landing)
    marks.landing(landing, x, y, PERIMETER.globe * unit, Math.atan2(hit.y - y, hit.x - x), one.level, 1)
  }
  /** Where the flight meets the perimeter of its site on the screen. */
  function gate(x: number, y: number): number {
    for (let t = 1; t > 0; t -= 0.02) {
      path(t, hit)
      if (Math.hypot(hit.x - x, hit.y - y) >= PERIMETER.globe * unit) return t
    }
    return 1
  }

  return {
    setPlace(nextWidth, nextHeight, x, y, nextRadius, nextUnit, nextRatio) {
      ;[width, height, cx, cy, radius, unit, ratio] = [nextWidth, nextHeight, x, y, nextRadius, nextUnit, nextRatio]
      for (const canvas of [back, front])
        [canvas.width, canvas.height] = [Math.round(width * ratio), Math.round(height * ratio)]
      marks.setScale(unit, ratio)
      view.turn(turn)
      dirty = true
      wake()
    },
    setShades(next) {
      if (same(next, shades)) return
      shades = next
      dirty = true
      wake()
    },
    setSites(next) {
      sites = new Map([...next].map(([id, [lon, lat]]) => [id, vectorOf(lon, lat)]))
      wake()
    },
    turnTo(next) {
      if (next.lon === to.lon && next.lat === to.lat) return
      ;[from, to, turnedAt] = [turn, { lon: next.lon, lat: next.lat }, now()]
      // The short way round.
      from = { lon: next.lon - ((((next.lon - turn.lon + 180) % 360) + 360) % 360) + 180, lat: turn.lat }
      wake()
    },
    add(arcs) {
      const at = now()
      for (const [i, [, lon, lat, site, level, , , , blocked]] of arcs.entries()) {
        const b = sites.get(site)
        if (!b || flights.length >= MOST) continue
        const a = vectorOf(lon, lat)
        const angle = Math.acos(Math.max(-1, Math.min(1, a.x * b.x + a.y * b.y + a.z * b.z)))
        if (angle < 0.01) continue
        const rise = Math.max(0.012, Math.min(0.15, 0.13 * angle))
        flights.push({
          a,
          b,
          angle,
          height: rise,
          level: wordOf(LEVELS, level) ?? 'info',
          blocked: blocked === 1,
          born: at + i * 40,
          site,
        })
      }
      wake()
    },
    drawn: () => flights.length,
    destroy() {
      cancelAnimationFrame(frame)
      clearInterval(minute)
      flights = []
    },
  }
}

function same(a: AreaShading, b: AreaShading | null): boolean {
  return (
    b !== null &&
    a.countries.size === b.countries.size &&
    [...a.countries].every(([id, shade]) => b.countries.get(id) === shade)
  )
}
const pointsOf = (line: readonly (readonly number[])[]): Vector[] =>
  line.map(([lon = 0, lat = 0]) => vectorOf(lon, lat))
const ringsOf = (area: Area): Vector[][] => partsOf(area).flatMap((part) => part.slice(0, 1).map(pointsOf))
