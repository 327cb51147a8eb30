import { LEVEL_SHAPES } from '#domain/level-marks.ts'
import type { Level } from '#domain/vocabulary.ts'
import { token } from '../../../../shared/theme/tokens.ts'

/** What the picture says beside the map; every text is one that the wall shows now. */
export type MomentFacts = {
  product: string
  view: string
  title: string
  number: string
  lines: readonly string[]
  levels: readonly { level: Level; name: string; count: string }[]
  lists: readonly { title: string; rows: readonly [name: string, count: string][] }[]
  foot: string
}

/** Longer side of the picture, px. */
const LONG = 3840
const UNIT_WIDTH = 1920

/**
 * The wall as a picture of 3840 px: the map's canvases as they are, the South China Sea inset whole, and the numbers in type of its own.
 * `wall` is the element that holds them.
 */
export async function momentPicture(
  wall: HTMLElement,
  layers: readonly CanvasImageSource[],
  facts: MomentFacts,
): Promise<Blob> {
  const box = wall.getBoundingClientRect()
  const scale = LONG / Math.max(box.width, box.height)
  const canvas = document.createElement('canvas')
  canvas.width = Math.round(box.width * scale)
  canvas.height = Math.round(box.height * scale)
  const context = canvas.getContext('2d') as CanvasRenderingContext2D
  const color = (name: string) => token(name, wall)
  const family = token('font-sans', wall)
  context.fillStyle = color('canvas')
  context.fillRect(0, 0, canvas.width, canvas.height)
  for (const layer of layers) context.drawImage(layer, 0, 0, canvas.width, canvas.height)
  const inset = wall.querySelector<SVGSVGElement>('.wall-inset')
  if (inset) paintInset(context, inset, wall, scale)
  const u = canvas.width > canvas.height ? canvas.height / 1080 : canvas.width / UNIT_WIDTH
  const pad = 48 * u
  const column = 470 * u
  const shade = context.createLinearGradient(0, 0, column * 1.6, 0)
  shade.addColorStop(0, color('canvas'))
  shade.addColorStop(0.7, `${color('canvas')}d0`)
  shade.addColorStop(1, `${color('canvas')}00`)
  context.fillStyle = shade
  context.fillRect(0, 0, column * 1.6, canvas.height)
  let y = pad
  const write = (
    text: string,
    x: number,
    size: number,
    weight: number,
    fill: string,
    align: CanvasTextAlign = 'left',
  ) => {
    context.font = `${weight} ${size * u}px ${family}`
    context.fillStyle = color(fill)
    context.textAlign = align
    context.textBaseline = 'top'
    context.fillText(text, x, y)
  }
  write(`${facts.product}  ·  ${facts.view}`, pad, 22, 600, 'text')
  y += 56 * u
  write(facts.title, pad, 22, 400, 'muted')
  y += 32 * u
  write(facts.number, pad - 4 * u, 112, 560, 'text')
  y += 132 * u
  for (const line of facts.lines) {
    write(line, pad, 20, 400, 'text')
    y += 30 * u
  }
  y += 16 * u
  for (const { level, name, count } of facts.levels) {
    context.save()
    context.translate(pad, y + 4 * u)
    context.scale(1.6 * u, 1.6 * u)
    context.fillStyle = color(`level-${level}`)
    context.fill(new Path2D(LEVEL_SHAPES[level]))
    context.restore()
    write(name, pad + 30 * u, 20, 400, 'text')
    write(count, pad + column - 80 * u, 20, 500, 'text', 'right')
    y += 32 * u
  }
  for (const { title, rows } of facts.lists) {
    y += 22 * u
    write(title, pad, 18, 400, 'muted')
    y += 30 * u
    for (const [name, count] of rows) {
      write(name, pad, 20, 400, 'text')
      write(count, pad + column - 80 * u, 20, 500, 'text', 'right')
      y += 31 * u
    }
  }
  y = canvas.height - pad - 18 * u
  write(facts.foot, pad, 18, 400, 'muted')
  return new Promise((done, fail) =>
    canvas.toBlob((blob) => (blob ? done(blob) : fail(new Error('no picture'))), 'image/png'),
  )
}

/** The inset at its place, from the paths of the page: it belongs to every picture of the country. */
function paintInset(context: CanvasRenderingContext2D, inset: SVGSVGElement, wall: HTMLElement, scale: number): void {
  const outer = wall.getBoundingClientRect()
  const box = inset.getBoundingClientRect()
  const inner = inset.viewBox.baseVal
  context.save()
  context.translate((box.x - outer.x) * scale, (box.y - outer.y) * scale)
  context.fillStyle = getComputedStyle(inset).backgroundColor
  context.fillRect(0, 0, box.width * scale, box.height * scale)
  context.beginPath()
  context.rect(0, 0, box.width * scale, box.height * scale)
  context.clip()
  context.scale((box.width * scale) / inner.width, (box.height * scale) / inner.height)
  for (const path of inset.querySelectorAll('path')) {
    const { fill, stroke, strokeWidth } = getComputedStyle(path)
    const shape = new Path2D(path.getAttribute('d') ?? '')
    if (fill !== 'none') {
      context.fillStyle = fill
      context.fill(shape)
    }
    if (stroke !== 'none') {
      context.strokeStyle = stroke
      context.lineWidth = Number.parseFloat(strokeWidth) || 0.5
      context.stroke(shape)
    }
  }
  context.restore()
  context.strokeStyle = getComputedStyle(inset).borderTopColor
  context.lineWidth = scale
  context.strokeRect((box.x - outer.x) * scale, (box.y - outer.y) * scale, box.width * scale, box.height * scale)
}

export function savePicture(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
