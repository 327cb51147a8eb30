import { Resvg } from '@resvg/resvg-js'
import jsqr from 'jsqr'
import type { ImageTools, Pixels } from './content-input.ts'
import { imageSize } from './image-size.ts'

/** Smaller pictures hold no code that a phone could scan; larger ones are scaled down to `WORKED` first. */
const SMALLEST = 100
const WORKED = 480
/** A picture that unfolds to more than that is not decoded. */
const MOST_PIXELS = 24_000_000
const MIME: readonly (readonly [number, string])[] = [
  [0x89, 'image/png'],
  [0xff, 'image/jpeg'],
  [0x47, 'image/gif'],
  [0x52, 'image/webp'],
]

/** Decoding of PNG, JPEG, GIF and WebP, and QR codes. `texts` is what a recognition of words found beforehand, null without one. */
export function imageTools(texts: ImageTools['texts'] = null): ImageTools {
  return { decode, readQr, texts }
}

function decode(bytes: Uint8Array): Pixels | null {
  const size = imageSize(bytes)
  const mime = MIME.find(([first]) => first === bytes[0])?.[1]
  if (!size || !mime || size.width * size.height > MOST_PIXELS) return null
  const scale = Math.min(1, WORKED / Math.max(size.width, size.height, 1))
  const width = Math.max(1, Math.round(size.width * scale))
  const height = Math.max(1, Math.round(size.height * scale))
  if (Math.min(width, height) < SMALLEST) return { width: 0, height: 0, data: new Uint8ClampedArray() }
  const href = `data:${mime};base64,${Buffer.from(bytes).toString('base64')}`
  const frame = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><image width="${width}" height="${height}" preserveAspectRatio="none" href="${href}"/></svg>`
  try {
    const picture = new Resvg(frame, { font: { loadSystemFonts: false } }).render()
    const data = new Uint8ClampedArray(picture.pixels)
    return onWhite(data) ? { width, height, data } : null
  } catch {
    return null
  }
}

/** Puts the picture on white; false where nothing was drawn, which is how a picture that cannot be read comes out. */
function onWhite(data: Uint8ClampedArray): boolean {
  let drawn = false
  for (let at = 0; at < data.length; at += 4) {
    const rest = 255 - data[at + 3]!
    if (rest < 255) drawn = true
    // Colours are given as far as they cover: what is left is white.
    for (let part = at; part < at + 3; part++) data[part] = data[part]! + rest
    data[at + 3] = 255
  }
  return drawn
}

function readQr({ width, height, data }: Pixels): readonly string[] {
  if (width === 0) return []
  const code = jsqr.default(data, width, height, { inversionAttempts: 'dontInvert' })
  return code?.data ? [code.data] : []
}
