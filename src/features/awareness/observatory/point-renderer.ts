import type { ArcTuple } from '#contracts/live/messages.ts'
import { LEVEL_SHAPES } from '#domain/level-marks.ts'
import { LEVELS, wordOf } from '#domain/vocabulary.ts'
import { type Camera, nearestLongitude, type Point, projector } from '../../../shared/map/mercator.ts'
import type { AttackRenderer, RenderedArc } from './arc-renderer.ts'
import { steppedFade } from './map/arcs.ts'

/** Points at once (decision 23), each for a minute. */
const MOST = 100
const LIFE_MS = 60_000
const RADIUS = 3.4
const SVG = 'http://www.w3.org/2000/svg'

type Dot = RenderedArc & { born: number; element: SVGElement; fade: number }

/**
 * Attacks as fading points, for software graphics and for those who want less motion. Small elements instead of a canvas: a new point
 * repaints its own few pixels and not the screen. What comes waits for the next view: points, numbers and clock are one drawing.
 */
export function createPointRenderer(host: HTMLElement, now: () => number): AttackRenderer {
  let camera: Camera = { lon: 0, lat: 0, zoom: 1, width: 1, height: 1 }
  let unit = 1
  let dots: Dot[] = []
  let waiting: { tuple: ArcTuple; born: number }[] = []
  let shown = true
  let frozenAt: number | null = null
  let skipped = 0
  const clock = () => frozenAt ?? now() - skipped

  function placeOf(dot: RenderedArc): Point {
    return projector(camera)(nearestLongitude(dot.from[0], camera.lon), dot.from[1])
  }
  function place(dot: Dot): void {
    const [x, y] = placeOf(dot)
    const scale = (RADIUS * unit) / 5
    dot.element.style.transform = `translate(${(x - 5 * scale).toFixed(1)}px, ${(y - 5 * scale).toFixed(1)}px) scale(${scale.toFixed(3)})`
  }
  function remove(dot: Dot): void {
    dot.element.remove()
  }

  return {
    add(tuples: readonly ArcTuple[]): void {
      const born = clock()
      waiting = [...waiting, ...tuples.map((tuple) => ({ tuple, born }))].slice(-MOST)
    },
    tick(): void {
      for (const dot of dots.splice(0, Math.max(0, dots.length + waiting.length - MOST))) remove(dot)
      for (const { tuple, born } of waiting.splice(0)) {
        const [id, lon, lat, site, code, risk, received, app] = tuple
        const level = wordOf(LEVELS, code) ?? 'info'
        const element = document.createElementNS(SVG, 'svg')
        const path = document.createElementNS(SVG, 'path')
        path.setAttribute('d', LEVEL_SHAPES[level])
        element.setAttribute('viewBox', '0 0 10 10')
        element.style.fill = `var(--level-${level})`
        element.append(path)
        const dot: Dot = { id, app, from: [lon, lat], site, level, risk, at: received, born, element, fade: 1 }
        place(dot)
        host.append(element)
        dots.push(dot)
      }
      const at = clock()
      dots = dots.filter((dot) => {
        const alive = at - dot.born < LIFE_MS
        if (!alive) remove(dot)
        return alive
      })
      for (const dot of dots) {
        const fade = steppedFade(at - dot.born)
        if (fade === dot.fade) continue
        dot.fade = fade
        dot.element.style.opacity = String(fade)
      }
    },
    setCamera(next: Camera, nextUnit: number): void {
      ;[camera, unit] = [next, nextUnit]
      for (const dot of dots) place(dot)
    },
    setLook({ pulses }): void {
      shown = pulses
      host.style.visibility = shown ? 'visible' : 'hidden'
    },
    mark(hovered, chosen): void {
      for (const { id, element } of dots)
        element.style.stroke = id === hovered || id === chosen ? 'var(--text)' : 'none'
    },
    freeze(on): void {
      if (on === (frozenAt !== null)) return
      if (on) frozenAt = clock()
      else {
        skipped = now() - (frozenAt as number)
        frozenAt = null
      }
    },
    clear(): void {
      waiting = []
      for (const dot of dots.splice(0)) remove(dot)
    },
    pick(x, y): RenderedArc | undefined {
      const near = (dot: Dot) => Math.hypot(placeOf(dot)[0] - x, placeOf(dot)[1] - y)
      return shown ? dots.findLast((dot) => near(dot) < 9 * unit) : undefined
    },
    drawn: () => (shown ? dots.length : 0),
    // No arcs: no sites to end at, no still lines.
    setSites: () => undefined,
    setSample: () => undefined,
    setPlateOf: () => undefined,
    destroy(): void {
      for (const dot of dots.splice(0)) remove(dot)
    },
  }
}
