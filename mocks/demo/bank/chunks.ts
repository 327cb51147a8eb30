/** A chunk of Android's binary resources: `header` are the bytes between the eight of every chunk and what follows. */
export function chunk(type: number, header: Uint8Array, ...parts: readonly Uint8Array[]): Buffer {
  const size = parts.reduce((sum, part) => sum + part.length, 8 + header.length)
  return Buffer.concat([u16(type, 8 + header.length), u32(size), header, ...parts])
}

/** Numbers of 16 bits, little end first. */
export function u16(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(2 * values.length)
  values.forEach((value, i) => void bytes.writeUInt16LE(value, 2 * i))
  return bytes
}

/** Numbers of 32 bits, little end first. */
export function u32(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length)
  values.forEach((value, i) => void bytes.writeUInt32LE(value >>> 0, 4 * i))
  return bytes
}
