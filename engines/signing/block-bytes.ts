/** Little-endian, as signing blocks write numbers. */
export function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value >>> 0)
  return bytes
}

export function u64(value: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(BigInt(value))
  return bytes
}

/** The parts behind their length in 32 bits. */
export function prefixed(...parts: readonly Uint8Array[]): Buffer {
  return Buffer.concat([u32(parts.reduce((sum, part) => sum + part.length, 0)), ...parts])
}
