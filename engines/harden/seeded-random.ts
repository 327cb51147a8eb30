import { createHash } from 'node:crypto'

/** Numbers that follow from a seed, the same ones each time (SHA-256 of seed and counter). */
export class SeededRandom {
  private readonly seed: Uint8Array
  private block = Buffer.alloc(0)
  private at = 0
  private counter = 0

  constructor(seed: Uint8Array) {
    this.seed = seed
  }

  /** 32 bits, unsigned. */
  word(): number {
    if (this.at + 4 > this.block.length) {
      const counter = Buffer.alloc(4)
      counter.writeUInt32LE(this.counter++)
      this.block = createHash('sha256').update(this.seed).update(counter).digest()
      this.at = 0
    }
    this.at += 4
    return this.block.readUInt32LE(this.at - 4)
  }

  below(limit: number): number {
    return this.word() % limit
  }

  bytes(count: number): Buffer {
    return Buffer.from(Array.from({ length: count }, () => this.word() & 0xff))
  }

  /** Lower-case letters. */
  letters(count: number): string {
    return Array.from({ length: count }, () => String.fromCharCode(0x61 + this.below(26))).join('')
  }

  shuffled<Item>(items: readonly Item[]): Item[] {
    const list = [...items]
    for (let i = list.length - 1; i > 0; i--) {
      const j = this.below(i + 1)
      const moved = list[i]!
      list[i] = list[j]!
      list[j] = moved
    }
    return list
  }
}
