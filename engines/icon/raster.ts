export type Raster = { format: 'png' | 'jpeg' | 'gif'; width: number; height: number }

const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
const GIF = [0x47, 0x49, 0x46, 0x38]
const JPEG = [0xff, 0xd8, 0xff]

/** What kind of picture the bytes are and how large it says it is; undefined for anything else. */
export function readRaster(bytes: Uint8Array): Raster | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (startsWith(bytes, PNG) && bytes.length >= 24)
    return { format: 'png', width: view.getUint32(16), height: view.getUint32(20) }
  if (startsWith(bytes, GIF) && bytes.length >= 10)
    return { format: 'gif', width: view.getUint16(6, true), height: view.getUint16(8, true) }
  return startsWith(bytes, JPEG) ? jpegSize(view) : undefined
}

export function isPng(bytes: Uint8Array): boolean {
  return startsWith(bytes, PNG)
}

function startsWith(bytes: Uint8Array, start: readonly number[]): boolean {
  return start.every((byte, at) => bytes[at] === byte)
}

function jpegSize(view: DataView): Raster | undefined {
  for (let at = 2; at + 9 < view.byteLength; ) {
    if (view.getUint8(at) !== 0xff) return undefined
    const marker = view.getUint8(at + 1)
    const frame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (frame) return { format: 'jpeg', width: view.getUint16(at + 7), height: view.getUint16(at + 5) }
    at += 2 + Math.max(2, view.getUint16(at + 2))
  }
  return undefined
}
