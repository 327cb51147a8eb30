import type { ArcTuple } from '#contracts/live/messages.ts'
import { LEVELS, type Level, wordOf } from '#domain/vocabulary.ts'
import {
  type Camera,
  type LonLat,
  nearestLongitude,
  type Point,
  type Projector,
  projector,
  type Rect,
} from '../../../shared/map/mercator.ts'
import {
  arrivalAngle,
  type Curve,
  distanceTo,
  EXIT_MS,
  gateOf,
  headAt,
  LIFE_MS,
  landingAt,
  newLanding,
  PERIMETER,
  pathAlphaAt,
  projectedCurve,
  RIPPLE_MS,
  TRAVEL_MS,
  tailAt,
} from './map/arcs.ts'
import { createAttackMarks, createQuadratic } from './map/attack-marks.ts'
import { easeOut } from './map/easing.ts'

/** Arcs alive at once; the rest of the budget of 300 are still lines of the last hour. */
export const TARGET_ARCS_ON_MAP = 40
/** Every arc is seen to its end: flight, landing, and the way out of what was only observed. */
const SHORTEST_LIFE_MS = TRAVEL_MS + EXIT_MS
/** No more births than lives of the shortest length allow. */
const BIRTHS_PER_SECOND = TARGET_ARCS_ON_MAP / (SHORTEST_LIFE_MS / 1000)
const FRAME_SPREAD_MS = 225
/** Attacks of a past bar set out over this time. */
const PAST_SPREAD_MS = 1000
/** While nothing moves but fading lines, frames this far apart are enough. */
const QUIET_FRAME_MS = 66

export type RenderedArc = {
  id: string
  app: string | undefined
  from: LonLat
  site: number
  level: Level
  risk: number
  at: number
}
/** `curve`, `gate` and `angle` belong to one camera and are worked out when they are first needed. */
type Live = RenderedArc & { born: number; blocked: boolean; curve?: Curve; gate: number; angle: number }
export type RenderOptions = { arcs: boolean; pulses: boolean; still: boolean; perimeter: number }

/** What draws attacks over the map: arcs here, points in point-layer.ts. Outside React; every list bounded. */
export type AttackRenderer = {
  /** `all`: a past time at once, without the limit on births. */
  add(tuples: readonly ArcTuple[], all?: boolean): void
  setCamera(camera: Camera, unit: number, ratio: number): void
  setSites(sites: ReadonlyMap<number, LonLat>): void
  setLook(look: RenderOptions): void
  /** Still lines of the last hour. */
  setSample(sample: readonly ArcTuple[]): void
  /** The box of a site's plate now: its edge lights when an attack lands. */
  setPlateOf(plateOf: (site: number) => Rect | undefined): void
  /** With each new view: what has no frame loop of its own is drawn now. */
  tick(): void
  mark(hovered: string | null, chosen: string | null): void
  freeze(on: boolean): void
  clear(): void
  /** The arc under a pixel. */
  pick(x: number, y: number): RenderedArc | undefined
  /** How many attacks the picture shows now. */
  drawn(): number
  destroy(): void
}

/**
 * Draws attacks over the map on two canvases: `still` (the hour's sample, repainted when it or the camera changes) and `live` (comets,
 * landings; every frame while something moves). Nothing of it is React state, nothing grows: lists are bounded; drawing a frame makes
 * no objects.
 */
