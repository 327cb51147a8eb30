import type { GreyPicture, Pixels } from '../input/content-input.ts'

/** What distinguishes pictures and whether one may contain words. */
export interface PictureSketch {
  /** Equal for pictures that look the same (difference hash of 16 x 16, and proportions). */
  readonly likeness: string
  /** Share of pixels whose right neighbour is much lighter or darker. */
  readonly edges: number
}

const SIDE = 16
const MUCH = 40

/** One byte of grey for each pixel. */
export function greyOf({ width, height, data }: Pixels): GreyPicture {
  const grey = new Uint8Array(width * height)
  for (let at = 0, from = 0; at < grey.length; at++, from += 4)
    grey[at] = (data[from]! * 77 + data[from + 1]! * 150 + data[from + 2]! * 29) >> 8
  return { width, height, data: grey }
}

export function sketchOf(picture: GreyPicture): PictureSketch {
  return { likeness: likenessOf(picture), edges: edgesOf(picture) }
}

function edgesOf({ width, height, data }: GreyPicture): number {
  let edges = 0
  for (let y = 0; y < height; y++)
    for (let x = 1, at = y * width + 1; x < width; x++, at++) if (Math.abs(data[at]! - data[at - 1]!) >= MUCH) edges++
  return edges / Math.max(1, width * height)
}

/** Is a field of the grid lighter than the one to its left? */
function likenessOf(picture: GreyPicture): string {
  const { width, height } = picture
  let bits = ''
  for (let row = 0; row < SIDE; row++) {
    let left = meanOf(picture, 0, row)
    for (let column = 1; column <= SIDE; column++) {
      const mean = meanOf(picture, column, row)
      bits += mean > left ? '1' : '0'
      left = mean
    }
  }
  return `${Math.round((width / height) * 10)} ${BigInt(`0b${bits}`).toString(36)}`
}

function meanOf({ width, height, data }: GreyPicture, column: number, row: number): number {
  const from = Math.floor((column * width) / (SIDE + 1))
  const to = Math.max(from + 1, Math.floor(((column + 1) * width) / (SIDE + 1)))
  const top = Math.floor((row * height) / SIDE)
  const bottom = Math.max(top + 1, Math.floor(((row + 1) * height) / SIDE))
  let sum = 0
  for (let y = top; y < bottom; y++) for (let x = from; x < to; x++) sum += data[y * width + x]!
  return Math.round(sum / ((to - from) * (bottom - top)))
}
