/** Pixels of a picture, four bytes each: red, green, blue, alpha (colours not multiplied by it). */
export interface WebpPicture {
  readonly width: number
  readonly height: number
  readonly data: Uint8ClampedArray
}

/**
 * A decoder of still WebP pictures; null for what it cannot decode. It is no part of the engines. Who asks it bounds the size first: a
 * picture unfolds to four bytes a pixel.
 */
export type DecodeWebp = (bytes: Uint8Array) => WebpPicture | null

export function isWebp(bytes: Uint8Array): boolean {
  return bytes.length > 30 && textAt(bytes, 0) === 'RIFF' && textAt(bytes, 8) === 'WEBP'
}

function textAt(bytes: Uint8Array, at: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + 4))
}
