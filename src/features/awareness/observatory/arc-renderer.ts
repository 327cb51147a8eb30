import type { ArcTuple } from '#contracts/live/messages.ts'
import { LEVEL_SHAPES } from '#domain/level-marks.ts'
import { LEVELS, type Level, wordOf } from '#domain/vocabulary.ts'
import {
  type Camera,
  type LonLat,
  nearestLongitude,
  type Point,
  type Projector,
  projector,
} from '../../../shared/map/mercator.ts'
import { token } from '../../../shared/theme/tokens.ts'
import {
  type Curve,
  distanceTo,
  fadeAt,
  headAt,
  LIFE_MS,
  pointOn,
  projectedCurve,
  RING_MS,
  TRAVEL_MS,
  taperedOutline,
} from './map/arcs.ts'

/** Arcs alive at once; the rest of the budget of 300 are still lines of the last hour. */
export const TARGET_ARCS_ON_MAP = 40
const SHORTEST_LIFE_MS = 2200
/** No more births than lives of the shortest length allow. */
const BIRTHS_PER_SECOND = TARGET_ARCS_ON_MAP / (SHORTEST_LIFE_MS / 1000)
const FRAME_SPREAD_MS = 225

export type RenderedArc = {
  id: string
  app: string | undefined
  from: LonLat
  site: number
  level: Level
  risk: number
  at: number
}
type Live = RenderedArc & { born: number; curve?: Curve; path?: Path2D; color?: CanvasGradient }
export type RenderOptions = { arcs: boolean; pulses: boolean; still: boolean }

