import type { IconPrint } from './package-print.ts'

/** Four bytes for each pixel: red, green, blue, alpha (not multiplied). */
export interface Pixels {
  readonly width: number
  readonly height: number
  readonly data: Uint8Array
}

const COLUMNS = 9
const ROWS = 8
const FIELDS = 4

/**
 * A perceptual print of an icon: the difference hash (each pixel of a reduced grey picture against its right neighbour) and coarse colours.
 * Transparent parts count as white. Null for a picture of one colour, of which nothing can be said.
 */
export function iconPrint(picture: Pixels): IconPrint | null {
  const grey = reduced(picture, COLUMNS, ROWS).map(([red, green, blue]) => 0.299 * red + 0.587 * green + 0.114 * blue)
  let shape = ''
  let set = 0
  for (let row = 0; row < ROWS; row++) {
    let bits = 0
    for (let column = 0; column < ROWS; column++) {
      const brighter = grey[row * COLUMNS + column]! > grey[row * COLUMNS + column + 1]! + 1
      bits = (bits << 1) | (brighter ? 1 : 0)
      set += brighter ? 1 : 0
    }
    shape += bits.toString(16).padStart(2, '0')
  }
  if (set === 0) return null
  const colours = reduced(picture, FIELDS, FIELDS)
    .flat()
    .map((value) => Math.min(15, Math.floor(value / 16)).toString(16))
    .join('')
  return { shape, colours }
}

/** Means of the pixels of each field, over white. */
function reduced({ width, height, data }: Pixels, columns: number, rows: number): [number, number, number][] {
  const fields: [number, number, number][] = []
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++) {
      const [left, right] = span(column, columns, width)
      const [top, bottom] = span(row, rows, height)
      const sum: [number, number, number] = [0, 0, 0]
      for (let y = top; y < bottom; y++)
        for (let x = left; x < right; x++) {
          const at = 4 * (y * width + x)
          const alpha = (data[at + 3] ?? 0) / 255
          for (let c = 0; c < 3; c++) sum[c]! += (data[at + c] ?? 0) * alpha + 255 * (1 - alpha)
        }
      const count = Math.max(1, (right - left) * (bottom - top))
      fields.push([sum[0] / count, sum[1] / count, sum[2] / count])
    }
  return fields
}

function span(at: number, of: number, size: number): [from: number, to: number] {
  const from = Math.min(size - 1, Math.floor((at * size) / of))
  return [from, Math.max(from + 1, Math.floor(((at + 1) * size) / of))]
}

/** From 0 (nothing alike) to 1: half of it the shape, where more than 20 of 64 bits differ in nothing alike, half the colours. */
export function iconLikeness(a: IconPrint, b: IconPrint): number {
  let different = 0
  for (let at = 0; at < 16; at++)
    different += ONES[Number.parseInt(a.shape[at]!, 16) ^ Number.parseInt(b.shape[at]!, 16)]!
  let distance = 0
  for (let at = 0; at < a.colours.length; at++)
    distance += Math.abs(Number.parseInt(a.colours[at]!, 16) - Number.parseInt(b.colours[at]!, 16))
  const shape = Math.max(0, 1 - different / 20)
  const colour = Math.max(0, 1 - distance / a.colours.length / 4)
  return (shape + colour) / 2
}

const ONES = Array.from(
  { length: 16 },
  (_, value) => (value & 1) + ((value >> 1) & 1) + ((value >> 2) & 1) + (value >> 3),
)
