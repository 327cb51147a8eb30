/**
 * The proof of work of enrolment: SHA-256 in plain script, since WebCrypto answers each hash with a promise and a quarter of a million
 * of them would take seconds. What never changes is hashed once; one try is one or two blocks.
 */

const K = new Uint32Array(64)
const INITIAL = new Uint32Array(8)
const WORDS = new Uint32Array(64)

/** Fractions of the roots of the first primes, as the standard defines the constants. */
function fillConstants(): void {
  const fraction = (root: number) => ((root - Math.floor(root)) * 2 ** 32) >>> 0
  for (let n = 2, found = 0; found < 64; n++) {
    let prime = true
    for (let d = 2; d * d <= n; d++) if (n % d === 0) prime = false
    if (!prime) continue
    if (found < 8) INITIAL[found] = fraction(n ** 0.5)
    K[found++] = fraction(Math.cbrt(n))
  }
}
fillConstants()

function compress(state: Uint32Array, block: DataView, at: number): void {
  const w = WORDS
  for (let i = 0; i < 16; i++) w[i] = block.getUint32(at + i * 4)
  for (let i = 16; i < 64; i++) {
    const x = w[i - 15]!
    const y = w[i - 2]!
    const s0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3)
    const s1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10)
    w[i] = w[i - 16]! + s0 + w[i - 7]! + s1
  }
  let [a, b, c, d, e, f, g, h] = state as unknown as [number, number, number, number, number, number, number, number]
  for (let i = 0; i < 64; i++) {
    const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7))
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + K[i]! + w[i]!) | 0
    const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10))
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0
    h = g
    g = f
    f = e
    e = (d + t1) | 0
    d = c
    c = b
    b = a
    a = (t1 + t2) | 0
  }
  const add = [a, b, c, d, e, f, g, h]
  for (let i = 0; i < 8; i++) state[i]! += add[i]!
}

/** Hashes `prefix` followed by short texts; answers the first 32 bits of each hash. */
export function prefixHash(prefix: string): (tail: string) => number {
  const bytes = new TextEncoder().encode(prefix)
  const whole = bytes.length & ~63
  const middle = INITIAL.slice()
  for (let at = 0; at < whole; at += 64) compress(middle, new DataView(bytes.buffer), at)
  const block = new Uint8Array(192)
  const view = new DataView(block.buffer)
  const start = bytes.length - whole
  return (tail) => {
    block.fill(0)
    block.set(bytes.subarray(whole))
    for (let i = 0; i < tail.length; i++) block[start + i] = tail.charCodeAt(i)
    const end = start + tail.length
    block[end] = 0x80
    const size = end + 9 > 64 ? 128 : 64
    view.setUint32(size - 4, (bytes.length + tail.length) * 8)
    const state = middle.slice()
    for (let at = 0; at < size; at += 64) compress(state, view, at)
    return state[0]!
  }
}

const SLICE = 1500

/** A nonce whose hash begins with `bits` zero bits, found in slices between which the page goes on. */
export async function proofOfWork(prefix: string, bits: number, pause: () => Promise<void>): Promise<string> {
  const hash = prefixHash(prefix)
  for (let tries = 0; ; tries++) {
    const nonce = tries.toString(36)
    if (hash(nonce) >>> (32 - bits) === 0) return nonce
    if (tries % SLICE === SLICE - 1) await pause()
  }
}
