import { shadeOf } from '../../../shared/charts/shade.ts'
import { formatExact } from '../../../shared/format/number.ts'
import { token } from '../../../shared/theme/tokens.ts'
import { type HeatCells, HOURS } from './heat-cells.ts'

const CELL = { width: 29, height: 26, gap: 1 }
const LEFT = 64
const RIGHT = 72
const FOOT = 22
const SCALE = 2

/** The heat map as a canvas, for a picture of it. */
export function drawHeat(cells: HeatCells, dayName: (weekday: number) => string): HTMLCanvasElement {
  const width = LEFT + HOURS * (CELL.width + CELL.gap) + RIGHT
  const height = 7 * (CELL.height + CELL.gap) + FOOT
  const canvas = document.createElement('canvas')
  canvas.width = width * SCALE
  canvas.height = height * SCALE
  const pen = canvas.getContext('2d')
  if (!pen) return canvas
  pen.scale(SCALE, SCALE)
  pen.font = `12px ${token('font-sans')}`
  pen.textBaseline = 'middle'
  for (const [weekday, counts] of cells.counts.entries()) {
    const y = weekday * (CELL.height + CELL.gap)
    pen.fillStyle = token('muted')
    pen.textAlign = 'left'
    pen.fillText(dayName(weekday), 0, y + CELL.height / 2)
    pen.textAlign = 'right'
    pen.fillText(formatExact(cells.byDay[weekday] ?? 0), width, y + CELL.height / 2)
    for (const [hour, count] of counts.entries()) {
      const shade = shadeOf(count, cells.breaks)
      pen.fillStyle = token(shade === 0 ? 'neutral' : `scale-${shade}`)
      pen.fillRect(LEFT + hour * (CELL.width + CELL.gap), y, CELL.width, CELL.height)
    }
  }
  pen.fillStyle = token('muted')
  pen.textAlign = 'left'
  for (let hour = 0; hour < HOURS; hour += 3)
    pen.fillText(`${hour}:00`, LEFT + hour * (CELL.width + CELL.gap), height - FOOT / 2)
  return canvas
}
