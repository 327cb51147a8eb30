/**
 * SM3 (GB/T 32905-2016) over parts that come one after another, for files that are larger than memory. Where all bytes are at hand, the
 * primitives of primitives.ts are faster.
 */
export class Sm3 {
  readonly #state = Uint32Array.of(
    0x7380166f,
    0x4914b2b9,
    0x172442d7,
    0xda8a0600,
    0xa96f30bc,
    0x163138aa,
    0xe38dee4d,
    0xb0fb0e4e,
  )
  readonly #block = new Uint8Array(64)
  readonly #view = new DataView(this.#block.buffer)
  readonly #words = new Uint32Array(68)
  #filled = 0
  #length = 0

  update(bytes: Uint8Array): this {
    this.#length += bytes.length
    for (let at = 0; at < bytes.length; ) {
      const part = bytes.subarray(at, at + 64 - this.#filled)
      this.#block.set(part, this.#filled)
      this.#filled += part.length
      at += part.length
      if (this.#filled === 64) this.#compress()
    }
    return this
  }

  /** The 32 bytes of the digest; nothing may be added afterwards. */
  digest(): Uint8Array {
    const length = this.#length
    const padding = new Uint8Array(((119 - (length % 64)) % 64) + 1)
    padding[0] = 0x80
    this.update(padding)
    const size = new Uint8Array(8)
    const view = new DataView(size.buffer)
    view.setUint32(0, Math.floor(length / 0x20000000))
    view.setUint32(4, (length * 8) >>> 0)
    this.update(size)
    const out = new Uint8Array(32)
    const words = new DataView(out.buffer)
    for (let i = 0; i < 8; i++) words.setUint32(i * 4, this.#state[i]!)
    return out
  }

  /** CF of section 5.3. */
  #compress(): void {
    const w = this.#words
    for (let i = 0; i < 16; i++) w[i] = this.#view.getUint32(i * 4)
    for (let i = 16; i < 68; i++) {
      const mixed = w[i - 16]! ^ w[i - 9]! ^ rotated(w[i - 3]!, 15)
      w[i] = mixed ^ rotated(mixed, 15) ^ rotated(mixed, 23) ^ rotated(w[i - 13]!, 7) ^ w[i - 6]!
    }
    let [a, b, c, d, e, f, g, h] = this.#state as unknown as [
      number,
      number,
      number,
      number,
      number,
      number,
      number,
      number,
    ]
    for (let i = 0; i < 64; i++) {
      const constant = i < 16 ? 0x79cc4519 : 0x7a879d8a
      const first = rotated((rotated(a, 12) + e + rotated(constant, i % 32)) >>> 0, 7)
      const second = first ^ rotated(a, 12)
      const ff = i < 16 ? a ^ b ^ c : (a & b) | (a & c) | (b & c)
      const gg = i < 16 ? e ^ f ^ g : (e & f) | (~e & g)
      const one = (ff + d + second + (w[i]! ^ w[i + 4]!)) >>> 0
      const two = (gg + h + first + w[i]!) >>> 0
      d = c
      c = rotated(b, 9)
      b = a
      a = one
      h = g
      g = rotated(f, 19)
      f = e
      e = (two ^ rotated(two, 9) ^ rotated(two, 17)) >>> 0
    }
    for (const [i, word] of [a, b, c, d, e, f, g, h].entries()) this.#state[i] = this.#state[i]! ^ word
    this.#filled = 0
  }
}

function rotated(word: number, by: number): number {
  return ((word << by) | (word >>> (32 - by))) >>> 0
}
