import type { Level } from '#domain/vocabulary.ts'
import {
  type Camera,
  type LonLat,
  nearestLongitude,
  type Point,
  type Projector,
  projector,
  type Rect,
} from '../../../../shared/map/mercator.ts'
import { type Area, partsOf } from '../../../../shared/map/polygons.ts'
import { curveOf, mergedWidth, PERIMETER, pointOn } from '../map/arcs.ts'
import { createAttackMarks, createQuadratic, type PathAt } from '../map/attack-marks.ts'
import type { FocusArc } from './alert-focus.ts'
import { BURST_MS, burstAt, countedAt, headsFor, PASS_MS, scarLeft } from './burst.ts'
import { type CityLabel, placeCityLabels } from './city-labels.ts'

/** Names beside sources: the largest ones. */
const NAMES = 8
const FRAME_MS = 33
/** Where other cities' arcs run into the stream. */
const JOIN = 0.3
const SCAR_RADIUS = 22

export type NamedArc = FocusArc & { name: string }
/** The alert whose turn it is, as the map shows it. */
export type ShownAlert = {
  id: string
  arcs: readonly NamedArc[]
  level: Level
  /** The level of the events that it counts: the shape at the cities. */
  mark: Level
  value: number
  /** What it was held against: the number counts up from there. */
  expected: number
  perSecond: number
  rateText: string
  edge: Area | null
}
/** Where an alert of the last ten minutes was. */
export type Scar = { id: string; level: Level; point: LonLat; raisedAt: number; title: string; note: string }

export type AlertLayer = {
  setCamera(camera: Camera, unit: number, ratio: number): void
  /** Null ends the turn. The choreography runs once for an id, however often its numbers change. */
  show(shown: ShownAlert | null): void
  setScars(scars: readonly Scar[], serverNow: () => number): void
  destroy(): void
}

type Line = { fx: number; fy: number; cx: number; cy: number; tx: number; ty: number; width: number }
type Stream = { main: Line; own: Line[]; joined: Line[]; heads: number; x: number; y: number }

/**
 * An alert over the map: its province lit, its cities' arcs merged into one stream a site, one label a city; and the scars of earlier
 * ones. What can be worked out is worked out when camera or numbers change. `still` (low power) draws no stream.
 */
