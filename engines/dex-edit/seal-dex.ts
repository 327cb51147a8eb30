import { createHash } from 'node:crypto'

/** Writes signature and checksum of a dex file into its header. */
export function seal(bytes: Uint8Array): Uint8Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  bytes.set(createHash('sha1').update(bytes.subarray(32)).digest(), 12)
  view.setUint32(8, adler32(bytes, 12), true)
  return bytes
}

function adler32(bytes: Uint8Array, from: number): number {
  let a = 1
  let b = 0
  for (let at = from; at < bytes.length; ) {
    // As many steps as keep both sums within 32 bits.
    const end = Math.min(bytes.length, at + 3800)
    for (; at < end; at++) {
      a += bytes[at]!
      b += a
    }
    a %= 65521
    b %= 65521
  }
  return ((b << 16) | a) >>> 0
}
