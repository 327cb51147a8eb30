/** Numbers that parsers stumble over. */
const NUMBERS = [
  0, 1, 2, 3, 4, 7, 8, 15, 16, 0x7f, 0x80, 0xff, 0x100, 0x7fff, 0x8000, 0xffff, 0x10000, 0x7fffffff, 0x80000000,
  0xfffffff0, 0xfffffffe, 0xffffffff,
]
const MOST = 64 * 1024

/** Deterministic random numbers: the same seed tries the same inputs. */
export class Random {
  private state: number
  constructor(seed: number) {
    this.state = seed >>> 0 || 1
  }

  /** A whole number below `limit` (mulberry32). */
  below(limit: number): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0
    let t = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 2 ** 32) * limit)
  }
}

/** A few changes of one input, or a splice of it with another. */
export function mutateInput(input: Uint8Array, other: Uint8Array, random: Random): Uint8Array {
  let bytes = Buffer.from(input)
  for (let left = 1 + random.below(4) * random.below(3); left >= 0; left--)
    bytes = Buffer.from(change(bytes, other, random))
  return bytes.subarray(0, MOST)
}

function change(bytes: Buffer, other: Uint8Array, random: Random): Buffer {
  if (!bytes.length) return Buffer.from(other)
  const at = random.below(bytes.length)
  const length = Math.min(1 + random.below(random.below(4) ? 16 : 512), bytes.length - at)
  switch (random.below(11)) {
    case 0:
      bytes[at]! ^= 1 << random.below(8)
      return bytes
    case 1:
      bytes[at] = random.below(256)
      return bytes
    case 2:
      bytes[at] = (bytes[at]! + random.below(35) - 17) & 0xff
      return bytes
    case 3:
    case 4:
      return writeNumber(bytes, at, random)
    case 5:
      return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + length)])
    case 6:
      return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at, at + length), bytes.subarray(at)])
    case 7: {
      const from = random.below(bytes.length)
      bytes.copy(bytes, at, from, from + length)
      return bytes
    }
    case 8: {
      const from = random.below(other.length || 1)
      return Buffer.concat([bytes.subarray(0, at), other.subarray(from, from + length), bytes.subarray(at)])
    }
    case 9:
      return Buffer.concat([bytes.subarray(0, at), other.subarray(random.below(other.length || 1))])
    default:
      return random.below(4) ? bytes.fill(random.below(2) ? 0 : 0xff, at, at + length) : bytes.subarray(0, at)
  }
}

/** A number of one, two, four or eight bytes in either order. */
function writeNumber(bytes: Buffer, at: number, random: Random): Buffer {
  const value = random.below(3)
    ? NUMBERS[random.below(NUMBERS.length)]!
    : random.below(2)
      ? random.below(bytes.length + 16)
      : random.below(2 ** 32)
  const size = [1, 2, 4, 8][random.below(4)]!
  if (at + size > bytes.length) return bytes
  const little = random.below(3) > 0
  for (let i = 0; i < size; i++) bytes[at + (little ? i : size - 1 - i)] = i < 4 ? (value >>> (8 * i)) & 0xff : 0
  return bytes
}
