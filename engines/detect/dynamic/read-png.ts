const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const END = Buffer.from([0, 0, 0, 0, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82])
const MOST_SIDE = 16_384

/** Size of a whole PNG; undefined where the bytes are none, are cut off, or something lies behind it. */
export function readPng(bytes: Uint8Array): { width: number; height: number } | undefined {
  const png = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (png.length < 57 || !png.subarray(0, 8).equals(SIGNATURE) || png.toString('latin1', 12, 16) !== 'IHDR')
    return undefined
  if (!png.subarray(-12).equals(END)) return undefined
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)]
  return width > 0 && height > 0 && width <= MOST_SIDE && height <= MOST_SIDE ? { width, height } : undefined
}
