import { LEVEL_SHAPES } from '#domain/level-marks.ts'
import { LEVELS, type Level } from '#domain/vocabulary.ts'
import { token } from '../../../../shared/theme/tokens.ts'
import { along, EXIT_REACH, type Landing, PLATE_ANGLE, RING_REACH } from './arcs.ts'
import { easeOut } from './easing.ts'

const SEGMENTS = 14
/** Passes of a trail: width, alpha, added to what is below or painted. */
const PASSES = [
  { wide: 5, alpha: 0.055, operation: 'lighter' },
  { wide: 2.4, alpha: 0.12, operation: 'lighter' },
  { wide: 1, alpha: 0.95, operation: 'source-over' },
] as const
const GLOW = 17
const SOLID: readonly number[] = []

/** A point at `t` of a path on the screen, written into `out`; false where it is out of sight (behind a globe). */
export type PathAt = (t: number, out: { x: number; y: number }) => boolean

/**
 * The marks of one attack on a canvas: level shape, comet, landing, perimeter. Used by the flat map and the globe. Made once for a
 * canvas; nothing here allocates while it draws.
 */
export function createAttackMarks(context: CanvasRenderingContext2D, element: Element) {
  const color = Object.fromEntries(
    Object.keys(LEVELS).map((level) => [level, token(`level-${level}`, element)]),
  ) as Record<Level, string>
  const [white, dark, slate] = [token('text', element), token('canvas', element), token('muted', element)]
  const shapes = Object.fromEntries(Object.entries(LEVEL_SHAPES).map(([level, d]) => [level, new Path2D(d)])) as Record<
    Level,
    Path2D
  >
  const glows = Object.fromEntries(Object.entries(color).map(([level, hue]) => [level, glowSprite(hue)])) as Record<
    Level,
    HTMLCanvasElement
  >
  let [unit, ratio] = [1, 1]
  let [dots, ringDash, exitDash] = [
    [1.5, 5],
    [4, 5],
    [3, 4],
  ]
  const [a, b] = [
    { x: 0, y: 0 },
    { x: 0, y: 0 },
  ]

  function circle(x: number, y: number, radius: number, from = 0, to = 2 * Math.PI): void {
    context.beginPath()
    context.arc(x, y, radius, from, to)
  }

  return {
    color,
    white,
    dark,
    slate,
    setScale(nextUnit: number, nextRatio: number): void {
      ;[unit, ratio] = [nextUnit, nextRatio]
      const times = (list: readonly number[]) => list.map((one) => one * unit)
      ;[dots, ringDash, exitDash] = [times([1.5, 5]), times([4, 5]), times([3, 4])]
    },
    shape(level: Level, x: number, y: number, radius: number, alpha: number): void {
      const scale = (radius * unit) / 5
      context.globalAlpha = alpha
      context.setTransform(ratio * scale, 0, 0, ratio * scale, ratio * (x - 5 * scale), ratio * (y - 5 * scale))
      context.lineWidth = 3
      context.strokeStyle = dark
      context.stroke(shapes[level])
      context.fillStyle = color[level]
      context.fill(shapes[level])
      context.setTransform(ratio, 0, 0, ratio, 0, 0)
    },
    ring(x: number, y: number, radius: number, hue: string, alpha: number, width = 1.2, dashed = false): void {
      context.globalAlpha = alpha
      context.strokeStyle = hue
      context.lineWidth = width * unit
      if (dashed) context.setLineDash(ringDash)
      circle(x, y, radius)
      context.stroke()
      if (dashed) context.setLineDash(SOLID as number[])
    },
    /** The way between two shares of a path as one line. */
    way(path: PathAt, from: number, to: number, hue: string, alpha: number, width: number, dotted = false): void {
      if (alpha <= 0 || to <= from) return
      context.globalAlpha = alpha
      context.strokeStyle = hue
      context.lineWidth = width * unit
      context.lineCap = 'round'
      if (dotted) context.setLineDash(dots)
      context.beginPath()
      let drawing = false
      for (let i = 0; i <= 40; i++) {
        if (!path(from + ((to - from) * i) / 40, a)) drawing = false
        else {
          if (drawing) context.lineTo(a.x, a.y)
          else context.moveTo(a.x, a.y)
          drawing = true
        }
      }
      context.stroke()
      if (dotted) context.setLineDash(SOLID as number[])
    },
    /** Trail and head; `wide` is the width at the head. */
    comet(path: PathAt, tail: number, head: number, level: Level, alpha: number, wide = 2.8): void {
      context.strokeStyle = color[level]
      context.lineCap = 'round'
      for (let pass = 0; pass < PASSES.length; pass++) {
        const { wide: times, alpha: share, operation } = PASSES[pass] as (typeof PASSES)[number]
        context.globalCompositeOperation = operation
        for (let i = 0; i < SEGMENTS; i++) {
          const t = (i + 1) / SEGMENTS
          if (!path(tail + ((head - tail) * i) / SEGMENTS, a) || !path(tail + (head - tail) * t, b)) continue
          context.globalAlpha = alpha * share * t * t
          context.lineWidth = Math.max(0.4, wide * unit * times * (0.18 + 0.82 * t))
          context.beginPath()
          context.moveTo(a.x, a.y)
          context.lineTo(b.x, b.y)
          context.stroke()
        }
      }
      if (path(head, a)) {
        context.globalCompositeOperation = 'lighter'
        context.globalAlpha = alpha
        const radius = GLOW * unit
        context.drawImage(glows[level], a.x - radius, a.y - radius, 2 * radius, 2 * radius)
        context.globalCompositeOperation = 'source-over'
        context.fillStyle = color[level]
        circle(a.x, a.y, 3.8 * unit)
        context.fill()
        context.fillStyle = white
        circle(a.x, a.y, 2.4 * unit)
        context.fill()
      }
      context.globalCompositeOperation = 'source-over'
    },
    /** What became of an attack at its site: stopped on the perimeter, or gone through it. */
    landing(state: Landing, x: number, y: number, radius: number, angle: number, level: Level, dim: number): void {
      const hue = color[level]
      const blocked = state.closed > 0
      if (state.ring < 1)
        this.ring(
          x,
          y,
          radius + RING_REACH * unit * easeOut(state.ring),
          hue,
          0.7 * (1 - state.ring) * dim,
          1.6,
          !blocked,
        )
      if (blocked) {
        if (state.ring < 1) {
          context.globalAlpha = 0.6 * (1 - state.ring) * dim
          context.strokeStyle = hue
          context.lineWidth = 2 * unit
          circle(x, y, radius, angle - state.closed, angle + state.closed)
          context.stroke()
        }
        if (state.plate <= 0) return
        context.globalAlpha = state.plate * dim
        context.strokeStyle = hue
        context.lineWidth = 3.2 * unit
        context.lineCap = 'round'
        circle(x, y, radius, angle - PLATE_ANGLE, angle + PLATE_ANGLE)
        context.stroke()
        if (state.tick > 0) this.tick(x + Math.cos(angle) * radius, y + Math.sin(angle) * radius, hue, state.tick * dim)
        return
      }
      if (state.exitAlpha <= 0) return
      const dx = -Math.cos(angle)
      const dy = -Math.sin(angle)
      const reach = 9 * unit + (radius + (EXIT_REACH - 9) * unit) * state.exit
      context.globalAlpha = state.exitAlpha * dim
      context.strokeStyle = hue
      context.lineWidth = 1.5 * unit
      context.setLineDash(exitDash)
      context.beginPath()
      context.moveTo(x + dx * 9 * unit, y + dy * 9 * unit)
      context.lineTo(x + dx * reach, y + dy * reach)
      context.stroke()
      context.setLineDash(SOLID as number[])
      if (state.exit < 0.6) return
      const tipX = x + dx * (reach + 6 * unit)
      const tipY = y + dy * (reach + 6 * unit)
      context.fillStyle = hue
      context.beginPath()
      context.moveTo(tipX, tipY)
      context.lineTo(tipX - (dx * 7 - dy * 3.6) * unit, tipY - (dy * 7 + dx * 3.6) * unit)
      context.lineTo(tipX - (dx * 7 + dy * 3.6) * unit, tipY - (dy * 7 - dx * 3.6) * unit)
      context.fill()
    },
    /** A filled circle with a tick: blocked. */
    tick(x: number, y: number, hue: string, alpha: number): void {
      const radius = 6.2 * unit
      context.globalAlpha = alpha
      context.fillStyle = dark
      circle(x, y, radius + 1.5 * unit)
      context.fill()
      context.fillStyle = hue
      circle(x, y, radius)
      context.fill()
      context.strokeStyle = dark
      context.lineWidth = radius * 0.34
      context.lineCap = 'round'
      context.lineJoin = 'round'
      context.beginPath()
      context.moveTo(x - radius * 0.46, y + radius * 0.04)
      context.lineTo(x - radius * 0.1, y + radius * 0.4)
      context.lineTo(x + radius * 0.5, y - radius * 0.36)
      context.stroke()
    },
  }
}
/** The light around a head, painted once for each hue. */
function glowSprite(hue: string): HTMLCanvasElement {
  const sprite = document.createElement('canvas')
  sprite.width = sprite.height = 4 * GLOW
  const context = sprite.getContext('2d') as CanvasRenderingContext2D
  const gradient = context.createRadialGradient(2 * GLOW, 2 * GLOW, 0, 2 * GLOW, 2 * GLOW, 2 * GLOW)
  gradient.addColorStop(0, `${hue}99`)
  gradient.addColorStop(0.3, `${hue}38`)
  gradient.addColorStop(1, `${hue}00`)
  context.fillStyle = gradient
  context.fillRect(0, 0, sprite.width, sprite.height)
  return sprite
}

/** A quadratic that can be moved: the path of one arc on the flat map. */
export function createQuadratic() {
  const q = { fx: 0, fy: 0, cx: 0, cy: 0, tx: 0, ty: 0 }
  const at: PathAt = (t, out) => {
    out.x = along(q.fx, q.cx, q.tx, t)
    out.y = along(q.fy, q.cy, q.ty, t)
    return true
  }
  return { q, at }
}
