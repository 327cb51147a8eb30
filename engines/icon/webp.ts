import { decode } from '@cwasm/webp'
import { pngOf } from './plain-png.ts'

/** Pixels of a picture, four bytes each: red, green, blue, alpha (colours not multiplied by it). */
export interface WebpPicture {
  readonly width: number
  readonly height: number
  readonly data: Uint8ClampedArray
}

export function isWebp(bytes: Uint8Array): boolean {
  return bytes.length > 30 && textAt(bytes, 0) === 'RIFF' && textAt(bytes, 8) === 'WEBP'
}

/**
 * Decodes a still WebP picture, lossy or lossless; null for what is none, is animated, or is broken. The decoder is WebAssembly: it touches
 * its own memory alone. Whoever calls bounds the size first: it unfolds to four bytes a pixel.
 */
export function decodeWebp(bytes: Uint8Array): WebpPicture | null {
  try {
    return decode(bytes)
  } catch {
    return null
  }
}

/** The same as PNG. */
export function webpPng(bytes: Uint8Array): Uint8Array | null {
  const picture = decodeWebp(bytes)
  return picture && pngOf(picture)
}

function textAt(bytes: Uint8Array, at: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + 4))
}
