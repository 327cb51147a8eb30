import { imageSize } from './image-size.ts'

export type Raster = { format: 'png' | 'jpeg' | 'gif'; width: number; height: number }

const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
const STARTS: readonly (readonly [Raster['format'], readonly number[]])[] = [
  ['png', PNG],
  ['gif', [0x47, 0x49, 0x46, 0x38]],
  ['jpeg', [0xff, 0xd8, 0xff]],
]

/** What kind of picture that the renderer knows the bytes are and how large it says it is; undefined for anything else. */
export function readRaster(bytes: Uint8Array): Raster | undefined {
  const format = STARTS.find(([, start]) => startsWith(bytes, start))?.[0]
  const size = format && imageSize(bytes)
  return size ? { format, ...size } : undefined
}

export function isPng(bytes: Uint8Array): boolean {
  return startsWith(bytes, PNG)
}

function startsWith(bytes: Uint8Array, start: readonly number[]): boolean {
  return start.every((byte, at) => bytes[at] === byte)
}
