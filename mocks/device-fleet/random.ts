/** Numbers that look random and repeat for the same seed (xoshiro128**): the fleet must be the same world on every start. */
export type Rng = {
  /** 0 <= x < 1. */
  next(): number
  /** 0 <= n < below, whole. */
  int(below: number): number
  /** 32 bits. */
  bits(): number
}

export function makeRng(...seeds: (number | string)[]): Rng {
  let mix = 0x9e3779b9
  const word = () => {
    mix = (mix + 0x6d2b79f5) | 0
    let x = Math.imul(mix ^ (mix >>> 15), mix | 1)
    x ^= x + Math.imul(x ^ (x >>> 7), x | 61)
    return (x ^ (x >>> 14)) | 0
  }
  for (const seed of seeds)
    for (const char of `${seed}/`) mix = Math.imul(mix ^ char.charCodeAt(0), 0x01000193) ^ (mix >>> 13)
  let [a, b, c, d] = [word(), word(), word(), word() | 1]
  const bits = () => {
    const m = Math.imul(b, 5)
    const result = Math.imul((m << 7) | (m >>> 25), 9)
    const t = b << 9
    c ^= a
    d ^= b
    b ^= c
    a ^= d
    c ^= t
    d = (d << 11) | (d >>> 21)
    return result >>> 0
  }
  const next = () => bits() / 4294967296
  return { next, bits, int: (below) => Math.floor(next() * below) }
}

/** Picks values by weight: `pick(u)` for 0 <= u < 1. */
export function weighted<T>(entries: readonly (readonly [value: T, weight: number])[]): (u: number) => T {
  const ends = new Float64Array(entries.length)
  let sum = 0
  entries.forEach(([, weight], index) => {
    sum += weight
    ends[index] = sum
  })
  return (u) => {
    const wanted = u * sum
    let [low, high] = [0, ends.length - 1]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((ends[middle] as number) > wanted) high = middle
      else low = middle + 1
    }
    return (entries[low] as readonly [T, number])[0]
  }
}

const HEX = Array.from({ length: 65_536 }, (_, value) => value.toString(16).padStart(4, '0'))

/** A UUID of version 4 from the generator: the same world names its events the same. */
export function uuid(rng: Rng): string {
  const [a, b, c, d] = [rng.bits(), rng.bits(), rng.bits(), rng.bits()]
  const hex = (value: number) => HEX[value & 0xffff] as string
  return `${hex(a >>> 16)}${hex(a)}-${hex(b)}-${hex(0x4000 | ((b >>> 16) & 0x0fff))}-${hex(0x8000 | (c & 0x3fff))}-${hex(c >>> 16)}${hex(d)}${hex(d >>> 16)}`
}

/** Hex digits of the generator: fingerprints, certificates. */
export function hexText(rng: Rng, digits: number): string {
  let text = ''
  while (text.length < digits) text += HEX[rng.bits() & 0xffff]
  return text.slice(0, digits)
}
