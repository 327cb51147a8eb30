import { imageSize } from './image-size.ts'
import { plainPng, pngOf } from './plain-png.ts'
import { readRaster } from './raster.ts'
import { type SvgParts, svgNumber } from './svg-parts.ts'
import { type DecodeWebp, isWebp } from './webp.ts'

/** A raster image in a box from the origin; undefined where nothing here knows its kind or it is beyond the limits. */
export function rasterSvg(
  picture: Uint8Array,
  size: number,
  parts: SvgParts,
  decodeWebp: DecodeWebp = () => null,
): string | undefined {
  const { side, raster: most } = parts.limits
  // The renderer knows neither WebP nor Apple's own PNG.
  const bytes = isWebp(picture) ? fromWebp(picture, side, decodeWebp) : plainPng(picture, side)
  const raster = bytes && readRaster(bytes)
  if (!bytes || !raster || bytes.length > most || !fits(raster, side)) return undefined
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')
  return parts.image(
    `<image width="${svgNumber(size)}" height="${svgNumber(size)}" preserveAspectRatio="xMidYMid meet" xlink:href="data:image/${raster.format};base64,${data}"/>`,
  )
}

const fits = (size: { readonly width: number; readonly height: number } | null, side: number): boolean =>
  size !== null && size.width <= side && size.height <= side && size.width * size.height > 0

function fromWebp(picture: Uint8Array, side: number, decodeWebp: DecodeWebp): Uint8Array | null {
  const pixels = fits(imageSize(picture), side) ? decodeWebp(picture) : null
  return pixels && pngOf(pixels)
}
