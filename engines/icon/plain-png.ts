import { crc32, deflateSync, inflateRawSync } from 'node:zlib'
import { isPng } from './raster.ts'

/** Bytes for each pixel: Apple writes nothing else in its own form. */
const PIXEL = 4

/**
 * Apple's own form of PNG (chunk CgBI: no zlib header, blue first, colours multiplied by alpha) as a plain one; anything else, and what
 * cannot be unpacked or is larger than `side`, as it is.
 */
export function plainPng(bytes: Uint8Array, side: number): Uint8Array {
  if (!isPng(bytes) || textAt(bytes, 12) !== 'CgBI') return bytes
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const parts: Uint8Array[] = []
  let width = 0
  let height = 0
  for (let at = 8; at + 12 <= bytes.length; ) {
    const length = view.getUint32(at)
    const kind = textAt(bytes, at + 4)
    if (at + 12 + length > bytes.length) break
    if (kind === 'IHDR' && length >= 13) {
      width = view.getUint32(at + 8)
      height = view.getUint32(at + 12)
      // Eight bits, colour with alpha, not interlaced.
      if (bytes[at + 16] !== 8 || bytes[at + 17] !== 6 || bytes[at + 20] !== 0) return bytes
    }
    if (kind === 'IDAT') parts.push(bytes.subarray(at + 8, at + 8 + length))
    at += 12 + length
  }
  const size = (width * PIXEL + 1) * height
  if (size === 0 || width > side || height > side) return bytes
  try {
    const rows = inflateRawSync(Buffer.concat(parts), { maxOutputLength: size })
    return rows.length === size ? rewrite(rows, width, height) : bytes
  } catch {
    return bytes
  }
}

function rewrite(rows: Buffer, width: number, height: number): Uint8Array {
  const stride = width * PIXEL + 1
  for (let y = 0; y < height; y++) unfilter(rows, y * stride, y === 0 ? -1 : (y - 1) * stride, stride)
  for (let y = 0; y < height; y++)
    for (let at = y * stride + 1; at < (y + 1) * stride; at += PIXEL) {
      const alpha = rows[at + 3] as number
      const plain = (value: number) => (alpha === 0 ? 0 : Math.min(255, Math.round((value * 255) / alpha)))
      const [blue, green, red] = [rows[at] as number, rows[at + 1] as number, rows[at + 2] as number]
      rows[at] = plain(red)
      rows[at + 1] = plain(green)
      rows[at + 2] = plain(blue)
    }
  return write(rows, width, height)
}

/** Pixels of four bytes (red, green, blue, alpha) as PNG. */
export function pngOf({ width, height, data }: { width: number; height: number; data: Uint8ClampedArray }): Uint8Array {
  const stride = width * PIXEL
  const rows = Buffer.alloc((stride + 1) * height)
  for (let y = 0; y < height; y++) rows.set(data.subarray(y * stride, (y + 1) * stride), y * (stride + 1) + 1)
  return write(rows, width, height)
}

/** Rows, each after a byte that names its filter. */
function write(rows: Buffer, width: number, height: number): Uint8Array {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 6, 0, 0, 0], 8)
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** Takes the filter of one row away (PNG, section 9) and marks it as unfiltered. */
function unfilter(rows: Buffer, at: number, above: number, stride: number): void {
  const filter = rows[at]
  rows[at] = 0
  for (let x = 1; x < stride; x++) {
    const left = x > PIXEL ? (rows[at + x - PIXEL] as number) : 0
    const up = above >= 0 ? (rows[above + x] as number) : 0
    const corner = x > PIXEL && above >= 0 ? (rows[above + x - PIXEL] as number) : 0
    const guess =
      filter === 1
        ? left
        : filter === 2
          ? up
          : filter === 3
            ? (left + up) >> 1
            : filter === 4
              ? paeth(left, up, corner)
              : 0
    rows[at + x] = ((rows[at + x] as number) + guess) & 0xff
  }
}

function paeth(left: number, up: number, corner: number): number {
  const estimate = left + up - corner
  const [byLeft, byUp, byCorner] = [Math.abs(estimate - left), Math.abs(estimate - up), Math.abs(estimate - corner)]
  return byLeft <= byUp && byLeft <= byCorner ? left : byUp <= byCorner ? up : corner
}

function chunk(kind: string, content: Uint8Array): Buffer {
  const named = Buffer.concat([Buffer.from(kind, 'latin1'), content])
  const framed = Buffer.alloc(named.length + 8)
  framed.writeUInt32BE(content.length, 0)
  framed.set(named, 4)
  framed.writeUInt32BE(crc32(named), named.length + 4)
  return framed
}

function textAt(bytes: Uint8Array, at: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + 4))
}