export function createArcRenderer(
  still: HTMLCanvasElement,
  live: HTMLCanvasElement,
  now: () => number,
): AttackRenderer {
  const background = contextOf(still)
  const front = contextOf(live)
  const marks = createAttackMarks(front, live)
  const path = createQuadratic()
  const landing = newLanding()

  let camera: Camera = { lon: 0, lat: 0, zoom: 1, width: 1, height: 1 }
  let project: Projector = projector(camera)
  let unit = 1
  let ratio = 1
  let sites: ReadonlyMap<number, LonLat> = new Map()
  let look: RenderOptions = { arcs: true, pulses: true, still: true, perimeter: PERIMETER.usual }
  let arcs: Live[] = []
  let sample: readonly ArcTuple[] = []
  let life = LIFE_MS
  let births = { since: 0, count: 0 }
  let hovered: string | null = null
  let chosen: string | null = null
  let frozenAt: number | null = null
  let skipped = 0
  let frame = 0
  let paintedAt = 0
  let moving = false
  let stillDirty = true
  let plateOf: (site: number) => Rect | undefined = () => undefined

  const clock = () => frozenAt ?? now() - skipped

  function add(tuples: readonly ArcTuple[], all = false): void {
    const at = clock()
    if (at - births.since > 1000) {
      // The life that keeps about TARGET_ARCS_ON_MAP on the map at the rate of the last second, changed gently.
      const rate = births.count / Math.max(1, (at - births.since) / 1000)
      const wanted = Math.max(SHORTEST_LIFE_MS, Math.min(LIFE_MS, (TARGET_ARCS_ON_MAP / Math.max(0.1, rate)) * 1000))
      life += (wanted - life) * 0.4
      births = { since: at, count: 0 }
    }
    for (const [i, tuple] of tuples.entries()) {
      const [id, lon, lat, site, level, risk, received, app, blocked] = tuple
      const word = wordOf(LEVELS, level) ?? 'info'
      if (!all && births.count >= BIRTHS_PER_SECOND && word !== 'critical') continue
      if (!all) births.count++
      const born = at + (i / tuples.length) * (all ? PAST_SPREAD_MS : FRAME_SPREAD_MS)
      const one: Live = {
        id,
        app,
        from: [lon, lat],
        site,
        level: word,
        risk,
        at: received,
        born,
        blocked: blocked === 1,
        gate: 1,
        angle: 0,
      }
      arcs.push(one)
    }
    if (arcs.length > TARGET_ARCS_ON_MAP) arcs.splice(0, arcs.length - TARGET_ARCS_ON_MAP)
    wake()
  }

  function wake(): void {
    if (!frame && frozenAt === null && arcs.length > 0) frame = requestAnimationFrame(animate)
  }

  function animate(): void {
    frame = 0
    const at = clock()
    dropEnded(at)
    if (moving || arcs.length === 0 || at - paintedAt >= QUIET_FRAME_MS) paintLive(at)
    wake()
  }

  /** In place: what stays moves up. */
  function dropEnded(at: number): void {
    let kept = 0
    for (let i = 0; i < arcs.length; i++) {
      const one = arcs[i] as Live
      if (at - one.born < life) arcs[kept++] = one
    }
    arcs.length = kept
  }

  function curveFor(one: Live): Curve | undefined {
    if (one.curve) return one.curve
    const to = sites.get(one.site)
    if (!to) return undefined
    const curve = projectedCurve(project, one.from, to, camera.lon, unit)
    one.gate = gateOf(curve, look.perimeter * unit)
    one.angle = arrivalAngle(curve, one.gate)
    one.curve = curve
    return curve
  }
  function sourceOf(one: Live): Point {
    return one.curve?.from ?? project(nearestLongitude(one.from[0], camera.lon), one.from[1])
  }

  function paintLive(at: number): void {
    clear(front)
    if (stillDirty) paintStill()
    paintedAt = at
    moving = false
    // Critical ones last, over the others.
    for (let i = 0; i < arcs.length; i++) paintUnless('critical', arcs[i] as Live, at)
    for (let i = 0; i < arcs.length; i++)
      if ((arcs[i] as Live).level === 'critical') paintUnless('', arcs[i] as Live, at)
  }

  function paintUnless(level: string, one: Live, at: number): void {
    if (at < one.born) moving = true
    else if (one.level !== level) paintArc(one, at - one.born)
  }

  function paintArc(one: Live, age: number): void {
    const curve = curveFor(one)
    const marked = one.id === chosen || one.id === hovered
    const dim = (hovered || chosen) && !marked ? 0.5 : 1
    const hue = marks.color[one.level]
    if (curve && look.arcs) {
      paintFlight(one, curve, age, dim, marked)
    }
    if (!look.pulses) return
    const at = curve ? curve.from : sourceOf(one)
    const fade = pathAlphaAt(age, life)
    marks.shape(one.level, at[0], at[1], 3.5, marked ? 1 : (age < TRAVEL_MS ? 1 : 0.4 + fade * 1.27) * dim)
    if (age < RIPPLE_MS) {
      moving = true
      const t = age / RIPPLE_MS
      marks.ring(at[0], at[1], (5 + 12 * easeOut(t)) * unit, hue, 0.8 * (1 - t) * dim)
    }
    if (marked) marks.ring(at[0], at[1], 9 * unit, marks.white, 0.9)
    if (!curve || age < TRAVEL_MS) return
    const since = age - TRAVEL_MS
    if (since < EXIT_MS) moving = true
    landingAt(since, one.blocked, landing)
    marks.landing(landing, curve.to[0], curve.to[1], look.perimeter * unit, one.angle, one.level, dim)
    if (since < 600) lightPlate(one.site, hue, 1 - since / 600)
  }

  function paintFlight(one: Live, curve: Curve, age: number, dim: number, marked: boolean): void {
    const { q } = path
    q.fx = curve.from[0]
    q.fy = curve.from[1]
    q.cx = curve.control[0]
    q.cy = curve.control[1]
    q.tx = curve.to[0]
    q.ty = curve.to[1]
    const end = one.blocked ? one.gate : 1
    const hue = marks.color[one.level]
    const flying = age < TRAVEL_MS
    const head = headAt(age) * end
    const width = one.id === chosen ? 3.2 : marked ? 2.4 : flying ? 0.9 : 1.15
    marks.way(path.at, 0, flying ? head : end, hue, marked ? 1 : pathAlphaAt(age, life) * dim, width)
    if (!flying || end === 0) return
    moving = true
    marks.way(path.at, head, end, hue, 0.09 * dim, 1, true)
    marks.comet(path.at, tailAt(age) * end, head, one.level, dim)
  }

  function lightPlate(site: number, hue: string, alpha: number): void {
    const rect = plateOf(site)
    if (!rect) return
    front.globalAlpha = alpha
    front.strokeStyle = hue
    front.lineWidth = unit
    front.beginPath()
    front.roundRect(rect.x, rect.y, rect.width, rect.height, 4 * unit)
    front.stroke()
  }

  function paintStill(): void {
    stillDirty = false
    clear(background)
    if (!look.still || !look.arcs) return
    background.beginPath()
    for (const [, lon, lat, site] of sample) {
      const to = sites.get(site)
      if (!to) continue
      const { from, control, to: end } = projectedCurve(project, [lon, lat], to, camera.lon, unit)
      background.moveTo(...from)
      background.quadraticCurveTo(...control, ...end)
    }
    background.strokeStyle = marks.slate
    background.lineWidth = 0.8 * unit
    background.globalAlpha = 0.055
    background.stroke()
  }

  function clear(context: CanvasRenderingContext2D): void {
    context.globalAlpha = 1
    context.clearRect(0, 0, camera.width, camera.height)
  }

  /** Curves belong to one camera. */
  function forget(): void {
    for (const one of arcs) delete one.curve
    stillDirty = true
  }

  return {
    add,
    setCamera(next: Camera, nextUnit: number, nextRatio: number): void {
      const resized = next.width !== camera.width || next.height !== camera.height || nextRatio !== ratio
      ;[camera, unit, ratio] = [next, nextUnit, nextRatio]
      project = projector(camera)
      marks.setScale(unit, ratio)
      if (resized)
        for (const canvas of [still, live]) {
          canvas.width = Math.round(camera.width * ratio)
          canvas.height = Math.round(camera.height * ratio)
          canvas.getContext('2d')?.setTransform(ratio, 0, 0, ratio, 0, 0)
        }
      forget()
      paintLive(clock())
    },
    setSites(next: ReadonlyMap<number, LonLat>): void {
      sites = next
      forget()
      paintLive(clock())
    },
    setLook(next: RenderOptions): void {
      if (next.perimeter !== look.perimeter) forget()
      look = next
      stillDirty = true
      paintLive(clock())
    },
    setSample(next: readonly ArcTuple[]): void {
      sample = next
      stillDirty = true
      if (!frame) paintLive(clock())
    },
    setPlateOf(next: (site: number) => Rect | undefined): void {
      plateOf = next
    },
    // Paints by itself.
    tick: () => undefined,
    mark(nextHovered: string | null, nextChosen: string | null): void {
      ;[hovered, chosen] = [nextHovered, nextChosen]
      if (!frame) paintLive(clock())
    },
    freeze(on: boolean): void {
      if (on === (frozenAt !== null)) return
      if (on) frozenAt = clock()
      else {
        skipped = now() - (frozenAt as number)
        frozenAt = null
      }
      wake()
    },
    clear(): void {
      ;[arcs, sample] = [[], []]
      stillDirty = true
      paintLive(clock())
    },
    /** The arc or source under a pixel, nearest first, within 7 px. */
    pick(x: number, y: number): RenderedArc | undefined {
      let best: { one: Live; off: number } | undefined
      for (const one of arcs) {
        const [sx, sy] = sourceOf(one)
        const atSource = Math.hypot(sx - x, sy - y) - 3
        const off = look.arcs && one.curve ? Math.min(atSource, distanceTo(one.curve, [x, y])) : atSource
        if (off < 7 * unit && (!best || off < best.off)) best = { one, off }
      }
      return best?.one
    },
    /** How many attacks the picture shows now. */
    drawn(): number {
      const at = clock()
      const stillDrawn = look.still && look.arcs ? sample.filter(([, , , site]) => sites.has(site)).length : 0
      return arcs.filter((one) => at >= one.born).length + stillDrawn
    },
    destroy(): void {
      cancelAnimationFrame(frame)
      frame = 0
      arcs = []
    },
  }
}

function contextOf(canvas: HTMLCanvasElement): CanvasRenderingContext2D {
  const context = canvas.getContext('2d')
  if (!context) throw new Error('no 2d canvas')
  return context
}
