import type { Random } from '#tests/fuzz/mutate-input.ts'

/** Tables of a dex header: where count and offset lie, and the bytes of one row. */
const TABLES = [
  [0x38, 4],
  [0x40, 4],
  [0x48, 12],
  [0x50, 8],
  [0x58, 8],
  [0x60, 32],
] as const

export function damageTable(random: Random, at: number) {
  return (dex: Buffer): Uint8Array => {
    const [header, width] = TABLES[at % TABLES.length]!
    const count = dex.readUInt32LE(header)
    const offset = dex.readUInt32LE(header + 4)
    switch (Math.floor(at / TABLES.length) % 3) {
      case 0: {
        const rows = Math.max(1, Math.floor(count / 2))
        dex.fill(0xfe, offset + (count - rows) * width, offset + count * width)
        return dex
      }
      case 1:
        dex.writeUInt32LE(dex.length + random.below(2 ** 30), header + 4)
        return dex
      default:
        dex.writeUInt32LE(0x7fffffff - random.below(1000), header)
        return dex
    }
  }
}
