import { LEVEL_SHAPES } from '#domain/level-marks.ts'
import type { Level } from '#domain/vocabulary.ts'
import {
  type Camera,
  nearestLongitude,
  overlaps,
  type Point,
  projector,
  type Rect,
} from '../../../../shared/map/mercator.ts'
import { token } from '../../../../shared/theme/tokens.ts'
import { type Curve, pointOn, projectedCurve, taperedOutline } from '../map/arcs.ts'
import type { FocusArc } from './alert-focus.ts'

/** Names beside sources: the largest ones, as far as they do not cover each other. */
const NAMES = 8
/** Where a name may stand: direction from its source, and how far. */
const SPOTS = [
  [1, 0, 11],
  [-1, 0, 11],
  [0, -1, 18],
  [0, 1, 18],
  [1, -1, 20],
  [1, 1, 20],
  [-1, -1, 20],
  [-1, 1, 20],
  [1, 1, 38],
  [-1, 1, 38],
] as const
const TRAVEL_MS = 1800
const FRAME_MS = 33

export type NamedArc = FocusArc & { name: string }
export type AlertLayer = {
  setCamera(camera: Camera, unit: number, ratio: number): void
  show(arcs: readonly NamedArc[], level: Level): void
  destroy(): void
}

/** The arcs of an alert over the map: one a city, names with counts at their sources. `still` (low power) leaves the arcs out. */
export function createAlertLayer(canvas: HTMLCanvasElement, now: () => number, still: boolean): AlertLayer {
  const context = canvas.getContext('2d') as CanvasRenderingContext2D
  const family = getComputedStyle(canvas).fontFamily
  const white = token('text', canvas)
  const dark = token('canvas', canvas)
  let camera: Camera = { lon: 0, lat: 0, zoom: 1, width: 1, height: 1 }
  let unit = 1
  let ratio = 1
  let arcs: readonly NamedArc[] = []
  let level: Level = 'critical'
  let color = ''
  let frame = 0
  let painted = 0

  function paint(): void {
    context.setTransform(ratio, 0, 0, ratio, 0, 0)
    context.clearRect(0, 0, camera.width, camera.height)
    if (arcs.length === 0) return
    const project = projector(camera)
    const at = now()
    const sources: { arc: NamedArc; at: Point }[] = []
    for (const [index, arc] of arcs.entries()) {
      const source = project(nearestLongitude(arc.from[0], camera.lon), arc.from[1])
      sources.push({ arc, at: source })
      if (arc.to === null || still) continue
      const curve = projectedCurve(project, arc.from, arc.to, camera.lon, unit)
      const thick = Math.max(1.2, 0.5 * Math.sqrt(arc.count)) * unit
      context.globalAlpha = 0.92
      context.fillStyle = color
      fill(taperedOutline(curve, 0.5 * unit, thick))
      head(curve, ((at + index * 431) % TRAVEL_MS) / TRAVEL_MS)
    }
    const shape = new Path2D(LEVEL_SHAPES[level])
    for (const {
      at: [x, y],
    } of sources) {
      const scale = (6 * unit) / 5
      context.globalAlpha = 1
      context.fillStyle = color
      context.setTransform(ratio * scale, 0, 0, ratio * scale, ratio * (x - 5 * scale), ratio * (y - 5 * scale))
      context.fill(shape)
    }
    context.setTransform(ratio, 0, 0, ratio, 0, 0)
    names(sources)
  }

  function names(sources: readonly { arc: NamedArc; at: Point }[]): void {
    // Sources stay visible: names keep off them as off each other.
    const mark = 7 * unit
    const taken: Rect[] = sources.map(({ at: [x, y] }) => ({
      x: x - mark,
      y: y - mark,
      width: 2 * mark,
      height: 2 * mark,
    }))
    const high = 20 * unit
    context.font = `500 ${16 * unit}px ${family}`
    context.textBaseline = 'middle'
    context.lineJoin = 'round'
    for (const { arc, at } of [...sources].reverse().slice(0, NAMES)) {
      const text = `${arc.name} ${arc.count.toLocaleString('en-US')}`
      const { width } = context.measureText(text)
      const boxes = SPOTS.map(([dx, dy, far]) => ({
        x: at[0] + dx * far * unit + (dx < 0 ? -width : dx === 0 ? -width / 2 : 0),
        y: at[1] + dy * far * unit - high / 2,
        width,
        height: high,
      }))
      const free = boxes.find((box) => !taken.some((one) => overlaps(one, box)))
      if (!free) continue
      taken.push(free)
      const [x, y] = [free.x, free.y + high / 2]
      context.globalAlpha = 0.85
      context.lineWidth = 3 * unit
      context.strokeStyle = dark
      context.strokeText(text, x, y)
      context.globalAlpha = 1
      context.fillStyle = white
      context.fillText(text, x, y)
    }
  }

  function head(curve: Curve, t: number): void {
    context.fillStyle = white
    context.beginPath()
    context.arc(...pointOn(curve, t), 2.2 * unit, 0, 7)
    context.fill()
  }

  function fill(outline: readonly Point[]): void {
    context.beginPath()
    for (const [index, point] of outline.entries()) index ? context.lineTo(...point) : context.moveTo(...point)
    context.closePath()
    context.fill()
  }

  function run(): void {
    cancelAnimationFrame(frame)
    paint()
    if (still || arcs.length === 0) return
    const step = () => {
      frame = requestAnimationFrame(step)
      if (now() - painted < FRAME_MS) return
      painted = now()
      paint()
    }
    frame = requestAnimationFrame(step)
  }

  return {
    setCamera(next, nextUnit, nextRatio) {
      ;[camera, unit, ratio] = [next, nextUnit, nextRatio]
      const [width, height] = [Math.round(camera.width * ratio), Math.round(camera.height * ratio)]
      if (canvas.width !== width || canvas.height !== height) [canvas.width, canvas.height] = [width, height]
      paint()
    },
    show(nextArcs, nextLevel) {
      ;[arcs, level, color] = [nextArcs, nextLevel, token(`level-${nextLevel}`, canvas)]
      run()
    },
    destroy() {
      cancelAnimationFrame(frame)
      arcs = []
    },
  }
}