export function createAlertLayer(
  canvas: HTMLCanvasElement,
  now: () => number,
  still: boolean,
  /** What names must keep off. */
  taken: () => readonly Rect[],
): AlertLayer {
  const context = canvas.getContext('2d') as CanvasRenderingContext2D
  const family = getComputedStyle(canvas).fontFamily
  const marks = createAttackMarks(context, canvas)
  const path = createQuadratic()
  let camera: Camera = { lon: 0, lat: 0, zoom: 1, width: 1, height: 1 }
  let project: Projector = projector(camera)
  let unit = 1
  let ratio = 1
  let shown: ShownAlert | null = null
  let startedAt = 0
  let streams: Stream[] = []
  let cities: { at: Point; count: number }[] = []
  let labels: CityLabel[] = []
  let edge: Path2D | null = null
  let scars: readonly Scar[] = []
  let scarPlates: { scar: Scar; at: Point; rect: Rect }[] = []
  let serverNow = () => 0
  let frame = 0
  let scarTimer: ReturnType<typeof setInterval> | undefined
  let painted = 0
  let pill = { value: -1, text: '', width: 0, rate: 0 }
  const noteFont = () => `400 ${14 * unit}px ${family}`
  const pillFont = () => `600 ${20 * unit}px ${family}`

  function onScreen([lon, lat]: LonLat): Point {
    return project(nearestLongitude(lon, camera.lon), lat)
  }
  function lineOf(from: Point, to: Point, width: number): Line {
    const { control } = curveOf(from, to, unit)
    return { fx: from[0], fy: from[1], cx: control[0], cy: control[1], tx: to[0], ty: to[1], width }
  }

  /** Everything that belongs to this camera and these numbers. */
  function prepare(): void {
    ;[streams, cities, labels, edge] = [[], [], [], null]
    pill = { value: -1, text: '', width: 0, rate: 0 }
    placeScars()
    if (!shown) return
    const byCity = new Map<string, { name: string; from: LonLat; count: number }>()
    const bySite = new Map<string, NamedArc[]>()
    for (const arc of shown.arcs) {
      const before = byCity.get(arc.city)
      byCity.set(arc.city, { name: arc.name, from: arc.from, count: (before?.count ?? 0) + arc.count })
      if (arc.to) bySite.set(arc.to.join(), [...(bySite.get(arc.to.join()) ?? []), arc])
    }
    for (const arcs of bySite.values()) {
      const [first, ...others] = arcs.toSorted((a, b) => b.count - a.count) as [NamedArc, ...NamedArc[]]
      const site = onScreen(first.to as LonLat)
      const main = lineOf(onScreen(first.from), site, mergedWidth(arcs.reduce((sum, { count }) => sum + count, 0)))
      const join = pointOn({ from: [main.fx, main.fy], control: [main.cx, main.cy], to: [main.tx, main.ty] }, JOIN)
      const top = pointOn({ from: [main.fx, main.fy], control: [main.cx, main.cy], to: [main.tx, main.ty] }, 0.5)
      streams.push({
        main,
        own: others.map(({ from, count }) => lineOf(onScreen(from), site, Math.min(2, mergedWidth(count) / 2))),
        joined: others.map(({ from, count }) => lineOf(onScreen(from), join, Math.min(2, mergedWidth(count) / 2))),
        heads: headsFor(shown.perSecond / bySite.size),
        x: top[0],
        y: top[1],
      })
    }
    const list = [...byCity.values()].sort((a, b) => b.count - a.count)
    cities = list.map(({ from, count }) => ({ at: onScreen(from), count }))
    const along = streams.flatMap(({ main }) =>
      Array.from({ length: 25 }, (_, i) =>
        pointOn({ from: [main.fx, main.fy], control: [main.cx, main.cy], to: [main.tx, main.ty] }, i / 24),
      ),
    )
    labels = placeCityLabels(
      list.slice(0, NAMES).map(({ name, from, count }, i) => {
        const size = (i === 0 ? 24 : 17) * unit
        context.font = `500 ${size}px ${family}`
        const text = `${name} ${count.toLocaleString('en-US')}`
        return { text, at: onScreen(from), width: context.measureText(text).width + 4 * unit, size }
      }),
      [...taken(), ...scarPlates.map(({ rect }) => rect)],
      along,
      unit,
    )
    if (shown.edge) {
      edge = new Path2D()
      for (const part of partsOf(shown.edge))
        for (const ring of part) {
          for (const [i, [lon = 0, lat = 0]] of ring.entries()) {
            const [x, y] = onScreen([lon, lat])
            if (i === 0) edge.moveTo(x, y)
            else edge.lineTo(x, y)
          }
          edge.closePath()
        }
    }
  }

  function placeScars(): void {
    scarPlates = []
    const off = [...taken()]
    for (const scar of scars) {
      if (scar.id === shown?.id) continue
      const at = onScreen(scar.point)
      if (at[0] < 0 || at[1] < 0 || at[0] > camera.width || at[1] > camera.height) continue
      context.font = `500 ${20 * unit}px ${family}`
      const title = context.measureText(scar.title).width
      context.font = noteFont()
      const width = Math.max(title + 24 * unit, context.measureText(scar.note).width) + 24 * unit
      const height = 56 * unit
      const gap = 34 * unit
      const spots: Rect[] = [
        { x: at[0] - width / 2, y: at[1] - gap - height, width, height },
        { x: at[0] + gap, y: at[1] - height / 2, width, height },
        { x: at[0] - gap - width, y: at[1] - height / 2, width, height },
        { x: at[0] - width / 2, y: at[1] + gap, width, height },
        { x: at[0] - width - gap, y: at[1] - gap - height, width, height },
        { x: at[0] + gap, y: at[1] - gap - height, width, height },
      ]
      const hits = (one: Rect, other: Rect) =>
        one.x < other.x + other.width &&
        other.x < one.x + one.width &&
        one.y < other.y + other.height &&
        other.y < one.y + one.height
      const rect = spots.find((spot) => !off.some((other) => hits(spot, other)))
      // Without room for its plate the ring alone stays.
      if (rect) off.push(rect)
      scarPlates.push({ scar, at, rect: rect ?? { x: at[0], y: at[1], width: 0, height: 0 } })
    }
  }

  function follow(line: Line): PathAt {
    const { q } = path
    q.fx = line.fx
    q.fy = line.fy
    q.cx = line.cx
    q.cy = line.cy
    q.tx = line.tx
    q.ty = line.ty
    return path.at
  }

  function paint(): void {
    context.setTransform(ratio, 0, 0, ratio, 0, 0)
    context.globalAlpha = 1
    context.clearRect(0, 0, camera.width, camera.height)
    for (let i = 0; i < scarPlates.length; i++) paintScar(i)
    if (!shown) return
    const since = still ? BURST_MS : now() - startedAt
    const hue = marks.color[shown.level]
    paintEdge(hue, burstAt('edge', since))
    const merge = burstAt('merge', since)
    for (let s = 0; s < streams.length; s++) paintStream(streams[s] as Stream, hue, merge, since)
    for (let i = 0; i < cities.length; i++) {
      const { at } = cities[i] as (typeof cities)[number]
      marks.shape(shown.mark, at[0], at[1], i === 0 ? 9 : 5, 1)
    }
    paintLabels(burstAt('label', since))
    for (let s = 0; s < streams.length; s++) paintPill(streams[s] as Stream, s, hue, since)
  }

  function paintEdge(hue: string, progress: number): void {
    if (!edge || progress === 0) return
    context.lineJoin = 'round'
    context.fillStyle = hue
    context.globalAlpha = 0.1 * progress
    context.fill(edge)
    context.strokeStyle = hue
    context.globalAlpha = 0.16 * progress
    context.lineWidth = 9 * unit
    context.stroke(edge)
    context.globalAlpha = progress
    context.lineWidth = 2 * unit
    context.stroke(edge)
  }

  function paintStream(stream: Stream, hue: string, merge: number, since: number): void {
    if (!shown) return
    const { main, own, joined, heads } = stream
    for (let i = 0; i < own.length; i++) {
      const line = own[i] as Line
      marks.way(follow(line), 0, 1, hue, 0.5 * (1 - merge), line.width)
      const short = joined[i] as Line
      marks.way(follow(short), 0, 1, hue, 0.5 * merge, short.width)
    }
    marks.way(follow(main), 0, 1, hue, 0.3 + 0.25 * merge, Math.max(1.2, main.width * (0.3 + 0.7 * merge)))
    if (!still) {
      const at = follow(main)
      for (let i = 0; i < heads; i++) {
        const head = (now() / PASS_MS + i / heads) % 1
        marks.comet(at, Math.max(0, head - 0.09), head, shown.level, merge * Math.min(1, 8 * head, 8 * (1 - head)), 3.4)
      }
    }
    const guard = burstAt('perimeter', since)
    if (guard === 0) return
    marks.ring(main.tx, main.ty, PERIMETER.alert * unit, hue, 0.8 * guard, 2)
    marks.ring(main.tx, main.ty, (PERIMETER.alert + 24 * guard) * unit, hue, 0.3 * guard, 1.2)
  }

  function paintLabels(alpha: number): void {
    if (alpha === 0) return
    context.textBaseline = 'middle'
    context.textAlign = 'left'
    context.lineJoin = 'round'
    for (let i = 0; i < labels.length; i++) {
      const label = labels[i] as CityLabel
      context.font = `500 ${label.size}px ${family}`
      context.globalAlpha = 0.85 * alpha
      context.lineWidth = 4 * unit
      context.strokeStyle = marks.dark
      context.strokeText(label.text, label.x, label.y + label.height / 2)
      context.globalAlpha = alpha
      context.fillStyle = marks.white
      context.fillText(label.text, label.x, label.y + label.height / 2)
    }
  }

  /** The count on the first stream's apex, in the hue of the alert; counted up once. */
  function paintPill({ x, y }: Stream, index: number, hue: string, since: number): void {
    if (!shown || index > 0) return
    const alpha = burstAt('label', since)
    if (alpha === 0) return
    const value = countedAt(since, shown.expected, shown.value)
    if (value !== pill.value) {
      const text = value.toLocaleString('en-US')
      context.font = pillFont()
      const { width } = context.measureText(text)
      context.font = noteFont()
      pill = { value, text, width, rate: context.measureText(shown.rateText).width }
    }
    const width = pill.width + pill.rate + 52 * unit
    const height = 38 * unit
    const left = x + 10 * unit
    const top = y - height - 14 * unit
    context.globalAlpha = alpha
    context.fillStyle = hue
    context.beginPath()
    context.roundRect(left, top, width, height, height / 2)
    context.fill()
    context.fillStyle = marks.dark
    context.textBaseline = 'middle'
    context.font = pillFont()
    context.fillText(pill.text, left + 18 * unit, top + height / 2)
    context.font = noteFont()
    context.fillText(shown.rateText, left + 34 * unit + pill.width, top + height / 2)
  }

  function paintScar(index: number): void {
    const { scar, at, rect } = scarPlates[index] as (typeof scarPlates)[number]
    const left = scarLeft(scar.raisedAt, serverNow())
    if (left === 0) return
    const hue = marks.color[scar.level]
    const radius = SCAR_RADIUS * unit
    const dim = shown ? 0.46 : 1
    marks.ring(at[0], at[1], radius, hue, 0.22 * dim, 2.6)
    context.globalAlpha = dim
    context.strokeStyle = hue
    context.lineWidth = 2.6 * unit
    context.lineCap = 'butt'
    context.beginPath()
    context.arc(at[0], at[1], radius, -Math.PI / 2, -Math.PI / 2 + 2 * Math.PI * left)
    context.stroke()
    marks.shape(scar.level, at[0], at[1], 5, dim)
    if (rect.width === 0) return
    context.globalAlpha = 0.7 * dim
    context.strokeStyle = hue
    context.lineWidth = unit
    const nearX = Math.max(rect.x, Math.min(at[0], rect.x + rect.width))
    const nearY = Math.max(rect.y, Math.min(at[1], rect.y + rect.height))
    const far = Math.hypot(nearX - at[0], nearY - at[1]) || 1
    context.beginPath()
    context.moveTo(nearX, nearY)
    context.lineTo(at[0] + ((nearX - at[0]) * radius) / far, at[1] + ((nearY - at[1]) * radius) / far)
    context.stroke()
    context.globalAlpha = 0.86 * dim
    context.fillStyle = marks.dark
    context.beginPath()
    context.roundRect(rect.x, rect.y, rect.width, rect.height, 4 * unit)
    context.fill()
    context.globalAlpha = 0.7 * dim
    context.stroke()
    marks.shape(scar.level, rect.x + 20 * unit, rect.y + 19 * unit, 5.5, dim)
    context.globalAlpha = dim
    context.textBaseline = 'middle'
    context.textAlign = 'left'
    context.fillStyle = marks.white
    context.font = `500 ${20 * unit}px ${family}`
    context.fillText(scar.title, rect.x + 34 * unit, rect.y + 19 * unit)
    context.font = noteFont()
    context.fillStyle = marks.slate
    context.fillText(scar.note, rect.x + 12 * unit, rect.y + 42 * unit)
  }

  function run(): void {
    cancelAnimationFrame(frame)
    clearInterval(scarTimer)
    paint()
    // The ring of a scar shrinks by the second, not by the frame.
    if (scarPlates.length > 0) scarTimer = setInterval(() => !frame && paint(), 2000)
    frame = 0
    if (still || !shown) return
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
      project = projector(camera)
      marks.setScale(unit, ratio)
      const [width, height] = [Math.round(camera.width * ratio), Math.round(camera.height * ratio)]
      if (canvas.width !== width || canvas.height !== height) [canvas.width, canvas.height] = [width, height]
      prepare()
      paint()
    },
    show(next) {
      if (next && next.id !== shown?.id) startedAt = now()
      shown = next
      prepare()
      run()
    },
    setScars(next, clock) {
      ;[scars, serverNow] = [next, clock]
      placeScars()
      run()
    },
    destroy() {
      cancelAnimationFrame(frame)
      clearInterval(scarTimer)
      ;[shown, scars, streams] = [null, [], []]
    },
  }
}
