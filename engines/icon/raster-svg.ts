import { plainPng } from './plain-png.ts'
import { readRaster } from './raster.ts'
import { type SvgParts, svgNumber } from './svg-parts.ts'

/** A raster image in a box from the origin; undefined where the renderer does not know its kind or it is beyond the limits. */
export function rasterSvg(picture: Uint8Array, size: number, parts: SvgParts): string | undefined {
  const bytes = plainPng(picture, parts.limits.side)
  const raster = readRaster(bytes)
  const { side, raster: most } = parts.limits
  if (!raster || bytes.length > most || raster.width > side || raster.height > side) return undefined
  if (raster.width * raster.height === 0) return undefined
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')
  return parts.image(
    `<image width="${svgNumber(size)}" height="${svgNumber(size)}" preserveAspectRatio="xMidYMid meet" xlink:href="data:image/${raster.format};base64,${data}"/>`,
  )
}
