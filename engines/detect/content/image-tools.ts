import { Resvg } from '@resvg/resvg-js'
import jsqr from 'jsqr'
import { imageSize } from '../../icon/image-size.ts'
import { type DecodeWebp, isWebp } from '../../icon/webp.ts'
import type { ImageTools, Pixels } from '../input/content-input.ts'

/** A picture that unfolds to more than that is not decoded. */
const MOST_PIXELS = 24_000_000
const MIME: readonly (readonly [number, string])[] = [
  [0x89, 'image/png'],
  [0xff, 'image/jpeg'],
  [0x47, 'image/gif'],
]

/** Decoding of PNG, JPEG and GIF, of WebP by `decodeWebp`, QR codes; `readTexts` where a reader of words is installed. */
export function imageTools(decodeWebp: DecodeWebp, readTexts: ImageTools['readTexts'] = null): ImageTools {
  return { decode: (bytes, longest) => decode(bytes, longest, decodeWebp), readQr, readTexts }
}

function decode(bytes: Uint8Array, longest: number, decodeWebp: DecodeWebp): Pixels | null {
  const size = imageSize(bytes)
  if (!size || size.width * size.height > MOST_PIXELS) return null
  const scale = Math.min(1, longest / Math.max(size.width, size.height, 1))
  const width = Math.max(1, Math.round(size.width * scale))
  const height = Math.max(1, Math.round(size.height * scale))
  if (isWebp(bytes)) {
    const picture = decodeWebp(bytes)
    return picture && onWhite(smaller(picture, width, height), false)
  }
  const mime = MIME.find(([first]) => first === bytes[0])?.[1]
  if (!mime) return null
  const href = `data:${mime};base64,${Buffer.from(bytes).toString('base64')}`
  const frame = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><image width="${width}" height="${height}" preserveAspectRatio="none" href="${href}"/></svg>`
  try {
    const picture = new Resvg(frame, { font: { loadSystemFonts: false } }).render()
    return onWhite({ width, height, data: new Uint8ClampedArray(picture.pixels) }, true)
  } catch {
    return null
  }
}

/** Each pixel is the mean of the source pixels that it replaces. */
function smaller(picture: Pixels, width: number, height: number): Pixels {
  if (picture.width === width && picture.height === height) return picture
  const data = new Uint8ClampedArray(width * height * 4)
  const columns = Array.from({ length: width + 1 }, (_, x) => Math.floor((x * picture.width) / width))
  for (let y = 0; y < height; y++) {
    const top = Math.floor((y * picture.height) / height)
    const bottom = Math.max(top + 1, Math.floor(((y + 1) * picture.height) / height))
    for (let x = 0; x < width; x++)
      meanInto(data, (y * width + x) * 4, picture, [columns[x]!, columns[x + 1]!, top, bottom])
  }
  return { width, height, data }
}

function meanInto(
  data: Uint8ClampedArray,
  to: number,
  picture: Pixels,
  [left, right, top, bottom]: readonly [number, number, number, number],
): void {
  const sums = [0, 0, 0, 0]
  let count = 0
  for (let y = top; y < bottom; y++)
    for (let x = left; x < Math.max(left + 1, right); x++, count++) {
      const from = (y * picture.width + x) * 4
      for (let part = 0; part < 4; part++) sums[part] = sums[part]! + picture.data[from + part]!
    }
  for (let part = 0; part < 4; part++) data[to + part] = sums[part]! / count
}

/**
 * Puts the picture on white; null where nothing was drawn, which is how a picture that cannot be read comes out.
 * @param multiplied colours are given as far as they cover
 */
function onWhite({ width, height, data }: Pixels, multiplied: boolean): Pixels | null {
  let drawn = false
  for (let at = 0; at < data.length; at += 4) {
    const alpha = data[at + 3]!
    if (alpha > 0) drawn = true
    const share = multiplied ? 1 : alpha / 255
    for (let part = at; part < at + 3; part++) data[part] = data[part]! * share + (255 - alpha)
    data[at + 3] = 255
  }
  return drawn ? { width, height, data } : null
}

function readQr({ width, height, data }: Pixels): readonly string[] {
  const code = jsqr.default(data, width, height, { inversionAttempts: 'dontInvert' })
  return code?.data ? [code.data] : []
}