/** What draws attacks over the map: arcs here, points in point-layer.ts. Outside React; every list bounded. */
export type AttackRenderer = {
  add(tuples: readonly ArcTuple[]): void
  setCamera(camera: Camera, unit: number, ratio: number): void
  setSites(sites: ReadonlyMap<number, LonLat>): void
  setLook(look: RenderOptions): void
  /** Still lines of the last hour. */
  setSample(sample: readonly ArcTuple[]): void
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
 * Draws attacks over the map on two canvases: `still` (the hour's sample, repainted when it or the camera changes) and `live` (arcs,
 * heads, rings; every frame while any lives). Nothing of it is React state, nothing grows: lists are bounded.
 */
export function createArcRenderer(
  still: HTMLCanvasElement,
  live: HTMLCanvasElement,
  now: () => number,
): AttackRenderer {
  const background = contextOf(still)
  const front = contextOf(live)
  const colors = Object.fromEntries(
    Object.keys(LEVELS).map((level) => [level, token(`level-${level}`, live)]),
  ) as Record<Level, string>
  const slate = token('muted', live)
  const white = token('text', live)
  const shapes = Object.fromEntries(Object.entries(LEVEL_SHAPES).map(([level, d]) => [level, new Path2D(d)])) as Record<
    Level,
    Path2D
  >

  let camera: Camera = { lon: 0, lat: 0, zoom: 1, width: 1, height: 1 }
  let project: Projector = projector(camera)
  let unit = 1
  let ratio = 1
  let sites: ReadonlyMap<number, LonLat> = new Map()
  let look: RenderOptions = { arcs: true, pulses: true, still: true }
  let arcs: Live[] = []
  let sample: readonly ArcTuple[] = []
  let life = LIFE_MS
  let births = { since: 0, count: 0 }
  let hovered: string | null = null
  let chosen: string | null = null
  let frozenAt: number | null = null
  let skipped = 0
  let frame = 0
  let stillDirty = true

  const clock = () => frozenAt ?? now() - skipped

  function add(tuples: readonly ArcTuple[]): void {
    const at = clock()
    if (at - births.since > 1000) {
      // The life that keeps about LIVE_ARCS on the map at the rate of the last second, changed gently.
      const rate = births.count / Math.max(1, (at - births.since) / 1000)
      const wanted = Math.max(SHORTEST_LIFE_MS, Math.min(LIFE_MS, (TARGET_ARCS_ON_MAP / Math.max(0.1, rate)) * 1000))
      life += (wanted - life) * 0.4
      births = { since: at, count: 0 }
    }
    for (const [i, tuple] of tuples.entries()) {
      const [id, lon, lat, site, level, risk, received, app] = tuple
      const word = wordOf(LEVELS, level) ?? 'info'
      if (births.count >= BIRTHS_PER_SECOND && word !== 'critical') continue
      births.count++
      const born = at + (i / tuples.length) * FRAME_SPREAD_MS
      const one: Live = { id, app, from: [lon, lat], site, level: word, risk, at: received, born }
      arcs.push(one)
    }
    if (arcs.length > TARGET_ARCS_ON_MAP) arcs = arcs.slice(-TARGET_ARCS_ON_MAP)
    wake()
  }

  function wake(): void {
    if (!frame && frozenAt === null && arcs.length > 0) frame = requestAnimationFrame(animate)
  }

  function animate(): void {
    frame = 0
    const at = clock()
    arcs = arcs.filter((one) => at - one.born < life)
    paintLive(at)
    wake()
  }

  function curveFor(one: Live): Curve | undefined {
    const to = sites.get(one.site)
    if (!to) return undefined
    one.curve ??= projectedCurve(project, one.from, to, camera.lon, unit)
    return one.curve
  }
  function sourceOf(one: Live): Point {
    return one.curve?.from ?? project(nearestLongitude(one.from[0], camera.lon), one.from[1])
  }

  function paintLive(at: number): void {
    clear(front)
    if (stillDirty) paintStill()
    for (const critical of [false, true])
      for (const one of arcs)
        if ((one.level === 'critical') === critical && at >= one.born) paintArc(one, at - one.born)
  }

  function paintArc(one: Live, age: number): void {
    const curve = curveFor(one)
    const marked = one.id === chosen || one.id === hovered
    const dim = (hovered || chosen) && !marked ? 0.5 : 1
    const fade = fadeAt(age, life) * dim
    const head = curve ? headAt(age) : 1
    if (curve && look.arcs) {
      front.globalAlpha = marked ? 1 : fade
      one.color ??= taper(curve, colors[one.level])
      front.fillStyle = one.color
      const thick = (one.id === chosen ? 3.2 : marked ? 2.4 : age < 2 * TRAVEL_MS ? 1.8 : 1.2) * unit
      if (head >= 1 && !marked && age >= 2 * TRAVEL_MS) {
        one.path ??= outlinePath(taperedOutline(curve, 0.4 * unit, thick))
        front.fill(one.path)
      } else front.fill(outlinePath(taperedOutline(curve, 0.4 * unit, thick, head)))
      if (head < 1) {
        front.globalAlpha = 1
        front.fillStyle = white
        front.beginPath()
        front.arc(...pointOn(curve, head), 1.8 * unit, 0, 7)
        front.fill()
      }
    }
    if (!look.pulses) return
    shape(one, sourceOf(one), marked ? 1 : fade, 3.2)
    const ringAge = curve ? age - TRAVEL_MS : age
    if (ringAge >= 0 && ringAge < RING_MS) {
      const t = ringAge / RING_MS
      const [from, to] = curve ? [8, 26] : [4, 18]
      ring(curve?.to ?? sourceOf(one), (from + (to - from) * t) * unit, colors[one.level], (1 - t) * dim)
    }
    if (marked) ring(sourceOf(one), 9 * unit, white, 0.9)
  }

  function shape(one: Live, [x, y]: Point, alpha: number, radius: number): void {
    const scale = (radius * unit) / 5
    front.globalAlpha = alpha
    front.fillStyle = colors[one.level]
    front.translate(x - 5 * scale, y - 5 * scale)
    front.scale(scale, scale)
    front.fill(shapes[one.level])
    front.setTransform(ratio, 0, 0, ratio, 0, 0)
  }

  function ring(at: Point, radius: number, color: string, alpha: number): void {
    front.globalAlpha = alpha
    front.strokeStyle = color
    front.lineWidth = 1.2 * unit
    front.beginPath()
    front.arc(...at, radius, 0, 7)
    front.stroke()
  }

  function taper({ from, to }: Curve, color: string): CanvasGradient {
    const gradient = front.createLinearGradient(...from, ...to)
    gradient.addColorStop(0, `${color}4d`)
    gradient.addColorStop(0.55, `${color}a8`)
    gradient.addColorStop(1, color)
    return gradient
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
    background.strokeStyle = slate
    background.lineWidth = 0.8 * unit
    background.globalAlpha = 0.075
    background.stroke()
  }

  function clear(context: CanvasRenderingContext2D): void {
    context.globalAlpha = 1
    context.clearRect(0, 0, camera.width, camera.height)
  }

  /** Curves and colours belong to one camera. */
  function forget(): void {
    for (const one of arcs) {
      delete one.curve
      delete one.path
      delete one.color
    }
    stillDirty = true
  }

  return {
    add,
    setCamera(next: Camera, nextUnit: number, nextRatio: number): void {
      const resized = next.width !== camera.width || next.height !== camera.height || nextRatio !== ratio
      ;[camera, unit, ratio] = [next, nextUnit, nextRatio]
      project = projector(camera)
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
      look = next
      stillDirty = true
      paintLive(clock())
    },
    setSample(next: readonly ArcTuple[]): void {
      sample = next
      stillDirty = true
      if (!frame) paintLive(clock())
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

function outlinePath(outline: readonly Point[]): Path2D {
  const path = new Path2D()
  for (const [i, point] of outline.entries()) i ? path.lineTo(...point) : path.moveTo(...point)
  path.closePath()
  return path
}
